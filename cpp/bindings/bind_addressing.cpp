#include "bindings/numpy_args.hpp"
#include "bindings/register.hpp"

namespace tilelab::bindings {

void register_addressing(py::module_& /*module*/) {}

}  // namespace tilelab::bindings
