// The memory probes against memcpy: what every other benchmark divides by.
#include <benchmark/benchmark.h>

#include <cstring>
#include <vector>

#include "tilelab/core/probe.hpp"

namespace {

void read(benchmark::State& state) {
  const std::vector<std::uint64_t> words(static_cast<std::size_t>(state.range(0)) / 8, 1);
  const tilelab::ArrayView<const std::uint64_t, 1> view(words.data(),
                                                        {static_cast<std::int64_t>(words.size())});
  for (auto _ : state) benchmark::DoNotOptimize(tilelab::probe_read(view));
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(read)->Arg(1 << 19)->Arg(100 << 20);

void copy(benchmark::State& state) {
  const std::vector<std::uint64_t> words(static_cast<std::size_t>(state.range(0)) / 8, 1);
  std::vector<std::uint64_t> out(words.size());
  for (auto _ : state) {
    std::memcpy(out.data(), words.data(), words.size() * 8);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(copy)->Arg(1 << 19)->Arg(100 << 20);

}  // namespace
