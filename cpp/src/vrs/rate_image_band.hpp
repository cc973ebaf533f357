// What the rate-image kernel of every instruction set shares: arguments, scratch memory and the tile votes.
#pragma once

#include <hwy/aligned_allocator.h>

#include <cstdint>
#include <limits>

#include "tilelab/core/array_view.hpp"
#include "tilelab/core/bits.hpp"
#include "tilelab/core/error.hpp"
#include "tilelab/core/parallel.hpp"
#include "tilelab/vrs/rate_image.hpp"

namespace tilelab::vrs {

// Columns walked down together: their rows of scratch fit the first-level cache. A multiple of every tile
// size.
inline constexpr std::int64_t kStripPixels = 4096;
// How far ahead of the loads; the automatic prefetchers fall behind at this much arithmetic per line.
inline constexpr std::int64_t kPrefetchBytes = 16384;

enum class PixelFormat : std::uint8_t {
  kLuminanceFloat,
  kRgbFloat,
  kRgbaFloat,
  kLuminanceByte,
  kRgbByte,
  kRgbaByte
};

// Rows of one strip. A vector of margin on both sides, and room for whole vectors at the end.
struct StripScratch {
  explicit StripScratch(std::int64_t pixels);

  float* luminance[2];
  float* sums[2];
  std::uint8_t* coarse_x;
  std::uint8_t* coarse_y;
  std::uint8_t* count_x;  // votes of each column of eight pixels
  std::uint8_t* count_y;
  std::int32_t* votes_x;  // votes of each tile
  std::int32_t* votes_y;

 private:
  hwy::AlignedFreeUniquePtr<std::uint8_t[]> memory_;
};

// Bytes of a row of bits, whole vectors of them. Bits beyond the row are 0.
constexpr std::int64_t bit_pitch(std::int64_t width) { return 2 * ceil_div<std::int64_t>(width, 16); }

struct RateImageBand {
  PixelFormat format = PixelFormat::kLuminanceFloat;
  const void* pixels = nullptr;
  std::int64_t first_row = 0;  // of the picture in `pixels` and `no_history`
  std::int64_t height = 0;
  std::int64_t width = 0;
  RateImageOptions options;
  // One bit for each pixel, bit_pitch(width) bytes a row; those with a 1 vote fine on both axes. May be null.
  const std::uint8_t* no_history = nullptr;
  ArrayView<Rate, 2> rates;
  ArrayView<std::int32_t, 3> votes;

  void check() const;
  bool needs_extras() const;
  // Limits of luminance; NaN, to which nothing compares, where there is none.
  float lum_lo() const { return options.lum_lo.value_or(std::numeric_limits<float>::quiet_NaN()); }
  float lum_hi() const { return options.lum_hi.value_or(std::numeric_limits<float>::quiet_NaN()); }
  // Sets the coarse bits of columns at and beyond `end` and clears those of pixels without history.
  void keep_inside(std::int64_t y, std::int64_t begin, std::int64_t end, StripScratch& scratch) const;
  // Adds the column counts to the votes of the tiles and clears them.
  void sum_votes(std::int64_t begin, std::int64_t end, StripScratch& scratch) const;
  // The most votes with which an axis of such a tile is still halved.
  std::int32_t vote_limit(std::int64_t tile_width, std::int64_t tile_height) const;
  // Writes one row of tiles and clears their votes.
  void decide(std::int64_t ty, std::int64_t begin, std::int64_t end, StripScratch& scratch) const;
};

}  // namespace tilelab::vrs
