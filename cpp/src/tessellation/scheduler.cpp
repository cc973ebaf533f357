#include "tilelab/tessellation/scheduler.hpp"

#include <string>

#include "tessellation/scheduler_engine.hpp"
#include "tessellation/timing_wheel.hpp"
#include "tilelab/core/error.hpp"

namespace tilelab::tessellation {
namespace {

constexpr std::int64_t kEventsPerPause = 1 << 22;  // a fifth of a second

void check_range(const char* name, std::int64_t value, std::int64_t low, std::int64_t high) {
  if (value >= low && value <= high) return;
  throw ArgumentError(name, "must be in [" + std::to_string(low) + ", " + std::to_string(high) + "]",
                      std::to_string(value));
}

void check(const SchedulerMachine& machine) {
  check_range("cu_count", machine.cu_count, 1, kMaxCuCount);
  check_range("simd_per_cu", machine.simd_per_cu, 1, kMaxSimdPerCu);
  check_range("wave_slots_per_simd", machine.wave_slots_per_simd, 1, kMaxWaveSlotsPerSimd);
  check_range("shader_engines", machine.shader_engines, 1, kMaxShaderEngines);
  check_range("vs_issue", machine.vs_issue, 0, kMaxCycles);
  check_range("vs_latency", machine.vs_latency, 0, kMaxCycles);
  check_range("hs_issue", machine.hs_issue, 0, kMaxCycles);
  check_range("hs_latency", machine.hs_latency, 0, kMaxCycles);
  check_range("ds_issue", machine.ds_issue, 0, kMaxCycles);
  check_range("ds_latency", machine.ds_latency, 0, kMaxCycles);
  check_range("hs_decide_issue", machine.hs_decide_issue, 0, kMaxCycles);
  check_range("tg_launch_gap", machine.tg_launch_gap, 0, kMaxCycles);
  check_range("tess_points_per_clock", machine.tess_points_per_clock, 0, kMaxCycles);
  check_range("memory_bytes_per_clock", machine.memory_bytes_per_clock, 0, kMaxCycles);
  check_range("memory_latency", machine.memory_latency, 0, kMaxCycles);
}

void check(const SchedulerMachine& machine, ArrayView<const ThreadgroupWork, 1> groups,
           ArrayView<const std::int32_t, 1> lanes, ArrayView<const std::int64_t, 1> read_bytes,
           ArrayView<WaveRecord, 1> waves, ArrayView<ThreadgroupStall, 1> stalls) {
  check(machine);
  require(groups.extent(0) <= 0x7fffffff, "groups", "must be fewer than 2^31", groups.extent(0));
  const std::int32_t slots = machine.simd_per_cu * machine.wave_slots_per_simd;
  std::int64_t all = 0, domain = 0;
  for (std::int64_t g = 0; g < groups.extent(0); ++g) {
    const ThreadgroupWork& work = groups(g);
    require(work.vertex_waves >= 1 && work.vertex_waves <= slots, "vertex_waves",
            "must be at least 1 and fit the wave slots of a CU", work.vertex_waves);
    require(work.hull_waves >= 1 && work.hull_waves <= slots, "hull_waves",
            "must be at least 1 and fit the wave slots of a CU", work.hull_waves);
    require(work.domain_waves >= 0, "domain_waves", "must not be negative", work.domain_waves);
    require(work.on_chip_waves >= 0 && work.on_chip_waves <= work.domain_waves, "on_chip_waves",
            "must be in [0, domain_waves]", work.on_chip_waves);
    require(work.off_chip != 0 || work.on_chip_waves == work.domain_waves, "on_chip_waves",
            "must be domain_waves for a group that stays on-chip", work.on_chip_waves);
    require(work.lds_bytes >= 0 && work.lds_bytes <= machine.available_lds_bytes, "lds_bytes",
            "must fit the LDS of a CU", work.lds_bytes);
    require(work.bytes_written >= 0, "bytes_written", "must not be negative", work.bytes_written);
    require(work.factor_bytes >= 0, "factor_bytes", "must not be negative", work.factor_bytes);
    all += work.vertex_waves + work.hull_waves + work.domain_waves;
    domain += work.domain_waves;
  }
  require(lanes.extent(0) == domain, "lanes", "must have one entry a domain-shader wave", lanes.extent(0));
  require(read_bytes.extent(0) == domain, "read_bytes", "must have one entry a domain-shader wave",
          read_bytes.extent(0));
  for (std::int64_t w = 0; w < domain; ++w) {
    require(lanes(w) >= 0, "lanes", "must not be negative", lanes(w));
    require(read_bytes(w) >= 0, "read_bytes", "must not be negative", read_bytes(w));
  }
  require(waves.extent(0) == all, "waves", "must have one entry a wave", waves.extent(0));
  require(stalls.extent(0) == groups.extent(0), "stalls", "must have one entry a group", stalls.extent(0));
}

}  // namespace

SchedulerTotals simulate_threadgroups(const SchedulerMachine& machine,
                                      ArrayView<const ThreadgroupWork, 1> groups,
                                      ArrayView<const std::int32_t, 1> lanes,
                                      ArrayView<const std::int64_t, 1> read_bytes,
                                      ArrayView<WaveRecord, 1> waves, ArrayView<ThreadgroupStall, 1> stalls,
                                      FunctionRef<void()> pause) {
  check(machine, groups, lanes, read_bytes, waves, stalls);
  SchedulerEngine<TimingWheel<SchedulerEvent>> engine(machine, groups, lanes, read_bytes, waves, stalls);
  while (engine.run(kEventsPerPause)) pause();
  return engine.totals();
}

}  // namespace tilelab::tessellation
