#include "bindings/numpy_args.hpp"
#include "bindings/register.hpp"
#include "tilelab/core/build_config.hpp"
#include "tilelab/core/image_error.hpp"
#include "tilelab/core/parallel.hpp"
#include "tilelab/core/probe.hpp"
#include "tilelab/core/targets.hpp"

namespace tilelab::bindings {
namespace {

template <typename T>
ImageErrorSums image_error_of(const py::array& image, const py::array& reference,
                              const std::optional<py::array>& where, int tile,
                              std::optional<py::array>& tiles, int threads) {
  const auto image_view = input<T, 3>(image, "image");
  const auto reference_view = input<T, 3>(reference, "reference");
  const auto where_view = optional_input<std::uint8_t, 2>(where, "where");
  const auto tiles_view = optional_output<ImageErrorSums, 2>(tiles, "tiles");
  const py::gil_scoped_release release;
  return image_error(image_view, reference_view, where_view, tile, tiles_view, threads);
}

void bind_image_error(py::module_& module) {
  PYBIND11_NUMPY_DTYPE(ImageErrorSums, square, absolute, largest, counted, not_finite, differing);
  module.attr("IMAGE_ERROR_SUMS") = py::dtype::of<ImageErrorSums>();
  py::class_<ImageErrorSums>(module, "ImageErrorSums", "Sums over the values of an image.")
      .def_readonly("square", &ImageErrorSums::square)
      .def_readonly("absolute", &ImageErrorSums::absolute)
      .def_readonly("largest", &ImageErrorSums::largest)
      .def_readonly("counted", &ImageErrorSums::counted)
      .def_readonly("not_finite", &ImageErrorSums::not_finite)
      .def_readonly("differing", &ImageErrorSums::differing);
  module.def(
      "image_error",
      [](const py::array& image, const py::array& reference, const std::optional<py::array>& where, int tile,
         std::optional<py::array> tiles, int threads) {
        const auto run = holds<float>(image)    ? image_error_of<float>
                         : holds<double>(image) ? image_error_of<double>
                                                : image_error_of<std::uint8_t>;
        return run(image, reference, where, tile, tiles, threads);
      },
      py::arg("image"), py::arg("reference"), py::arg("where"), py::arg("tile"), py::arg("tiles"),
      py::arg("threads"));
}

}  // namespace

void register_core(py::module_& module) {
  bind_image_error(module);
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
