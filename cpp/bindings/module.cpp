#include "bindings/pybind11.hpp"
#include "bindings/register.hpp"
#include "tilelab/core/error.hpp"
#include "tilelab/core/version.hpp"

PYBIND11_MODULE(_core, module, py::mod_gil_not_used()) {
  module.doc() = "Compiled kernels of tilelab. The public interface is the tilelab package, not this module.";
  module.attr("__version__") = tilelab::kVersion;

  py::register_exception<tilelab::UnsupportedError>(module, "UnsupportedError", PyExc_ValueError);
  py::register_local_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const tilelab::UnsupportedError&) {
      throw;  // the registered exception above takes it
    } catch (const tilelab::ArgumentError& error) {
      py::set_error(error.kind == tilelab::ErrorKind::kType ? PyExc_TypeError : PyExc_ValueError,
                    error.what());
    }
  });

  namespace bindings = tilelab::bindings;
  const auto add_area = [&module](const char* name, const char* doc, void (*fill)(py::module_&)) {
    py::module_ area = module.def_submodule(name, doc);
    fill(area);
  };
  add_area("core", "Build configuration, instruction sets and memory probes.", bindings::register_core);
  add_area("addressing", "Texel addresses, layouts and bulk swizzling.", bindings::register_addressing);
  add_area("vrs", "Variable rate shading.", bindings::register_vrs);
  add_area("lighting", "Sparse deferred lighting.", bindings::register_lighting);
  add_area("tessellation", "Tessellator and its scheduler.", [](py::module_& area) {
    bindings::register_tessellation(area);
    bindings::register_scheduler(area);
  });
}
