#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "addressing/strip_kernel.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <utility>

#include "addressing/patch_plan.hpp"
#include "addressing/strip_kernel.hpp"

HWY_BEFORE_NAMESPACE();
namespace tilelab::addressing {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D8 = hn::Full128<std::uint8_t>;
using D64 = hn::Full128<std::uint64_t>;
using V8 = hn::Vec<D8>;
constexpr D8 kD8;
constexpr std::int64_t kPieceBytes = 16;
constexpr std::int64_t kLineBytes = 64;

// The three vector operations of the stages, for units of 1 << kLog2 bytes.
template <int kLog2>
HWY_INLINE V8 interleave_lower(V8 a, V8 b) {
  using T = hwy::UnsignedFromSize<1 << kLog2>;
  const hn::Full128<T> d;
  return hn::BitCast(kD8, hn::InterleaveLower(d, hn::BitCast(d, a), hn::BitCast(d, b)));
}

template <int kLog2>
HWY_INLINE V8 interleave_upper(V8 a, V8 b) {
  using T = hwy::UnsignedFromSize<1 << kLog2>;
  const hn::Full128<T> d;
  return hn::BitCast(kD8, hn::InterleaveUpper(d, hn::BitCast(d, a), hn::BitCast(d, b)));
}

// Even units to the lower half, odd units to the upper.
template <int kLog2>
HWY_INLINE V8 split_units(V8 v) {
  if constexpr (kLog2 == 3) {
    return v;
  } else {
    alignas(16) static constexpr auto kOrder = [] {
      std::array<std::uint8_t, 16> order{};
      constexpr int kUnit = 1 << kLog2;
      for (int i = 0; i < 16; ++i) {
        const int unit = i / kUnit, units = 16 / kUnit;
        const int source = unit < units / 2 ? 2 * unit : 2 * (unit - units / 2) + 1;
        order[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(source * kUnit + i % kUnit);
      }
      return order;
    }();
    return hn::TableLookupBytes(v, hn::Load(kD8, kOrder.data()));
  }
}

template <int kStage, int kIndexBit, std::size_t kRegisters>
HWY_INLINE void run_stage(std::array<V8, kRegisters>& r) {
  constexpr std::size_t kStep = std::size_t{1} << kIndexBit;
  const auto pair = [&](std::size_t a) HWY_ATTR {
    const std::size_t b = a + kStep;
    const V8 first = r[a], second = r[b];
    if constexpr (kStage < kDeinterleave) {
      r[a] = interleave_lower<kStage>(first, second);
      r[b] = interleave_upper<kStage>(first, second);
    } else {
      const V8 split_first = split_units<kStage - kDeinterleave>(first);
      const V8 split_second = split_units<kStage - kDeinterleave>(second);
      r[a] = interleave_lower<3>(split_first, split_second);
      r[b] = interleave_upper<3>(split_first, split_second);
    }
  };
  for (std::size_t a = 0; a < kRegisters; ++a) {
    if ((a & kStep) == 0) pair(a);
  }
}

template <int kNetwork, std::size_t kRegisters>
HWY_INLINE void run_network(std::array<V8, kRegisters>& r) {
  constexpr Network kStages = kNetworks[kNetwork];
  if constexpr (kStages[0] != kNoStage) run_stage<kStages[0], 0>(r);
  if constexpr (kStages[1] != kNoStage) run_stage<kStages[1], 1>(r);
  if constexpr (kStages[2] != kNoStage) run_stage<kStages[2], 2>(r);
}

constexpr int inverse_stage(int stage) {
  return stage < kDeinterleave ? stage + kDeinterleave : stage - kDeinterleave;
}

template <int kNetwork, std::size_t kRegisters>
HWY_INLINE void run_inverse(std::array<V8, kRegisters>& r) {
  constexpr Network kStages = kNetworks[kNetwork];
  if constexpr (kStages[2] != kNoStage) run_stage<inverse_stage(kStages[2]), 2>(r);
  if constexpr (kStages[1] != kNoStage) run_stage<inverse_stage(kStages[1]), 1>(r);
  if constexpr (kStages[0] != kNoStage) run_stage<inverse_stage(kStages[0]), 0>(r);
}

constexpr std::size_t registers_of(int network) {
  std::size_t count = 1;
  for (const int stage : kNetworks[network]) count *= stage == kNoStage ? 1 : 2;
  return count;
}

template <bool kStream>
HWY_INLINE void put(V8 v, std::uint8_t* to) {
  if constexpr (kStream) {
    hn::Stream(v, kD8, to);
  } else {
    hn::StoreU(v, kD8, to);
  }
}

// Groups of a patch: registers loaded from one side, through the network, to the other side.
template <int kNetwork, bool kStream>
HWY_INLINE void patch_to_tiled(const PatchPlan& patch, const std::int64_t* HWY_RESTRICT piece_offsets,
                               const std::uint8_t* linear, std::uint8_t* tiled, std::uint32_t inside) {
  constexpr std::size_t kRegisters = registers_of(kNetwork);
  const auto pieces = static_cast<std::size_t>(patch.pieces);
  if constexpr (kRegisters == 1) {
    // The pieces of a line follow each other: one XOR a line.
    for (std::size_t p = 0; p < pieces; p += 4) {
      std::uint8_t* line = tiled + (inside ^ patch.tiled[p]);
      for (std::size_t q = 0; q < 4; ++q)
        put<kStream>(hn::LoadU(kD8, linear + piece_offsets[p + q]), line + 16 * q);
    }
  } else {
    std::array<V8, kRegisters> r;
    for (std::size_t p = 0; p < pieces; p += kRegisters) {
      for (std::size_t i = 0; i < kRegisters; ++i) r[i] = hn::LoadU(kD8, linear + piece_offsets[p + i]);
      run_network<kNetwork>(r);
      for (std::size_t i = 0; i < kRegisters; ++i) put<kStream>(r[i], tiled + (inside ^ patch.tiled[p + i]));
    }
  }
}

struct PatchPosition {
  std::int64_t row, column;
};

// The patch to fetch while this one is moved: further right, or in the next patch row where rectangles are
// whole rows.
HWY_INLINE PatchPosition position_ahead(const Strip& s, std::int64_t row, std::int64_t column) {
  const std::int64_t soon = column + s.ahead;
  if (soon < s.column_count) return {row, soon};
  if (s.rectangle_columns < s.column_count) return {s.row_count, 0};
  return {row + 1, soon - s.column_count};
}

template <int kNetwork, bool kStream>
void copy_strip_to_tiled(const Strip& s) {
  const PatchPlan& patch = *s.patch;
  const std::int64_t patches_per_line =
      s.patch_column_bytes < kLineBytes ? kLineBytes / s.patch_column_bytes : 1;
  for (std::int64_t first = 0; first < s.column_count; first += s.rectangle_columns) {
    const std::int64_t last = std::min(first + s.rectangle_columns, s.column_count);
    for (std::int64_t row = 0; row < s.row_count; ++row) {
      const std::uint8_t* linear = s.linear + s.rows[row].linear_offset;
      std::uint8_t* tiled = s.tiled + s.rows[row].place.block;
      for (std::int64_t column = first; column < last; ++column) {
        if ((column & (patches_per_line - 1)) == 0) {
          const PatchPosition soon = position_ahead(s, row, column);
          if (soon.row < s.row_count) {
            const std::uint8_t* ahead =
                s.linear + s.rows[soon.row].linear_offset + soon.column * s.patch_column_bytes;
            for (int line = 0; line < s.lines; ++line) hwy::Prefetch(ahead + s.line_offsets[line]);
          }
        }
        patch_to_tiled<kNetwork, kStream>(patch, s.piece_offsets, linear + column * s.patch_column_bytes,
                                          tiled + s.columns[column].block,
                                          s.rows[row].place.inside ^ s.columns[column].inside);
      }
    }
  }
}

// `count` patches of 16 bytes side by side, or one wider patch.
template <int kNetwork, bool kStream>
HWY_INLINE void patches_to_linear(const PatchPlan& patch, const std::int64_t* HWY_RESTRICT piece_offsets,
                                  std::uint8_t* linear, const std::uint8_t* tiled, std::uint32_t row_inside,
                                  const TiledPlace* HWY_RESTRICT columns, std::size_t count) {
  constexpr std::size_t kRegisters = registers_of(kNetwork);
  const auto pieces = static_cast<std::size_t>(patch.pieces);
  std::array<const std::uint8_t*, 4> source;
  std::array<std::uint32_t, 4> inside;
  for (std::size_t k = 0; k < count; ++k) {
    source[k] = tiled + columns[k].block;
    inside[k] = row_inside ^ columns[k].inside;
  }
  // Few rows at a time, so that lines of linear memory are finished soon after they are begun.
  const auto move = [&](std::size_t p, std::size_t k) HWY_ATTR {
    std::array<V8, kRegisters> r;
    for (std::size_t i = 0; i < kRegisters; ++i)
      r[i] = hn::LoadU(kD8, source[k] + (inside[k] ^ patch.tiled[p + i]));
    run_inverse<kNetwork>(r);
    for (std::size_t i = 0; i < kRegisters; ++i) put<kStream>(r[i], linear + piece_offsets[p + i] + 16 * k);
  };
  if (count == 4) {
    for (std::size_t p = 0; p < pieces; p += kRegisters) {
      for (std::size_t k = 0; k < 4; ++k) move(p, k);
    }
    return;
  }
  for (std::size_t p = 0; p < pieces; p += kRegisters) {
    for (std::size_t k = 0; k < count; ++k) move(p, k);
  }
}

HWY_INLINE void prefetch_window(const Strip& s, std::int64_t row, std::int64_t begin, std::int64_t end) {
  const PatchPosition soon = position_ahead(s, row, begin);
  if (soon.row >= s.row_count) return;
  const TiledPlace& place = s.rows[soon.row].place;
  for (std::int64_t k = soon.column; k < std::min(soon.column + end - begin, s.column_count); ++k) {
    const std::uint8_t* ahead = s.tiled + place.block + s.columns[k].block;
    const std::uint32_t inside = place.inside ^ s.columns[k].inside;
    for (int line = 0; line < s.tiled_line_count; ++line)
      hwy::Prefetch(ahead + (inside ^ s.tiled_lines[line]));
  }
}

template <int kNetwork, bool kStream>
void copy_strip_to_linear(const Strip& s) {
  const PatchPlan& patch = *s.patch;
  const std::int64_t step = s.patch_column_bytes == kPieceBytes ? kLineBytes / kPieceBytes : 1;
  const std::int64_t start = s.first_columns == 0 ? 0 : s.first_columns - step;  // a cut first window
  for (std::int64_t first = start; first < s.column_count; first += s.rectangle_columns) {
    const std::int64_t last = std::min(first + s.rectangle_columns, s.column_count);
    // Tiled memory is read in its own order while an earlier rectangle is moved: the fetches run on through
    // memory.
    const std::uint8_t* sequential = s.tiled + s.rows[0].place.block +
                                     s.columns[std::min(first + step, s.column_count - 1)].block +
                                     s.tiled_ahead;
    for (std::int64_t row = 0; row < s.row_count; ++row) {
      std::uint8_t* linear = s.linear + s.rows[row].linear_offset;
      const std::uint8_t* tiled = s.tiled + s.rows[row].place.block;
      const std::uint32_t row_inside = s.rows[row].place.inside;
      for (std::int64_t window = first; window < last; window += step) {
        const std::int64_t begin = std::max<std::int64_t>(window, 0),
                           end = std::min(window + step, s.column_count);
        if (s.tiled_ahead != 0) {
          for (std::size_t p = 0; p < static_cast<std::size_t>(patch.pieces); ++p, sequential += kLineBytes)
            hwy::Prefetch(sequential);
        } else {
          prefetch_window(s, row, begin, end);
        }
        patches_to_linear<kNetwork, kStream>(patch, s.piece_offsets, linear + begin * s.patch_column_bytes,
                                             tiled, row_inside, s.columns + begin,
                                             static_cast<std::size_t>(end - begin));
      }
    }
  }
}

using StripFunction = void (*)(const Strip&);

template <bool kToTiled, bool kStream, std::size_t... kNetwork>
constexpr std::array<StripFunction, sizeof...(kNetwork)> strip_functions(std::index_sequence<kNetwork...>) {
  if constexpr (kToTiled) {
    return {&copy_strip_to_tiled<static_cast<int>(kNetwork), kStream>...};
  } else {
    return {&copy_strip_to_linear<static_cast<int>(kNetwork), kStream>...};
  }
}

template <bool kToTiled>
void dispatch_strip(const Strip& strip) {
  static constexpr auto kPlain = strip_functions<kToTiled, false>(std::make_index_sequence<kNetworkCount>());
  static constexpr auto kStreaming =
      strip_functions<kToTiled, true>(std::make_index_sequence<kNetworkCount>());
  const auto network = static_cast<std::size_t>(strip.patch->network);
  (strip.stream ? kStreaming : kPlain)[network](strip);
  if (strip.stream) hwy::FlushStream();
}

void strip_to_tiled(const Strip& strip) { dispatch_strip<true>(strip); }
void strip_to_linear(const Strip& strip) { dispatch_strip<false>(strip); }

}  // namespace HWY_NAMESPACE
}  // namespace tilelab::addressing
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tilelab::addressing {

HWY_EXPORT(strip_to_tiled);
HWY_EXPORT(strip_to_linear);

void copy_strip_to_tiled(const Strip& strip) { HWY_DYNAMIC_DISPATCH(strip_to_tiled)(strip); }
void copy_strip_to_linear(const Strip& strip) { HWY_DYNAMIC_DISPATCH(strip_to_linear)(strip); }

}  // namespace tilelab::addressing
#endif  // HWY_ONCE
