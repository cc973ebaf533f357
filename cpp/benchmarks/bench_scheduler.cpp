// Events per second of the scheduler's engine with its timing wheel and with a binary heap.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>

#include "heap_queue.hpp"
#include "scheduler_run.hpp"
#include "tessellation/timing_wheel.hpp"

namespace tilelab::tessellation {
namespace {

/// 100,000 groups with 1 to 31 domain-shader waves; argument: waves that stay on-chip, -1 = all of them.
template <typename Queue>
void bench_scheduler(benchmark::State& state) {
  const bool off_chip = state.range(0) >= 0;
  std::mt19937 random(1);
  SchedulerRun run;
  std::size_t domain = 0;
  for (int group = 0; group < 100000; ++group) {
    const auto waves = static_cast<std::int32_t>(random() % 31 + 1);
    run.add({.draw = 0,
             .vertex_waves = 1,
             .hull_waves = 1,
             .domain_waves = waves,
             .on_chip_waves = off_chip ? std::min(static_cast<std::int32_t>(state.range(0)), waves) : waves,
             .off_chip = off_chip ? 1 : 0,
             .lds_bytes = 4864,
             .bytes_written = off_chip ? 2432 : 0,
             .factor_bytes = 0});
    domain += static_cast<std::size_t>(waves);
  }
  run.lanes.assign(domain, 64);
  run.read_bytes.assign(domain, 304);
  std::int64_t events = 0;
  for (auto _ : state) events += run.run<Queue>(1 << 20).events;
  state.SetItemsProcessed(events);
}

BENCHMARK_TEMPLATE(bench_scheduler, TimingWheel<SchedulerEvent>)->Arg(-1)->Arg(4)->Arg(0);
BENCHMARK_TEMPLATE(bench_scheduler, HeapQueue)->Arg(-1)->Arg(4)->Arg(0);

}  // namespace
}  // namespace tilelab::tessellation
