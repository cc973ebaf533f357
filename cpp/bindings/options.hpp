// Options cross from Python as one frozen class for each C++ struct. The class is made from one table of
// fields (name, member, range), which is the only place between the struct and the public signature that
// spells them. Arrays may be among the fields: the object then keeps them alive, and they are checked when it
// is made.
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/numpy_args.hpp"
#include "bindings/pybind11.hpp"
#include "tilelab/core/array_view.hpp"
#include "tilelab/core/error.hpp"

namespace tilelab::bindings {

/// What a number must satisfy beyond its kind. NaN is never accepted.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  std::vector<int> members;  // if not empty, the only values
  bool finite = true;
};

inline Range at_least(double low) { return {.low = low}; }
inline Range between(double low, double high) { return {.low = low, .high = high}; }
inline Range one_of(std::vector<int> members) { return {.members = std::move(members)}; }
/// Every number, infinities included.
inline Range unlimited() { return {.finite = false}; }

/// A number as error messages show it: no decimals where there are none.
inline std::string number_text(double value) {
  if (value == std::floor(value) && std::abs(value) < 0x1p53) {
    return std::to_string(static_cast<long long>(value));
  }
  char text[32];
  std::snprintf(text, sizeof(text), "%g", value);
  return text;
}

/// Throws unless `value` lies in the range. `given` is what Python passed, for the message.
inline void check_range(const char* name, double value, bool integral, const Range& range, py::handle given) {
  const auto refuse = [&](const std::string& rule) {
    throw ArgumentError(name, rule, std::string(py::str(given)));
  };
  if (std::isnan(value) || (range.finite && std::isinf(value))) {
    refuse(range.finite ? "must be finite" : "must not be NaN");
  }
  if (!range.members.empty()) {
    std::string known;
    for (const int member : range.members) {
      if (value == member) return;
      known += (known.empty() ? "" : ", ") + std::to_string(member);
    }
    refuse("must be one of " + known);
  }
  const bool below = value<range.low, above = value> range.high;
  if (!below && !above) return;
  if (integral && std::isfinite(range.low) && std::isfinite(range.high)) {
    refuse("must be in [" + number_text(range.low) + ", " + number_text(range.high) + "]");
  }
  refuse(below ? "must be at least " + number_text(range.low) : "must be at most " + number_text(range.high));
}

[[noreturn]] inline void refuse_kind(const char* name, const char* rule, py::handle given) {
  throw ArgumentError(name, rule, std::string(py::repr(given)), ErrorKind::kType);
}

inline std::string type_name(py::handle given) { return Py_TYPE(given.ptr())->tp_name; }

inline bool is_bool(py::handle given) {
  return PyBool_Check(given.ptr()) != 0 || type_name(given).starts_with("numpy.bool");
}

inline long long as_integer(const char* name, py::handle given) {
  const py::object index =
      is_bool(given) ? py::object() : py::reinterpret_steal<py::object>(PyNumber_Index(given.ptr()));
  if (!index) {
    PyErr_Clear();
    refuse_kind(name, "must be an integer", given);
  }
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow != 0) throw ArgumentError(name, "must fit 64 bits", std::string(py::str(given)));
  return value;
}

inline double as_real(const char* name, py::handle given) {
  const bool no_number = is_bool(given) || PyUnicode_Check(given.ptr()) || PyBytes_Check(given.ptr()) ||
                         PyComplex_Check(given.ptr()) || type_name(given).starts_with("numpy.complex");
  const py::object real =
      no_number ? py::object() : py::reinterpret_steal<py::object>(PyNumber_Float(given.ptr()));
  if (!real) {
    const bool too_large = !no_number && PyErr_ExceptionMatches(PyExc_OverflowError) != 0;
    PyErr_Clear();
    if (too_large) throw ArgumentError(name, "must be finite", "a number beyond the range of float64");
    refuse_kind(name, "must be a real number", given);
  }
  return PyFloat_AS_DOUBLE(real.ptr());
}

template <typename T>
inline constexpr bool is_optional = false;
template <typename T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <typename T>
inline constexpr bool is_view = false;
template <typename T, std::size_t N>
inline constexpr bool is_view<ArrayView<T, N>> = true;

/// A view of an array that Python has made; None is an empty one.
template <typename T, std::size_t N>
ArrayView<T, N> view_of(const char* name, py::handle given, std::type_identity<ArrayView<T, N>> /*type*/) {
  if (given.is_none()) return {};
  if (!py::isinstance<py::array>(given)) refuse_kind(name, "must be a NumPy array", given);
  auto array = py::reinterpret_borrow<py::array>(given);
  if constexpr (std::is_const_v<T>) {
    return input<std::remove_const_t<T>, N>(array, name);
  } else {
    return output<T, N>(array, name);
  }
}

/// A count (an integer of Python) or a fraction (a float).
using CountOrFraction = std::variant<std::int64_t, double>;

/// The value of an option, or an error that names it.
template <typename T>
T option_value(const char* name, py::handle given, const Range& range) {
  if constexpr (std::same_as<T, bool>) {
    if (!is_bool(given)) refuse_kind(name, "must be True or False", given);
    return PyObject_IsTrue(given.ptr()) != 0;
  } else if constexpr (std::integral<T>) {
    const long long value = as_integer(name, given);
    check_range(name, static_cast<double>(value), true, range, given);
    if (!std::in_range<T>(value)) {
      throw ArgumentError(name, "must fit " + std::to_string(8 * sizeof(T)) + " bits",
                          std::string(py::str(given)));
    }
    return static_cast<T>(value);
  } else if constexpr (std::floating_point<T>) {
    const double value = as_real(name, given);
    check_range(name, value, false, range, given);
    return static_cast<T>(value);
  } else if constexpr (std::same_as<T, CountOrFraction>) {
    if (PyFloat_Check(given.ptr()) != 0 || type_name(given).starts_with("numpy.float")) {
      return option_value<double>(name, given, {.low = 0.0, .high = 1.0});
    }
    if (is_bool(given)) refuse_kind(name, "must be a count (int) or a fraction (float)", given);
    return option_value<std::int64_t>(name, given, range);
  } else if constexpr (is_optional<T>) {
    if (given.is_none()) return std::nullopt;
    return option_value<typename T::value_type>(name, given, range);
  } else if constexpr (is_view<T>) {
    return view_of(name, given, std::type_identity<T>());
  } else {  // an enum, a small array or another options class: Python has made it
    try {
      return py::cast<T>(given);
    } catch (const py::cast_error&) {
      refuse_kind(name, ("must be a " + py::type_id<T>()).c_str(), given);
    }
  }
}

/// An argument as it came, typed in the signature: conversion and message are this header's.
template <typename T>
struct Given {
  py::object object;
};

template <typename Struct, typename Member>
struct Field {
  const char* name;
  Member Struct::*member;
  Range range;
};

/// The argument of a field with the struct's default. Defaults that are no literals show as "..." in stubs.
template <typename Struct, typename Member>
py::arg_v argument(const Struct& defaults, const Field<Struct, Member>& field) {
  if constexpr (is_view<Member>) {
    return py::arg(field.name) = py::none();
  } else if constexpr (std::is_enum_v<Member> || (std::is_class_v<Member> && !is_optional<Member>)) {
    return py::arg_v(field.name, defaults.*field.member, "...");
  } else {
    return py::arg(field.name) = defaults.*field.member;
  }
}

template <typename Struct, typename Member>
Field<Struct, Member> field(const char* name, Member Struct::*member, Range range = {}) {
  return {name, member, std::move(range)};
}

/// Makes the frozen Python class of an options struct: keyword arguments with the defaults of the struct,
/// each checked against its range, and read-only attributes (arrays have none). FIELDS holds the names in
/// order.
template <typename Struct, typename... Members>
void bind_options(py::module_& module, const char* name, const char* doc,
                  const Field<Struct, Members>&... fields) {
  const Struct defaults{};
  py::class_<Struct> options(module, name, doc);
  [&]<std::size_t... Index>(std::index_sequence<Index...>) {
    options.def(py::init([fields...](const Given<Members>&... given) {
                  Struct made{};
                  ((made.*fields.member = option_value<Members>(fields.name, given.object, fields.range)),
                   ...);
                  return made;
                }),
                py::kw_only(), argument(defaults, fields)..., py::keep_alive<1, 2 + Index>()...);
  }
  (std::index_sequence_for<Members...>());
  const auto show = [&options](const char* field_name, auto member) {
    if constexpr (!is_view<std::remove_cvref_t<decltype(std::declval<Struct&>().*member)>>) {
      options.def_readonly(field_name, member);
    }
  };
  (show(fields.name, fields.member), ...);
  options.def("__repr__", [fields..., name = std::string(name)](const Struct& self) {
    std::string text;
    const auto add = [&](const char* field_name, const auto& value) {
      if constexpr (!is_view<std::remove_cvref_t<decltype(value)>>) {
        text += (text.empty() ? "" : ", ") + std::string(field_name) + "=" +
                std::string(py::repr(py::cast(value)));
      }
    };
    (add(fields.name, self.*fields.member), ...);
    return name + "(" + text + ")";
  });
  options.attr("FIELDS") = py::make_tuple(fields.name...);
}

}  // namespace tilelab::bindings

namespace PYBIND11_NAMESPACE {
namespace detail {

template <typename T>
struct option_type {
  static constexpr auto name = make_caster<T>::name;
};

template <typename T, std::size_t N>
struct option_type<tilelab::ArrayView<T, N>> {
  static constexpr auto name = const_name("numpy.ndarray | None");
};

template <typename T>
struct type_caster<tilelab::bindings::Given<T>> {
  PYBIND11_TYPE_CASTER(tilelab::bindings::Given<T>, option_type<T>::name);
  bool load(handle source, bool /*convert*/) {
    value.object = reinterpret_borrow<object>(source);
    return true;
  }
};

}  // namespace detail
}  // namespace PYBIND11_NAMESPACE
