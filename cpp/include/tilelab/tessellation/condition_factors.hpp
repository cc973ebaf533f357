// What the HLSL compiler does to tessellation factors before the hardware sees them.
#pragma once

#include "tilelab/core/array_view.hpp"
#include "tilelab/tessellation/tessellator.hpp"

namespace tilelab {

enum class Reduction : int { kMin = 0, kMax = 1, kAverage = 2 };

/// Rounds edge factors and derives inside factors from them (ProcessTriTessFactors, ProcessQuadTessFactors
/// and Process2DQuadTessFactors of HLSL; Direct3D 11.3 functional specification, section 10.10).
/// Preconditions: domain tri or quad; `axes` is 1 or 2 (tri: 1); `edges` is (N, edge_count), `scales` is
/// (N, axes), both results are (N, factor_count).
void condition_factors(Domain domain, Partitioning partitioning, Reduction reduction, int axes,
                       ArrayView<const float, 2> edges, ArrayView<const float, 2> scales,
                       ArrayView<float, 2> rounded, ArrayView<float, 2> unrounded, int threads);

}  // namespace tilelab
