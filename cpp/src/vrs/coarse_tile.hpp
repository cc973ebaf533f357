// The pixels of one tile of a coarsely shaded picture, as counting and listing read them.
#pragma once

#include <hwy/cache_control.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>

#include "tilelab/core/bits.hpp"
#include "tilelab/vrs/coarse.hpp"

namespace tilelab::vrs {

// Pixels handled together: every coarse pixel, and every group of 2x2 of them, lies inside an aligned block.
inline constexpr int kBlock = 8;

// How many pixels ahead memory is announced: the automatic prefetchers do not follow the rows of a tile.
inline constexpr std::int64_t kAhead = 64;

struct Tile {
  std::int64_t top = 0, left = 0;     // first pixel of the picture
  int rows = 0, columns = 0;          // pixels inside the picture
  const std::int32_t* ids = nullptr;  // primitives, from the first pixel on
  std::int64_t stride = 0;
  bool uniform = false;  // one primitive, or nothing, in all pixels
  Rate rate = kNoRate;   // of every primitive in the tile; kNoRate when they differ
  Rate image_rate = kRate1x1;

  std::int32_t id(int y, int x) const { return ids[y * stride + x]; }

  // True when each coarse pixel (2^kW wide) of the block at (y, x) is covered by one primitive.
  // Precondition: the block lies inside the picture.
  template <int kW>
  bool is_plain(int y, int x, int coarse_height) const {
    const std::int32_t* first = ids + y * stride + x;
    std::int32_t difference = 0, nothing = 0;
    for (int k = 0; k < coarse_height; ++k) {
      const std::int32_t* row = first + k * stride;
      for (int i = 0; i < kBlock; ++i) {
        difference |= row[i] ^ first[i >> kW << kW];
        nothing |= row[i];
      }
    }
    return difference == 0 && nothing >= 0;
  }
};

// Calls function(std::integral_constant<int, w>) for the log2 of the width of a coarse pixel.
template <typename Function>
void with_width(Rate rate, Function function) {
  switch (width_log2(rate)) {
    case 0:
      return function(std::integral_constant<int, 0>());
    case 1:
      return function(std::integral_constant<int, 1>());
    default:
      return function(std::integral_constant<int, 2>());
  }
}

class TileReader {
 public:
  explicit TileReader(const CoarseScene& scene) : scene_(scene) {}

  Tile read(std::int64_t ty, std::int64_t tx) const {
    Tile tile;
    tile.top = ty * scene_.tile;
    tile.left = tx * scene_.tile;
    tile.rows = static_cast<int>(std::min<std::int64_t>(scene_.tile, scene_.height - tile.top));
    tile.columns = static_cast<int>(std::min<std::int64_t>(scene_.tile, scene_.width - tile.left));
    if (ty < scene_.rates.extent(0) && tx < scene_.rates.extent(1)) {
      tile.image_rate = scene_.rates(ty, tx);
    }
    if (scene_.primitive_id.size() != 0) {
      tile.ids = &scene_.primitive_id(tile.top, tile.left);
      tile.stride = scene_.width;
      if (tile.left + kAhead < scene_.width) {
        for (int y = 0; y < tile.rows; ++y) hwy::Prefetch(tile.ids + y * tile.stride + kAhead);
      }
      tile.uniform = is_uniform(tile);
    } else {
      tile.ids = kPrimitiveZero.data();
      tile.uniform = true;
    }
    tile.rate = common_rate(tile);
    return tile;
  }

  // Final rate of a primitive. Precondition: primitive >= 0.
  Rate rate_of(const Tile& tile, std::int32_t primitive) const {
    const Rate own = scene_.primitive_rates.size() != 0 ? scene_.primitive_rates(primitive) : kRate1x1;
    return scene_.final_rates(own, tile.image_rate);
  }

 private:
  static constexpr std::array<std::int32_t, 32> kPrimitiveZero{};

  static bool is_uniform(const Tile& tile) {
    const std::int32_t first = tile.ids[0];
    std::array<std::int32_t, kBlock> difference{};
    for (int y = 0; y < tile.rows; ++y) {
      const std::int32_t* row = tile.ids + y * tile.stride;
      int x = 0;
      for (; x + kBlock <= tile.columns; x += kBlock) {
        for (std::size_t k = 0; k < kBlock; ++k) difference[k] |= row[x + static_cast<int>(k)] ^ first;
      }
      for (; x < tile.columns; ++x) difference[0] |= row[x] ^ first;
    }
    std::int32_t any = 0;
    for (const std::int32_t lane : difference) any |= lane;
    return any == 0;
  }

  Rate common_rate(const Tile& tile) const {
    if (scene_.primitive_rates.size() == 0) return rate_of(tile, 0);
    if (tile.uniform) return tile.ids[0] < 0 ? kRate1x1 : rate_of(tile, tile.ids[0]);
    Rate common = kNoRate;
    for (int y = 0; y < tile.rows; ++y) {
      for (int x = 0; x < tile.columns; ++x) {
        if (tile.id(y, x) < 0) continue;
        const Rate rate = rate_of(tile, tile.id(y, x));
        if (common == kNoRate) common = rate;
        if (rate != common) return kNoRate;
      }
    }
    return common;
  }

  const CoarseScene& scene_;
};

// Throws ArgumentError when a scene breaks a precondition of count_coarse.
void check_scene(const CoarseScene& scene, int threads);

}  // namespace tilelab::vrs
