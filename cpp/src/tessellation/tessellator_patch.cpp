#include "tessellation/tessellator_patch.hpp"

#include <hwy/highway.h>

#include <cstring>

#include "tessellation/factor_rules-inl.hpp"

namespace tilelab::tessellation {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
namespace rules = tilelab::tessellation::HWY_NAMESPACE;

// The factors of one patch fill one vector or two, so the baseline instruction set is all that helps.
using DF = hn::FixedTag<float, 4>;
using DI = hn::FixedTag<std::int32_t, 4>;
using VF = hn::Vec<DF>;
using VI = hn::Vec<DI>;
using MF = hn::Mask<DF>;
using MI = hn::Mask<DI>;

VF splat(float value) { return hn::Set(DF(), value); }
VI splat(std::int32_t value) { return hn::Set(DI(), value); }

// Two factors, twice.
VF load_pair(const float* factors) {
  const hn::FixedTag<std::uint64_t, 2> d;
  std::uint64_t pair;
  std::memcpy(&pair, factors, sizeof pair);
  return hn::BitCast(DF(), hn::Set(d, pair));
}

MI is_positive(VF factor) { return rules::is_positive(DF(), factor); }

struct Axes {
  VI factors;
  VI segments;
};

Axes integer_axes(VF clamped) {
  const VI rounded = hn::ConvertTo(DI(), hn::Ceil(clamped));
  return {hn::ShiftLeft<16>(rounded), rounded};
}

Axes make_axes(Partitioning partitioning, VF clamped) {
  if (rounds_up(partitioning)) return integer_axes(clamped);
  const std::int32_t odd = partitioning == Partitioning::kFractionalOdd ? 1 : 0;
  const VI factors = hn::NearestInt(hn::Mul(clamped, splat(float{kFixedOne})));
  const VI half = hn::ShiftRight<1>(hn::Add(factors, splat(1)));
  const VI ceiled = hn::ShiftRight<16>(hn::Add(half, splat(odd * (kFixedOne / 2) + kFixedOne - 1)));
  return {factors, hn::Sub(hn::Add(ceiled, ceiled), splat(odd))};
}

// An integer inside factor of exactly 1 counts as even, so it makes two segments.
Axes as_inside(Partitioning partitioning, Axes axes) {
  if (rounds_up(partitioning)) axes.segments = hn::Max(axes.segments, splat(2));
  return axes;
}

void store(Axes axes, std::size_t first, Patch& patch) {
  hn::StoreU(axes.factors, DI(), patch.factors.data() + first);
  hn::StoreU(axes.segments, DI(), patch.segments.data() + first);
}

bool all_one(VI factors) { return hn::AllTrue(DI(), hn::Eq(factors, splat(kFixedOne))); }

void process_isoline(Partitioning partitioning, VF factors, VF low, VF high, Patch& patch) {
  patch.culled = !hn::AllTrue(DI(), is_positive(factors));
  const Axes density = integer_axes(rules::clamp(factors, splat(1.0f), splat(64.0f)));
  const Axes detail = make_axes(partitioning, rules::clamp(factors, low, high));
  store({hn::OddEven(detail.factors, density.factors), hn::OddEven(detail.segments, density.segments)}, 0,
        patch);
}

void process_tri(Partitioning partitioning, VF factors, VF low, VF high, Patch& patch) {
  const MI inside = hn::Eq(hn::Iota(DI(), 0), splat(3));
  const MF inside_f = hn::RebindMask(DF(), inside);
  patch.culled = !hn::AllTrue(DI(), hn::Or(is_positive(factors), inside));
  if (partitioning == Partitioning::kFractionalOdd &&
      !hn::AllFalse(DF(), hn::AndNot(inside_f, hn::Gt(factors, splat(rules::kPictureFrameTest))))) {
    low = hn::IfThenElse(inside_f, splat(rules::kPictureFrameLowest), low);
  }
  Axes axes = make_axes(partitioning, rules::clamp(factors, low, high));
  axes.segments = hn::IfThenElse(inside, as_inside(partitioning, axes).segments, axes.segments);
  patch.minimum = partitioning != Partitioning::kFractionalEven && all_one(axes.factors);
  store(axes, 0, patch);
}

void process_quad(Partitioning partitioning, VF edges, VF insides, VF low, VF high, Patch& patch) {
  patch.culled = !hn::AllTrue(DI(), is_positive(edges));
  VF inside_low = low;
  if (partitioning == Partitioning::kFractionalOdd) {
    const VF limit = splat(rules::kPictureFrameTest);
    if (!hn::AllFalse(DF(), hn::Or(hn::Gt(edges, limit), hn::Gt(insides, limit)))) {
      inside_low = splat(rules::kPictureFrameLowest);
    }
  }
  const Axes edge_axes = make_axes(partitioning, rules::clamp(edges, low, high));
  const Axes inside_axes =
      as_inside(partitioning, make_axes(partitioning, rules::clamp(insides, inside_low, high)));
  patch.minimum = partitioning != Partitioning::kFractionalEven && all_one(edge_axes.factors) &&
                  all_one(inside_axes.factors);
  store(edge_axes, 0, patch);
  store(inside_axes, 4, patch);
}

}  // namespace

Patch process_factors(Domain domain, Partitioning partitioning, const float* factors) {
  Patch patch;
  const VF low = splat(lowest_factor(partitioning)), high = splat(highest_factor(partitioning));
  if (domain == Domain::kIsoline) {
    process_isoline(partitioning, load_pair(factors), low, high, patch);
  } else if (domain == Domain::kTri) {
    process_tri(partitioning, hn::LoadU(DF(), factors), low, high, patch);
  } else {
    process_quad(partitioning, hn::LoadU(DF(), factors), load_pair(factors + 4), low, high, patch);
  }
  return patch;
}

PatchSize patch_size(Domain domain, const Patch& patch) {
  if (patch.culled) return {0, 0};
  const auto& segments = patch.segments;
  if (domain == Domain::kIsoline) {
    const std::int64_t lines = segments[0] * segments[1];
    return {lines + segments[0], lines};
  }
  const std::int64_t edges = segments[0] + segments[1] + segments[2];
  if (domain == Domain::kTri) {
    if (patch.minimum) return {3, 1};
    const std::int64_t s = segments[3], half = s / 2, rest = s - 2;
    const std::int64_t inner = s % 2 == 1 ? 3 * half * half : 3 * half * (half - 1) + 1;
    return {edges + inner, edges + 3 * rest + 3 * rest * rest / 2};
  }
  if (patch.minimum) return {4, 2};
  const std::int64_t inner = std::int64_t{segments[4] - 1} * (segments[5] - 1);
  return {edges + segments[3] + inner, edges + segments[3] + 2 * inner - 2};
}

}  // namespace tilelab::tessellation
