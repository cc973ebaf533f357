#include <cmath>
#include <vector>

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

// Where one row of pixels was: column, row, and whether that is unknown. Free of branches, so that it
// vectorises. Exact in float32: pixel coordinates are small integers, and motion beyond 2^24 leaves the
// picture anyway.
void locate(const float* motion, std::int64_t y, std::int64_t height, std::int64_t width,
            bool clamp_off_screen, std::int32_t* columns, std::int32_t* rows, std::uint8_t* unknown) {
  const auto last_x = static_cast<float>(width - 1), last_y = static_cast<float>(height - 1);
  const auto row = static_cast<float>(y);
  const int off_screen = clamp_off_screen ? 0 : 1;
  const auto inside = [](float position, float last) {
    const float low = position > 0.0f ? position : 0.0f;
    return low < last ? low : last;
  };
  for (std::int64_t x = 0; x < width; ++x) {
    const float vx = motion[2 * x], vy = motion[2 * x + 1];
    const float px = static_cast<float>(static_cast<std::int32_t>(x)) - std::nearbyint(vx == vx ? vx : 0.0f);
    const float py = row - std::nearbyint(vy == vy ? vy : 0.0f);
    const float cx = inside(px, last_x), cy = inside(py, last_y);
    columns[x] = static_cast<std::int32_t>(cx);
    rows[x] = static_cast<std::int32_t>(cy);
    unknown[x] =
        static_cast<std::uint8_t>((vx != vx) | (vy != vy) | (off_screen & ((cx != px) | (cy != py))));
  }
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

  parallel_for(height, 16, threads, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::int32_t> columns(static_cast<std::size_t>(width)), rows(columns.size());
    for (std::int64_t y = begin; y < end; ++y) {
      std::uint8_t* unknown = &no_history(y, 0);
      locate(&motion(y, 0, 0), y, height, width, clamp_off_screen, columns.data(), rows.data(), unknown);
      for (std::int64_t x = 0; x < width; ++x) {
        const auto i = static_cast<std::size_t>(x);
        out(y, x) = history(rows[i], columns[i]);
      }
      if (!has_disoccluded) continue;
      for (std::int64_t x = 0; x < width; ++x) {
        if (disoccluded(y, x) != 0) unknown[x] = 1;
      }
    }
  });
}

}  // namespace tilelab::vrs
