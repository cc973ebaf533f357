#include "tilelab/vrs/coarse.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <mutex>
#include <string>

#include "tilelab/core/error.hpp"
#include "tilelab/core/parallel.hpp"
#include "vrs/coarse_tile.hpp"

namespace tilelab::vrs {
namespace {

struct TileCount {
  std::int64_t invocations = 0;
  std::int64_t groups = 0;
};

// Pixels of a primitive inside one group of 2x2 coarse pixels.
struct Group {
  std::int32_t primitive;
  std::int16_t x, y;  // which group; its size follows from the rate of the primitive
  unsigned touched;   // which of the four coarse pixels
};

void count_area(const TileReader& reader, const Tile& tile, int x0, int y0, int x1, int y1,
                TileCount& count) {
  std::array<Group, kBlock * kBlock> groups;
  int known = 0;
  for (int y = y0; y < std::min(y1, tile.rows); ++y) {
    for (int x = x0; x < std::min(x1, tile.columns); ++x) {
      const std::int32_t primitive = tile.id(y, x);
      if (primitive < 0) continue;
      const Rate rate = tile.rate != kNoRate ? tile.rate : reader.rate_of(tile, primitive);
      const int cx = x >> width_log2(rate), cy = y >> height_log2(rate);
      const auto gx = static_cast<std::int16_t>(cx >> 1), gy = static_cast<std::int16_t>(cy >> 1);
      int found = known - 1;
      for (; found >= 0; --found) {
        const Group& group = groups[static_cast<std::size_t>(found)];
        if (group.primitive == primitive && group.x == gx && group.y == gy) break;
      }
      if (found < 0) {
        found = known++;
        groups[static_cast<std::size_t>(found)] = {primitive, gx, gy, 0};
      }
      groups[static_cast<std::size_t>(found)].touched |= 1u << ((cx & 1) | (cy & 1) << 1);
    }
  }
  count.groups += known;
  for (int i = 0; i < known; ++i) {
    count.invocations += std::popcount(groups[static_cast<std::size_t>(i)].touched);
  }
}

// A block of two rows of coarse pixels, each covered by one primitive.
template <int kW>
void count_plain(const Tile& tile, int y, int x, int coarse_height, TileCount& count) {
  const std::int32_t* above = tile.ids + y * tile.stride + x;
  const std::int32_t* below = above + coarse_height * tile.stride;
  for (int i = 0; i < kBlock; i += 2 << kW) {
    const std::int32_t a = above[i], b = above[i + (1 << kW)], c = below[i], d = below[i + (1 << kW)];
    count.groups += 1 + (b != a) + ((c != a) & (c != b)) + ((d != a) & (d != b) & (d != c));
  }
  count.invocations += 2 * (kBlock >> kW);
}

TileCount count_tile(const TileReader& reader, const Tile& tile) {
  TileCount count;
  if (tile.uniform && tile.ids[0] < 0) return count;
  if (tile.rate == kNoRate) {
    for (int y = 0; y < tile.rows; y += kBlock) {
      for (int x = 0; x < tile.columns; x += kBlock) {
        count_area(reader, tile, x, y, x + kBlock, y + kBlock, count);
      }
    }
    return count;
  }
  const int coarse_height = 1 << height_log2(tile.rate), height = 2 * coarse_height;
  const int width = 2 << width_log2(tile.rate);
  if (tile.uniform) {
    count.invocations = ceil_div(tile.columns, width / 2) * ceil_div(tile.rows, coarse_height);
    count.groups = ceil_div(tile.columns, width) * ceil_div(tile.rows, height);
    return count;
  }
  with_width(tile.rate, [&](auto w) {
    for (int y = 0; y < tile.rows; y += height) {
      for (int x0 = 0; x0 < tile.columns; x0 += kBlock) {
        if (x0 + kBlock <= tile.columns && y + height <= tile.rows &&
            tile.is_plain<w>(y, x0, coarse_height) &&
            tile.is_plain<w>(y + coarse_height, x0, coarse_height)) {
          count_plain<w>(tile, y, x0, coarse_height, count);
        } else {
          for (int x = x0; x < x0 + kBlock; x += width) {
            count_area(reader, tile, x, y, x + width, y + height, count);
          }
        }
      }
    }
  });
  return count;
}

}  // namespace

void check_scene(const CoarseScene& scene, int threads) {
  require(scene.height >= 1, "height", "must be at least 1", scene.height);
  require(scene.width >= 1, "width", "must be at least 1", scene.width);
  require(scene.tile == 8 || scene.tile == 16 || scene.tile == 32, "tile", "must be one of 8, 16, 32",
          scene.tile);
  require(scene.final_rates.extent(0) == kRateCodes && scene.final_rates.extent(1) == kRateCodes,
          "final_rates", "must have shape (16, 16)", scene.final_rates.extent(0));
  require(
      scene.offsets.size() == 0 || (scene.offsets.extent(0) == kRateCodes && scene.offsets.extent(1) == 2),
      "offsets", "must have shape (16, 2)", scene.offsets.size());
  const auto check_rates = [](const Rate* rates, std::int64_t count, const char* name) {
    const Rate* wrong = std::find_if(rates, rates + count, [](Rate rate) { return !is_rate(rate); });
    if (wrong != rates + count) {
      throw ArgumentError(name, "must hold rate codes 0, 1, 2, 4, 5, 6, 8, 9, 10", std::to_string(*wrong));
    }
  };
  check_rates(scene.rates.data(), scene.rates.size(), "rates");
  check_rates(scene.primitive_rates.data(), scene.primitive_rates.size(), "primitive_rates");
  if (scene.primitive_id.size() == 0) return;
  require(scene.primitive_id.extent(0) == scene.height && scene.primitive_id.extent(1) == scene.width,
          "primitive_id", "must have one element for each pixel", scene.primitive_id.size());
  std::int32_t least = 0, most = -1;
  std::mutex mutex;
  parallel_for(scene.primitive_id.size(), 1 << 16, threads, [&](std::int64_t begin, std::int64_t end) {
    const std::int32_t* ids = scene.primitive_id.data();
    std::int32_t low = 0, high = -1;
    for (std::int64_t i = begin; i < end; ++i) {
      low = std::min(low, ids[i]);
      high = std::max(high, ids[i]);
    }
    const std::lock_guard lock(mutex);
    least = std::min(least, low);
    most = std::max(most, high);
  });
  require(least >= -1, "primitive_id", "must be -1 (nothing) or the number of a primitive", least);
  const std::int64_t known = scene.primitive_rates.size();
  require(known == 0 || most < known, "primitive_rates", "must have a rate for every primitive",
          std::to_string(known) + " for id " + std::to_string(most));
}

void count_coarse(const CoarseScene& scene, ArrayView<std::int64_t, 2> invocations,
                  ArrayView<std::int64_t, 2> lanes, int threads) {
  check_scene(scene, threads);
  const std::int64_t rows = ceil_div<std::int64_t>(scene.height, scene.tile);
  const std::int64_t columns = ceil_div<std::int64_t>(scene.width, scene.tile);
  for (const auto* view : {&invocations, &lanes}) {
    require(view->extent(0) == rows && view->extent(1) == columns, "invocations",
            "must have one element for each tile, like lanes", view->size());
  }
  const TileReader reader(scene);
  parallel_for(rows, 1, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t ty = begin; ty < end; ++ty) {
      for (std::int64_t tx = 0; tx < columns; ++tx) {
        const TileCount count = count_tile(reader, reader.read(ty, tx));
        invocations(ty, tx) = count.invocations;
        lanes(ty, tx) = 4 * count.groups;
      }
    }
  });
}

}  // namespace tilelab::vrs
