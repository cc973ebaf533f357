#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/image_error.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "core/image_error_tile.hpp"
#include "core/simd-inl.hpp"
#include "tilelab/core/bits.hpp"
#include "tilelab/core/error.hpp"
#include "tilelab/core/parallel.hpp"

HWY_BEFORE_NAMESPACE();
namespace tilelab {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Fixed, so that eight partial sums are whole vectors; targets with vectors of unknown length use 128 bits.
#if HWY_ARCH_X86
inline constexpr std::int64_t kDoubleLanes = std::min<std::int64_t>(kErrorLanes, HWY_LANES(double));
#else
inline constexpr std::int64_t kDoubleLanes = 2;
#endif
inline constexpr std::int64_t kRegisters = kErrorLanes / kDoubleLanes;
using DoubleTag = hn::FixedTag<double, kDoubleLanes>;
using Double = hn::Vec<DoubleTag>;

HWY_INLINE Double load_double(const double* p) { return hn::LoadU(DoubleTag(), p); }
HWY_INLINE Double load_double(const float* p) {
  return hn::PromoteTo(DoubleTag(), hn::LoadU(hn::Rebind<float, DoubleTag>(), p));
}

// Adds `rows` rows of `count` values, `pitch` values apart, to the partial sums of their tile.
template <typename T>
void add_rows(const T* HWY_RESTRICT a, const T* HWY_RESTRICT b, std::int64_t pitch, std::int64_t rows,
              std::int64_t count, TileErrors& tile) {
  const DoubleTag d;
  const Double highest = hn::Set(d, std::numeric_limits<double>::max());
  Double square[kRegisters], absolute[kRegisters], largest[kRegisters];
  for (std::int64_t r = 0; r < kRegisters; ++r) {
    square[r] = hn::Load(d, tile.square + r * kDoubleLanes);
    absolute[r] = hn::Load(d, tile.absolute + r * kDoubleLanes);
    largest[r] = hn::Load(d, tile.largest + r * kDoubleLanes);
  }
  auto all_finite = hn::Eq(highest, highest);
  const auto add = [&](const T* p, const T* q) HWY_ATTR {
    for (std::int64_t r = 0; r < kRegisters; ++r) {
      const Double difference =
          hn::Abs(hn::Sub(load_double(p + r * kDoubleLanes), load_double(q + r * kDoubleLanes)));
      const auto finite = hn::Le(difference, highest);
      const Double error = hn::IfThenElseZero(finite, difference);
      all_finite = hn::And(all_finite, finite);
      square[r] = hn::Add(square[r], hn::Mul(error, error));
      absolute[r] = hn::Add(absolute[r], error);
      largest[r] = hn::Max(largest[r], error);
    }
  };
  constexpr std::int64_t kAhead = kAheadBytes / static_cast<std::int64_t>(sizeof(T));
  constexpr std::int64_t kLine = 64 / static_cast<std::int64_t>(sizeof(T));
  for (std::int64_t y = 0; y < rows; ++y) {
    const T* const p = a + y * pitch;
    const T* const q = b + y * pitch;
    std::int64_t i = 0;
    for (; i + kErrorLanes <= count; i += kErrorLanes) {
      if (i % kLine == 0) {
        prefetch<64>(p + i + kAhead);
        prefetch<64>(q + i + kAhead);
      }
      add(p + i, q + i);
    }
    if (i < count) {
      T rest_a[kErrorLanes] = {}, rest_b[kErrorLanes] = {};
      std::copy_n(p + i, count - i, rest_a);
      std::copy_n(q + i, count - i, rest_b);
      add(rest_a, rest_b);
    }
  }
  for (std::int64_t r = 0; r < kRegisters; ++r) {
    hn::Store(square[r], d, tile.square + r * kDoubleLanes);
    hn::Store(absolute[r], d, tile.absolute + r * kDoubleLanes);
    hn::Store(largest[r], d, tile.largest + r * kDoubleLanes);
  }
  if (HWY_LIKELY(hn::AllTrue(d, all_finite))) return;
  for (std::int64_t y = 0; y < rows; ++y) {
    for (std::int64_t i = y * pitch; i < y * pitch + count; ++i) {
      if (std::isfinite(static_cast<double>(a[i]) - static_cast<double>(b[i]))) continue;
      ++tile.not_finite;
      if (a[i] != b[i] && !(std::isnan(a[i]) && std::isnan(b[i]))) ++tile.differing;
    }
  }
}

// Bytes: whole numbers, so no order matters.
void add_rows(const std::uint8_t* HWY_RESTRICT a, const std::uint8_t* HWY_RESTRICT b, std::int64_t pitch,
              std::int64_t rows, std::int64_t count, TileErrors& tile) {
  constexpr std::int64_t kMost = 1 << 15;  // squares of so many stay below 2^31
  const hn::ScalableTag<std::uint8_t> d;
  const hn::RepartitionToWide<decltype(d)> d16;
  const hn::RebindToSigned<decltype(d16)> di16;
  const hn::RepartitionToWide<decltype(di16)> di32;
  const hn::Repartition<std::uint64_t, decltype(d)> d64;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto zero = hn::Zero(d);
  auto largest = zero;
  for (std::int64_t y = 0; y < rows; ++y) {
    for (std::int64_t begin = 0; begin < count; begin += kMost) {
      const std::int64_t end = std::min(begin + kMost, count);
      const std::uint8_t* const p = a + y * pitch;
      const std::uint8_t* const q = b + y * pitch;
      auto absolute = hn::Zero(d64);
      auto square = hn::Zero(di32), square_rest = hn::Zero(di32);
      std::int64_t i = begin;
      for (; i + lanes <= end; i += lanes) {
        const auto u = hn::LoadU(d, p + i), v = hn::LoadU(d, q + i);
        const auto difference = hn::Or(hn::SaturatedSub(u, v), hn::SaturatedSub(v, u));
        const auto low = hn::BitCast(di16, hn::InterleaveLower(d, difference, zero));
        const auto high = hn::BitCast(di16, hn::InterleaveUpper(d, difference, zero));
        square = hn::ReorderWidenMulAccumulate(di32, low, low, square, square_rest);
        square = hn::ReorderWidenMulAccumulate(di32, high, high, square, square_rest);
        absolute = hn::Add(absolute, hn::SumsOf8(difference));
        largest = hn::Max(largest, difference);
      }
      tile.byte_square += hn::GetLane(hn::SumOfLanes(di32, hn::Add(square, square_rest)));
      tile.byte_absolute += static_cast<std::int64_t>(hn::GetLane(hn::SumOfLanes(d64, absolute)));
      for (; i < end; ++i) {
        const std::int64_t difference = std::abs(std::int32_t{p[i]} - std::int32_t{q[i]});
        tile.byte_square += difference * difference;
        tile.byte_absolute += difference;
        tile.byte_largest = std::max(tile.byte_largest, difference);
      }
    }
  }
  HWY_ALIGN std::uint8_t kept[HWY_MAX_BYTES];
  hn::Store(largest, d, kept);
  tile.byte_largest = std::max<std::int64_t>(tile.byte_largest, *std::max_element(kept, kept + lanes));
}

template <typename T>
void error_rows(const ErrorBand& band, std::int64_t begin, std::int64_t end) {
  add_tiles<T>(band, begin, end,
               [](const T* a, const T* b, std::int64_t pitch, std::int64_t rows, std::int64_t count,
                  TileErrors& tile) HWY_ATTR { add_rows(a, b, pitch, rows, count, tile); });
}

void error_rows_float(const ErrorBand& band, std::int64_t begin, std::int64_t end) {
  error_rows<float>(band, begin, end);
}
void error_rows_double(const ErrorBand& band, std::int64_t begin, std::int64_t end) {
  error_rows<double>(band, begin, end);
}
void error_rows_byte(const ErrorBand& band, std::int64_t begin, std::int64_t end) {
  error_rows<std::uint8_t>(band, begin, end);
}

}  // namespace HWY_NAMESPACE
}  // namespace tilelab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tilelab {
namespace {

HWY_EXPORT(error_rows_float);
HWY_EXPORT(error_rows_double);
HWY_EXPORT(error_rows_byte);

double sum_of(const double* lanes) {
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

template <typename T>
void rows_of(const ErrorBand& band, std::int64_t begin, std::int64_t end) {
  if constexpr (std::is_same_v<T, float>) {
    HWY_DYNAMIC_DISPATCH(error_rows_float)(band, begin, end);
  } else if constexpr (std::is_same_v<T, double>) {
    HWY_DYNAMIC_DISPATCH(error_rows_double)(band, begin, end);
  } else {
    HWY_DYNAMIC_DISPATCH(error_rows_byte)(band, begin, end);
  }
}

template <typename T>
ImageErrorSums run_image_error(ArrayView<const T, 3> image, ArrayView<const T, 3> reference,
                               ArrayView<const std::uint8_t, 2> where, int tile,
                               ArrayView<ImageErrorSums, 2> tiles, int threads) {
  const std::int64_t height = image.extent(0), width = image.extent(1);
  require(reference.extents() == image.extents(), "reference", "must have the extents of image",
          reference.size());
  require(where.data() == nullptr || (where.extent(0) == height && where.extent(1) == width), "where",
          "must have one element for each pixel", where.size());
  require(tile >= 0, "tile", "must be at least 0", tile);
  ErrorBand band = {.image = image.data(),
                    .reference = reference.data(),
                    .where = where.data(),
                    .height = height,
                    .width = width,
                    .channels = image.extent(2),
                    .tile_height = tile != 0 ? tile : kErrorRows,
                    .tile_width = tile != 0 ? tile : std::max<std::int64_t>(width, 1)};
  const std::int64_t rows = ceil_div(height, band.tile_height);
  band.columns = ceil_div(width, band.tile_width);
  require(tile == 0 || (tiles.extent(0) == rows && tiles.extent(1) == band.columns), "tiles",
          "must have one element for each tile of image", tiles.size());
  std::vector<ImageErrorSums> bands(static_cast<std::size_t>(tile != 0 ? 0 : rows * band.columns));
  band.sums = tile != 0 ? tiles.data() : bands.data();
  parallel_for(rows, 1, threads, [&](std::int64_t begin, std::int64_t end) { rows_of<T>(band, begin, end); });
  ImageErrorSums total;
  for (std::int64_t i = 0; i < rows * band.columns; ++i) {
    total.square += band.sums[i].square;
    total.absolute += band.sums[i].absolute;
    total.largest = std::max(total.largest, band.sums[i].largest);
    total.counted += band.sums[i].counted;
    total.not_finite += band.sums[i].not_finite;
    total.differing += band.sums[i].differing;
  }
  return total;
}

}  // namespace

ImageErrorSums TileErrors::sums() const {
  constexpr double kFull = 255.0;
  const double largest_float = *std::max_element(largest, largest + kErrorLanes);
  return {.square = sum_of(square) + static_cast<double>(byte_square) / (kFull * kFull),
          .absolute = sum_of(absolute) + static_cast<double>(byte_absolute) / kFull,
          .largest = std::max(largest_float, static_cast<double>(byte_largest) / kFull),
          .counted = values - not_finite,
          .not_finite = not_finite,
          .differing = differing};
}

ImageErrorSums image_error(ArrayView<const float, 3> image, ArrayView<const float, 3> reference,
                           ArrayView<const std::uint8_t, 2> where, int tile,
                           ArrayView<ImageErrorSums, 2> tiles, int threads) {
  return run_image_error(image, reference, where, tile, tiles, threads);
}

ImageErrorSums image_error(ArrayView<const double, 3> image, ArrayView<const double, 3> reference,
                           ArrayView<const std::uint8_t, 2> where, int tile,
                           ArrayView<ImageErrorSums, 2> tiles, int threads) {
  return run_image_error(image, reference, where, tile, tiles, threads);
}

ImageErrorSums image_error(ArrayView<const std::uint8_t, 3> image, ArrayView<const std::uint8_t, 3> reference,
                           ArrayView<const std::uint8_t, 2> where, int tile,
                           ArrayView<ImageErrorSums, 2> tiles, int threads) {
  return run_image_error(image, reference, where, tile, tiles, threads);
}

}  // namespace tilelab
#endif  // HWY_ONCE
