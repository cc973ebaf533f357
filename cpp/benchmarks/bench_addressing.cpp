// Bulk copies and texel addresses; run beside the memcpy row to read ratios.
#include <benchmark/benchmark.h>

#include <cstring>
#include <vector>

#include "tilelab/addressing/swizzle_plan.hpp"

namespace {

using namespace tilelab::addressing;

constexpr std::int64_t kSide = 2048;

PlaneLayout lay_out(int mode, int bytes) {
  PlaneDesc desc;
  desc.swizzle_mode = mode;
  desc.width = desc.height = kSide;
  desc.bytes_per_element = bytes;
  return lay_out_plane(desc);
}

void copy(benchmark::State& state) {
  std::vector<std::uint8_t> from(static_cast<std::size_t>(kSide * kSide * state.range(0)), 1),
      to(from.size());
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), from.size());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(from.size()));
}
BENCHMARK(copy)->Arg(1)->Arg(4)->Arg(16);

void swizzle_both_ways(benchmark::State& state, bool to_tiled) {
  const auto bytes = static_cast<int>(state.range(1));
  const PlaneLayout layout = lay_out(static_cast<int>(state.range(0)), bytes);
  const SwizzlePlan plan(layout, 0);
  std::vector<std::uint8_t> linear(static_cast<std::size_t>(kSide * kSide * bytes), 1);
  std::vector<std::uint8_t> tiled(static_cast<std::size_t>(layout.size_bytes), 2);
  const std::int64_t row = kSide * bytes;
  const Box box = {0, 0, 0, kSide, kSide, 1};
  for (auto _ : state) {
    if (to_tiled) {
      plan.swizzle({linear.data(), row, 0}, tiled.data(), box, 1);
    } else {
      plan.deswizzle(tiled.data(), {linear.data(), row, 0}, box, 1);
    }
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(linear.size()));
}
void swizzle(benchmark::State& state) { swizzle_both_ways(state, true); }
void deswizzle(benchmark::State& state) { swizzle_both_ways(state, false); }
BENCHMARK(swizzle)->ArgsProduct({{5, 9, 25, 27}, {1, 4, 16}});
BENCHMARK(deswizzle)->ArgsProduct({{5, 9, 25, 27}, {1, 4, 16}});

void offsets(benchmark::State& state) {
  const PlaneLayout layout = lay_out(27, 4);
  std::vector<std::int64_t> x(1 << 20), y(x.size()), out(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<std::int64_t>(i * 2654435761u % kSide);
    y[i] = static_cast<std::int64_t>(i * 40503u % kSide);
  }
  const std::int64_t zero = 0;
  const TexelQueries queries = {{x.data(), 1}, {y.data(), 1}, {&zero, 0},
                                {&zero, 0},    {&zero, 0},    static_cast<std::int64_t>(x.size())};
  for (auto _ : state) {
    texel_offset(layout, queries, out.data(), 1);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(x.size()));
}
BENCHMARK(offsets);

}  // namespace
