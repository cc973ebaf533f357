// The measured right answers below tests/golden. What is missing, or of another type or rank than asked for,
// throws and so fails the test.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tilelab/xtensor.hpp"

namespace tilelab::golden {

/// Content of a file such as "vrs/counts.json".
nlohmann::json json(const std::string& file);

template <typename T>
struct Elements {
  std::vector<std::size_t> shape;
  xt::xtensor<T, 1> values;  ///< in C order
};

/// Elements of a member that has `axes` axes, for the element types that golden.cpp lists.
template <typename T>
Elements<T> elements(const std::string& archive, const std::string& member, std::size_t axes);

/// Member of an archive such as "lum_0" of "vrs/sobel_vote_random.npz".
template <typename T, std::size_t N>
xt::xtensor<T, N> array(const std::string& archive, const std::string& member) {
  const Elements<T> found = elements<T>(archive, member, N);
  std::array<std::size_t, N> shape{};
  std::copy(found.shape.begin(), found.shape.end(), shape.begin());
  auto result = xt::xtensor<T, N>::from_shape(shape);
  std::copy_n(found.values.data(), found.values.size(), result.data());
  return result;
}

/// A member without axes.
template <typename T>
T value(const std::string& archive, const std::string& member) {
  return elements<T>(archive, member, 0).values(0);
}

}  // namespace tilelab::golden
