#include "bindings/numpy_args.hpp"
#include "bindings/register.hpp"
#include "tilelab/core/build_config.hpp"
#include "tilelab/core/parallel.hpp"
#include "tilelab/core/probe.hpp"
#include "tilelab/core/targets.hpp"

namespace tilelab::bindings {

void register_core(py::module_& module) {
  module.def("build_config", [] {
    py::typing::Dict<py::str, py::str> config;
    for (const auto& [name, value] : build_config()) config[py::str(name)] = value;
    return config;
  });
  module.def("supported_targets", &supported_targets);
  module.def("current_target", &current_target);
  module.def(
      "force_target", [](const std::string& name) { force_target(name); }, py::arg("name"));
  module.def("resolve_threads", &resolve_threads, py::arg("threads"));
  module.def(
      "probe_read",
      [](const py::array& words) {
        const auto view = input<std::uint64_t, 1>(words, "words");
        const py::gil_scoped_release release;
        return probe_read(view);
      },
      py::arg("words"));
  module.def(
      "probe_triad",
      [](const py::array& a, const py::array& b, py::array out) {
        const auto view_a = input<std::uint64_t, 1>(a, "a");
        const auto view_b = input<std::uint64_t, 1>(b, "b");
        const auto view_out = output<std::uint64_t, 1>(out, "out");
        const py::gil_scoped_release release;
        probe_triad(view_a, view_b, view_out);
      },
      py::arg("a"), py::arg("b"), py::arg("out"));
}

}  // namespace tilelab::bindings
