// One patch after culling, clamping and rounding: what its points and triangles depend on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tilelab/tessellation/domain.hpp"

namespace tilelab::tessellation {

inline constexpr int kMaxSegments = 64;
inline constexpr int kMaxPatchPoints = (kMaxSegments + 1) * (kMaxSegments + 1);
inline constexpr int kMaxPatchIndices = 2 * kMaxSegments * kMaxSegments * 3;

/// An edge or inside axis: its factor in 16.16 fixed point and the segments that it is cut into.
/// An odd parity shows as an odd number of segments.
struct Axis {
  std::int32_t factor;
  std::int32_t segments;

  bool operator==(const Axis&) const = default;
};

struct Patch {
  static constexpr std::size_t kAxes = 8;  // two vectors; a domain uses as many as it has factors

  // In factor order. Lanes without a factor hold something that depends on the factors alone.
  alignas(16) std::array<std::int32_t, kAxes> factors{};
  alignas(16) std::array<std::int32_t, kAxes> segments{};
  bool culled = false;
  bool minimum = false;  // nothing but the corners

  Axis axis(std::size_t k) const { return {factors[k], segments[k]}; }
};

Patch process_factors(Domain domain, Partitioning partitioning, const float* factors);

/// Points and primitives of a patch in closed form; primitives are lines (isoline) or triangles.
struct PatchSize {
  std::int64_t points;
  std::int64_t primitives;
};
PatchSize patch_size(Domain domain, const Patch& patch);

}  // namespace tilelab::tessellation
