// Lists the invocations of a coarsely shaded picture and shows its image, tile by tile. Blocks of eight
// pixels whose coarse pixels are each covered by one primitive take a path without searches; they are the
// usual case.
#include <algorithm>
#include <array>
#include <bit>

#include "tilelab/core/error.hpp"
#include "tilelab/core/parallel.hpp"
#include "tilelab/vrs/coarse.hpp"
#include "vrs/coarse_pixels.hpp"
#include "vrs/coarse_tile.hpp"

namespace tilelab::vrs {
namespace {

constexpr int kMostPixels = 16;  // of a coarse pixel

// What is the same for all coarse pixels of one rate. Pixels of a coarse pixel are known by their mask bit.
struct Shape {
  int w = 0, h = 0;  // log2 of the size
  std::uint16_t full = 0;
  double x = 0.0, y = 0.0;  // of the centre, moved by the offset, from the first pixel
  // Bits by distance from there, of equals the lowest pixel and then the rightmost first.
  std::array<std::uint8_t, kMostPixels> nearest{};
  std::array<std::int64_t, kMostPixels> steps{};  // from the first pixel to that of a bit

  int bit(int dy, int dx) const { return (1 << (w + h)) - 1 - ((dy << w) + dx); }
  int column(int bit) const { return ~bit & ((1 << w) - 1); }
  int row(int bit) const { return ((1 << (w + h)) - 1 - bit) >> w; }
};

Shape shape_of(Rate rate, int offset_x, int offset_y, std::int64_t picture_width) {
  Shape shape;
  shape.w = width_log2(rate);
  shape.h = height_log2(rate);
  const int pixels = 1 << (shape.w + shape.h);
  shape.full = static_cast<std::uint16_t>((1 << pixels) - 1);
  const int x = (8 + offset_x) << shape.w, y = (8 + offset_y) << shape.h;  // sixteenths of a pixel
  shape.x = x / 16.0;
  shape.y = y / 16.0;
  for (int bit = 0; bit < pixels; ++bit) {
    const auto i = static_cast<std::size_t>(bit);
    shape.nearest[i] = static_cast<std::uint8_t>(bit);
    shape.steps[i] = shape.row(bit) * picture_width + shape.column(bit);
  }
  const auto distance = [&](int bit) {
    const int dx = 16 * shape.column(bit) + 8 - x, dy = 16 * shape.row(bit) + 8 - y;
    return dx * dx + dy * dy;
  };
  // Bits count from the lowest, rightmost pixel.
  std::stable_sort(shape.nearest.begin(), shape.nearest.begin() + pixels,
                   [&](int a, int b) { return distance(a) < distance(b); });
  return shape;
}

template <typename Image>
class TileLister {
 public:
  TileLister(const CoarseScene& scene, const CoarseRows& rows, const CoarseImage& image)
      : reader_(scene),
        centroid_(scene.location == Location::kCentroid),
        width_(scene.width),
        rows_(rows),
        image_(image) {
    const bool moved = scene.offsets.size() != 0;
    for (int code = 0; code < kRateCodes; ++code) {
      if (!is_rate(code)) continue;
      shapes_[static_cast<std::size_t>(code)] =
          shape_of(static_cast<Rate>(code), moved ? scene.offsets(code, 0) : 0,
                   moved ? scene.offsets(code, 1) : 0, scene.width);
    }
  }

  // Writes the rows of a tile from `row` on.
  void list(std::int64_t ty, std::int64_t tx, std::int64_t row) {
    tile_ = reader_.read(ty, tx);
    row_ = row;
    if (Image::kExist && tile_.left + kAhead + kBlock < width_) {
      for (int y = 0; y < tile_.rows; ++y) image_.prefetch(flat(y, kAhead));
    }
    if (tile_.uniform && tile_.ids[0] < 0) {
      for (int y = 0; y < tile_.rows; ++y) {
        for (int x = 0; x < tile_.columns; ++x) leave(y, x);
      }
    } else if (tile_.rate == kNoRate) {
      for (int y = 0; y < tile_.rows; ++y) mixed_row(y, 0, tile_.columns);
    } else {
      with_width(tile_.rate, [this](auto w) { this->template list_rows<w>(); });
    }
  }

 private:
  struct Candidate {
    std::int32_t primitive;
    std::uint16_t mask;
    Rate rate;
  };

  std::int64_t flat(int y, int x) const { return (tile_.top + y) * width_ + tile_.left + x; }

  // A tile whose coarse pixels have one size, kW the log2 of its width.
  template <int kW>
  void list_rows() {
    const Shape& shape = shapes_[tile_.rate];
    for (int y = 0; y < tile_.rows; y += 1 << shape.h) {
      for (int x = 0; x < tile_.columns; x += kBlock) {
        const bool inside = x + kBlock <= tile_.columns && y + (1 << shape.h) <= tile_.rows;
        if (inside && (tile_.uniform || tile_.is_plain<kW>(y, x, 1 << shape.h))) {
          plain_block<kW>(shape, y, x);
        } else {
          mixed_row(y, x, std::min(x + kBlock, tile_.columns));
        }
      }
    }
  }

  template <int kW>
  void plain_block(const Shape& shape, int y, int x) {
    constexpr int kCount = kBlock >> kW;
    const std::int64_t base = row_;
    row_ += kCount;
    double* position = &rows_.positions(base, 0);
    std::uint16_t* mask = &rows_.masks(base);
    Rate* rate = &rows_.rates(base);
    std::int32_t* primitive = &rows_.primitives(base);
    const std::int32_t* ids = tile_.uniform ? nullptr : tile_.ids + y * tile_.stride + x;
    const double px = static_cast<double>(tile_.left + x) + shape.x;
    const double py = static_cast<double>(tile_.top + y) + shape.y;
    for (int i = 0; i < kCount; ++i) {
      position[2 * i] = px + (i << kW);
      position[2 * i + 1] = py;
    }
    for (int i = 0; i < kCount; ++i) mask[i] = shape.full;
    for (int i = 0; i < kCount; ++i) rate[i] = tile_.rate;
    for (int i = 0; i < kCount; ++i) primitive[i] = ids != nullptr ? ids[i << kW] : tile_.ids[0];
    const std::int64_t to = flat(y, x), from = to + shape.steps[shape.nearest[0]];
    if (rows_.sources.size() != 0) {
      for (int i = 0; i < kCount; ++i) rows_.sources(base + i) = from + (i << kW);
    }
    for (int k = 0; k < 1 << shape.h; ++k) {
      std::int32_t* pixel = rows_.pixel_invocation.data() + to + k * width_;
      for (int i = 0; i < kBlock; ++i) pixel[i] = static_cast<std::int32_t>(base) + (i >> kW);
    }
    image_.template spread<kW>(to, from);
    for (int k = 1; k < 1 << shape.h; ++k) image_.repeat(to + k * width_, to);
  }

  // Coarse pixels that begin in row y and columns x0 to x1, whatever covers them.
  void mixed_row(int y, int x0, int x1) {
    const bool differ = tile_.rate == kNoRate;
    for (int x = x0; x < x1;) {
      // Coarse pixels of all sizes are aligned: none that begins here is wider or taller than this.
      const int width =
          differ ? 1 << std::countr_zero(static_cast<unsigned>(x | 4)) : 1 << width_log2(tile_.rate);
      const int height =
          differ ? 1 << std::countr_zero(static_cast<unsigned>(y | 4)) : 1 << height_log2(tile_.rate);
      emit_all(y, x, std::min(y + height, tile_.rows), std::min(x + width, tile_.columns));
      x += differ ? 1 : width;
    }
  }

  // Invocations of the coarse pixels that begin at (y0, x0), whose pixels lie before (y1, x1).
  void emit_all(int y0, int x0, int y1, int x1) {
    std::array<Candidate, kMostPixels> found;  // in the order of primitives
    Candidate* end = found.data();
    Candidate* place = end;
    for (int y = y0; y < y1; ++y) {
      for (int x = x0; x < x1; ++x) {
        const std::int32_t primitive = tile_.id(y, x);
        if (primitive < 0) {
          leave(y, x);
          continue;
        }
        const Rate rate = tile_.rate != kNoRate ? tile_.rate : reader_.rate_of(tile_, primitive);
        const Shape& shape = shapes_[rate];
        if (x >> shape.w << shape.w != x0 || y >> shape.h << shape.h != y0) continue;
        if (place == end || place->primitive != primitive) {
          place =
              std::find_if(found.data(), end, [&](const Candidate& c) { return c.primitive >= primitive; });
          if (place == end || place->primitive != primitive) {
            std::move_backward(place, end, end + 1);
            ++end;
            *place = {primitive, 0, rate};
          }
        }
        place->mask = static_cast<std::uint16_t>(place->mask | 1 << shape.bit(y - y0, x - x0));
      }
    }
    for (const Candidate* c = found.data(); c != end; ++c) emit(y0, x0, *c);
  }

  void emit(int y, int x, const Candidate& invocation) {
    const Shape& shape = shapes_[invocation.rate];
    const std::int64_t row = row_++, first = flat(y, x);
    double px = shape.x, py = shape.y;
    int source_bit;
    if (centroid_ && invocation.mask != shape.full) {
      source_bit = std::countr_zero(invocation.mask);
      px = shape.column(source_bit) + 0.5;
      py = shape.row(source_bit) + 0.5;
    } else {
      const std::uint8_t* bit = shape.nearest.data();
      while ((invocation.mask >> *bit & 1) == 0) ++bit;
      source_bit = *bit;
    }
    const std::int64_t source = first + shape.steps[static_cast<std::size_t>(source_bit)];
    rows_.positions(row, 0) = static_cast<double>(tile_.left + x) + px;
    rows_.positions(row, 1) = static_cast<double>(tile_.top + y) + py;
    rows_.masks(row) = invocation.mask;
    rows_.rates(row) = invocation.rate;
    rows_.primitives(row) = invocation.primitive;
    if (rows_.sources.size() != 0) rows_.sources(row) = source;
    for (unsigned mask = invocation.mask; mask != 0; mask &= mask - 1) {
      const std::int64_t pixel = first + shape.steps[static_cast<std::size_t>(std::countr_zero(mask))];
      rows_.pixel_invocation.data()[pixel] = static_cast<std::int32_t>(row);
      image_.copy(pixel, source);
    }
  }

  // A pixel that nothing covers.
  void leave(int y, int x) const {
    rows_.pixel_invocation.data()[flat(y, x)] = -1;
    image_.clear(flat(y, x));
  }

  const TileReader reader_;
  const bool centroid_;
  const std::int64_t width_;
  const CoarseRows& rows_;
  const Image image_;
  std::array<Shape, kRateCodes> shapes_{};
  Tile tile_;
  std::int64_t row_ = 0;
};

void check_image(const CoarseScene& scene, const CoarseImage& image) {
  if (image.out.size() == 0) return;
  const std::int64_t pixels = scene.height * scene.width, bytes = image.pixels.extent(1);
  require(image.pixels.extent(0) == pixels, "pixels", "must have one element for each pixel",
          image.pixels.extent(0));
  require(image.out.extent(0) == pixels && image.out.extent(1) == bytes, "out",
          "must have the size of pixels", image.out.size());
  require(image.nothing.extent(0) == bytes, "nothing", "must have the bytes of a pixel",
          image.nothing.extent(0));
}

}  // namespace

void list_coarse(const CoarseScene& scene, ArrayView<const std::int64_t, 1> first, const CoarseRows& rows,
                 const CoarseImage& image, int threads) {
  check_scene(scene, threads);
  check_image(scene, image);
  const std::int64_t tile_rows = ceil_div<std::int64_t>(scene.height, scene.tile);
  const std::int64_t columns = ceil_div<std::int64_t>(scene.width, scene.tile);
  require(first.extent(0) == tile_rows * columns, "first", "must have one element for each tile",
          first.extent(0));
  with_pixels<0, 1, 2, 3, 4, 6, 8, 12, 16>(image, [&](auto pixels) {
    parallel_for(tile_rows, 1, threads, [&](std::int64_t begin, std::int64_t end) {
      TileLister<decltype(pixels)> lister(scene, rows, image);
      for (std::int64_t ty = begin; ty < end; ++ty) {
        for (std::int64_t tx = 0; tx < columns; ++tx) lister.list(ty, tx, first(ty * columns + tx));
      }
    });
  });
}

}  // namespace tilelab::vrs
