// How many points and primitives the tessellator makes of each patch, without making them (measured: equal to
// the public reference tessellator for every factor, NaN, infinities and denormals included).
#pragma once

#include <cstdint>

#include "tilelab/core/array_view.hpp"
#include "tilelab/tessellation/domain.hpp"

namespace tilelab::tessellation {

/// What one patch makes.
struct PatchCounts {
  std::int32_t points;
  std::int32_t primitives;  ///< lines (isoline) or triangles (tri, quad)
  bool culled;              ///< an edge factor is not positive: the patch makes nothing
};

/// Points and primitives of each patch in closed form.
///
/// Precondition (ArgumentError): `factors` is (N, factor_count).
/// Precondition (ArgumentError): `counts` has N entries.
void tessellation_counts(Domain domain, Partitioning partitioning, ArrayView<const float, 2> factors,
                         ArrayView<PatchCounts, 1> counts, int threads);

}  // namespace tilelab::tessellation
