// Vectors as array views, for tests and benchmarks of kernels on flat arrays.
#pragma once

#include <cstdint>
#include <vector>

#include "tilelab/core/array_view.hpp"

namespace tilelab {

template <typename T>
ArrayView<T, 1> view_of(std::vector<T>& values) {
  return {values.data(), {static_cast<std::int64_t>(values.size())}};
}

template <typename T>
ArrayView<const T, 1> view_of(const std::vector<T>& values) {
  return {values.data(), {static_cast<std::int64_t>(values.size())}};
}

}  // namespace tilelab
