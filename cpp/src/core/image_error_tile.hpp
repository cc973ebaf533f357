// What the error kernel of every instruction set shares: the walk over rows of tiles, and the sums of a tile.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tilelab/core/image_error.hpp"

namespace tilelab {

inline constexpr std::int64_t kErrorLanes = 8;
// How far ahead of the loads, in each of the two images.
inline constexpr std::int64_t kAheadBytes = 2048;
// Rows added up together where there are no tiles.
inline constexpr std::int64_t kErrorRows = 16;

// Floats use the partial sums, bytes the whole numbers.
struct TileErrors {
  alignas(64) double square[kErrorLanes] = {};
  alignas(64) double absolute[kErrorLanes] = {};
  alignas(64) double largest[kErrorLanes] = {};
  std::int64_t byte_square = 0;
  std::int64_t byte_absolute = 0;
  std::int64_t byte_largest = 0;
  std::int64_t values = 0;
  std::int64_t not_finite = 0;
  std::int64_t differing = 0;

  ImageErrorSums sums() const;
};

struct ErrorBand {
  const void* image = nullptr;
  const void* reference = nullptr;
  const std::uint8_t* where = nullptr;  // may be null
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t channels = 0;
  std::int64_t tile_height = 0;
  std::int64_t tile_width = 0;
  ImageErrorSums* sums = nullptr;  // one for each tile
  std::int64_t columns = 0;        // tiles in a row of them
};

// Pixels handled together under a mask; their values fill whole sets of partial sums.
inline constexpr std::int64_t kMaskedPixels = 64;

// Copies the pixels that count and writes 0 in place of the others.
template <typename T>
void keep_pixels(const T* pixels, const std::uint8_t* where, std::int64_t count, std::int64_t channels,
                 T* kept) {
  for (std::int64_t i = 0; i < count; ++i) {
    for (std::int64_t c = 0; c < channels; ++c)
      kept[i * channels + c] = where[i] != 0 ? pixels[i * channels + c] : T{0};
  }
}

// A row of a tile of which some pixels do not count: these become equal in both images.
template <typename T, typename Add>
void add_masked_row(const ErrorBand& band, const T* a, const T* b, const std::uint8_t* where,
                    std::int64_t pixels, std::vector<T>& kept, TileErrors& tile, Add add) {
  for (std::int64_t x = 0; x < pixels; x += kMaskedPixels) {
    const std::int64_t part = std::min(kMaskedPixels, pixels - x), values = part * band.channels;
    const std::int64_t counting = part - std::count(where + x, where + x + part, std::uint8_t{0});
    const T* p = a + x * band.channels;
    const T* q = b + x * band.channels;
    tile.values += counting * band.channels;
    if (counting == 0) continue;
    if (counting < part) {
      keep_pixels(p, where + x, part, band.channels, kept.data());
      keep_pixels(q, where + x, part, band.channels, kept.data() + values);
      p = kept.data();
      q = kept.data() + values;
    }
    add(p, q, values, 1, values, tile);
  }
}

// Rows of tiles [begin, end). add(image values, reference values, pitch, rows, count, tile) adds rows of
// values.
template <typename T, typename Add>
void add_tiles(const ErrorBand& band, std::int64_t begin, std::int64_t end, Add add) {
  const std::int64_t pitch = band.width * band.channels;
  std::vector<T> kept(
      static_cast<std::size_t>(band.where != nullptr ? 2 * kMaskedPixels * band.channels : 0));
  for (std::int64_t ty = begin; ty < end; ++ty) {
    const std::int64_t y = ty * band.tile_height, rows = std::min(band.tile_height, band.height - y);
    for (std::int64_t tx = 0; tx < band.columns; ++tx) {
      const std::int64_t x = tx * band.tile_width, pixels = std::min(band.tile_width, band.width - x);
      const T* a = static_cast<const T*>(band.image) + y * pitch + x * band.channels;
      const T* b = static_cast<const T*>(band.reference) + y * pitch + x * band.channels;
      TileErrors tile;
      if (band.where == nullptr) {
        add(a, b, pitch, rows, pixels * band.channels, tile);
        tile.values = rows * pixels * band.channels;
      } else {
        for (std::int64_t row = 0; row < rows; ++row) {
          add_masked_row(band, a + row * pitch, b + row * pitch, band.where + (y + row) * band.width + x,
                         pixels, kept, tile, add);
        }
      }
      band.sums[ty * band.columns + tx] = tile.sums();
    }
  }
}

}  // namespace tilelab
