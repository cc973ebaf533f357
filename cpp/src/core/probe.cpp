// The pattern of every vector kernel: this file is compiled once per instruction set (foreach_target.h),
// the part between the namespaces holds the kernel, the part under HWY_ONCE the public entry.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/probe.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "tilelab/core/error.hpp"
#include "tilelab/core/probe.hpp"

HWY_BEFORE_NAMESPACE();
namespace tilelab {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

std::uint64_t read_words(const std::uint64_t* words, std::int64_t count) {
  const hn::ScalableTag<std::uint64_t> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  auto sum0 = hn::Zero(d), sum1 = hn::Zero(d), sum2 = hn::Zero(d), sum3 = hn::Zero(d);
  std::int64_t i = 0;
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    sum0 = hn::Add(sum0, hn::LoadU(d, words + i));
    sum1 = hn::Add(sum1, hn::LoadU(d, words + i + lanes));
    sum2 = hn::Add(sum2, hn::LoadU(d, words + i + 2 * lanes));
    sum3 = hn::Add(sum3, hn::LoadU(d, words + i + 3 * lanes));
  }
  std::uint64_t total = hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(sum0, sum1), hn::Add(sum2, sum3))));
  for (; i < count; ++i) total += words[i];
  return total;
}

void add_words(const std::uint64_t* HWY_RESTRICT a, const std::uint64_t* HWY_RESTRICT b,
               std::uint64_t* HWY_RESTRICT out, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) out[i] = a[i] + b[i];
}

}  // namespace HWY_NAMESPACE
}  // namespace tilelab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tilelab {

HWY_EXPORT(read_words);
HWY_EXPORT(add_words);

std::uint64_t probe_read(ArrayView<const std::uint64_t, 1> words) {
  return HWY_DYNAMIC_DISPATCH(read_words)(words.data(), words.extent(0));
}

void probe_triad(ArrayView<const std::uint64_t, 1> a, ArrayView<const std::uint64_t, 1> b,
                 ArrayView<std::uint64_t, 1> out) {
  require(a.extent(0) == out.extent(0), "a", "must have the extent of out", a.extent(0));
  require(b.extent(0) == out.extent(0), "b", "must have the extent of out", b.extent(0));
  HWY_DYNAMIC_DISPATCH(add_words)(a.data(), b.data(), out.data(), out.extent(0));
}

}  // namespace tilelab
#endif  // HWY_ONCE
