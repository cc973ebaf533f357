// Bulk copies and texel addresses; run beside the memcpy row to read ratios.
#include <benchmark/benchmark.h>

#include <cstring>
#include <vector>

#include "tilelab/addressing/swizzle_plan.hpp"
#include "vector_view.hpp"

namespace {

using namespace tilelab::addressing;
using tilelab::view_of;

constexpr std::int64_t kSide = 2048;

PlaneLayout lay_out(int mode, int bytes) {
  return lay_out_plane({.swizzle_mode = mode, .width = kSide, .height = kSide, .bytes_per_element = bytes});
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
  const LinearImage<std::uint8_t> image = {.data = linear.data(), .row_bytes = row};
  const Box box = {.width = kSide, .height = kSide, .depth = 1};
  for (auto _ : state) {
    if (to_tiled) {
      plan.swizzle({.data = image.data, .row_bytes = row}, view_of(tiled), box, 1);
    } else {
      plan.deswizzle(view_of(tiled), image, box, 1);
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
  const TexelQueries queries = {.x = {.data = x.data(), .step = 1},
                                .y = {.data = y.data(), .step = 1},
                                .z = {.data = &zero},
                                .mip = {.data = &zero},
                                .sample = {.data = &zero}};
  for (auto _ : state) {
    texel_offset(layout, queries, view_of(out), 1);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(x.size()));
}
BENCHMARK(offsets);

}  // namespace
