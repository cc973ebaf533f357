// Thread groups with everything that the scheduler's engine reads and writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tessellation/scheduler_engine.hpp"
#include "tilelab/tessellation/scheduler.hpp"

namespace tilelab::tessellation {

struct SchedulerRun {
  SchedulerMachine machine;
  std::vector<ThreadgroupWork> groups;
  std::vector<std::int32_t> lanes;       // per domain-shader wave
  std::vector<std::int64_t> read_bytes;  // per domain-shader wave
  std::vector<WaveRecord> waves;
  std::vector<ThreadgroupStall> stalls;

  /// Adds a group; its domain-shader waves are still to be given to `lanes` and `read_bytes`.
  void add(const ThreadgroupWork& group) {
    groups.push_back(group);
    stalls.emplace_back();
    waves.resize(waves.size() +
                 static_cast<std::size_t>(group.vertex_waves + group.hull_waves + group.domain_waves));
  }

  template <typename Queue>
  SchedulerTotals run(std::int64_t budget) {
    SchedulerEngine<Queue> engine(machine, view<const ThreadgroupWork>(groups),
                                  view<const std::int32_t>(lanes), view<const std::int64_t>(read_bytes),
                                  view<WaveRecord>(waves), view<ThreadgroupStall>(stalls));
    while (engine.run(budget)) {
    }
    return engine.totals();
  }

  /// The checked way in.
  SchedulerTotals simulate() {
    return simulate_threadgroups(machine, view<const ThreadgroupWork>(groups),
                                 view<const std::int32_t>(lanes), view<const std::int64_t>(read_bytes),
                                 view<WaveRecord>(waves), view<ThreadgroupStall>(stalls), [] {});
  }

 private:
  template <typename T, typename Vector>
  static ArrayView<T, 1> view(Vector& values) {
    return {values.data(), {static_cast<std::int64_t>(values.size())}};
  }
};

}  // namespace tilelab::tessellation
