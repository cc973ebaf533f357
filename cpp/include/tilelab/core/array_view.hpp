// A view of n-dimensional memory that somebody else owns: pointer and extents, always in C order (last index
// fastest) without gaps. There is no strided view: what is not contiguous is copied before it gets here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tilelab {

template <typename T, std::size_t N>
class ArrayView {
  static_assert(N >= 1);

 public:
  using Extents = std::array<std::int64_t, N>;

  constexpr ArrayView() = default;

  /// Precondition: `data` points to the product of `extents` elements, or that product is 0.
  constexpr ArrayView(T* data, const Extents& extents) : data_(data), extents_(extents) {}

  /// A view of mutable elements is also a view of constant ones.
  constexpr operator ArrayView<const T, N>() const requires(!std::is_const_v<T>) { return {data_, extents_}; }

  constexpr T* data() const { return data_; }
  constexpr const Extents& extents() const { return extents_; }
  constexpr std::int64_t extent(std::size_t axis) const { return extents_[axis]; }

  constexpr std::int64_t size() const {
    std::int64_t product = 1;
    for (const std::int64_t extent : extents_) product *= extent;
    return product;
  }

  /// Element at the given indices.
  /// Precondition: every index lies inside its extent.
  template <typename... Index>
  constexpr T& operator()(Index... index) const {
    static_assert(sizeof...(Index) == N);
    std::int64_t offset = 0;
    std::size_t axis = 0;
    ((offset = offset * extents_[axis++] + static_cast<std::int64_t>(index)), ...);
    return data_[offset];
  }

 private:
  T* data_ = nullptr;
  Extents extents_{};
};

}  // namespace tilelab
