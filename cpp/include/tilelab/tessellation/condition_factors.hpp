// What the HLSL compiler does to tessellation factors before the hardware sees them (documented: the
// functions ProcessTriTessFactors, ProcessQuadTessFactors and Process2DQuadTessFactors; details measured from
// the public reference implementation).
#pragma once

#include <cstdint>

#include "tilelab/core/array_view.hpp"
#include "tilelab/tessellation/domain.hpp"

namespace tilelab::tessellation {

/// How edge factors become an inside factor.
enum class Reduction : std::uint8_t { kMin = 0, kMax = 1, kAverage = 2 };

/// Rounds edge factors and derives inside factors from them. With two axes, inside U comes from the edges
/// V==0 and V==1, inside V from U==0 and U==1. `rounded` is what the hardware gets.
///
/// Precondition (ArgumentError): the domain is tri or quad.
/// Precondition (ArgumentError): `axes` is 1, or 2 for quads.
/// Precondition (ArgumentError): `edges` is (N, edge_count) and `scales` is (N, axes).
/// Precondition (ArgumentError): both results are (N, factor_count).
void condition_factors(Domain domain, Partitioning partitioning, Reduction reduction, int axes,
                       ArrayView<const float, 2> edges, ArrayView<const float, 2> scales,
                       ArrayView<float, 2> rounded, ArrayView<float, 2> unrounded, int threads);

}  // namespace tilelab::tessellation
