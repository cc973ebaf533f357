#include "bindings/numpy_args.hpp"
#include "bindings/options.hpp"
#include "bindings/register.hpp"
#include "tilelab/tessellation/scheduler.hpp"

namespace tilelab::bindings {
namespace {

using namespace tilelab::tessellation;  // NOLINT(google-build-using-namespace)

void bind_enums(py::module_& module) {
  py::native_enum<Stage>(module, "Stage", "enum.IntEnum",
                         "Shader stage of a wave, as field ``stage`` of the wave table holds it.")
      .value("VERTEX", Stage::kVertex)
      .value("HULL", Stage::kHull)
      .value("DOMAIN", Stage::kDomain)
      .finalize();
  py::native_enum<PipelineMode>(module, "PipelineMode", "enum.IntEnum",
                                "Whether hull-shader output always stays in LDS, or every group decides.")
      .value("ON_CHIP", PipelineMode::kOnChip)
      .value("OFF_CHIP", PipelineMode::kOffChip)
      .finalize();
  py::native_enum<WaveOrder>(module, "WaveOrder", "enum.IntEnum",
                             "Whether a group whose next wave cannot start lets younger groups pass.")
      .value("OLDEST_FIRST_SKIP", WaveOrder::kOldestFirstSkip)
      .value("STRICT_FIFO", WaveOrder::kStrictFifo)
      .finalize();
}

void bind_machine(py::module_& module) {
  const Range cycles = between(0, kMaxCycles);
  bind_options<SchedulerMachine>(
      module, "SchedulerMachine", "What the engine needs of a scheduler configuration.",
      field("mode", &SchedulerMachine::mode), field("ds_order", &SchedulerMachine::ds_order),
      field("cu_count", &SchedulerMachine::cu_count, between(1, kMaxCuCount)),
      field("simd_per_cu", &SchedulerMachine::simd_per_cu, between(1, kMaxSimdPerCu)),
      field("wave_slots_per_simd", &SchedulerMachine::wave_slots_per_simd, between(1, kMaxWaveSlotsPerSimd)),
      field("available_lds_bytes", &SchedulerMachine::available_lds_bytes, at_least(0)),
      field("vs_issue", &SchedulerMachine::vs_issue, cycles),
      field("vs_latency", &SchedulerMachine::vs_latency, cycles),
      field("hs_issue", &SchedulerMachine::hs_issue, cycles),
      field("hs_latency", &SchedulerMachine::hs_latency, cycles),
      field("ds_issue", &SchedulerMachine::ds_issue, cycles),
      field("ds_latency", &SchedulerMachine::ds_latency, cycles),
      field("hs_decide_issue", &SchedulerMachine::hs_decide_issue, cycles),
      field("tg_launch_gap", &SchedulerMachine::tg_launch_gap, cycles),
      field("tess_points_per_clock", &SchedulerMachine::tess_points_per_clock, cycles),
      field("shader_engines", &SchedulerMachine::shader_engines, between(1, kMaxShaderEngines)),
      field("count_tf_ring", &SchedulerMachine::count_tf_ring),
      field("memory_bytes_per_clock", &SchedulerMachine::memory_bytes_per_clock, cycles),
      field("memory_latency", &SchedulerMachine::memory_latency, cycles));
}

void bind_records(py::module_& module) {
  PYBIND11_NUMPY_DTYPE(ThreadgroupWork, draw, vertex_waves, hull_waves, domain_waves, on_chip_waves, off_chip,
                       lds_bytes, bytes_written, factor_bytes);
  PYBIND11_NUMPY_DTYPE(WaveRecord, draw, group, stage, off_chip, cu, simd, index, start, ready, issue, end);
  PYBIND11_NUMPY_DTYPE(ThreadgroupStall, lds, slots, both, gap);
  module.attr("THREADGROUP_WORK") = py::dtype::of<ThreadgroupWork>();
  module.attr("WAVE_RECORD") = py::dtype::of<WaveRecord>();
  module.attr("THREADGROUP_STALL") = py::dtype::of<ThreadgroupStall>();
  py::class_<SchedulerTotals>(module, "SchedulerTotals", "What a simulation counted besides its log.")
      .def_readonly("makespan_cycles", &SchedulerTotals::makespan_cycles)
      .def_readonly("events", &SchedulerTotals::events);
}

}  // namespace

void register_scheduler(py::module_& module) {
  bind_enums(module);
  bind_machine(module);
  bind_records(module);
  module.def(
      "simulate_threadgroups",
      [](const SchedulerMachine& machine, const py::array& groups, const py::array& lanes,
         const py::array& read_bytes, py::array waves, py::array stalls) {
        const auto view_groups = input<ThreadgroupWork, 1>(groups, "groups");
        const auto view_lanes = input<std::int32_t, 1>(lanes, "lanes");
        const auto view_bytes = input<std::int64_t, 1>(read_bytes, "read_bytes");
        const auto view_waves = output<WaveRecord, 1>(waves, "waves");
        const auto view_stalls = output<ThreadgroupStall, 1>(stalls, "stalls");
        const auto heed_interrupt = [] {
          const py::gil_scoped_acquire acquire;
          if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        };
        const py::gil_scoped_release release;
        return simulate_threadgroups(machine, view_groups, view_lanes, view_bytes, view_waves, view_stalls,
                                     heed_interrupt);
      },
      py::arg("machine"), py::arg("groups"), py::arg("lanes"), py::arg("read_bytes"), py::arg("waves"),
      py::arg("stalls"));
}

}  // namespace tilelab::bindings
