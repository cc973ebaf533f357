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
      "tessellation_offsets",
      [](int domain, int partitioning, int topology, const py::array& factors, py::array point_offsets,
         py::array index_offsets) {
        const auto view_factors = input<float, 2>(factors, "factors");
        const auto view_points = output<std::int64_t, 1>(point_offsets, "point_offsets");
        const auto view_indices = output<std::int64_t, 1>(index_offsets, "index_offsets");
        const py::gil_scoped_release release;
        tessellation_offsets(Domain{domain}, Partitioning{partitioning}, Topology{topology}, view_factors,
                             view_points, view_indices);
      },
      py::arg("domain"), py::arg("partitioning"), py::arg("topology"), py::arg("factors"),
      py::arg("point_offsets"), py::arg("index_offsets"));
  module.def(
      "tessellate",
      [](int domain, int partitioning, int topology, const py::array& factors, const py::array& point_offsets,
         const py::array& index_offsets, py::array points, py::array indices, int threads) {
        const auto view_factors = input<float, 2>(factors, "factors");
        const auto view_point_offsets = input<std::int64_t, 1>(point_offsets, "point_offsets");
        const auto view_index_offsets = input<std::int64_t, 1>(index_offsets, "index_offsets");
        const auto view_points = output<std::int32_t, 2>(points, "points");
        const auto view_indices = output<std::uint16_t, 1>(indices, "indices");
        const py::gil_scoped_release release;
        tessellate(Domain{domain}, Partitioning{partitioning}, Topology{topology}, view_factors,
                   view_point_offsets, view_index_offsets, view_points, view_indices, threads);
      },
      py::arg("domain"), py::arg("partitioning"), py::arg("topology"), py::arg("factors"),
      py::arg("point_offsets"), py::arg("index_offsets"), py::arg("points"), py::arg("indices"),
      py::arg("threads"));
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
