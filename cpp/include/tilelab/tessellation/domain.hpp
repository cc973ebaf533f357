// What a patch is and how it is cut: its domain, the partitioning of its edges, what is made of it, and the
// numbers that follow from these (documented: Direct3D 11.3 functional specification, chapters 10.10
// to 10.12).
#pragma once

#include <cstdint>

namespace tilelab::tessellation {

/// 1.0 in the 16.16 fixed point of factors and domain points.
inline constexpr std::int32_t kFixedOne = 0x10000;

/// Shape of a patch. Its factors stand in hardware order: isoline (density, detail); tri (U==0, V==0, W==0,
/// inside); quad (U==0, V==0, U==1, V==1, inside U, inside V).
enum class Domain : std::uint8_t { kIsoline = 0, kTri = 1, kQuad = 2 };

/// How a factor becomes segments. The hardware treats kPow2 as kInteger: the shader rounds it before.
enum class Partitioning : std::uint8_t { kInteger = 0, kPow2 = 1, kFractionalOdd = 2, kFractionalEven = 3 };

/// What the tessellator makes: points of any domain, lines of isolines, triangles of tri and quad.
enum class Topology : std::uint8_t { kPoint = 0, kLine = 1, kTriangleCw = 2, kTriangleCcw = 3 };

/// Factors of one patch.
constexpr int factor_count(Domain domain) {
  return domain == Domain::kIsoline ? 2 : domain == Domain::kTri ? 4 : 6;
}

/// Factors among them that cull the patch when they are not positive.
constexpr int edge_count(Domain domain) {
  return domain == Domain::kIsoline ? 2 : domain == Domain::kTri ? 3 : 4;
}

/// Indices of one primitive.
constexpr int corners(Topology topology) {
  return topology == Topology::kPoint ? 1 : topology == Topology::kLine ? 2 : 3;
}

/// Whether the topology can be made of the domain.
constexpr bool belongs(Topology topology, Domain domain) {
  return topology == Topology::kPoint || (topology == Topology::kLine) == (domain == Domain::kIsoline);
}

/// Highest factor; what is above it counts as it.
constexpr float highest_factor(Partitioning partitioning) {
  return partitioning == Partitioning::kFractionalOdd ? 63.0f : 64.0f;
}

/// Lowest factor; what is positive and below it counts as it.
constexpr float lowest_factor(Partitioning partitioning) {
  return partitioning == Partitioning::kFractionalEven ? 2.0f : 1.0f;
}

/// Whether a factor is rounded up to a whole number of segments.
constexpr bool rounds_up(Partitioning partitioning) {
  return partitioning == Partitioning::kInteger || partitioning == Partitioning::kPow2;
}

}  // namespace tilelab::tessellation
