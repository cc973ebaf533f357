// Discrete-event model of thread groups with tessellation on a GCN-class GPU: CUs with SIMDs, wave slots and
// LDS, one memory channel, in-order launch, integer cycles, no randomness.
#pragma once

#include <cstdint>

#include "tilelab/core/array_view.hpp"
#include "tilelab/core/function_ref.hpp"

namespace tilelab {

enum class ShaderStage : std::uint8_t { kVertex = 0, kHull = 1, kDomain = 2 };

/// Cycles a wave holds the issue port of its SIMD, then cycles it waits without it.
struct WaveCost {
  std::int64_t issue;
  std::int64_t latency;
};

struct SchedulerMachine {
  std::int32_t cu_count;
  std::int32_t simd_per_cu;
  std::int32_t wave_slots_per_simd;
  std::int64_t lds_bytes_per_cu;  // what thread groups may have
  WaveCost vertex;
  WaveCost hull;
  WaveCost domain;
  std::int64_t hull_decide_issue;       // added to the first hull-shader wave of every group
  std::int64_t launch_gap;              // least cycles between two launches
  std::int64_t points_per_clock;        // of one tessellator, 0 = infinite
  std::int32_t shader_engines;          // tessellators
  std::int64_t memory_bytes_per_clock;  // 0 = infinite
  std::int64_t memory_latency;
  bool count_factor_ring;
  bool strict_fifo;  // a domain-shader wave that cannot start stops all younger groups
};

/// What one thread group asks for. Its domain-shader waves are consecutive in the per-wave arrays.
struct ThreadgroupWork {
  std::int32_t draw;
  std::int32_t vertex_waves;
  std::int32_t hull_waves;
  std::int32_t domain_waves;
  std::int32_t kept_waves;  // domain-shader waves that stay on the group's CU; the rest read memory
  std::int32_t off_chip;    // 1: the hull shader's output is written to memory
  std::int64_t lds_bytes;   // rounded up to the allocation unit
  std::int64_t write_bytes;
  std::int64_t factor_bytes;
};

/// One wave of the event log, in order of thread group, stage and number inside the stage.
struct WaveRecord {
  std::int32_t draw;
  std::int32_t group;
  std::uint8_t stage;
  bool off_chip;  // a domain-shader wave that reads memory
  std::int16_t cu;
  std::int16_t simd;
  std::int32_t index;
  std::int64_t start;  // takes its slot
  std::int64_t ready;  // joins the issue queue (later than start when it waited for memory)
  std::int64_t issue;  // gets the issue port
  std::int64_t end;    // frees its slot
};

/// Cycles in which one thread group was the next to launch and could not, by reason.
struct ThreadgroupStall {
  std::int64_t lds;    // no CU had the LDS
  std::int64_t slots;  // no CU had the wave slots
  std::int64_t both;   // no CU had both, though each was to be had somewhere, or neither
  std::int64_t gap;    // within the launch gap
};

struct SchedulerTotals {
  std::int64_t makespan;  // end of the last wave, or of the last transfer if that is later
  std::int64_t events;
};

/// Runs thread groups in launch order and logs every wave.
///
/// Precondition: `lanes` and `read_bytes` have one entry a domain-shader wave, groups in order.
/// Precondition: `waves` has one entry a wave of any stage, `stalls` one a group.
/// Precondition: every group fits an empty CU: LDS, vertex waves and hull waves.
/// `pause` is called now and then from the calling thread; it may throw to stop.
SchedulerTotals simulate_threadgroups(const SchedulerMachine& machine,
                                      ArrayView<const ThreadgroupWork, 1> groups,
                                      ArrayView<const std::int32_t, 1> lanes,
                                      ArrayView<const std::int64_t, 1> read_bytes,
                                      ArrayView<WaveRecord, 1> waves, ArrayView<ThreadgroupStall, 1> stalls,
                                      FunctionRef<void()> pause);

}  // namespace tilelab
