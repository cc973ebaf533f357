// Values of invocations: from the pixels of each, and back to its pixels.
#include <algorithm>
#include <bit>

#include "tilelab/core/error.hpp"
#include "tilelab/core/parallel.hpp"
#include "tilelab/vrs/coarse.hpp"
#include "vrs/coarse_pixels.hpp"

namespace tilelab::vrs {
namespace {

template <typename T>
void run_mean(ArrayView<const T, 2> pixels, ArrayView<const std::int32_t, 2> pixel_invocation,
              ArrayView<const std::uint16_t, 1> masks, int tile, ArrayView<double, 2> means, int threads) {
  const std::int64_t height = pixel_invocation.extent(0), width = pixel_invocation.extent(1);
  const std::int64_t channels = pixels.extent(1);
  require(pixels.extent(0) == height * width, "pixels", "must have one element for each pixel",
          pixels.extent(0));
  require(means.extent(0) == masks.extent(0), "means", "must have one element for each mask",
          means.extent(0));
  require(means.extent(1) == channels, "means", "must have the channels of pixels", means.extent(1));
  require(tile >= 1, "tile", "must be at least 1", tile);
  parallel_for(means.extent(0), 1 << 14, threads, [&](std::int64_t begin, std::int64_t end) {
    std::fill(means.data() + begin * channels, means.data() + end * channels, 0.0);
  });
  parallel_for(height, tile, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t p = begin * width; p < end * width; ++p) {
      const std::int32_t row = pixel_invocation.data()[p];
      if (row < 0) continue;
      for (std::int64_t c = 0; c < channels; ++c) means(row, c) += static_cast<double>(pixels(p, c));
    }
  });
  parallel_for(means.extent(0), 1 << 14, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const auto count = static_cast<double>(std::popcount(masks(i)));
      for (std::int64_t c = 0; c < channels; ++c) means(i, c) /= count;
    }
  });
}

}  // namespace

void mean_coarse(ArrayView<const float, 2> pixels, ArrayView<const std::int32_t, 2> pixel_invocation,
                 ArrayView<const std::uint16_t, 1> masks, int tile, ArrayView<double, 2> means, int threads) {
  run_mean(pixels, pixel_invocation, masks, tile, means, threads);
}

void mean_coarse(ArrayView<const double, 2> pixels, ArrayView<const std::int32_t, 2> pixel_invocation,
                 ArrayView<const std::uint16_t, 1> masks, int tile, ArrayView<double, 2> means, int threads) {
  run_mean(pixels, pixel_invocation, masks, tile, means, threads);
}

void broadcast_coarse(ArrayView<const std::uint8_t, 2> values, ArrayView<const std::uint8_t, 1> nothing,
                      ArrayView<const std::int32_t, 1> pixel_invocation, ArrayView<std::uint8_t, 2> out,
                      int threads) {
  const CoarseImage image = {.pixels = values, .nothing = nothing, .out = out};
  require(out.extent(0) == pixel_invocation.extent(0), "out", "must have one element for each pixel",
          out.extent(0));
  require(out.extent(1) == values.extent(1), "out", "must have the bytes of values", out.extent(1));
  require(nothing.extent(0) == values.extent(1), "nothing", "must have the bytes of values",
          nothing.extent(0));
  with_pixels<1, 2, 3, 4, 6, 8, 12, 16>(image, [&](auto pixels) {
    parallel_for(out.extent(0), 1 << 14, threads, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t p = begin; p < end; ++p) {
        const std::int32_t row = pixel_invocation(p);
        row >= 0 ? pixels.copy(p, row) : pixels.clear(p);
      }
    });
  });
}

}  // namespace tilelab::vrs
