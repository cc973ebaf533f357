// xtensor's arrays as array views and array views as xtensor's arrays, for programs that keep their pictures
// in xtensor. The only header that includes xtensor, whose headers moved into folders in 0.26.
#pragma once

#if __has_include(<xtensor/containers/xadapt.hpp>)
#include <xtensor/containers/xadapt.hpp>
#include <xtensor/containers/xtensor.hpp>
#else
#include <xtensor/xadapt.hpp>
#include <xtensor/xtensor.hpp>
#endif

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

#include "tilelab/core/array_view.hpp"

namespace tilelab {

/// Containers whose type alone says what an ArrayView needs to know: the number of axes, and C order without
/// gaps. These are xt::xtensor, xt::xtensor_fixed, and what xt::adapt makes of row-major memory with a
/// std::array of extents. Column-major and dynamic layouts, xt::xarray and xtensor's views are none: a
/// program copies those into an xt::xtensor first.
template <typename Array>
concept RowMajorTensor = std::derived_from<Array, xt::xcontainer<std::remove_const_t<Array>>> &&
                         (Array::static_layout == xt::layout_type::row_major) &&
                         (std::tuple_size<typename Array::shape_type>::value >= 1);

/// The elements of `array`, not copied; those of a constant array are constant.
///
/// Precondition (not checked): the view is not used after `array` was resized or its memory is gone.
template <RowMajorTensor Array>
auto view_of(Array& array) {
  using View =
      ArrayView<std::remove_pointer_t<decltype(array.data())>, std::tuple_size_v<typename Array::shape_type>>;
  typename View::Extents extents{};
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    extents[axis] = static_cast<std::int64_t>(array.shape(axis));
  }
  return View(array.data(), extents);
}

/// No view of a temporary, whose memory is gone before the view is used.
template <RowMajorTensor Array>
void view_of(const Array&& array) = delete;

/// The elements of `view` as an array of xtensor, not copied: the way to reductions, slices and arithmetic.
///
/// Precondition (not checked): the memory of the view outlives the result.
template <typename T, std::size_t N>
auto adaptor_of(const ArrayView<T, N>& view) {
  std::array<std::size_t, N> shape{};
  for (std::size_t axis = 0; axis < N; ++axis) shape[axis] = static_cast<std::size_t>(view.extent(axis));
  return xt::adapt(view.data(), static_cast<std::size_t>(view.size()), xt::no_ownership(), shape);
}

/// A copy of the elements of `view`.
template <typename T, std::size_t N>
xt::xtensor<std::remove_const_t<T>, N> tensor_of(const ArrayView<T, N>& view) {
  return adaptor_of(view);
}

}  // namespace tilelab
