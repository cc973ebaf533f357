// One function per area; each fills its submodule of tilelab._core.
#pragma once

#include "bindings/pybind11.hpp"

namespace tilelab::bindings {

void register_core(py::module_& module);
void register_addressing(py::module_& module);
void register_vrs(py::module_& module);
void register_lighting(py::module_& module);
void register_tessellation(py::module_& module);
void register_scheduler(py::module_& tessellation);

}  // namespace tilelab::bindings
