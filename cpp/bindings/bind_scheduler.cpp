#include "bindings/numpy_args.hpp"
#include "bindings/register.hpp"
#include "tilelab/tessellation/scheduler.hpp"

namespace tilelab::bindings {
namespace {

void register_records() {
  PYBIND11_NUMPY_DTYPE(ThreadgroupWork, draw, vertex_waves, hull_waves, domain_waves, kept_waves, off_chip,
                       lds_bytes, write_bytes, factor_bytes);
  PYBIND11_NUMPY_DTYPE(WaveRecord, draw, group, stage, off_chip, cu, simd, index, start, ready, issue, end);
  PYBIND11_NUMPY_DTYPE(ThreadgroupStall, lds, slots, both, gap);
}

SchedulerMachine machine_from(const py::dict& values) {
  const auto integer = [&](const char* name) { return values[name].cast<std::int64_t>(); };
  const auto small = [&](const char* name) { return values[name].cast<std::int32_t>(); };
  SchedulerMachine machine{};
  machine.cu_count = small("cu_count");
  machine.simd_per_cu = small("simd_per_cu");
  machine.wave_slots_per_simd = small("wave_slots_per_simd");
  machine.lds_bytes_per_cu = integer("lds_bytes_per_cu");
  machine.vertex = {integer("vs_issue"), integer("vs_latency")};
  machine.hull = {integer("hs_issue"), integer("hs_latency")};
  machine.domain = {integer("ds_issue"), integer("ds_latency")};
  machine.hull_decide_issue = integer("hs_decide_issue");
  machine.launch_gap = integer("tg_launch_gap");
  machine.points_per_clock = integer("tess_points_per_clock");
  machine.shader_engines = small("shader_engines");
  machine.memory_bytes_per_clock = integer("memory_bytes_per_clock");
  machine.memory_latency = integer("memory_latency");
  machine.count_factor_ring = values["count_tf_ring"].cast<bool>();
  machine.strict_fifo = values["strict_fifo"].cast<bool>();
  return machine;
}

}  // namespace

void register_scheduler(py::module_& module) {
  register_records();
  module.attr("THREADGROUP_WORK") = py::dtype::of<ThreadgroupWork>();
  module.attr("WAVE_RECORD") = py::dtype::of<WaveRecord>();
  module.attr("THREADGROUP_STALL") = py::dtype::of<ThreadgroupStall>();
  module.def(
      "simulate_threadgroups",
      [](const py::dict& machine, const py::array& groups, const py::array& lanes,
         const py::array& read_bytes, py::array waves, py::array stalls) {
        const SchedulerMachine values = machine_from(machine);
        const auto view_groups = input<ThreadgroupWork, 1>(groups, "groups");
        const auto view_lanes = input<std::int32_t, 1>(lanes, "lanes");
        const auto view_bytes = input<std::int64_t, 1>(read_bytes, "read_bytes");
        const auto view_waves = output<WaveRecord, 1>(waves, "waves");
        const auto view_stalls = output<ThreadgroupStall, 1>(stalls, "stalls");
        const auto heed_interrupt = [] {
          const py::gil_scoped_acquire acquire;
          if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        };
        SchedulerTotals totals{};
        {
          const py::gil_scoped_release release;
          totals = simulate_threadgroups(values, view_groups, view_lanes, view_bytes, view_waves, view_stalls,
                                         heed_interrupt);
        }
        return py::make_tuple(totals.makespan, totals.events);
      },
      py::arg("machine"), py::arg("groups"), py::arg("lanes"), py::arg("read_bytes"), py::arg("waves"),
      py::arg("stalls"));
}

}  // namespace tilelab::bindings
