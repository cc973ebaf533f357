// Discrete-event model of thread groups with tessellation on a GCN-class GPU (modelled): CUs with SIMDs, wave
// slots and LDS, one memory channel, in-order launch, integer cycles, no randomness.
#pragma once

#include <cstdint>

#include "tilelab/core/array_view.hpp"
#include "tilelab/core/function_ref.hpp"

namespace tilelab::tessellation {

/// Shader stage of a wave.
enum class Stage : std::uint8_t { kVertex = 0, kHull = 1, kDomain = 2 };

/// Whether hull-shader output always stays in LDS, or every thread group decides (documented).
enum class PipelineMode : std::uint8_t { kOnChip = 0, kOffChip = 1 };

/// Whether a group whose next domain-shader wave cannot start lets younger groups pass, or stops them
/// (modelled).
enum class WaveOrder : std::uint8_t { kOldestFirstSkip = 0, kStrictFifo = 1 };

/// Limits of a machine. Counts of CUs and of resident waves are packed into 32 bits; sums of costs over 2^31
/// waves stay inside 64.
inline constexpr std::int32_t kMaxCuCount = 4096;
inline constexpr std::int32_t kMaxSimdPerCu = 64;
inline constexpr std::int32_t kMaxWaveSlotsPerSimd = 4096;
inline constexpr std::int32_t kMaxShaderEngines = 64;
inline constexpr std::int64_t kMaxCycles = 1'000'000'000;

/// What the engine needs of a scheduler configuration, under the names of its options. A wave holds the issue
/// port of its SIMD for the `issue` cycles of its stage, then waits `latency` cycles without it. The defaults
/// of CUs, SIMDs, wave slots, LDS and shader engines are documented; all costs are uncertain, for
/// demonstrations.
struct SchedulerMachine {
  PipelineMode mode = PipelineMode::kOnChip;
  WaveOrder ds_order = WaveOrder::kOldestFirstSkip;
  std::int32_t cu_count = 12;                ///< 1 to kMaxCuCount
  std::int32_t simd_per_cu = 4;              ///< 1 to kMaxSimdPerCu
  std::int32_t wave_slots_per_simd = 10;     ///< 1 to kMaxWaveSlotsPerSimd
  std::int64_t available_lds_bytes = 65536;  ///< of a CU, what thread groups may have
  std::int64_t vs_issue = 400;               ///< cycles, as all costs 0 to kMaxCycles
  std::int64_t vs_latency = 400;
  std::int64_t hs_issue = 400;
  std::int64_t hs_latency = 300;
  std::int64_t ds_issue = 600;
  std::int64_t ds_latency = 800;
  std::int64_t hs_decide_issue = 0;          ///< added to a group's first hull-shader wave in off-chip mode
  std::int64_t tg_launch_gap = 0;            ///< least cycles between two launches
  std::int64_t tess_points_per_clock = 0;    ///< of one tessellator, 0 = infinite; at most kMaxCycles
  std::int32_t shader_engines = 2;           ///< tessellators, 1 to kMaxShaderEngines
  bool count_tf_ring = false;                ///< factors are written to memory and read back
  std::int64_t memory_bytes_per_clock = 64;  ///< 0 = infinite; at most kMaxCycles
  std::int64_t memory_latency = 350;         ///< cycles from the end of a transfer to its data being usable
};

/// What one thread group asks for. Its domain-shader waves are consecutive in the per-wave arrays.
struct ThreadgroupWork {
  std::int32_t draw;
  std::int32_t vertex_waves;
  std::int32_t hull_waves;
  std::int32_t domain_waves;
  std::int32_t on_chip_waves;  ///< domain-shader waves that stay on the group's CU; the rest read memory
  std::int32_t off_chip;       ///< 1: the hull shader's output is written to memory
  std::int64_t lds_bytes;      ///< rounded up to the allocation unit
  std::int64_t bytes_written;
  std::int64_t factor_bytes;  ///< of the factor ring, where that is counted
};

/// One wave of the event log, in order of thread group, stage and number inside the stage.
struct WaveRecord {
  std::int32_t draw;
  std::int32_t group;
  Stage stage;
  bool off_chip;  ///< a domain-shader wave that reads memory
  std::int16_t cu;
  std::int16_t simd;
  std::int32_t index;
  std::int64_t start;  ///< cycle in which it takes its slot
  std::int64_t ready;  ///< joins the issue queue (later than start when it waited for memory)
  std::int64_t issue;  ///< gets the issue port
  std::int64_t end;    ///< frees its slot
};

/// Cycles in which one thread group was the next to launch and could not, by reason.
struct ThreadgroupStall {
  std::int64_t lds;    ///< no CU had the LDS
  std::int64_t slots;  ///< no CU had the wave slots
  std::int64_t both;   ///< no CU had both, though each was to be had somewhere, or neither
  std::int64_t gap;    ///< within the launch gap
};

struct SchedulerTotals {
  std::int64_t makespan_cycles;  ///< end of the last wave, or of the last transfer if that is later
  std::int64_t events;
};

/// Runs thread groups in launch order and logs every wave. `pause` is called now and then from the calling
/// thread; it may throw to stop.
///
/// Precondition (ArgumentError): every field of `machine` is inside its range.
/// Precondition (ArgumentError): every group fits an empty CU: LDS, vertex waves and hull waves.
/// Precondition (ArgumentError): a group has at most its domain waves on-chip, and all of them unless it is
/// off-chip.
/// Precondition (ArgumentError): `lanes` and `read_bytes` have one entry a domain-shader wave, groups in
/// order. Precondition (ArgumentError): `waves` has one entry a wave of any stage, `stalls` one a group.
/// Precondition (ArgumentError): no count and no number of bytes is negative.
/// Precondition (not checked): `draw` is only copied; sums of bytes stay inside 63 bits.
SchedulerTotals simulate_threadgroups(const SchedulerMachine& machine,
                                      ArrayView<const ThreadgroupWork, 1> groups,
                                      ArrayView<const std::int32_t, 1> lanes,
                                      ArrayView<const std::int64_t, 1> read_bytes,
                                      ArrayView<WaveRecord, 1> waves, ArrayView<ThreadgroupStall, 1> stalls,
                                      FunctionRef<void()> pause);

}  // namespace tilelab::tessellation
