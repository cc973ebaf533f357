// Texel offsets by table lookup. Coordinates are checked for all queries before the first offset is written.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "addressing/texel_offset.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <atomic>
#include <string>

#include "tilelab/addressing/texel_address.hpp"
#include "tilelab/core/error.hpp"
#include "tilelab/core/parallel.hpp"

#ifndef TILELAB_ADDRESSING_TEXEL_OFFSET_STATE
#define TILELAB_ADDRESSING_TEXEL_OFFSET_STATE
namespace tilelab::addressing {

/// What one mip adds to the tables.
struct MipAddress {
  std::int64_t base;       // 0 for tail mips
  std::int64_t row_bytes;  // one row of blocks (LINEAR: one row of elements)
  std::int64_t tail_x, tail_y;
};

struct OffsetKernel {
  const std::uint32_t *x, *y, *z, *sample;
  std::uint64_t x_mask, y_mask, z_mask, sample_mask;
  int width_log2, height_log2, depth_log2, block_log2;
  std::uint32_t xor_term;
  std::int64_t slice_bytes;
  bool fits_32_bits;  // coordinates and block numbers, and the tables have at most 4096 entries
  std::array<MipAddress, kMaxMips> mips;
};

}  // namespace tilelab::addressing
#endif

HWY_BEFORE_NAMESPACE();
namespace tilelab::addressing {
namespace HWY_NAMESPACE {

std::uint64_t count_outside(const std::int64_t* values, std::int64_t count, std::uint64_t limit) {
  std::uint64_t outside = 0;
  for (std::int64_t i = 0; i < count; ++i) outside += static_cast<std::uint64_t>(values[i]) >= limit ? 1 : 0;
  return outside;
}

inline std::int64_t one_offset(const OffsetKernel& k, const MipAddress& mip, std::int64_t x, std::int64_t y,
                               std::int64_t z, std::uint32_t fixed) {
  x += mip.tail_x;
  y += mip.tail_y;
  const std::uint32_t inside = k.x[static_cast<std::uint64_t>(x) & k.x_mask] ^
                               k.y[static_cast<std::uint64_t>(y) & k.y_mask] ^
                               k.z[static_cast<std::uint64_t>(z) & k.z_mask] ^ fixed;
  return (z >> k.depth_log2) * k.slice_bytes + mip.base + (y >> k.height_log2) * mip.row_bytes +
         ((x >> k.width_log2) << k.block_log2) + static_cast<std::int64_t>(inside);
}

#if HWY_TARGET <= HWY_AVX2
namespace hn = hwy::HWY_NAMESPACE;

using D32 = hn::ScalableTag<std::uint32_t>;
using D64 = hn::ScalableTag<std::int64_t>;
constexpr std::size_t kLanes = hn::MaxLanes(D32());
constexpr int kDigitBits = kLanes == 16 ? 4 : 3;
constexpr int kDigits = 12 / kDigitBits;  // equations use coordinate bits below 12
static_assert(kLanes == 16 || kLanes == 8);

// A table of 4096 entries as one register for every digit of the coordinate.
struct DigitTables {
  explicit DigitTables(const std::uint32_t* table, std::uint64_t mask) {
    for (int digit = 0; digit < kDigits; ++digit) {
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        entries[static_cast<std::size_t>(digit)][lane] = table[lane << (digit * kDigitBits) & mask];
    }
  }

  HWY_INLINE hn::Vec<D32> look_up(hn::Vec<D32> coordinate) const {
    const D32 d;
    const auto low = hn::Set(d, static_cast<std::uint32_t>(kLanes - 1));
    auto result = hn::Zero(d);
    for (std::size_t digit = 0; digit < static_cast<std::size_t>(kDigits); ++digit) {
      const auto index = hn::IndicesFromVec(d, hn::And(coordinate, low));
      result = hn::Xor(result, hn::TableLookupLanes(hn::Load(d, entries[digit].data()), index));
      coordinate = hn::ShiftRight<kDigitBits>(coordinate);
    }
    return result;
  }

  alignas(64) std::array<std::array<std::uint32_t, kLanes>, static_cast<std::size_t>(kDigits)> entries;
};

// Whole vectors of the usual call; gives the number of offsets written. The caller has seen to it that
// coordinates and block numbers fit in 32 bits.
std::int64_t offsets_xy_vectors(const OffsetKernel& k, const MipAddress& mip,
                                const std::int64_t* HWY_RESTRICT xs, const std::int64_t* HWY_RESTRICT ys,
                                std::uint32_t fixed, std::int64_t base, std::int64_t* HWY_RESTRICT out,
                                std::int64_t count) {
  const D32 d;
  const D64 d64;
  const hn::Half<D32> half;
  const DigitTables table_x(k.x, k.x_mask), table_y(k.y, k.y_mask);
  const auto tail_x = hn::Set(d, static_cast<std::uint32_t>(mip.tail_x));
  const auto tail_y = hn::Set(d, static_cast<std::uint32_t>(mip.tail_y));
  const auto row_blocks = hn::Set(d, static_cast<std::uint32_t>(mip.row_bytes >> k.block_log2));
  const auto constant = hn::Set(d, fixed);
  const auto start = hn::Set(d64, base);
  const auto load = [&](const std::int64_t* from) HWY_ATTR {
    const auto low = hn::BitCast(d, hn::LoadU(d64, from));
    const auto high = hn::BitCast(d, hn::LoadU(d64, from + kLanes / 2));
    return hn::ConcatEven(d, high, low);
  };
  constexpr auto kStep = static_cast<std::int64_t>(kLanes);
  std::int64_t i = 0;
  for (; i + kStep <= count; i += kStep) {
    const auto x = hn::Add(load(xs + i), tail_x);
    const auto y = hn::Add(load(ys + i), tail_y);
    const auto inside = hn::Xor(hn::Xor(table_x.look_up(x), table_y.look_up(y)), constant);
    const auto block = hn::Add(hn::Mul(hn::ShiftRightSame(y, k.height_log2), row_blocks),
                               hn::ShiftRightSame(x, k.width_log2));
    const auto put = [&](auto block_half, auto inside_half, std::int64_t* to) HWY_ATTR {
      const auto wide = hn::BitCast(d64, hn::PromoteTo(hn::RebindToUnsigned<D64>(), block_half));
      const auto low = hn::BitCast(d64, hn::PromoteTo(hn::RebindToUnsigned<D64>(), inside_half));
      hn::StoreU(hn::Add(hn::Add(hn::ShiftLeftSame(wide, k.block_log2), low), start), d64, to);
    };
    put(hn::LowerHalf(half, block), hn::LowerHalf(half, inside), out + i);
    put(hn::UpperHalf(half, block), hn::UpperHalf(half, inside), out + i + kStep / 2);
  }
  return i;
}
#endif

// The usual call: arrays of x and y, one mip, slice and sample for all.
void offsets_xy(const OffsetKernel& k, const MipAddress& mip, const std::int64_t* HWY_RESTRICT xs,
                const std::int64_t* HWY_RESTRICT ys, std::uint32_t fixed, std::int64_t base,
                std::int64_t* HWY_RESTRICT out, std::int64_t count) {
  const std::uint32_t* HWY_RESTRICT table_x = k.x;
  const std::uint32_t* HWY_RESTRICT table_y = k.y;
  const std::uint64_t x_mask = k.x_mask, y_mask = k.y_mask;
  const int width_log2 = k.width_log2, height_log2 = k.height_log2, block_log2 = k.block_log2;
  const std::int64_t row_bytes = mip.row_bytes, tail_x = mip.tail_x, tail_y = mip.tail_y;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t x = xs[i] + tail_x, y = ys[i] + tail_y;
    const std::uint32_t inside = table_x[static_cast<std::uint64_t>(x) & x_mask] ^
                                 table_y[static_cast<std::uint64_t>(y) & y_mask] ^ fixed;
    out[i] = base + (y >> height_log2) * row_bytes + ((x >> width_log2) << block_log2) +
             static_cast<std::int64_t>(inside);
  }
}

void offsets_any(const OffsetKernel& k, const TexelQueries& q, std::int64_t begin, std::int64_t end,
                 std::int64_t* out) {
  if (q.x.step == 1 && q.y.step == 1 && q.z.step + q.mip.step + q.sample.step == 0) {
    const MipAddress& mip = k.mips[static_cast<std::size_t>(*q.mip.data)];
    const std::int64_t z = *q.z.data;
    const std::uint32_t fixed = k.z[static_cast<std::uint64_t>(z) & k.z_mask] ^
                                k.sample[static_cast<std::uint64_t>(*q.sample.data) & k.sample_mask] ^
                                k.xor_term;
    const std::int64_t base = (z >> k.depth_log2) * k.slice_bytes + mip.base;
#if HWY_TARGET <= HWY_AVX2
    if (k.fits_32_bits)
      begin += offsets_xy_vectors(k, mip, q.x.data + begin, q.y.data + begin, fixed, base, out + begin,
                                  end - begin);
#endif
    offsets_xy(k, mip, q.x.data + begin, q.y.data + begin, fixed, base, out + begin, end - begin);
    return;
  }
  for (std::int64_t i = begin; i < end; ++i) {
    const auto at = [i](const CoordinateView& view) { return view.data[i * view.step]; };
    const std::uint32_t fixed =
        k.sample[static_cast<std::uint64_t>(at(q.sample)) & k.sample_mask] ^ k.xor_term;
    out[i] = one_offset(k, k.mips[static_cast<std::size_t>(at(q.mip))], at(q.x), at(q.y), at(q.z), fixed);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tilelab::addressing
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tilelab::addressing {

HWY_EXPORT(count_outside);
HWY_EXPORT(offsets_any);

namespace {

constexpr std::int64_t kGrain = 1 << 14;

void check_axis(const CoordinateView& view, std::int64_t count, std::int64_t limit, const char* name,
                int threads) {
  const std::int64_t values = view.step == 0 ? std::min<std::int64_t>(count, 1) : count;
  std::atomic<bool> bad = false;
  parallel_for(values, kGrain, threads, [&](std::int64_t begin, std::int64_t end) {
    if (HWY_DYNAMIC_DISPATCH(count_outside)(view.data + begin, end - begin,
                                            static_cast<std::uint64_t>(limit)) != 0)
      bad = true;
  });
  if (!bad) return;
  const auto* found =
      std::find_if(view.data, view.data + values, [&](std::int64_t v) { return v < 0 || v >= limit; });
  require(false, name, ("must be in [0, " + std::to_string(limit - 1) + "]").c_str(), *found);
}

void check_queries(const PlaneLayout& layout, const TexelQueries& q, std::int64_t count, int threads) {
  const char* z_name = layout.is_volume() ? "z" : "array_slice";
  check_axis(q.mip, count, layout.desc.mip_levels, "mip", threads);
  check_axis(q.sample, count, layout.desc.sample_count, "sample", threads);
  if (q.mip.step == 0 && count > 0) {
    const MipLayout& mip = layout.mips[static_cast<std::size_t>(*q.mip.data)];
    check_axis(q.x, count, mip.width_elements, "x", threads);
    check_axis(q.y, count, mip.height_elements, "y", threads);
    check_axis(q.z, count, mip.depth_or_array_size, z_name, threads);
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    const MipLayout& mip = layout.mips[static_cast<std::size_t>(q.mip.data[i * q.mip.step])];
    for (const auto& [view, limit, name] :
         {std::tuple{q.x, mip.width_elements, "x"}, std::tuple{q.y, mip.height_elements, "y"},
          std::tuple{q.z, mip.depth_or_array_size, z_name}}) {
      const std::int64_t value = view.data[i * view.step];
      if (value < 0 || value >= limit)
        require(false, name, ("must be in [0, " + std::to_string(limit - 1) + "]").c_str(), value);
    }
  }
}

}  // namespace

void texel_offset(const PlaneLayout& layout, const TexelQueries& queries, ArrayView<std::int64_t, 1> out,
                  int threads) {
  check_queries(layout, queries, out.size(), threads);
  const AddressTables tables(layout.equation);
  const AddressEquation& equation = layout.equation;
  const int block_log2 = layout.is_linear() ? layout.element_log2 : equation.block_log2;
  OffsetKernel kernel = {.x = tables.x.data(),
                         .y = tables.y.data(),
                         .z = tables.z.data(),
                         .sample = tables.sample.data(),
                         .x_mask = tables.x.size() - 1,
                         .y_mask = tables.y.size() - 1,
                         .z_mask = tables.z.size() - 1,
                         .sample_mask = tables.sample.size() - 1,
                         .width_log2 = equation.width_log2,
                         .height_log2 = equation.height_log2,
                         .depth_log2 = equation.depth_log2,
                         .block_log2 = block_log2,
                         .xor_term = layout.xor_term,
                         .slice_bytes = layout.slice_size_bytes,
                         .fits_32_bits = layout.slice_size_bytes >> block_log2 < (std::int64_t{1} << 31) &&
                                         tables.x.size() <= 4096 && tables.y.size() <= 4096,
                         .mips = {}};
  for (std::size_t i = 0; i < static_cast<std::size_t>(layout.desc.mip_levels); ++i) {
    const MipLayout& mip = layout.mips[i];
    const std::int64_t row_bytes = (mip.padded_width_elements >> equation.width_log2) << kernel.block_log2;
    kernel.mips[i] = {.base = layout.desc.base_offset_bytes + (mip.is_mip_tail ? 0 : mip.offset_bytes),
                      .row_bytes = mip.is_mip_tail ? 0 : row_bytes,
                      .tail_x = mip.tail_x_elements,
                      .tail_y = mip.tail_y_elements};
  }
  parallel_for(out.size(), kGrain, threads, [&](std::int64_t begin, std::int64_t end) {
    HWY_DYNAMIC_DISPATCH(offsets_any)(kernel, queries, begin, end, out.data());
  });
}

}  // namespace tilelab::addressing
#endif  // HWY_ONCE
