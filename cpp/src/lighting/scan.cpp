#include "tilelab/lighting/scan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "lighting/extents_text.hpp"
#include "lighting/scan_job.hpp"
#include "tilelab/core/bits.hpp"
#include "tilelab/core/error.hpp"
#include "tilelab/core/parallel.hpp"

namespace tilelab::lighting {
namespace {

constexpr QuadTable kCheckerTable = make_quad_table(Policy::kChecker);
constexpr QuadTable kFirstTable = make_quad_table(Policy::kFirst);

std::uint32_t kernel_allowance(const Channel& channel) {
  const auto codes = [&](double largest) {
    return static_cast<std::uint32_t>(std::clamp(std::floor(channel.allowance), 0.0, largest));
  };
  switch (channel.compare) {
    case Compare::kBits:
      return 0;
    case Compare::kUnorm8:
      return codes(255.0) * 0x01010101u;
    case Compare::kUnorm16:
      return codes(65535.0) * 0x00010001u;
    case Compare::kFloat16:
    case Compare::kFloat32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(channel.allowance));
  }
  return 0;
}

template <typename Image>
void check_extents(const char* name, const char* rule, const Image& image, std::int64_t height,
                   std::int64_t width) {
  require(image.extent(0) == height && image.extent(1) == width, name, rule,
          extents_text(image.extent(0), image.extent(1)));
}

void check(std::span<const Channel> channels, const ScanInput& input, const ScanOutput& output) {
  const std::int64_t height = input.depth.extent(0), width = input.depth.extent(1);
  require(height >= 1 && width >= 1, "depth", "must hold at least one pixel", extents_text(height, width));
  require(!channels.empty(), "channels", "must hold at least one channel", "none");
  for (const Channel& channel : channels) {
    check_extents("channels", "must have the extents of depth", channel.pixels, height, width);
    require(channel.pixels.extent(2) >= 1, "channels", "must have at least one byte per pixel", "none");
  }
  if (input.valid.data() != nullptr) {
    check_extents("valid", "must have the extents of depth", input.valid, height, width);
  }
  if (input.patterns.data() != nullptr) {
    check_extents("patterns", "must hold one code per 8x8 block", input.patterns,
                  ceil_div(height, kPatternBlock), ceil_div(width, kPatternBlock));
  }
  check_extents("counts", "must hold one count per 16x16 tile", output.counts, ceil_div(height, kTile),
                ceil_div(width, kTile));
  require(output.offsets.extent(0) == output.counts.size() + 1, "offsets",
          "must have one entry more than counts", output.offsets.extent(0));
  require(output.records.extent(0) >= height * width, "records", "must hold a word for every pixel",
          output.records.extent(0));
}

}  // namespace

ScanCounts scan(std::span<const Channel> channels, const ScanInput& input, const ScanOptions& options,
                const ScanOutput& output, int threads) {
  check(channels, input, output);
  const ArrayView<std::int64_t, 1> offsets = output.offsets;
  const ArrayView<std::uint32_t, 2> counts = output.counts;
  ScanJob job{.input = input,
              .options = options,
              .channels = {},
              .table = options.policy == Policy::kChecker ? kCheckerTable : kFirstTable,
              .counts = counts.data(),
              .normalised = options.depth_range.near == 0.0f && options.depth_range.span == 1.0f};
  for (const Channel& channel : channels) {
    job.channels.push_back({.pixels = channel.pixels.data(),
                            .pixel_bytes = static_cast<std::size_t>(channel.pixels.extent(2)),
                            .compare = channel.compare,
                            .allowance = kernel_allowance(channel)});
  }

  // A band of tile rows writes where its pixels would begin if all were lit, and moves forward afterwards.
  struct Band {
    std::int64_t rows = 0;
    ScanCounts counts;
  };
  const std::int64_t tile_rows = counts.extent(0), tile_columns = counts.extent(1), tiles = counts.size();
  const std::int64_t row_pixels = kTile * input.depth.extent(1);
  std::uint32_t* const words = output.records.data();
  std::vector<Band> bands(static_cast<std::size_t>(tile_rows));
  parallel_for(tile_rows, 1, threads, [&](std::int64_t begin, std::int64_t end) {
    Band& band = bands[static_cast<std::size_t>(begin)];
    band.rows = end - begin;
    scan_band(job, begin, end, words + begin * row_pixels, band.counts);
  });

  offsets(0) = 0;
  for (std::int64_t tile = 0; tile < tiles; ++tile) {
    offsets(tile + 1) = offsets(tile) + counts.data()[tile];
  }
  ScanCounts total{.records = offsets(tiles)};
  for (std::int64_t row = 0; row < tile_rows;) {
    const Band& band = bands[static_cast<std::size_t>(row)];
    const std::int64_t to = offsets(row * tile_columns), end = offsets((row + band.rows) * tile_columns);
    std::uint32_t* from = words + row * row_pixels;
    if (from != words + to) {
      std::memmove(words + to, from, static_cast<std::size_t>(end - to) * sizeof(std::uint32_t));
    }
    total.depth_clamped += band.counts.depth_clamped;
    total.depth_nan += band.counts.depth_nan;
    row += band.rows;
  }
  return total;
}

}  // namespace tilelab::lighting
