// Closed forms of the Direct3D 11 tessellator's output sizes, one patch per vector lane.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tessellation/counts.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

#include "tessellation/factor_rules-inl.hpp"
#include "tilelab/core/error.hpp"
#include "tilelab/core/parallel.hpp"
#include "tilelab/tessellation/counts.hpp"

HWY_BEFORE_NAMESPACE();
namespace tilelab::tessellation {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::ScalableTag<float>;
using DI = hn::RebindToSigned<DF>;
using VF = hn::Vec<DF>;
using VI = hn::Vec<DI>;
using MI = hn::Mask<DI>;

// A factor as the segment count needs it: the integer itself, or 16.16 fixed point.
template <Partitioning kPartitioning>
inline VI to_fixed(VF clamped) {
  if constexpr (rounds_up(kPartitioning)) {
    return hn::ConvertTo(DI(), hn::Ceil(clamped));
  } else {
    return hn::NearestInt(hn::Mul(clamped, hn::Set(DF(), float{kFixedOne})));
  }
}

// Smallest segment count of the axis' parity that is not below the factor.
template <Partitioning kPartitioning>
inline VI segments(VI fixed) {
  const DI di;
  if constexpr (rounds_up(kPartitioning)) {
    return fixed;
  } else {
    constexpr bool kOdd = kPartitioning == Partitioning::kFractionalOdd;
    const VI half = hn::ShiftRight<1>(hn::Add(fixed, hn::Set(di, 1)));
    const VI ceiled =
        hn::ShiftRight<16>(hn::Add(half, hn::Set(di, (kOdd ? kFixedOne / 2 : 0) + kFixedOne - 1)));
    return hn::Sub(hn::Add(ceiled, ceiled), hn::Set(di, kOdd ? 1 : 0));
  }
}

// An integer inside factor of 1 makes two segments.
template <Partitioning kPartitioning>
inline VI inside_segments(VI fixed) {
  const VI found = segments<kPartitioning>(fixed);
  return rounds_up(kPartitioning) ? hn::Max(found, hn::Set(DI(), 2)) : found;
}

template <Domain kDomain, Partitioning kPartitioning>
struct Block {
  static constexpr int kFactors = factor_count(kDomain);
  static constexpr int kEdges = edge_count(kDomain);

  static void load(const float* HWY_RESTRICT in, VF* f) {
    const DF df;
    if constexpr (kDomain == Domain::kIsoline) {
      hn::LoadInterleaved2(df, in, f[0], f[1]);
    } else if constexpr (kDomain == Domain::kTri) {
      hn::LoadInterleaved4(df, in, f[0], f[1], f[2], f[3]);
    } else {
      // Three pairs per patch: separate the pairs as 64-bit lanes, then the two halves of each pair.
      const hn::Repartition<std::uint64_t, DF> dw;
      const auto* words = reinterpret_cast<const std::uint64_t*>(in);
      hn::Vec<decltype(dw)> low[3], high[3];
      hn::LoadInterleaved3(dw, words, low[0], low[1], low[2]);
      hn::LoadInterleaved3(dw, words + 3 * hn::Lanes(dw), high[0], high[1], high[2]);
      for (int pair = 0; pair < 3; ++pair) {
        const VF a = hn::BitCast(df, low[pair]), b = hn::BitCast(df, high[pair]);
        f[2 * pair] = hn::ConcatEven(df, b, a);
        f[2 * pair + 1] = hn::ConcatOdd(df, b, a);
      }
    }
  }

  // Counts of Lanes(DF) patches: `in` holds kFactors floats each, `out` three integers each.
  static void run(const float* HWY_RESTRICT in, std::int32_t* HWY_RESTRICT out) {
    const DF df;
    const DI di;
    VF f[kFactors];
    load(in, f);
    MI alive = is_positive(df, f[0]);
    for (int k = 1; k < kEdges; ++k) alive = hn::And(alive, is_positive(df, f[k]));

    const VF low = hn::Set(df, lowest_factor(kPartitioning));
    const VF high = hn::Set(df, highest_factor(kPartitioning));
    VI points, primitives;
    if constexpr (kDomain == Domain::kIsoline) {
      const VF one = hn::Set(df, 1.0f), most_lines = hn::Set(df, 64.0f);
      const VI lines = hn::ConvertTo(di, hn::Ceil(clamp(f[0], one, most_lines)));
      const VI detail = segments<kPartitioning>(to_fixed<kPartitioning>(clamp(f[1], low, high)));
      primitives = hn::Mul(lines, detail);
      points = hn::Add(primitives, lines);
    } else {
      VF inside_low = low;
      if constexpr (kPartitioning == Partitioning::kFractionalOdd) {
        constexpr int kTested = kDomain == Domain::kQuad ? kFactors : kEdges;
        const VF limit = hn::Set(df, kPictureFrameTest);
        auto frame = hn::Gt(f[0], limit);
        for (int k = 1; k < kTested; ++k) frame = hn::Or(frame, hn::Gt(f[k], limit));
        inside_low = hn::IfThenElse(frame, hn::Set(df, kPictureFrameLowest), low);
      }
      VI fixed[kFactors];
      VI edges = hn::Zero(di);
      for (int k = 0; k < kFactors; ++k) {
        fixed[k] = to_fixed<kPartitioning>(clamp(f[k], k < kEdges ? low : inside_low, high));
        if (k < kEdges) edges = hn::Add(edges, segments<kPartitioning>(fixed[k]));
      }
      const VI one = hn::Set(di, 1);
      if constexpr (kDomain == Domain::kTri) {
        const VI s = inside_segments<kPartitioning>(fixed[3]);
        const VI h = hn::ShiftRight<1>(s), m = hn::Sub(s, hn::Set(di, 2));
        const VI three_h = hn::Add(h, hn::Add(h, h)), three_m = hn::Add(m, hn::Add(m, m));
        const VI even_inner = hn::Add(hn::Mul(three_h, hn::Sub(h, one)), one);
        const MI is_odd = hn::Eq(hn::And(s, one), one);
        points = hn::Add(edges, hn::IfThenElse(is_odd, hn::Mul(three_h, h), even_inner));
        primitives = hn::Add(hn::Add(edges, three_m), hn::ShiftRight<1>(hn::Mul(three_m, m)));
      } else {
        const VI columns = hn::Sub(inside_segments<kPartitioning>(fixed[4]), one);
        const VI rows = hn::Sub(inside_segments<kPartitioning>(fixed[5]), one);
        const VI inner = hn::Mul(columns, rows);
        points = hn::Add(edges, inner);
        primitives = hn::Add(edges, hn::ShiftLeft<1>(hn::Sub(inner, one)));
      }
      if constexpr (kPartitioning != Partitioning::kFractionalEven) {
        const VI unit = hn::Set(di, rounds_up(kPartitioning) ? 1 : kFixedOne);
        MI minimum = hn::Eq(fixed[0], unit);
        for (int k = 1; k < kFactors; ++k) minimum = hn::And(minimum, hn::Eq(fixed[k], unit));
        points = hn::IfThenElse(minimum, hn::Set(di, kEdges), points);
        primitives = hn::IfThenElse(minimum, hn::Set(di, kEdges - 2), primitives);
      }
    }
    points = hn::IfThenElseZero(alive, points);
    primitives = hn::IfThenElseZero(alive, primitives);
    const VI culled = hn::IfThenZeroElse(alive, hn::Set(di, 1));
    hn::StoreInterleaved3(points, primitives, culled, di, out);
  }
};

template <Domain kDomain, Partitioning kPartitioning>
void count_patches(const float* HWY_RESTRICT factors, std::int32_t* HWY_RESTRICT counts,
                   std::int64_t patches) {
  using Run = Block<kDomain, kPartitioning>;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(DF()));
  std::int64_t patch = 0;
  for (; patch + lanes <= patches; patch += lanes)
    Run::run(factors + patch * Run::kFactors, counts + patch * 3);
  const std::int64_t rest = patches - patch;
  if (rest == 0) return;
  HWY_ALIGN float in[static_cast<std::size_t>(Run::kFactors) * hn::MaxLanes(DF())] = {};
  HWY_ALIGN std::int32_t out[3 * hn::MaxLanes(DF())];
  std::copy_n(factors + patch * Run::kFactors, rest * Run::kFactors, in);
  Run::run(in, out);
  std::copy_n(out, rest * 3, counts + patch * 3);
}

template <Domain kDomain>
void count_domain(Partitioning partitioning, const float* factors, std::int32_t* counts,
                  std::int64_t patches) {
  switch (partitioning) {
    case Partitioning::kInteger:
    case Partitioning::kPow2:
      return count_patches<kDomain, Partitioning::kInteger>(factors, counts, patches);
    case Partitioning::kFractionalOdd:
      return count_patches<kDomain, Partitioning::kFractionalOdd>(factors, counts, patches);
    case Partitioning::kFractionalEven:
      return count_patches<kDomain, Partitioning::kFractionalEven>(factors, counts, patches);
  }
}

void count_any(Domain domain, Partitioning partitioning, const float* factors, std::int32_t* counts,
               std::int64_t patches) {
  switch (domain) {
    case Domain::kIsoline:
      return count_domain<Domain::kIsoline>(partitioning, factors, counts, patches);
    case Domain::kTri:
      return count_domain<Domain::kTri>(partitioning, factors, counts, patches);
    case Domain::kQuad:
      return count_domain<Domain::kQuad>(partitioning, factors, counts, patches);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tilelab::tessellation
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tilelab::tessellation {

HWY_EXPORT(count_any);

namespace {

// Patches per piece of a threaded loop: enough work to be worth a thread.
constexpr std::int64_t kGrain = 16384;

}  // namespace

void tessellation_counts(Domain domain, Partitioning partitioning, ArrayView<const float, 2> factors,
                         ArrayView<PatchCounts, 1> counts, int threads) {
  // The kernel writes each row as three integers; the flag is the low byte of the third.
  static_assert(sizeof(PatchCounts) == 12 && offsetof(PatchCounts, culled) == 8);
  const std::int64_t width = factor_count(domain);
  require(factors.extent(1) == width, "factors", "must have as many columns as the domain has factors",
          factors.extent(1));
  require(counts.extent(0) == factors.extent(0), "counts", "must have one row per patch", counts.extent(0));
  auto* rows = reinterpret_cast<std::int32_t*>(counts.data());
  parallel_for(factors.extent(0), kGrain, threads, [&](std::int64_t begin, std::int64_t end) {
    HWY_DYNAMIC_DISPATCH(count_any)
    (domain, partitioning, factors.data() + begin * width, rows + begin * 3, end - begin);
  });
}

}  // namespace tilelab::tessellation
#endif  // HWY_ONCE
