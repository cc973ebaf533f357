#include <algorithm>
#include <cmath>

#include "tilelab/core/error.hpp"
#include "tilelab/core/parallel.hpp"
#include "tilelab/vrs/rate_image.hpp"

namespace tilelab::vrs {
namespace {

template <typename View>
void require_extents(const View& view, const char* name, std::int64_t height, std::int64_t width) {
  require(view.extent(0) == height, name, "must have the height of history", view.extent(0));
  require(view.extent(1) == width, name, "must have the width of history", view.extent(1));
}

}  // namespace

void reproject(ArrayView<const float, 2> history, ArrayView<const float, 3> motion,
               ArrayView<const std::uint8_t, 2> disoccluded, bool clamp_off_screen, ArrayView<float, 2> out,
               ArrayView<std::uint8_t, 2> no_history, int threads) {
  const std::int64_t height = history.extent(0), width = history.extent(1);
  require(height >= 1 && width >= 1, "history", "must not be empty", history.size());
  require_extents(motion, "motion", height, width);
  require(motion.extent(2) == 2, "motion", "must have 2 components", motion.extent(2));
  require_extents(out, "out", height, width);
  require_extents(no_history, "no_history", height, width);
  const bool has_disoccluded = disoccluded.size() != 0;
  if (has_disoccluded) require_extents(disoccluded, "disoccluded", height, width);

  const auto last_x = static_cast<float>(width - 1), last_y = static_cast<float>(height - 1);
  parallel_for(height, 16, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t y = begin; y < end; ++y) {
      for (std::int64_t x = 0; x < width; ++x) {
        const float vx = motion(y, x, 0), vy = motion(y, x, 1);
        bool unknown = std::isnan(vx) || std::isnan(vy) || (has_disoccluded && disoccluded(y, x) != 0);
        // Exact in float32: pixel coordinates are small integers, and motion beyond 2^24 leaves the picture
        // anyway.
        const float px = static_cast<float>(x) - std::nearbyint(std::isnan(vx) ? 0.0f : vx);
        const float py = static_cast<float>(y) - std::nearbyint(std::isnan(vy) ? 0.0f : vy);
        const float cx = std::clamp(px, 0.0f, last_x), cy = std::clamp(py, 0.0f, last_y);
        if (!clamp_off_screen) unknown = unknown || cx != px || cy != py;
        out(y, x) = history(static_cast<std::int64_t>(cy), static_cast<std::int64_t>(cx));
        no_history(y, x) = unknown ? 1 : 0;
      }
    }
  });
}

}  // namespace tilelab::vrs
