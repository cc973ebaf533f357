#include "bindings/numpy_args.hpp"
#include "bindings/register.hpp"
#include "tilelab/tessellation/condition_factors.hpp"
#include "tilelab/tessellation/counts.hpp"
#include "tilelab/tessellation/tessellator.hpp"

namespace tilelab::bindings {

void register_tessellation(py::module_& module) {
  PYBIND11_NUMPY_DTYPE(PatchCounts, points, primitives, culled);
  module.def(
      "tessellation_counts",
      [](int domain, int partitioning, const py::array& factors, py::array counts, int threads) {
        const auto view_factors = input<float, 2>(factors, "factors");
        const auto view_counts = output<PatchCounts, 1>(counts, "out");
        const py::gil_scoped_release release;
        tessellation_counts(Domain{domain}, Partitioning{partitioning}, view_factors, view_counts, threads);
      },
      py::arg("domain"), py::arg("partitioning"), py::arg("factors"), py::arg("counts"), py::arg("threads"));
  module.def(
      "condition_factors",
      [](int domain, int partitioning, int reduction, int axes, const py::array& edges,
         const py::array& scales, py::array rounded, py::array unrounded, int threads) {
        const auto view_edges = input<float, 2>(edges, "edges");
        const auto view_scales = input<float, 2>(scales, "scales");
        const auto view_rounded = output<float, 2>(rounded, "rounded");
        const auto view_unrounded = output<float, 2>(unrounded, "unrounded");
        const py::gil_scoped_release release;
        condition_factors(Domain{domain}, Partitioning{partitioning}, Reduction{reduction}, axes, view_edges,
                          view_scales, view_rounded, view_unrounded, threads);
      },
      py::arg("domain"), py::arg("partitioning"), py::arg("reduction"), py::arg("axes"), py::arg("edges"),
      py::arg("scales"), py::arg("rounded"), py::arg("unrounded"), py::arg("threads"));
}

}  // namespace tilelab::bindings
