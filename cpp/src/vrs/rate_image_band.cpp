#include "vrs/rate_image_band.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace tilelab::vrs {
namespace {

constexpr std::int64_t kMargin = 16;  // pixels of the widest vector
constexpr std::int64_t kAlignment = 64;

std::string size_text(std::int64_t rows, std::int64_t columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

// sums[i] += the sum of the i-th group of counts
template <std::int64_t kGroup>
void sum_groups(const std::uint8_t* counts, std::int64_t bytes, std::int32_t* sums) {
  const std::int64_t whole = bytes / kGroup;
  for (std::int64_t i = 0; i < whole; ++i) {
    std::int32_t sum = 0;
    for (std::int64_t k = 0; k < kGroup; ++k) sum += counts[i * kGroup + k];
    sums[i] += sum;
  }
  for (std::int64_t i = whole * kGroup; i < bytes; ++i) sums[whole] += counts[i];
}

}  // namespace

StripScratch::StripScratch(std::int64_t pixels) {
  // 64-byte units, plus one line so that rows of a power of two do not share cache sets.
  const auto bytes_for = [](std::int64_t count, std::int64_t element) {
    return (ceil_div(count * element, kAlignment) + 1) * kAlignment;
  };
  const std::int64_t row = bytes_for(pixels + 3 * kMargin, sizeof(float));
  const std::int64_t bits = bytes_for(ceil_div<std::int64_t>(pixels, 8) + 16, 1);
  const std::int64_t tiles = bytes_for(ceil_div<std::int64_t>(pixels, 8), sizeof(std::int32_t));
  const std::int64_t total = 4 * row + 4 * bits + 2 * tiles;
  memory_ = hwy::AllocateAligned<std::uint8_t>(static_cast<std::size_t>(total));
  if (!memory_) throw std::bad_alloc();
  std::fill_n(memory_.get(), total, std::uint8_t{0});
  std::uint8_t* next = memory_.get();
  const auto take = [&next](std::int64_t bytes) {
    std::uint8_t* taken = next;
    next += bytes;
    return taken;
  };
  for (float*& p : luminance) p = reinterpret_cast<float*>(take(row)) + kMargin;
  for (float*& p : sums) p = reinterpret_cast<float*>(take(row)) + kMargin;
  coarse_x = take(bits);
  coarse_y = take(bits);
  count_x = take(bits);
  count_y = take(bits);
  votes_x = reinterpret_cast<std::int32_t*>(take(tiles));
  votes_y = reinterpret_cast<std::int32_t*>(take(tiles));
}

void RateImageBand::check() const {
  require(height >= 1 && width >= 1, "color", "must not be empty", size_text(height, width));
  require(options.tile == 8 || options.tile == 16 || options.tile == 32, "tile", "must be one of 8, 16, 32",
          options.tile);
  const std::int64_t rows = ceil_div<std::int64_t>(height, options.tile),
                     columns = ceil_div<std::int64_t>(width, options.tile);
  require(rates.extent(0) == rows && rates.extent(1) == columns, "rates",
          "must have one element for each tile of color", size_text(rates.extent(0), rates.extent(1)));
  if (votes.size() != 0) {
    require(votes.extent(0) == rows && votes.extent(1) == columns && votes.extent(2) == 2, "votes",
            "must have two elements for each tile of color", size_text(votes.extent(0), votes.extent(1)));
  }
}

bool RateImageBand::needs_extras() const {
  return options.estimator != Estimator::kSobel || options.lum_lo || options.lum_hi;
}

void RateImageBand::keep_inside(std::int64_t y, std::int64_t begin, std::int64_t end,
                                StripScratch& scratch) const {
  const std::int64_t count = end - begin;
  for (std::uint8_t* bits : {scratch.coarse_x, scratch.coarse_y}) {
    if (count % 8 != 0) bits[count / 8] |= static_cast<std::uint8_t>(0xFF << (count % 8));
  }
  if (no_history == nullptr) return;
  const std::uint8_t* bits = no_history + (y - first_row) * bit_pitch(width) + begin / 8;
  for (std::int64_t i = 0; i < ceil_div<std::int64_t>(count, 8); ++i) {
    scratch.coarse_x[i] &= static_cast<std::uint8_t>(~bits[i]);
    scratch.coarse_y[i] &= static_cast<std::uint8_t>(~bits[i]);
  }
}

void RateImageBand::sum_votes(std::int64_t begin, std::int64_t end, StripScratch& scratch) const {
  const std::int64_t bytes = ceil_div<std::int64_t>(end - begin, 8);
  const auto sum = [&](std::uint8_t* counts, std::int32_t* sums) {
    switch (options.tile) {
      case 8:
        sum_groups<1>(counts, bytes, sums);
        break;
      case 16:
        sum_groups<2>(counts, bytes, sums);
        break;
      default:
        sum_groups<4>(counts, bytes, sums);
    }
    std::fill_n(counts, bytes, std::uint8_t{0});
  };
  sum(scratch.count_x, scratch.votes_x);
  sum(scratch.count_y, scratch.votes_y);
}

std::int32_t RateImageBand::vote_limit(std::int64_t tile_width, std::int64_t tile_height) const {
  const std::int64_t most = tile_width * tile_height;
  if (const auto* count = std::get_if<std::int64_t>(&options.vote)) {
    return static_cast<std::int32_t>(std::min(*count, most));
  }
  return static_cast<std::int32_t>(std::floor(std::get<double>(options.vote) * static_cast<double>(most)));
}

void RateImageBand::decide(std::int64_t ty, std::int64_t begin, std::int64_t end,
                           StripScratch& scratch) const {
  const std::int64_t tile = options.tile, first = begin / tile, count = ceil_div(end - begin, tile);
  const std::int64_t tile_height = std::min((ty + 1) * tile, height) - ty * tile;
  const std::int64_t last_width = end - begin - (count - 1) * tile;
  const std::int32_t* votes_x = scratch.votes_x;
  const std::int32_t* votes_y = scratch.votes_y;
  Rate* row = &rates(ty, first);
  const auto write = [&](std::int64_t i, std::int32_t limit) {
    row[i] = static_cast<Rate>((votes_x[i] <= limit ? 4 : 0) | (votes_y[i] <= limit ? 1 : 0));
  };
  const std::int32_t limit = vote_limit(tile, tile_height);
  for (std::int64_t i = 0; i < count - 1; ++i) write(i, limit);
  write(count - 1, vote_limit(last_width, tile_height));
  if (votes.size() != 0) {
    for (std::int64_t i = 0; i < count; ++i) {
      votes(ty, first + i, 0) = votes_x[i];
      votes(ty, first + i, 1) = votes_y[i];
    }
  }
  std::fill_n(scratch.votes_x, count, 0);
  std::fill_n(scratch.votes_y, count, 0);
}

}  // namespace tilelab::vrs
