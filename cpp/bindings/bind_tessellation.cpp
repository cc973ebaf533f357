#include "bindings/numpy_args.hpp"
#include "bindings/register.hpp"

namespace tilelab::bindings {

void register_tessellation(py::module_& /*module*/) {}

}  // namespace tilelab::bindings
