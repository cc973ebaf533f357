#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tessellation/tessellator_stitch.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <array>

#include "tessellation/tessellator_stitch.hpp"
#include "tessellation/tessellator_transition.hpp"

HWY_BEFORE_NAMESPACE();
namespace tilelab::tessellation {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Index = std::uint16_t;

// A row of vertices, corners included. It is linear (origin, origin + step, ...) but for its ends: where a
// ring closes, its last vertex is its first.
struct IndexRow {
  int origin;
  int step;
  int first;
  int last;
  int points;

  int at(int position) const {
    return position == 0 ? first : position == points - 1 ? last : origin + position * step;
  }
  bool closes() const { return last != origin + (points - 1) * step; }
  IndexRow reversed() const { return {origin + (points - 1) * step, -step, last, first, points}; }
};

inline IndexRow ascending(int first, int points) { return {first, 1, first, first + points - 1, points}; }
inline IndexRow single(int vertex) { return {vertex, 0, vertex, vertex, 1}; }

template <std::size_t kSides>
using Ring = std::array<IndexRow, kSides>;

template <std::size_t kSides>
Ring<kSides> make_ring(int base, const std::array<int, kSides>& side_segments) {
  Ring<kSides> ring;
  int start = base;
  for (std::size_t side = 0; side < kSides; ++side) {
    ring[side] = ascending(start, side_segments[side] + 1);
    start += side_segments[side];
  }
  ring[kSides - 1].last = base;
  return ring;
}

// How two triangles fill the quad between in[p], in[p + 1] and out[q], out[q + 1].
enum class Split { kFromInner, kFromOuter, kMirrored };

template <bool kCcw>
constexpr Index* triangle(Index* out, int a, int b, int c) {
  out[0] = static_cast<Index>(a);
  out[1] = static_cast<Index>(kCcw ? c : b);
  out[2] = static_cast<Index>(kCcw ? b : c);
  return out + 3;
}

template <bool kCcw, Split kSplit>
constexpr Index* two_triangles(Index* out, int in0, int in1, int out0, int out1) {
  if constexpr (kSplit == Split::kFromInner) {
    out = triangle<kCcw>(out, out0, in1, in0);
    return triangle<kCcw>(out, out0, out1, in1);
  } else if constexpr (kSplit == Split::kFromOuter) {
    out = triangle<kCcw>(out, in0, out0, out1);
    return triangle<kCcw>(out, in0, out1, in1);
  } else {
    out = triangle<kCcw>(out, out0, out1, in0);
    return triangle<kCcw>(out, in0, out1, in1);
  }
}

constexpr int kQuadIndices = 6;
constexpr int kBlockQuads = 4;
constexpr std::size_t kBlockIndices = kBlockQuads * kQuadIndices;

// Four quads of a run whose rows both go up by one, relative to the rows' first vertices, and which lanes are
// of the inner row.
template <bool kCcw, Split kSplit>
struct QuadBlock {
  static constexpr auto kOffsets = [] {
    std::array<Index, kBlockIndices> lanes{};
    for (int p = 0; p < kBlockQuads; ++p) {
      two_triangles<kCcw, kSplit>(lanes.data() + kQuadIndices * p, p, p + 1, p, p + 1);
    }
    return lanes;
  }();
  static constexpr auto kInnerLanes = [] {
    std::array<Index, kBlockIndices> lanes{};
    for (int p = 0; p < kBlockQuads; ++p) {
      two_triangles<kCcw, kSplit>(lanes.data() + kQuadIndices * p, 0xFFFF, 0xFFFF, 0, 0);
    }
    return lanes;
  }();
};

// `count` quads whose rows both go up by one, in whole blocks: the next block is the last one plus 4.
template <bool kCcw, Split kSplit>
Index* ascending_quads(Index* out, int in, int outer, int count) {
  using Block = QuadBlock<kCcw, kSplit>;
  const hn::FixedTag<Index, 8> d;
  static_assert(kIndexSlack >= (kBlockQuads - 1) * kQuadIndices);
  const auto inner_base = hn::Set(d, static_cast<Index>(in)),
             outer_base = hn::Set(d, static_cast<Index>(outer));
  const auto first = [&](std::size_t lane) {
    const auto is_inner = hn::MaskFromVec(hn::LoadU(d, Block::kInnerLanes.data() + lane));
    return hn::Add(hn::LoadU(d, Block::kOffsets.data() + lane),
                   hn::IfThenElse(is_inner, inner_base, outer_base));
  };
  const auto step = hn::Set(d, Index{kBlockQuads});
  auto a = first(0), b = first(8), c = first(16);
  for (int k = 0; k < count; k += kBlockQuads) {
    hn::StoreU(a, d, out + kQuadIndices * k);
    hn::StoreU(b, d, out + kQuadIndices * k + 8);
    hn::StoreU(c, d, out + kQuadIndices * k + 16);
    a = hn::Add(a, step);
    b = hn::Add(b, step);
    c = hn::Add(c, step);
  }
  return out + kQuadIndices * count;
}

// Quads `begin` to `end` between in[p], in[p + 1] and outer[p + shift], outer[p + shift + 1].
template <bool kCcw, Split kSplit>
Index* quads(Index* out, const IndexRow& in, const IndexRow& outer, int begin, int end, int shift) {
  if (in.step == 1) {
    const int linear_end = in.closes() ? std::min(end, in.points - 2) : end;
    if (begin < linear_end) {
      const int count = linear_end - begin;
      out = ascending_quads<kCcw, kSplit>(out, in.origin + begin, outer.origin + begin + shift, count);
      begin = linear_end;
    }
  }
  for (int p = begin; p < end; ++p) {
    out = two_triangles<kCcw, kSplit>(out, in.at(p), in.at(p + 1), outer.at(p + shift),
                                      outer.at(p + shift + 1));
  }
  return out;
}

// Joins two inner rings; the diagonals turn over in the middle of the row.
template <bool kCcw>
Index* regular_stitch(Index* out, const IndexRow& outer, const IndexRow& in) {
  const int turn = std::min(in.points / 2, in.points - 1);
  out = triangle<kCcw>(out, outer.first, outer.at(1), in.first);
  out = quads<kCcw, Split::kFromInner>(out, in, outer, 0, turn, 1);
  out = quads<kCcw, Split::kFromOuter>(out, in, outer, turn, in.points - 1, 1);
  return triangle<kCcw>(out, outer.at(outer.points - 2), outer.last, in.last);
}

inline Index* transition_stitch(Index* out, std::span<const std::uint8_t> vertices, const IndexRow& outer,
                                const IndexRow& in) {
  const hn::CappedTag<Index, 16> d;
  const hn::Rebind<std::uint8_t, decltype(d)> d8;
  static_assert(TransitionTable::kReadSlack >= 15 && kIndexSlack >= 15);
  const auto lanes = [d](int value) { return hn::Set(d, static_cast<Index>(value)); };
  // The last vertices stand apart: they may close a ring.
  const auto outer_end = lanes(outer.points - 1), inner_end = lanes((in.points - 1) | kInnerRow);
  const auto outer_last = lanes(outer.last), inner_last = lanes(in.last);
  const auto outer_origin = lanes(outer.origin), inner_origin = lanes(in.origin);
  const auto inner_step = lanes(in.step), inner_row = lanes(kInnerRow), position_bits = lanes(kInnerRow - 1);
  for (std::size_t k = 0; k < vertices.size(); k += hn::Lanes(d)) {
    const auto code = hn::PromoteTo(d, hn::LoadU(d8, vertices.data() + k));
    const auto position = hn::And(code, position_bits);
    const auto on_outer =
        hn::IfThenElse(hn::Eq(code, outer_end), outer_last, hn::Add(outer_origin, position));
    const auto on_inner = hn::IfThenElse(hn::Eq(code, inner_end), inner_last,
                                         hn::Add(inner_origin, hn::Mul(position, inner_step)));
    const auto is_inner = hn::Eq(hn::And(code, inner_row), inner_row);
    hn::StoreU(hn::IfThenElse(is_inner, on_inner, on_outer), d, out + k);
  }
  return out + vertices.size();
}

// A ring of stitches: from the edges to the first inner ring, or between two inner rings.
template <bool kCcw, std::size_t kSides>
Index* stitch(Index* out, const TransitionTable* first_ring, const Ring<kSides>& outer,
              const Ring<kSides>& in, const std::array<int, kSides>& inside_segments) {
  for (std::size_t side = 0; side < kSides; ++side) {
    if (first_ring != nullptr) {
      const auto vertices = first_ring->vertices(outer[side].points - 1, inside_segments[side]);
      out = transition_stitch(out, vertices, outer[side], in[side]);
    } else {
      out = regular_stitch<kCcw>(out, outer[side], in[side]);
    }
  }
  return out;
}

template <bool kCcw>
void tri_indices(const Patch& patch, const TransitionTable& table, Index* out) {
  if (patch.minimum) {
    triangle<kCcw>(out, 0, 1, 2);
    return;
  }
  const int s0 = patch.segments[0], s1 = patch.segments[1], s2 = patch.segments[2];
  const int inside = patch.segments[3];
  Ring<3> outer = make_ring<3>(0, {s0, s1, s2});
  int base = s0 + s1 + s2;
  for (int ring = 1; ring <= inside / 2; ++ring) {
    const int segments = inside - 2 * ring;
    const Ring<3> in = segments > 0 ? make_ring<3>(base, {segments, segments, segments})
                                    : Ring<3>{single(base), single(base), single(base)};
    out = stitch<kCcw, 3>(out, ring == 1 ? &table : nullptr, outer, in, {inside, inside, inside});
    outer = in;
    base += 3 * segments;
  }
  if (inside % 2 == 1) triangle<kCcw>(out, outer[0].first, outer[1].first, outer[2].first);
}

// Fills the two-row centre of a quad whose shorter axis is odd.
template <bool kCcw>
void centre_strip(Index* out, const IndexRow& outer, const IndexRow& in, bool mirrored) {
  const int count = outer.points - 1;
  if (!mirrored) {
    quads<kCcw, Split::kFromOuter>(out, in, outer, 0, count, 0);
    return;
  }
  const int middle = outer.points / 2 - 1;
  out = quads<kCcw, Split::kMirrored>(out, in, outer, 0, middle, 0);
  out = quads<kCcw, Split::kFromInner>(out, in, outer, middle, middle + 1, 0);
  quads<kCcw, Split::kMirrored>(out, in, outer, middle + 1, count, 0);
}

template <bool kCcw>
void quad_indices(const Patch& patch, const TransitionTable& table, Index* out) {
  if (patch.minimum) {
    triangle<kCcw>(triangle<kCcw>(out, 0, 1, 3), 1, 2, 3);
    return;
  }
  const auto& segments = patch.segments;
  const int su = segments[4], sv = segments[5];
  Ring<4> outer = make_ring<4>(0, {segments[0], segments[1], segments[2], segments[3]});
  int base = segments[0] + segments[1] + segments[2] + segments[3];
  for (int ring = 1; ring <= std::min(su, sv) / 2; ++ring) {
    const int ru = su - 2 * ring, rv = sv - 2 * ring;
    Ring<4> in;
    if (std::min(ru, rv) > 0) {
      in = make_ring<4>(base, {rv, ru, rv, ru});
    } else if (su > sv) {
      const IndexRow row = ascending(base, ru + 1);
      in = {single(base), row, single(base + ru), row.reversed()};
    } else {
      const IndexRow column = ascending(base, rv + 1);
      in = {column, single(base + rv), column.reversed(), single(base)};
    }
    out = stitch<kCcw, 4>(out, ring == 1 ? &table : nullptr, outer, in, {sv, su, sv, su});
    outer = in;
    base += 2 * (ru + rv);
  }
  if (su > sv && sv % 2 == 1) {
    centre_strip<kCcw>(out, outer[1], outer[3].reversed(), false);
  } else if (sv >= su && su % 2 == 1) {
    centre_strip<kCcw>(out, outer[0], outer[2].reversed(), sv % 2 == 1);
  }
}

inline void point_indices(Domain domain, const Patch& patch, Index* out) {
  const auto points = static_cast<int>(patch_size(domain, patch).points);
  for (int k = 0; k < points; ++k) out[k] = static_cast<Index>(k);
}

inline void line_indices(const Patch& patch, Index* out) {
  const int detail = patch.segments[1];
  for (int line = 0; line < patch.segments[0]; ++line, out += 2 * detail) {
    const int start = line * (detail + 1);
    for (int k = 0; k < detail; ++k) {
      out[2 * k] = static_cast<Index>(start + k);
      out[2 * k + 1] = static_cast<Index>(start + k + 1);
    }
  }
}

template <bool kCcw>
void triangle_indices(Domain domain, const Patch& patch, Index* out) {
  const TransitionTable& table = TransitionTable::of(kCcw);
  domain == Domain::kTri ? tri_indices<kCcw>(patch, table, out) : quad_indices<kCcw>(patch, table, out);
}

void write_indices_any(Domain domain, Topology topology, const Patch& patch, Index* out) {
  switch (topology) {
    case Topology::kPoint:
      return point_indices(domain, patch, out);
    case Topology::kLine:
      return line_indices(patch, out);
    case Topology::kTriangleCw:
      return triangle_indices<false>(domain, patch, out);
    case Topology::kTriangleCcw:
      return triangle_indices<true>(domain, patch, out);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tilelab::tessellation
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tilelab::tessellation {

HWY_EXPORT(write_indices_any);

void write_indices(Domain domain, Topology topology, const Patch& patch, std::uint16_t* out) {
  HWY_DYNAMIC_DISPATCH(write_indices_any)(domain, topology, patch, out);
}

}  // namespace tilelab::tessellation
#endif  // HWY_ONCE
