#include "tilelab/vrs/coarse.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "tilelab/core/bits.hpp"
#include "tilelab/core/error.hpp"
#include "tilelab/core/parallel.hpp"

namespace tilelab::vrs {
namespace {

constexpr int kLargestTile = 32;
constexpr int kBlock = 8;  // every group of 2x2 coarse pixels lies inside an aligned block of 8x8 pixels
constexpr int kBlockPixels = kBlock * kBlock;

struct Invocation {
  std::int32_t primitive;
  std::int16_t x, y;  // first pixel of the coarse pixel, relative to the tile
  std::uint16_t mask;
  Rate rate;
};

// Pixels of a 8x8 block in Morton order, so that a coarse pixel is met in few pieces and searches stay short.
constexpr std::array<std::array<std::uint8_t, 2>, kBlockPixels> morton_order() {
  std::array<std::array<std::uint8_t, 2>, kBlockPixels> order{};
  for (unsigned i = 0; i < kBlockPixels; ++i) {
    const unsigned x = (i & 1) | ((i >> 1) & 2) | ((i >> 2) & 4);
    const unsigned y = ((i >> 1) & 1) | ((i >> 2) & 2) | ((i >> 3) & 4);
    order[i] = {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)};
  }
  return order;
}
constexpr auto kMorton = morton_order();

// The invocations of one tile.
struct TileInvocations {
  std::array<Invocation, kLargestTile * kLargestTile> list;
  int count = 0;
  std::int64_t lanes = 0;
  // Index into `list` of the invocation of every pixel, -1 for none.
  std::array<std::int16_t, kLargestTile * kLargestTile> pixel;
};

class TileWalker {
 public:
  explicit TileWalker(const CoarseScene& scene) : scene_(scene) {}

  void collect(std::int64_t ty, std::int64_t tx, TileInvocations& out) const {
    const std::int64_t tile = scene_.tile;
    const int rows = static_cast<int>(std::min(tile, scene_.height - ty * tile));
    const int columns = static_cast<int>(std::min(tile, scene_.width - tx * tile));
    const Rate image_rate = ty < scene_.image_rates.extent(0) && tx < scene_.image_rates.extent(1)
                                ? scene_.image_rates(ty, tx)
                                : kRate1x1;
    out.count = 0;
    out.lanes = 0;
    for (int y = 0; y < rows; y += kBlock) {
      for (int x = 0; x < columns; x += kBlock) {
        collect_block(ty * tile, tx * tile, x, y, columns, rows, image_rate, out);
      }
    }
  }

 private:
  Rate rate_of(std::int32_t primitive, Rate image_rate) const {
    const Rate own = scene_.primitive_rates.size() != 0 ? scene_.primitive_rates(primitive) : kRate1x1;
    return scene_.final_rates(own, image_rate);
  }

  void collect_block(std::int64_t tile_y, std::int64_t tile_x, int x0, int y0, int columns, int rows,
                     Rate image_rate, TileInvocations& out) const {
    const int block_begin = out.count;
    int quarter_begin = block_begin;  // a coarse pixel lies inside an aligned 4x4 quarter of the block
    for (int i = 0; i < kBlockPixels; ++i) {
      if (i % (kBlockPixels / 4) == 0) quarter_begin = out.count;
      const int x = x0 + kMorton[static_cast<std::size_t>(i)][0],
                y = y0 + kMorton[static_cast<std::size_t>(i)][1];
      if (x >= columns || y >= rows) continue;
      const std::int32_t primitive =
          scene_.primitive_id.size() != 0 ? scene_.primitive_id(tile_y + y, tile_x + x) : 0;
      auto& pixel = out.pixel[static_cast<std::size_t>(y * scene_.tile + x)];
      pixel = -1;
      if (primitive < 0) continue;
      const Rate rate = rate_of(primitive, image_rate);
      const int w = width_log2(rate), h = height_log2(rate);
      const auto cx = static_cast<std::int16_t>(x >> w << w), cy = static_cast<std::int16_t>(y >> h << h);
      int found = out.count - 1;
      for (; found >= quarter_begin; --found) {
        const Invocation& known = out.list[static_cast<std::size_t>(found)];
        if (known.primitive == primitive && known.x == cx && known.y == cy) break;
      }
      if (found < quarter_begin) {
        found = out.count++;
        out.list[static_cast<std::size_t>(found)] = {primitive, cx, cy, 0, rate};
      }
      const int position = ((y - cy) << w) + (x - cx);
      Invocation& invocation = out.list[static_cast<std::size_t>(found)];
      invocation.mask = static_cast<std::uint16_t>(invocation.mask | 1 << ((1 << (w + h)) - 1 - position));
      pixel = static_cast<std::int16_t>(found);
    }
    out.lanes += 4 * count_groups(out, block_begin);
  }

  // Distinct (primitive, 2x2 group of coarse pixels) among the invocations of one block.
  static int count_groups(const TileInvocations& tile, int begin) {
    struct Group {
      std::int32_t primitive;
      std::int16_t x, y;
    };
    std::array<Group, kBlockPixels> groups;
    int count = 0;
    for (int i = begin; i < tile.count; ++i) {
      const Invocation& invocation = tile.list[static_cast<std::size_t>(i)];
      const int w = width_log2(invocation.rate) + 1, h = height_log2(invocation.rate) + 1;
      const Group group = {invocation.primitive, static_cast<std::int16_t>(invocation.x >> w),
                           static_cast<std::int16_t>(invocation.y >> h)};
      int found = count - 1;
      for (; found >= 0; --found) {
        const Group& known = groups[static_cast<std::size_t>(found)];
        if (known.primitive == group.primitive && known.x == group.x && known.y == group.y) break;
      }
      if (found < 0) groups[static_cast<std::size_t>(count++)] = group;
    }
    return count;
  }

  const CoarseScene& scene_;
};

void check_scene(const CoarseScene& scene) {
  require(scene.height >= 1, "height", "must be at least 1", scene.height);
  require(scene.width >= 1, "width", "must be at least 1", scene.width);
  require(scene.tile == 8 || scene.tile == 16 || scene.tile == 32, "tile", "must be one of 8, 16, 32",
          scene.tile);
  require(scene.final_rates.extent(0) == kRateCodes && scene.final_rates.extent(1) == kRateCodes,
          "final_rates", "must have shape (16, 16)", scene.final_rates.extent(0));
  const auto check_rates = [](const Rate* rates, std::int64_t count, const char* name) {
    const Rate* wrong = std::find_if(rates, rates + count, [](Rate rate) { return !is_rate(rate); });
    if (wrong != rates + count) {
      throw ArgumentError(name, "must hold rate codes 0, 1, 2, 4, 5, 6, 8, 9, 10", std::to_string(*wrong));
    }
  };
  check_rates(scene.image_rates.data(), scene.image_rates.size(), "rates");
  check_rates(scene.primitive_rates.data(), scene.primitive_rates.size(), "primitive_rates");
  if (scene.primitive_id.size() == 0) return;
  require(scene.primitive_id.extent(0) == scene.height && scene.primitive_id.extent(1) == scene.width,
          "primitive_id", "must have one element for each pixel", scene.primitive_id.size());
  const std::int32_t* ids = scene.primitive_id.data();
  const auto [least, most] = std::minmax_element(ids, ids + scene.primitive_id.size());
  require(*least >= -1, "primitive_id", "must be -1 (nothing) or a primitive", *least);
  const std::int64_t known = scene.primitive_rates.size();
  require(known == 0 || *most < known, "primitive_rates",
          "must have one rate for each primitive of primitive_id",
          std::to_string(known) + " rates for primitive " + std::to_string(*most));
}

// The covered pixel nearest to a position given in sixteenths of a pixel relative to the coarse pixel.
int nearest_pixel(const Invocation& invocation, std::int64_t px, std::int64_t py) {
  const int w = width_log2(invocation.rate), pixels = 1 << (w + height_log2(invocation.rate));
  int best = 0;
  std::int64_t best_distance = -1;
  for (int i = pixels - 1; i >= 0;
       --i) {  // from the last pixel, so that of equals the lowest and rightmost stays
    if ((invocation.mask >> (pixels - 1 - i) & 1) == 0) continue;
    const std::int64_t dx = 16 * (i & ((1 << w) - 1)) + 8 - px, dy = 16 * (i >> w) + 8 - py;
    const std::int64_t distance = dx * dx + dy * dy;
    if (best_distance < 0 || distance < best_distance) {
      best = i;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace

void count_coarse(const CoarseScene& scene, ArrayView<std::int64_t, 2> invocations,
                  ArrayView<std::int64_t, 2> lanes, int threads) {
  check_scene(scene);
  const std::int64_t rows = ceil_div<std::int64_t>(scene.height, scene.tile);
  const std::int64_t columns = ceil_div<std::int64_t>(scene.width, scene.tile);
  for (const auto* view : {&invocations, &lanes}) {
    require(view->extent(0) == rows && view->extent(1) == columns, "invocations",
            "must have one element for each tile, like lanes", view->size());
  }
  const TileWalker walker(scene);
  parallel_for(rows, 1, threads, [&](std::int64_t begin, std::int64_t end) {
    TileInvocations tile;
    for (std::int64_t ty = begin; ty < end; ++ty) {
      for (std::int64_t tx = 0; tx < columns; ++tx) {
        walker.collect(ty, tx, tile);
        invocations(ty, tx) = tile.count;
        lanes(ty, tx) = tile.lanes;
      }
    }
  });
}

void list_coarse(const CoarseScene& scene, ArrayView<const std::int64_t, 1> first, const CoarseRows& rows,
                 int threads) {
  check_scene(scene);
  const std::int64_t tile_rows = ceil_div<std::int64_t>(scene.height, scene.tile);
  const std::int64_t columns = ceil_div<std::int64_t>(scene.width, scene.tile);
  require(first.extent(0) == tile_rows * columns, "first", "must have one element for each tile",
          first.extent(0));
  const TileWalker walker(scene);
  parallel_for(tile_rows, 1, threads, [&](std::int64_t begin, std::int64_t end) {
    TileInvocations tile;
    std::array<std::int16_t, kLargestTile * kLargestTile> order;
    std::array<std::int32_t, kLargestTile * kLargestTile> rank;
    for (std::int64_t ty = begin; ty < end; ++ty) {
      for (std::int64_t tx = 0; tx < columns; ++tx) {
        walker.collect(ty, tx, tile);
        for (int i = 0; i < tile.count; ++i)
          order[static_cast<std::size_t>(i)] = static_cast<std::int16_t>(i);
        std::sort(order.begin(), order.begin() + tile.count, [&](std::int16_t left, std::int16_t right) {
          const Invocation& a = tile.list[static_cast<std::size_t>(left)];
          const Invocation& b = tile.list[static_cast<std::size_t>(right)];
          if (a.y != b.y) return a.y < b.y;
          return a.x != b.x ? a.x < b.x : a.primitive < b.primitive;
        });
        const std::int64_t base = first(ty * columns + tx), top = ty * scene.tile, left = tx * scene.tile;
        for (int i = 0; i < tile.count; ++i) {
          const auto index = static_cast<std::size_t>(order[static_cast<std::size_t>(i)]);
          const Invocation& invocation = tile.list[index];
          const std::int64_t row = base + i;
          rank[index] = static_cast<std::int32_t>(row);
          const int w = width_log2(invocation.rate), h = height_log2(invocation.rate), pixels = 1 << (w + h);
          const auto& offset = scene.offsets[invocation.rate];
          std::int64_t px = (std::int64_t{8} << w) + (std::int64_t{offset[0]} << w);  // sixteenths of a pixel
          std::int64_t py = (std::int64_t{8} << h) + (std::int64_t{offset[1]} << h);
          if (scene.location == Location::kCentroid && invocation.mask != (1 << pixels) - 1) {
            const int sample = pixels - 1 - std::countr_zero(invocation.mask);
            px = 16 * (sample & ((1 << w) - 1)) + 8;
            py = 16 * (sample >> w) + 8;
          }
          const std::int64_t x = left + invocation.x, y = top + invocation.y;
          const int source = nearest_pixel(invocation, px, py);
          rows.positions(row, 0) = static_cast<double>(x) + static_cast<double>(px) / 16.0;
          rows.positions(row, 1) = static_cast<double>(y) + static_cast<double>(py) / 16.0;
          rows.masks(row) = invocation.mask;
          rows.rates(row) = invocation.rate;
          rows.primitives(row) = invocation.primitive;
          rows.sources(row) = (y + (source >> w)) * scene.width + x + (source & ((1 << w) - 1));
        }
        const std::int64_t bottom = std::min<std::int64_t>(scene.tile, scene.height - top);
        const std::int64_t right = std::min<std::int64_t>(scene.tile, scene.width - left);
        for (std::int64_t y = 0; y < bottom; ++y) {
          for (std::int64_t x = 0; x < right; ++x) {
            const std::int16_t index = tile.pixel[static_cast<std::size_t>(y * scene.tile + x)];
            rows.pixel_invocation(top + y, left + x) = index < 0 ? -1 : rank[static_cast<std::size_t>(index)];
          }
        }
      }
    }
  });
}

}  // namespace tilelab::vrs
