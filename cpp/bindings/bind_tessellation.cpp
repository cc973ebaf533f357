#include "bindings/numpy_args.hpp"
#include "bindings/register.hpp"
#include "tilelab/tessellation/condition_factors.hpp"
#include "tilelab/tessellation/counts.hpp"
#include "tilelab/tessellation/domain.hpp"
#include "tilelab/tessellation/tessellator.hpp"

namespace tilelab::bindings {
namespace {

using namespace tilelab::tessellation;  // NOLINT(google-build-using-namespace)

/// Gives the members of an enum a number that follows from them. Enums take new attributes like any class.
template <typename E>
void add_property(py::module_& module, const char* kind, const char* name, int (*number)(E),
                  const char* doc) {
  const py::object property = py::module_::import("builtins").attr("property");
  const py::cpp_function get(number, py::name(name), py::arg("self"), doc);
  module.attr(kind).attr(name) = property(get, py::none(), py::none(), doc);
}

void bind_domain(py::module_& module) {
  py::native_enum<Domain>(
      module, "Domain", "enum.IntEnum",
      "Shape of a patch.\n\n"
      "=========  ==========================================================================\n"
      "member     factors of a patch, in hardware order\n"
      "=========  ==========================================================================\n"
      "ISOLINE    density (number of lines, along V), detail (segments of a line, along U)\n"
      "TRI        edges U==0, V==0, W==0, then inside\n"
      "QUAD       edges U==0, V==0, U==1, V==1, then inside U, inside V\n"
      "=========  ==========================================================================\n")
      .value("ISOLINE", Domain::kIsoline)
      .value("TRI", Domain::kTri)
      .value("QUAD", Domain::kQuad)
      .finalize();
  add_property(module, "Domain", "factor_count", &factor_count, "Factors of one patch.");
  add_property(module, "Domain", "edge_count", &edge_count,
               "Factors among them that cull the patch when they are not positive.");
  py::native_enum<Partitioning>(module, "Partitioning", "enum.IntEnum",
                                "How a factor becomes segments. The hardware treats POW2 as INTEGER: the "
                                "shader rounds it before.")
      .value("INTEGER", Partitioning::kInteger)
      .value("POW2", Partitioning::kPow2)
      .value("FRACTIONAL_ODD", Partitioning::kFractionalOdd)
      .value("FRACTIONAL_EVEN", Partitioning::kFractionalEven)
      .finalize();
  py::native_enum<Topology>(module, "Topology", "enum.IntEnum",
                            "What the tessellator makes: points of any domain, lines of isolines, triangles "
                            "of tri and quad.")
      .value("POINT", Topology::kPoint)
      .value("LINE", Topology::kLine)
      .value("TRIANGLE_CW", Topology::kTriangleCw)
      .value("TRIANGLE_CCW", Topology::kTriangleCcw)
      .finalize();
  add_property(module, "Topology", "corners", &corners, "Indices of one primitive.");
}

void bind_counts(py::module_& module) {
  PYBIND11_NUMPY_DTYPE(PatchCounts, points, primitives, culled);
  module.attr("PATCH_COUNTS") = py::dtype::of<PatchCounts>();
  module.def(
      "tessellation_counts",
      [](Domain domain, Partitioning partitioning, const py::array& factors, py::array counts, int threads) {
        const auto view_factors = input<float, 2>(factors, "factors");
        const auto view_counts = output<PatchCounts, 1>(counts, "out");
        const py::gil_scoped_release release;
        tessellation_counts(domain, partitioning, view_factors, view_counts, threads);
      },
      py::arg("domain"), py::arg("partitioning"), py::arg("factors"), py::arg("counts"), py::arg("threads"));
}

void bind_tessellator(py::module_& module) {
  module.def(
      "tessellation_offsets",
      [](Domain domain, Partitioning partitioning, Topology topology, const py::array& factors,
         py::array point_offsets, py::array index_offsets) {
        const auto view_factors = input<float, 2>(factors, "factors");
        const auto view_points = output<std::int64_t, 1>(point_offsets, "point_offsets");
        const auto view_indices = output<std::int64_t, 1>(index_offsets, "index_offsets");
        const py::gil_scoped_release release;
        tessellation_offsets(domain, partitioning, topology, view_factors, view_points, view_indices);
      },
      py::arg("domain"), py::arg("partitioning"), py::arg("topology"), py::arg("factors"),
      py::arg("point_offsets"), py::arg("index_offsets"));
  module.def(
      "tessellate",
      [](Domain domain, Partitioning partitioning, Topology topology, const py::array& factors,
         const py::array& point_offsets, const py::array& index_offsets, py::array points, py::array indices,
         int threads) {
        const auto view_factors = input<float, 2>(factors, "factors");
        const auto view_point_offsets = input<std::int64_t, 1>(point_offsets, "point_offsets");
        const auto view_index_offsets = input<std::int64_t, 1>(index_offsets, "index_offsets");
        const auto view_points = output<std::int32_t, 2>(points, "points");
        const auto view_indices = output<std::uint16_t, 1>(indices, "indices");
        const py::gil_scoped_release release;
        tessellate(domain, partitioning, topology, view_factors, view_point_offsets, view_index_offsets,
                   view_points, view_indices, threads);
      },
      py::arg("domain"), py::arg("partitioning"), py::arg("topology"), py::arg("factors"),
      py::arg("point_offsets"), py::arg("index_offsets"), py::arg("points"), py::arg("indices"),
      py::arg("threads"));
}

void bind_condition_factors(py::module_& module) {
  py::native_enum<Reduction>(module, "Reduction", "enum.IntEnum", "How edge factors become an inside factor.")
      .value("MIN", Reduction::kMin)
      .value("MAX", Reduction::kMax)
      .value("AVERAGE", Reduction::kAverage)
      .finalize();
  module.def(
      "condition_factors",
      [](Domain domain, Partitioning partitioning, Reduction reduction, int axes, const py::array& edges,
         const py::array& scales, py::array rounded, py::array unrounded, int threads) {
        const auto view_edges = input<float, 2>(edges, "edges");
        const auto view_scales = input<float, 2>(scales, "scales");
        const auto view_rounded = output<float, 2>(rounded, "rounded");
        const auto view_unrounded = output<float, 2>(unrounded, "unrounded");
        const py::gil_scoped_release release;
        condition_factors(domain, partitioning, reduction, axes, view_edges, view_scales, view_rounded,
                          view_unrounded, threads);
      },
      py::arg("domain"), py::arg("partitioning"), py::arg("reduction"), py::arg("axes"), py::arg("edges"),
      py::arg("scales"), py::arg("rounded"), py::arg("unrounded"), py::arg("threads"));
}

}  // namespace

void register_tessellation(py::module_& module) {
  bind_domain(module);
  bind_counts(module);
  bind_tessellator(module);
  bind_condition_factors(module);
}

}  // namespace tilelab::bindings
