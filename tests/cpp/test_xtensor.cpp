#include "tilelab/xtensor.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#if __has_include(<xtensor/views/xview.hpp>)
#include <xtensor/views/xview.hpp>
#else
#include <xtensor/xview.hpp>
#endif

namespace tilelab {
namespace {

template <typename Array>
constexpr bool kGivesAView = requires(Array& array) {
  view_of(array);
};
template <typename Array>
constexpr bool kTemporaryGivesAView = requires(Array&& array) {
  view_of(std::forward<Array>(array));
};

TEST(Xtensor, ViewOfAnArrayIsItsMemory) {
  xt::xtensor<float, 3> array = {{{1, 2, 3}, {4, 5, 6}}};
  const auto view = view_of(array);
  static_assert(std::is_same_v<decltype(view), const ArrayView<float, 3>>);
  EXPECT_EQ(view.data(), array.data());
  EXPECT_EQ(view.extents(), (std::array<std::int64_t, 3>{1, 2, 3}));
  view(0, 1, 2) = 7;
  EXPECT_EQ(array(0, 1, 2), 7);

  const xt::xtensor<float, 3>& constant = array;
  static_assert(std::is_same_v<decltype(view_of(constant)), ArrayView<const float, 3>>);
  EXPECT_EQ(view_of(constant)(0, 1, 2), 7);
  const xt::xtensor<float, 2> empty = xt::xtensor<float, 2>::from_shape({0, 5});
  EXPECT_EQ(view_of(empty).extents(), (std::array<std::int64_t, 2>{0, 5}));
}

TEST(Xtensor, ViewOfAdaptedMemoryIsThatMemory) {
  std::vector<std::uint16_t> memory = {1, 2, 3, 4, 5, 6};
  const std::array<std::size_t, 2> shape = {2, 3};
  auto adapted = xt::adapt(memory.data(), memory.size(), xt::no_ownership(), shape);
  EXPECT_EQ(view_of(adapted).data(), memory.data());
  EXPECT_EQ(view_of(adapted)(1, 0), 4);
  const std::uint16_t* constant = memory.data();
  const auto read_only = xt::adapt(constant, memory.size(), xt::no_ownership(), shape);
  static_assert(std::is_same_v<decltype(view_of(read_only)), ArrayView<const std::uint16_t, 2>>);
  xt::xtensor_fixed<int, xt::xshape<2, 2>> fixed = {{1, 2}, {3, 4}};
  EXPECT_EQ(view_of(fixed)(1, 0), 3);
}

TEST(Xtensor, OnlyGaplessRowMajorArraysGiveViews) {
  using Array = xt::xtensor<float, 2>;
  static_assert(kGivesAView<Array> && kGivesAView<const Array>);
  static_assert(!kTemporaryGivesAView<Array> && !kTemporaryGivesAView<const Array>);
  static_assert(!kGivesAView<xt::xtensor<float, 2, xt::layout_type::column_major>>);
  static_assert(!kGivesAView<xt::xtensor<float, 2, xt::layout_type::dynamic>>);
  static_assert(!kGivesAView<xt::xtensor<float, 0>>);
  static_assert(!kGivesAView<xt::xarray<float>>);
  Array array = {{1, 2}, {3, 4}};
  auto column = xt::view(array, xt::all(), 1);
  auto row = xt::view(array, 1);  // gapless, but data() is the beginning of `array`
  auto sum = array + array;
  static_assert(!kGivesAView<decltype(column)> && !kGivesAView<decltype(row)> && !kGivesAView<decltype(sum)>);
  const std::array<std::size_t, 2> shape = {2, 1}, strides = {2, 1};
  auto strided = xt::adapt(array.data(), 2, xt::no_ownership(), shape, strides);
  static_assert(!kGivesAView<decltype(strided)>);
}

TEST(Xtensor, ViewsBecomeArrays) {
  std::vector<int> memory = {1, 2, 3, 4, 5, 6};
  const ArrayView<int, 2> view(memory.data(), {3, 2});
  auto adaptor = adaptor_of(view);
  EXPECT_EQ(adaptor, (xt::xtensor<int, 2>{{1, 2}, {3, 4}, {5, 6}}));
  adaptor(2, 0) = 50;
  EXPECT_EQ(memory[4], 50);
  EXPECT_EQ(view_of(adaptor).data(), memory.data());

  const ArrayView<const int, 2> constant = view;
  const auto copy = tensor_of(constant);
  static_assert(std::is_same_v<decltype(copy), const xt::xtensor<int, 2>>);
  memory[0] = 10;
  EXPECT_EQ(adaptor_of(constant)(0, 0), 10);
  EXPECT_EQ(copy(0, 0), 1);
  EXPECT_EQ(adaptor_of(ArrayView<int, 2>()).size(), 0u);
}

}  // namespace
}  // namespace tilelab
