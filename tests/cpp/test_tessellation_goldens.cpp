#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "every_target.hpp"
#include "golden.hpp"
#include "tilelab/tessellation/condition_factors.hpp"
#include "tilelab/tessellation/counts.hpp"
#include "tilelab/tessellation/tessellator.hpp"
#include "tilelab/xtensor.hpp"

namespace tilelab::tessellation {
namespace {

using Bits = xt::xtensor<std::uint32_t, 2>;

constexpr Domain kDomains[] = {Domain::kIsoline, Domain::kTri, Domain::kQuad};
constexpr Partitioning kPartitionings[] = {Partitioning::kInteger, Partitioning::kPow2,
                                           Partitioning::kFractionalOdd, Partitioning::kFractionalEven};

template <typename Enum>
bool is(std::uint8_t code, Enum value) {
  return static_cast<Enum>(code) == value;
}

// The first `width` columns of some rows.
Bits cut_out(const Bits& bits, const std::vector<std::size_t>& rows, int width) {
  auto result = Bits::from_shape({rows.size(), static_cast<std::size_t>(width)});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < result.shape(1); ++k) result(i, k) = bits(rows[i], k);
  }
  return result;
}

xt::xtensor<float, 2> floats_of(const Bits& bits) {
  xt::xtensor<float, 2> result(bits.shape());
  std::transform(bits.begin(), bits.end(), result.begin(),
                 [](std::uint32_t word) { return std::bit_cast<float>(word); });
  return result;
}

Bits bits_of(const xt::xtensor<float, 2>& values) {
  Bits result(values.shape());
  std::transform(values.begin(), values.end(), result.begin(),
                 [](float value) { return std::bit_cast<std::uint32_t>(value); });
  return result;
}

TEST(CountGoldens, EveryMeasuredRowOnEveryTarget) {
  const std::string archive = "tessellation/counts.npz";
  const auto domains = golden::array<std::uint8_t, 1>(archive, "domain");
  const auto partitionings = golden::array<std::uint8_t, 1>(archive, "partitioning");
  const auto factor_bits = golden::array<std::uint32_t, 2>(archive, "factor_bits");
  const auto points = golden::array<std::int32_t, 1>(archive, "n_points");
  const auto primitives = golden::array<std::int32_t, 1>(archive, "n_prims");
  for (const Domain domain : kDomains) {
    for (const Partitioning partitioning : kPartitionings) {
      std::vector<std::size_t> rows;
      for (std::size_t row = 0; row < domains.size(); ++row) {
        if (is(domains(row), domain) && is(partitionings(row), partitioning)) rows.push_back(row);
      }
      ASSERT_EQ(rows.size(), 1500u);
      const auto factors = floats_of(cut_out(factor_bits, rows, factor_count(domain)));
      on_every_target([&] {
        std::vector<PatchCounts> counts(rows.size());
        tessellation_counts(domain, partitioning, view_of(factors),
                            {counts.data(), {static_cast<std::int64_t>(counts.size())}}, 2);
        for (std::size_t i = 0; i < rows.size(); ++i) {
          EXPECT_EQ(counts[i].points, points(rows[i])) << "row " << rows[i];
          EXPECT_EQ(counts[i].primitives, primitives(rows[i])) << "row " << rows[i];
          EXPECT_EQ(counts[i].culled, points(rows[i]) == 0) << "row " << rows[i];
        }
      });
    }
  }
}

TEST(TessellatorGoldens, EveryMeasuredListOnEveryTarget) {
  const std::string archive = "tessellation/full.npz";
  const auto domains = golden::array<std::uint8_t, 1>(archive, "domain");
  const auto partitionings = golden::array<std::uint8_t, 1>(archive, "partitioning");
  const auto topologies = golden::array<std::uint8_t, 1>(archive, "topology");
  const auto factor_bits = golden::array<std::uint32_t, 2>(archive, "factor_bits");
  const auto first_point = golden::array<std::int64_t, 1>(archive, "point_ptr");
  const auto first_index = golden::array<std::int64_t, 1>(archive, "index_ptr");
  const auto points = golden::array<std::int32_t, 2>(archive, "uv_fixed");
  const auto indices = golden::array<std::uint16_t, 1>(archive, "indices");
  ASSERT_EQ(domains.size(), 180u);
  for (std::size_t row = 0; row < domains.size(); ++row) {
    SCOPED_TRACE("row " + std::to_string(row));
    const auto domain = static_cast<Domain>(domains(row));
    const auto partitioning = static_cast<Partitioning>(partitionings(row));
    const auto topology = static_cast<Topology>(topologies(row));
    const auto factors = floats_of(cut_out(factor_bits, {row}, factor_count(domain)));
    const auto point_count = static_cast<std::size_t>(first_point(row + 1) - first_point(row));
    const auto index_count = static_cast<std::size_t>(first_index(row + 1) - first_index(row));
    on_every_target([&] {
      auto point_offsets = xt::xtensor<std::int64_t, 1>::from_shape({2});
      auto index_offsets = xt::xtensor<std::int64_t, 1>::from_shape({2});
      tessellation_offsets(domain, partitioning, topology, view_of(factors), view_of(point_offsets),
                           view_of(index_offsets));
      ASSERT_EQ(point_offsets(1), static_cast<std::int64_t>(point_count));
      ASSERT_EQ(index_offsets(1), static_cast<std::int64_t>(index_count));
      auto made_points = xt::xtensor<std::int32_t, 2>::from_shape({point_count, 2});
      auto made_indices = xt::xtensor<std::uint16_t, 1>::from_shape({index_count});
      tessellate(domain, partitioning, topology, view_of(factors), view_of(point_offsets),
                 view_of(index_offsets), view_of(made_points), view_of(made_indices), 1);
      EXPECT_TRUE(std::equal(made_points.begin(), made_points.end(), points.begin() + 2 * first_point(row)));
      EXPECT_TRUE(std::equal(made_indices.begin(), made_indices.end(), indices.begin() + first_index(row)));
    });
  }
}

TEST(ConditionFactorGoldens, EveryMeasuredRowOnEveryTarget) {
  const std::string archive = "tessellation/hlsl_factors.npz";
  const auto domains = golden::array<std::uint8_t, 1>(archive, "domain");
  const auto partitionings = golden::array<std::uint8_t, 1>(archive, "partitioning");
  const auto reductions = golden::array<std::uint8_t, 1>(archive, "reduction");
  const auto axis = golden::array<std::uint8_t, 1>(archive, "axis");
  const auto edge_bits = golden::array<std::uint32_t, 2>(archive, "edge_bits");
  const auto scale_bits = golden::array<std::uint32_t, 2>(archive, "scale_bits");
  const auto rounded_bits = golden::array<std::uint32_t, 2>(archive, "rounded_bits");
  const auto unrounded_bits = golden::array<std::uint32_t, 2>(archive, "unrounded_bits");
  std::size_t compared = 0;
  for (const auto& [domain, axes] : {std::pair{Domain::kTri, 1}, {Domain::kQuad, 1}, {Domain::kQuad, 2}}) {
    for (const Partitioning partitioning : kPartitionings) {
      for (const Reduction reduction : {Reduction::kMin, Reduction::kMax, Reduction::kAverage}) {
        std::vector<std::size_t> rows;
        for (std::size_t row = 0; row < domains.size(); ++row) {
          if (is(domains(row), domain) && is(partitionings(row), partitioning) &&
              is(reductions(row), reduction) && axis(row) == axes - 1) {
            rows.push_back(row);
          }
        }
        compared += rows.size();
        const auto edges = floats_of(cut_out(edge_bits, rows, edge_count(domain)));
        const auto scales = floats_of(cut_out(scale_bits, rows, axes));
        const auto width = static_cast<std::size_t>(factor_count(domain));
        on_every_target([&, domain = domain, axes = axes] {
          auto rounded = xt::xtensor<float, 2>::from_shape({rows.size(), width});
          auto unrounded = xt::xtensor<float, 2>::from_shape({rows.size(), width});
          condition_factors(domain, partitioning, reduction, axes, view_of(edges), view_of(scales),
                            view_of(rounded), view_of(unrounded), 2);
          EXPECT_EQ(bits_of(rounded), cut_out(rounded_bits, rows, factor_count(domain)));
          EXPECT_EQ(bits_of(unrounded), cut_out(unrounded_bits, rows, factor_count(domain)));
        });
      }
    }
  }
  EXPECT_EQ(compared, 3600u);
}

}  // namespace
}  // namespace tilelab::tessellation
