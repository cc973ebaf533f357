#include "tilelab/tessellation/condition_factors.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "tilelab/core/error.hpp"
#include "tilelab/core/parallel.hpp"

namespace tilelab::tessellation {
namespace {

constexpr std::int64_t kGrain = 4096;

bool is_positive(float factor) {
  // As an integer test it holds for denormals whatever the CPU's flush mode; NaN and infinity included.
  const auto bits = std::bit_cast<std::int32_t>(factor);
  return bits > 0 && bits <= 0x7F800000;
}

struct Rules {
  Partitioning partitioning;
  Reduction reduction;

  // NaN gives the lower bound.
  float clamp(float value) const {
    const float low = lowest_factor(partitioning);
    return value > low ? std::min(value, highest_factor(partitioning)) : low;
  }

  float round_up(float value) const {
    if (partitioning == Partitioning::kInteger) return std::ceil(value);
    if (partitioning != Partitioning::kPow2) return value;
    // Next power of two: the exponent goes up unless the mantissa is zero.
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return (bits & 0x007FFFFFu) != 0 ? std::bit_cast<float>((bits & 0xFF800000u) + 0x00800000u) : value;
  }

  float round_and_clamp(float value) const { return clamp(round_up(value)); }
};

template <std::size_t N>
float reduce(const std::array<float, N>& edges, Reduction reduction) {
  float result = edges[0];
  for (std::size_t k = 1; k < N; ++k) {
    if (reduction == Reduction::kMin) {
      result = std::min(result, edges[k]);
    } else if (reduction == Reduction::kMax) {
      result = std::max(result, edges[k]);
    } else {
      result = result + edges[k];
    }
  }
  return reduction == Reduction::kAverage ? result / static_cast<float>(N) : result;
}

// Unrounded inside factor of one axis. An odd number of segments below 3 would leave no inner ring, so
// fractional_odd asks the edges again, without the scale. (Integer 1 counts as even: two segments.)
template <std::size_t N>
float inside_factor(const std::array<float, N>& edges, float scale, const Rules& rules) {
  const float limited = scale > 0.0f ? std::min(scale, 1.0f) : 0.0f;
  const float value = rules.clamp(reduce(edges, rules.reduction) * limited);
  if (rules.partitioning != Partitioning::kFractionalOdd || !(value < 3.0f)) return value;
  const auto again = rules.reduction == Reduction::kMax ? Reduction::kMax : Reduction::kAverage;
  return std::min(3.0f, reduce(edges, again));
}

// An odd axis below 3 follows the larger other axis, so that the patch gets a ring of its own.
float widen(float own, float other) { return own < 3.0f && own < other ? std::min(other, 3.0f) : own; }

template <Domain kDomain>
void condition_patch(const Rules& rules, int axes, const float* edges, const float* scales, float* rounded,
                     float* unrounded) {
  constexpr int kEdges = edge_count(kDomain), kInside = factor_count(kDomain) - kEdges;
  if (!std::all_of(edges, edges + kEdges, is_positive)) {
    std::fill_n(rounded, kEdges + kInside, 0.0f);
    std::copy_n(edges, kEdges, unrounded);
    std::fill_n(unrounded + kEdges, kInside, 0.0f);
    return;
  }
  float* raw = unrounded;
  for (int k = 0; k < kEdges; ++k) {
    raw[k] = edges[k] >= 1.0f ? edges[k] : 1.0f;
    rounded[k] = rules.round_and_clamp(raw[k]);
  }
  float* inside = unrounded + kEdges;
  if constexpr (kDomain == Domain::kTri) {
    inside[0] = inside_factor<3>({raw[0], raw[1], raw[2]}, scales[0], rules);
  } else if (axes == 1) {
    inside[0] = inside[1] = inside_factor<4>({raw[1], raw[3], raw[0], raw[2]}, scales[0], rules);
  } else {
    const float u = inside_factor<2>({raw[1], raw[3]}, scales[0], rules);
    const float v = inside_factor<2>({raw[0], raw[2]}, scales[1], rules);
    const bool odd = rules.partitioning == Partitioning::kFractionalOdd;
    inside[0] = odd ? widen(u, v) : u;
    inside[1] = odd ? widen(v, u) : v;
  }
  for (int k = kEdges; k < kEdges + kInside; ++k) rounded[k] = rules.round_and_clamp(unrounded[k]);
}

}  // namespace

void condition_factors(Domain domain, Partitioning partitioning, Reduction reduction, int axes,
                       ArrayView<const float, 2> edges, ArrayView<const float, 2> scales,
                       ArrayView<float, 2> rounded, ArrayView<float, 2> unrounded, int threads) {
  require(domain != Domain::kIsoline, "domain", "must be tri or quad", "isoline");
  require(axes == 1 || (axes == 2 && domain == Domain::kQuad), "axes", "must be 1, or 2 for quads", axes);
  const std::int64_t patches = edges.extent(0), width = factor_count(domain);
  require(edges.extent(1) == edge_count(domain), "edges", "must have one column per edge", edges.extent(1));
  require(scales.extent(0) == patches && scales.extent(1) == axes, "scales",
          "must have a row per patch and a column per axis", scales.extent(1));
  require(rounded.extent(0) == patches && rounded.extent(1) == width, "rounded",
          "must have a row per patch and a column per factor", rounded.extent(1));
  require(unrounded.extent(0) == patches && unrounded.extent(1) == width, "unrounded",
          "must have a row per patch and a column per factor", unrounded.extent(1));
  const Rules rules{partitioning, reduction};
  const auto condition =
      domain == Domain::kTri ? condition_patch<Domain::kTri> : condition_patch<Domain::kQuad>;
  parallel_for(patches, kGrain, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin; k < end; ++k) {
      condition(rules, axes, &edges(k, 0), &scales(k, 0), &rounded(k, 0), &unrounded(k, 0));
    }
  });
}

}  // namespace tilelab::tessellation
