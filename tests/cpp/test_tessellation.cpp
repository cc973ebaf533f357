#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "tilelab/core/error.hpp"
#include "tilelab/tessellation/condition_factors.hpp"
#include "tilelab/tessellation/counts.hpp"
#include "tilelab/tessellation/tessellator.hpp"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace tilelab::tessellation {
namespace {

struct Mesh {
  std::vector<std::int64_t> point_offsets, index_offsets;
  std::vector<std::int32_t> points;
  std::vector<std::uint16_t> indices;
};

Mesh make(Domain domain, Partitioning partitioning, Topology topology, const std::vector<float>& factors,
          int threads = 1) {
  const std::int64_t width = factor_count(domain),
                     patches = static_cast<std::int64_t>(factors.size()) / width;
  const ArrayView<const float, 2> view(factors.data(), {patches, width});
  Mesh mesh;
  mesh.point_offsets.resize(static_cast<std::size_t>(patches) + 1);
  mesh.index_offsets.resize(static_cast<std::size_t>(patches) + 1);
  const ArrayView<std::int64_t, 1> points(mesh.point_offsets.data(), {patches + 1});
  const ArrayView<std::int64_t, 1> indices(mesh.index_offsets.data(), {patches + 1});
  tessellation_offsets(domain, partitioning, topology, view, points, indices);
  mesh.points.resize(2 * static_cast<std::size_t>(mesh.point_offsets.back()));
  mesh.indices.resize(static_cast<std::size_t>(mesh.index_offsets.back()));
  tessellate(domain, partitioning, topology, view, points, indices,
             {mesh.points.data(), {mesh.point_offsets.back(), 2}},
             {mesh.indices.data(), {mesh.index_offsets.back()}}, threads);
  return mesh;
}

TEST(Tessellator, SmallestPatches) {
  const Mesh tri = make(Domain::kTri, Partitioning::kInteger, Topology::kTriangleCw, {1, 1, 1, 1});
  EXPECT_EQ(tri.points, (std::vector<std::int32_t>{0, 65536, 0, 0, 65536, 0}));
  EXPECT_EQ(tri.indices, (std::vector<std::uint16_t>{0, 1, 2}));
  const Mesh quad = make(Domain::kQuad, Partitioning::kPow2, Topology::kTriangleCcw, {1, 1, 1, 1, 1, 1});
  EXPECT_EQ(quad.indices, (std::vector<std::uint16_t>{0, 3, 1, 1, 3, 2}));
  const Mesh line = make(Domain::kIsoline, Partitioning::kInteger, Topology::kLine, {1, 2});
  EXPECT_EQ(line.points, (std::vector<std::int32_t>{0, 0, 32768, 0, 65536, 0}));
  EXPECT_EQ(line.indices, (std::vector<std::uint16_t>{0, 1, 1, 2}));
}

TEST(Tessellator, NothingIsWrittenBehindTheBuffers) {
  // The vectors have exactly the announced sizes: the address sanitizer watches their ends.
  for (int inside = 1; inside <= 64; ++inside) {
    const auto s = static_cast<float>(inside);
    for (const auto topology : {Topology::kPoint, Topology::kTriangleCw, Topology::kTriangleCcw}) {
      make(Domain::kTri, Partitioning::kInteger, topology, {s, 3, 5, s, 1, s, 2, 4});
      make(Domain::kQuad, Partitioning::kFractionalOdd, topology, {s, 3, 5, 7, s, 4, 1, 2, s, 2, 3, s}, 2);
    }
  }
}

TEST(Tessellator, CulledPatchesAreEmpty) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Mesh mesh = make(Domain::kTri, Partitioning::kFractionalEven, Topology::kTriangleCw,
                         {nan, 1, 1, 1, 2, 2, 2, nan, 1, -0.0f, 1, 1});
  EXPECT_EQ(mesh.point_offsets, (std::vector<std::int64_t>{0, 0, 7, 7}));
}

TEST(Tessellator, RefusesWhatDoesNotFit) {
  EXPECT_THROW(make(Domain::kTri, Partitioning::kInteger, Topology::kLine, {1, 1, 1, 1}), ArgumentError);
  EXPECT_THROW(make(Domain::kIsoline, Partitioning::kInteger, Topology::kTriangleCw, {1, 1}), ArgumentError);
}

TEST(Tessellator, ChangedFactorsAreNoticedBeforeTheyWriteOutside) {
  std::vector<float> factors{2, 2, 2, 2};
  std::vector<std::int64_t> points(2), indices(2);
  const ArrayView<const float, 2> view(factors.data(), {1, 4});
  tessellation_offsets(Domain::kTri, Partitioning::kInteger, Topology::kTriangleCw, view,
                       {points.data(), {2}}, {indices.data(), {2}});
  std::vector<std::int32_t> uv(2 * static_cast<std::size_t>(points[1]));
  std::vector<std::uint16_t> vertices(static_cast<std::size_t>(indices[1]));
  factors = {9, 9, 9, 9};
  const ArrayView<const float, 2> changed(factors.data(), {1, 4});
  EXPECT_THROW(tessellate(Domain::kTri, Partitioning::kInteger, Topology::kTriangleCw, changed,
                          ArrayView<const std::int64_t, 1>(points.data(), {2}),
                          ArrayView<const std::int64_t, 1>(indices.data(), {2}), {uv.data(), {points[1], 2}},
                          {vertices.data(), {indices[1]}}, 1),
               ArgumentError);
}

TEST(Tessellator, OffsetsStartAtZero) {
  const std::vector<float> factors{1, 1, 1, 1};
  std::vector<std::int64_t> points{1, 4}, indices{0, 3};
  std::vector<std::int32_t> uv(8);
  std::vector<std::uint16_t> vertices(3);
  EXPECT_THROW(
      tessellate(Domain::kTri, Partitioning::kInteger, Topology::kTriangleCw, {factors.data(), {1, 4}},
                 {points.data(), {2}}, {indices.data(), {2}}, {uv.data(), {4, 2}}, {vertices.data(), {3}}, 1),
      ArgumentError);
}

#if defined(__SSE__)
TEST(Tessellator, DenormalsDoNotCullEvenWhenTheCpuFlushesThem) {
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040);  // flush to zero, denormals are zero
  const float tiny = std::bit_cast<float>(std::uint32_t{1});
  const std::vector<float> factors{tiny, 1, 1, 1};
  PatchCounts counts{};
  tessellation_counts(Domain::kTri, Partitioning::kInteger, {factors.data(), {1, 4}}, {&counts, {1}}, 1);
  const Mesh mesh = make(Domain::kTri, Partitioning::kInteger, Topology::kTriangleCw, factors);
  std::vector<float> rounded(4), unrounded(4);
  const float scale = 1.0f;
  condition_factors(Domain::kTri, Partitioning::kInteger, Reduction::kMin, 1, {factors.data(), {1, 3}},
                    {&scale, {1, 1}}, {rounded.data(), {1, 4}}, {unrounded.data(), {1, 4}}, 1);
  _mm_setcsr(before);
  EXPECT_FALSE(counts.culled);
  EXPECT_EQ(counts.points, 3);
  EXPECT_EQ(mesh.points.size(), 6u);
  EXPECT_EQ(rounded, (std::vector<float>{1, 1, 1, 1}));
}
#endif

}  // namespace
}  // namespace tilelab::tessellation
