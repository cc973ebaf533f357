// Results cross to Python as one read-only class for each C++ struct, made from a table of fields as options
// are.
#pragma once

#include "bindings/options.hpp"
#include "bindings/pybind11.hpp"

namespace tilelab::bindings {

/// Makes the read-only Python class of a result struct, which Python cannot construct. FIELDS holds the names
/// in order, so that a public class is filled by the same names.
template <typename Struct, typename... Members>
py::class_<Struct> bind_record(py::module_& module, const char* name, const char* doc,
                               const Field<Struct, Members>&... fields) {
  py::class_<Struct> record(module, name, doc);
  (record.def_readonly(fields.name, fields.member), ...);
  record.attr("FIELDS") = py::make_tuple(fields.name...);
  return record;
}

}  // namespace tilelab::bindings
