// The fixed-function tessellator of Direct3D 11: domain points and connectivity of many patches.
//
// Rules: Direct3D 11.3 functional specification, chapters 10.10 to 10.13 and 11 (documented). Orders and
// roundings that the specification leaves open are those of the public "D3D11 Fixed Function Tessellator
// Reference" of May 7, 2012 (measured).
#pragma once

#include <cstdint>

#include "tilelab/core/array_view.hpp"
#include "tilelab/tessellation/domain.hpp"

namespace tilelab::tessellation {

/// Points that one call may make.
inline constexpr std::int64_t kMaxPoints = std::int64_t{1} << 31;

/// First point and first index of each patch, and the totals in the last entries.
///
/// Precondition (ArgumentError): `factors` is (N, factor_count).
/// Precondition (ArgumentError): both offset arrays have N + 1 entries.
/// Precondition (ArgumentError): the topology belongs to the domain.
/// Precondition (ArgumentError): the patches have at most kMaxPoints points in all.
void tessellation_offsets(Domain domain, Partitioning partitioning, Topology topology,
                          ArrayView<const float, 2> factors, ArrayView<std::int64_t, 1> point_offsets,
                          ArrayView<std::int64_t, 1> index_offsets);

/// Writes the points (u, v in 16.16 fixed point) and the indices, which start at 0 in each patch.
///
/// Precondition (ArgumentError): `factors` is (N, factor_count), and the topology belongs to the domain.
/// Precondition (ArgumentError): the offsets are those that tessellation_offsets gives for these arguments.
/// Precondition (ArgumentError): `points` is (total points, 2), `indices` has the total number of indices.
void tessellate(Domain domain, Partitioning partitioning, Topology topology,
                ArrayView<const float, 2> factors, ArrayView<const std::int64_t, 1> point_offsets,
                ArrayView<const std::int64_t, 1> index_offsets, ArrayView<std::int32_t, 2> points,
                ArrayView<std::uint16_t, 1> indices, int threads);

}  // namespace tilelab::tessellation
