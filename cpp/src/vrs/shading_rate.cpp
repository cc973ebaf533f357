#include "tilelab/vrs/shading_rate.hpp"

#include <algorithm>
#include <initializer_list>

#include "tilelab/core/error.hpp"

namespace tilelab::vrs {
namespace {

constexpr std::uint32_t rate_set(std::initializer_list<int> codes) {
  std::uint32_t set = 0;
  for (const int code : codes) set |= std::uint32_t{1} << code;
  return set;
}

constexpr std::uint32_t kFine = rate_set({0});
constexpr std::uint32_t kUpTo2x2 = rate_set({0, 1, 4, 5});

constexpr bool holds(std::uint32_t set, int code) { return ((set >> code) & 1) != 0; }

int combine_axis(Combiner combiner, int a, int b, int max_axis_log2) {
  switch (combiner) {
    case Combiner::kPassthrough:
      return a;
    case Combiner::kOverride:
      return b;
    case Combiner::kMin:
      return std::min(a, b);
    case Combiner::kMax:
      return std::max(a, b);
    case Combiner::kSum:
      return std::min(max_axis_log2, a + b);
  }
  return a;
}

}  // namespace

std::uint32_t supported_rates(RateProfile profile, bool additional_rates, int sample_count) {
  require(
      sample_count == 1 || sample_count == 2 || sample_count == 4 || sample_count == 8 || sample_count == 16,
      "sample_count", "must be one of 1, 2, 4, 8, 16", sample_count);
  // The console shades 2x2 pixels of 8 samples in one invocation; its early kits have no 4x rates.
  if (profile == RateProfile::kXboxSeries) return kUpTo2x2;
  if (sample_count == 16) return kFine;
  if (sample_count == 8) return profile == RateProfile::kNvidia ? rate_set({0, 1}) : kFine;
  std::uint32_t set = kUpTo2x2;
  if (additional_rates && sample_count <= 2) set |= rate_set({6});
  if (additional_rates && sample_count == 1) set |= rate_set({9, 10});
  return set;
}

Rate sanitize_rate(Rate rate, std::uint32_t supported) {
  int best = 0;
  int best_area_log2 = -1;
  int best_sides = 0;
  for (int x = 0; x <= width_log2(rate); ++x) {
    for (int y = 0; y <= height_log2(rate); ++y) {
      const int code = (x << 2) | y;
      const int sides = (1 << x) + (1 << y);
      if (!holds(supported, code)) continue;
      if (x + y > best_area_log2 || (x + y == best_area_log2 && sides < best_sides)) {
        best = code;
        best_area_log2 = x + y;
        best_sides = sides;
      }
    }
  }
  return static_cast<Rate>(best);
}

Rate combine(Combiner combiner, Rate a, Rate b, int max_axis_log2) {
  const int x = combine_axis(combiner, width_log2(a), width_log2(b), max_axis_log2);
  const int y = combine_axis(combiner, height_log2(a), height_log2(b), max_axis_log2);
  return static_cast<Rate>((x << 2) | y);
}

Rate combine_chain(const CombinerChain& chain, Rate draw, Rate primitive, Rate image) {
  if (chain.sanitize == Sanitize::kEach) {
    draw = sanitize_rate(draw, chain.supported);
    primitive = sanitize_rate(primitive, chain.supported);
    image = sanitize_rate(image, chain.supported);
  }
  Rate rate = combine(chain.first, draw, primitive, chain.max_axis_log2);
  if (chain.sanitize != Sanitize::kFinal) rate = sanitize_rate(rate, chain.supported);
  return sanitize_rate(combine(chain.second, rate, image, chain.max_axis_log2), chain.supported);
}

void combine_table(const CombinerChain& chain, ArrayView<Rate, 3> table) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    require(table.extent(axis) == kRateCodes, "table", "must have shape (16, 16, 16)", table.extent(axis));
  }
  for (int draw = 0; draw < kRateCodes; ++draw) {
    for (int primitive = 0; primitive < kRateCodes; ++primitive) {
      for (int image = 0; image < kRateCodes; ++image) {
        table(draw, primitive, image) =
            is_rate(draw) && is_rate(primitive) && is_rate(image)
                ? combine_chain(chain, static_cast<Rate>(draw), static_cast<Rate>(primitive),
                                static_cast<Rate>(image))
                : kNoRate;
      }
    }
  }
}

}  // namespace tilelab::vrs
