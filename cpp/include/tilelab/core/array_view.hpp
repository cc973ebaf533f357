// A view of n-dimensional memory that somebody else owns: pointer, extents and strides counted in elements.
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

  /// Views memory in C order (last index fastest).
  constexpr ArrayView(T* data, const Extents& extents) : data_(data), extents_(extents) {
    std::int64_t step = 1;
    for (std::size_t k = N; k-- > 0;) {
      strides_[k] = step;
      step *= extents[k];
    }
  }

  constexpr ArrayView(T* data, const Extents& extents, const Extents& element_strides)
      : data_(data), extents_(extents), strides_(element_strides) {}

  /// A view of mutable elements is also a view of constant ones.
  constexpr operator ArrayView<const T, N>() const requires(!std::is_const_v<T>) {
    return {data_, extents_, strides_};
  }

  constexpr T* data() const { return data_; }
  constexpr const Extents& extents() const { return extents_; }
  constexpr std::int64_t extent(std::size_t axis) const { return extents_[axis]; }
  constexpr std::int64_t stride(std::size_t axis) const { return strides_[axis]; }

  constexpr std::int64_t size() const {
    std::int64_t product = 1;
    for (const std::int64_t extent : extents_) product *= extent;
    return product;
  }

  constexpr bool is_contiguous() const {
    std::int64_t step = 1;
    for (std::size_t k = N; k-- > 0;) {
      if (extents_[k] != 1 && strides_[k] != step) return false;
      step *= extents_[k];
    }
    return true;
  }

  /// Element at the given indices. Precondition: every index lies inside its extent.
  template <typename... Index>
  constexpr T& operator()(Index... index) const {
    static_assert(sizeof...(Index) == N);
    std::int64_t offset = 0;
    std::size_t axis = 0;
    ((offset += static_cast<std::int64_t>(index) * strides_[axis++]), ...);
    return data_[offset];
  }

 private:
  T* data_ = nullptr;
  Extents extents_{};
  Extents strides_{};
};

}  // namespace tilelab
