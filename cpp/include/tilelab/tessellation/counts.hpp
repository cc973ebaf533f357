// How many points and primitives the tessellator makes of each patch, without making them.
#pragma once

#include <cstdint>

#include "tilelab/core/array_view.hpp"
#include "tilelab/tessellation/tessellator.hpp"

namespace tilelab {

/// One row of the result; `primitives` are lines (isoline) or triangles (tri, quad).
struct PatchCounts {
  std::int32_t points;
  std::int32_t primitives;
  bool culled;
};

/// Closed-form counts of each patch.
/// Preconditions: `factors` is (N, factor_count); `counts` has N entries.
void tessellation_counts(Domain domain, Partitioning partitioning, ArrayView<const float, 2> factors,
                         ArrayView<PatchCounts, 1> counts, int threads);

}  // namespace tilelab
