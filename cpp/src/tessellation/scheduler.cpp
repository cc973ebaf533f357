#include "tilelab/tessellation/scheduler.hpp"

#include <string>

#include "tessellation/scheduler_engine.hpp"
#include "tessellation/timing_wheel.hpp"
#include "tilelab/core/error.hpp"

namespace tilelab {
namespace {

constexpr std::int64_t kEventsPerPause = 1 << 22;  // a fifth of a second

void check(const SchedulerMachine& machine, ArrayView<const ThreadgroupWork, 1> groups,
           ArrayView<const std::int32_t, 1> lanes, ArrayView<const std::int64_t, 1> read_bytes,
           ArrayView<WaveRecord, 1> waves, ArrayView<ThreadgroupStall, 1> stalls) {
  require(machine.cu_count >= 1 && machine.cu_count <= 4096, "cu_count", "must be in [1, 4096]",
          machine.cu_count);
  require(machine.simd_per_cu >= 1 && machine.simd_per_cu <= 64, "simd_per_cu", "must be in [1, 64]",
          machine.simd_per_cu);
  require(machine.wave_slots_per_simd >= 1 && machine.wave_slots_per_simd <= 4096, "wave_slots_per_simd",
          "must be in [1, 4096]", machine.wave_slots_per_simd);
  require(machine.shader_engines >= 1, "shader_engines", "must be at least 1", machine.shader_engines);
  for (const std::int64_t cycles :
       {machine.vertex.issue, machine.vertex.latency, machine.hull.issue, machine.hull.latency,
        machine.domain.issue, machine.domain.latency, machine.hull_decide_issue, machine.launch_gap,
        machine.points_per_clock, machine.memory_bytes_per_clock, machine.memory_latency}) {
    require(cycles >= 0, "costs", "must not be negative", cycles);
  }
  const std::int32_t slots = machine.simd_per_cu * machine.wave_slots_per_simd;
  std::int64_t all = 0, domain = 0;
  for (std::int64_t g = 0; g < groups.extent(0); ++g) {
    const ThreadgroupWork& work = groups(g);
    require(work.vertex_waves >= 1 && work.vertex_waves <= slots, "vertex_waves",
            "must be at least 1 and fit the wave slots of a CU", work.vertex_waves);
    require(work.hull_waves >= 1 && work.hull_waves <= slots, "hull_waves",
            "must be at least 1 and fit the wave slots of a CU", work.hull_waves);
    require(work.domain_waves >= 0, "domain_waves", "must not be negative", work.domain_waves);
    require(work.kept_waves >= 0 && work.kept_waves <= work.domain_waves, "kept_waves",
            "must be in [0, domain_waves]", work.kept_waves);
    require(work.off_chip != 0 || work.kept_waves == work.domain_waves, "kept_waves",
            "must be domain_waves for a group that stays on-chip", work.kept_waves);
    require(work.lds_bytes >= 0 && work.lds_bytes <= machine.lds_bytes_per_cu, "lds_bytes",
            "must fit the LDS of a CU", work.lds_bytes);
    require(work.write_bytes >= 0 && work.factor_bytes >= 0, "write_bytes", "must not be negative",
            work.write_bytes);
    all += work.vertex_waves + work.hull_waves + work.domain_waves;
    domain += work.domain_waves;
  }
  require(groups.extent(0) <= 0x7fffffff, "groups", "must be fewer than 2^31", groups.extent(0));
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

}  // namespace tilelab
