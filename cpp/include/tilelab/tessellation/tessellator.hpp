// The fixed-function tessellator of Direct3D 11: domain points and connectivity of many patches.
//
// Rules: Direct3D 11.3 functional specification, chapters 10.10 to 10.13 and 11. Orders and roundings that
// the specification leaves open are those of the public "D3D11 Fixed Function Tessellator Reference" (May 7,
// 2012).
#pragma once

#include <cstdint>

#include "tilelab/core/array_view.hpp"

namespace tilelab {

enum class Domain : int { kIsoline = 0, kTri = 1, kQuad = 2 };
enum class Partitioning : int { kInteger = 0, kPow2 = 1, kFractionalOdd = 2, kFractionalEven = 3 };
enum class Topology : int { kPoint = 0, kLine = 1, kTriangleCw = 2, kTriangleCcw = 3 };

/// Factors of one patch, in hardware order: isoline (density, detail); tri (U==0, V==0, W==0, inside);
/// quad (U==0, V==0, U==1, V==1, inside U, inside V).
constexpr int factor_count(Domain domain) {
  return domain == Domain::kIsoline ? 2 : domain == Domain::kTri ? 4 : 6;
}

/// Factors among them that cull the patch when they are not positive.
constexpr int edge_count(Domain domain) {
  return domain == Domain::kIsoline ? 2 : domain == Domain::kTri ? 3 : 4;
}

/// Upper bound of a factor; the lower one is 2 for fractional_even and 1 otherwise.
constexpr float highest_factor(Partitioning partitioning) {
  return partitioning == Partitioning::kFractionalOdd ? 63.0f : 64.0f;
}
constexpr float lowest_factor(Partitioning partitioning) {
  return partitioning == Partitioning::kFractionalEven ? 2.0f : 1.0f;
}
constexpr bool rounds_up(Partitioning partitioning) {
  return partitioning == Partitioning::kInteger || partitioning == Partitioning::kPow2;
}

/// Points that one call may make.
inline constexpr std::int64_t kMaxPoints = std::int64_t{1} << 31;

/// First point and first index of each patch, and the totals in the last entries.
/// Preconditions: `factors` is (N, factor_count); both offset arrays have N + 1 entries; the topology belongs
/// to the domain (lines: isoline, triangles: tri and quad, points: any); at most kMaxPoints points in all.
void tessellation_offsets(Domain domain, Partitioning partitioning, Topology topology,
                          ArrayView<const float, 2> factors, ArrayView<std::int64_t, 1> point_offsets,
                          ArrayView<std::int64_t, 1> index_offsets);

/// Writes the points (u, v in 16.16 fixed point) and the indices, which start at 0 in each patch.
/// Preconditions: as above, and the offsets are those that tessellation_offsets gave for the same arguments;
/// `points` is (total, 2), `indices` has the total number of indices.
void tessellate(Domain domain, Partitioning partitioning, Topology topology,
                ArrayView<const float, 2> factors, ArrayView<const std::int64_t, 1> point_offsets,
                ArrayView<const std::int64_t, 1> index_offsets, ArrayView<std::int32_t, 2> points,
                ArrayView<std::uint16_t, 1> indices, int threads);

}  // namespace tilelab
