// Turns NumPy arguments into views: exact dtype, C order, exact rank, or an error that names the argument.
// Nothing is copied or cast here; conversion that a function documents happens in Python before the call.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "bindings/pybind11.hpp"
#include "tilelab/core/array_view.hpp"
#include "tilelab/core/error.hpp"

namespace tilelab::bindings {

template <typename Number>
std::string tuple_text(const Number* values, py::ssize_t count) {
  std::string text = "(";
  for (py::ssize_t k = 0; k < count; ++k) text += (k > 0 ? ", " : "") + std::to_string(values[k]);
  return text + (count == 1 ? ",)" : ")");
}

inline std::string describe(const py::array& array) {
  return std::string(py::str(array.dtype())) + " of shape " + tuple_text(array.shape(), array.ndim());
}

template <typename T>
bool holds(const py::array& array) {
  return array.dtype().equal(py::dtype::of<T>());
}

template <typename T>
void check_array(const py::array& array, const char* name, std::size_t rank) {
  using Element = std::remove_const_t<T>;
  if (!holds<Element>(array)) {
    throw ArgumentError(name, "must be of dtype " + std::string(py::str(py::dtype::of<Element>())),
                        describe(array), ErrorKind::kType);
  }
  if (static_cast<std::size_t>(array.ndim()) != rank) {
    throw ArgumentError(name, "must have " + std::to_string(rank) + " dimensions", describe(array));
  }
  if ((array.flags() & py::array::c_style) == 0) {
    throw ArgumentError(name, "must be C-contiguous",
                        describe(array) + " with strides " + tuple_text(array.strides(), array.ndim()));
  }
  if (reinterpret_cast<std::uintptr_t>(array.data()) % alignof(Element) != 0) {
    throw ArgumentError(name, "must be aligned to its element size", describe(array));
  }
}

template <std::size_t N>
std::array<std::int64_t, N> extents_of(const py::array& array) {
  std::array<std::int64_t, N> extents;
  for (std::size_t k = 0; k < N; ++k) extents[k] = array.shape(static_cast<py::ssize_t>(k));
  return extents;
}

/// A view to read. Take it before the GIL is released; the array must outlive the call.
template <typename T, std::size_t N>
ArrayView<const T, N> input(const py::array& array, const char* name) {
  check_array<T>(array, name, N);
  return {static_cast<const T*>(array.data()), extents_of<N>(array)};
}

/// A view to read, empty where Python passed None.
template <typename T, std::size_t N>
ArrayView<const T, N> optional_input(const std::optional<py::array>& array, const char* name) {
  return array ? input<T, N>(*array, name) : ArrayView<const T, N>();
}

/// A view to write. Take it before the GIL is released; the array must outlive the call.
template <typename T, std::size_t N>
ArrayView<T, N> output(py::array& array, const char* name) {
  check_array<T>(array, name, N);
  if (!array.writeable()) throw ArgumentError(name, "must be writeable", "a read-only array");
  return {static_cast<T*>(array.mutable_data()), extents_of<N>(array)};
}

/// A view to write, empty where Python passed None.
template <typename T, std::size_t N>
ArrayView<T, N> optional_output(std::optional<py::array>& array, const char* name) {
  return array ? output<T, N>(*array, name) : ArrayView<T, N>();
}

}  // namespace tilelab::bindings
