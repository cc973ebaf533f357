// Shading rates as D3D12 codes, which of them a device delivers, and the combiners that merge them.
#pragma once

#include <cstdint>

#include "tilelab/core/array_view.hpp"

namespace tilelab::vrs {

/// A shading rate is (log2(width) << 2) | log2(height) with widths and heights of 1, 2 and 4 pixels.
using Rate = std::uint8_t;

inline constexpr Rate kRate1x1 = 0;

/// True for the nine axis pairs; 1x4 and 4x1 are among them although no device delivers these two.
constexpr bool is_rate(std::int64_t code) { return code >= 0 && (code >> 2) <= 2 && (code & 3) <= 2; }

constexpr int width_log2(Rate rate) { return rate >> 2; }
constexpr int height_log2(Rate rate) { return rate & 3; }

enum class Combiner : std::uint8_t { kPassthrough = 0, kOverride = 1, kMin = 2, kMax = 3, kSum = 4 };

/// Whose list of rates holds: the D3D12 specification, a measured NVIDIA GPU, or the console.
enum class RateProfile : std::uint8_t { kD3d12 = 0, kNvidia = 1, kXboxSeries = 2 };

/// Where the combiner chain replaces rates that are not delivered (see combine_table).
enum class Sanitize : std::uint8_t { kEach = 0, kFinal = 1, kOutputs = 2 };

/// The set of delivered rates, one bit per code.
/// Precondition: sample_count is 1, 2, 4, 8 or 16 (ArgumentError otherwise).
std::uint32_t supported_rates(RateProfile profile, bool additional_rates, int sample_count);

/// The delivered rate that stands in for `rate`: of those no wider and no taller the one of largest area, of
/// these the one with the smallest width + height (Vulkan specification, chapter "Primitives and
/// rasterisation"). Precondition: is_rate(rate); `supported` holds 1x1.
Rate sanitize_rate(Rate rate, std::uint32_t supported);

/// One combiner, per axis in log2 space. `max_axis_log2` limits the sum (D3D12 variable rate shading).
/// Precondition: is_rate(a) and is_rate(b).
Rate combine(Combiner combiner, Rate a, Rate b, int max_axis_log2);

struct CombinerChain {
  Combiner first = Combiner::kPassthrough;
  Combiner second = Combiner::kPassthrough;
  Sanitize sanitize = Sanitize::kEach;
  std::uint32_t supported = 1;
  int max_axis_log2 = 1;
};

/// second(first(draw, primitive), image). kEach sanitises the inputs and the output of both combiners
/// (D3D12), kFinal only the end (what Vulkan demands), kOutputs both outputs but no input (measured on NVIDIA
/// hardware). Precondition: all three are rates.
Rate combine_chain(const CombinerChain& chain, Rate draw, Rate primitive, Rate image);

inline constexpr std::int64_t kRateCodes = 16;
inline constexpr Rate kNoRate = 0xFF;

/// combine_chain for every (draw, primitive, image); kNoRate where one of them is no rate.
/// Precondition: `table` has shape (16, 16, 16) (ArgumentError otherwise).
void combine_table(const CombinerChain& chain, ArrayView<Rate, 3> table);

}  // namespace tilelab::vrs
