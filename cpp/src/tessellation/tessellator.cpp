#include "tilelab/tessellation/tessellator.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <string>

#include "tessellation/tessellator_patch.hpp"
#include "tessellation/tessellator_points.hpp"
#include "tessellation/tessellator_stitch.hpp"
#include "tilelab/core/error.hpp"
#include "tilelab/core/parallel.hpp"
#include "tilelab/tessellation/counts.hpp"

namespace tilelab::tessellation {
namespace {

constexpr std::int64_t kGrain = 64;  // patches per piece of a threaded loop
constexpr std::size_t kMostFactors = factor_count(Domain::kQuad);
constexpr std::int64_t kNone = -1;  // no patch

void check(Domain domain, Topology topology, ArrayView<const float, 2> factors, std::int64_t point_entries,
           std::int64_t index_entries) {
  require(belongs(topology, domain), "topology",
          "must be point, line for isolines, or a triangle winding for tri and quad",
          static_cast<int>(topology));
  require(factors.extent(1) == factor_count(domain), "factors",
          "must have as many columns as the domain has factors", factors.extent(1));
  require(point_entries == factors.extent(0) + 1, "point_offsets",
          "must have one entry more than there are patches", point_entries);
  require(index_entries == factors.extent(0) + 1, "index_offsets",
          "must have one entry more than there are patches", index_entries);
}

// Which patch last had a key, for a limited number of keys: neighbours in a mesh often are equal, and what
// was written for one is then copied for the next.
template <std::size_t kWords, int kSlotBits>
class EarlierPatches {
 public:
  using Key = std::array<std::uint64_t, kWords>;

  /// The latest patch with this key that the table still knows, or kNone; `patch` takes its place.
  std::int64_t exchange(const Key& key, std::int64_t patch) {
    std::uint64_t hash = 0;
    for (std::size_t k = 0; k < kWords; ++k) hash += key[k] * (kMultiplier * (2 * k + 1));
    Entry& entry = entries_[hash >> (64 - kSlotBits)];
    std::uint64_t difference = 0;
    for (std::size_t k = 0; k < kWords; ++k) difference |= key[k] ^ entry.key[k];
    const std::int64_t found = difference == 0 ? entry.patch : kNone;
    entry = {key, patch};
    return found;
  }

 private:
  static constexpr std::uint64_t kMultiplier = 0x9E3779B97F4A7C15u;  // golden ratio: spreads small numbers
  struct Entry {
    Key key{};
    std::int64_t patch = kNone;
  };

  std::array<Entry, 1 << kSlotBits> entries_;
};

// What points and indices depend on.
std::array<std::uint64_t, Patch::kAxes> whole_key(const Patch& patch) {
  std::array<std::uint64_t, Patch::kAxes> key;
  std::memcpy(key.data(), patch.factors.data(), sizeof patch.factors);
  std::memcpy(key.data() + Patch::kAxes / 2, patch.segments.data(), sizeof patch.segments);
  return key;
}

// What the indices alone depend on: the segments, a byte each.
std::array<std::uint64_t, 1> shape_key(const Patch& patch) {
  std::uint64_t key = patch.minimum ? 1 : 0;
  for (std::size_t k = 0; k < kMostFactors; ++k)
    key = key << 8 | static_cast<std::uint64_t>(patch.segments[k]);
  return {key};
}

struct MeshSize {
  std::int64_t points;
  std::int64_t indices;
};

MeshSize mesh_size(Domain domain, Topology topology, const Patch& patch) {
  const PatchSize size = patch_size(domain, patch);
  return {size.points, corners(topology) * (topology == Topology::kPoint ? size.points : size.primitives)};
}

// What one thread keeps while it works through its patches.
struct Workspace {
  EarlierPatches<Patch::kAxes, 8> patches;
  EarlierPatches<1, 10> shapes;
  PointRows rows;
  std::array<std::int32_t, 2 * (kMaxPatchPoints + kPointSlack)> point_scratch;
  std::array<std::uint16_t, kMaxPatchIndices + kIndexSlack> index_scratch;
};

}  // namespace

void tessellation_offsets(Domain domain, Partitioning partitioning, Topology topology,
                          ArrayView<const float, 2> factors, ArrayView<std::int64_t, 1> point_offsets,
                          ArrayView<std::int64_t, 1> index_offsets) {
  check(domain, topology, factors, point_offsets.extent(0), index_offsets.extent(0));
  constexpr std::int64_t kBlock = 1024;
  std::array<PatchCounts, kBlock> counts;
  const std::int64_t patches = factors.extent(0), width = factor_count(domain),
                     corner_count = corners(topology);
  std::int64_t points = 0, indices = 0;
  point_offsets(0) = index_offsets(0) = 0;
  for (std::int64_t begin = 0; begin < patches; begin += kBlock) {
    const std::int64_t block = std::min(kBlock, patches - begin);
    tessellation_counts(domain, partitioning, {factors.data() + begin * width, {block, width}},
                        {counts.data(), {block}}, 1);
    for (std::int64_t k = 0; k < block; ++k) {
      const PatchCounts& row = counts[static_cast<std::size_t>(k)];
      points += row.points;
      indices += corner_count * (topology == Topology::kPoint ? row.points : row.primitives);
      point_offsets(begin + k + 1) = points;
      index_offsets(begin + k + 1) = indices;
    }
  }
  require(points <= kMaxPoints, "factors", "must make at most 2147483648 points in one call", points);
}

void tessellate(Domain domain, Partitioning partitioning, Topology topology,
                ArrayView<const float, 2> factors, ArrayView<const std::int64_t, 1> point_offsets,
                ArrayView<const std::int64_t, 1> index_offsets, ArrayView<std::int32_t, 2> points,
                ArrayView<std::uint16_t, 1> indices, int threads) {
  check(domain, topology, factors, point_offsets.extent(0), index_offsets.extent(0));
  const std::int64_t patches = factors.extent(0), width = factor_count(domain);
  require(point_offsets(0) == 0, "point_offsets", "must start at 0", point_offsets(0));
  require(index_offsets(0) == 0, "index_offsets", "must start at 0", index_offsets(0));
  require(points.extent(0) == point_offsets(patches) && points.extent(1) == 2, "points",
          "must have one (u, v) row per point", points.extent(0));
  require(indices.extent(0) == index_offsets(patches), "indices", "must have one entry per index",
          indices.extent(0));
  parallel_for(patches, kGrain, threads, [&](std::int64_t begin, std::int64_t end) {
    const auto work = std::make_unique_for_overwrite<Workspace>();
    // Writers may run a little over the end of a patch, where the next one is written afterwards; at the end
    // of the piece there is none, so the last patches go through a scratch buffer.
    const std::int64_t point_limit = point_offsets(end) - kPointSlack;
    const std::int64_t index_limit = index_offsets(end) - kIndexSlack;
    for (std::int64_t k = begin; k < end; ++k) {
      const Patch patch = process_factors(domain, partitioning, factors.data() + k * width);
      const std::int64_t first_point = point_offsets(k), point_count = point_offsets(k + 1) - first_point;
      const std::int64_t first_index = index_offsets(k), index_count = index_offsets(k + 1) - first_index;
      const std::int64_t twin = patch.culled ? kNone : work->patches.exchange(whole_key(patch), k);
      const bool copies = twin != kNone;
      const MeshSize size = copies ? MeshSize{point_offsets(twin + 1) - point_offsets(twin),
                                              index_offsets(twin + 1) - index_offsets(twin)}
                                   : mesh_size(domain, topology, patch);
      // The counting pass made room for exactly this; anything else would write outside.
      require(point_count == size.points && index_count == size.indices, "factors",
              "must not change between counting and tessellating", "other sizes");
      if (patch.culled) continue;

      std::int32_t* const point_out = points.data() + 2 * first_point;
      std::uint16_t* const index_out = indices.data() + first_index;
      if (copies) {
        std::memcpy(point_out, points.data() + 2 * point_offsets(twin),
                    static_cast<std::size_t>(point_count) * 8);
        std::memcpy(index_out, indices.data() + index_offsets(twin),
                    static_cast<std::size_t>(index_count) * 2);
        continue;
      }
      if (first_point + point_count <= point_limit) {
        write_points(domain, patch, work->rows, point_out);
      } else {
        write_points(domain, patch, work->rows, work->point_scratch.data());
        std::copy_n(work->point_scratch.data(), 2 * point_count, point_out);
      }
      const std::int64_t like = work->shapes.exchange(shape_key(patch), k);
      if (like != kNone) {
        std::memcpy(index_out, indices.data() + index_offsets(like),
                    static_cast<std::size_t>(index_count) * 2);
      } else if (first_index + index_count <= index_limit) {
        write_indices(domain, topology, patch, index_out);
      } else {
        write_indices(domain, topology, patch, work->index_scratch.data());
        std::copy_n(work->index_scratch.data(), index_count, index_out);
      }
    }
  });
}

}  // namespace tilelab::tessellation
