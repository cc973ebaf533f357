#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "every_target.hpp"
#include "tilelab/core/array_view.hpp"
#include "tilelab/core/bits.hpp"
#include "tilelab/core/error.hpp"
#include "tilelab/vrs/coarse.hpp"
#include "tilelab/vrs/rate_image.hpp"
#include "tilelab/vrs/shading_rate.hpp"
#include "tilelab/xtensor.hpp"

namespace tilelab::vrs {
namespace {

constexpr Rate kAxisPairs[] = {0, 1, 2, 4, 5, 6, 8, 9, 10};

TEST(ShadingRate, StandsInWithTheLargestFittingRate) {
  const std::uint32_t full = supported_rates(RateProfile::kD3d12, true, 1);
  const std::uint32_t basic = supported_rates(RateProfile::kD3d12, false, 1);
  EXPECT_EQ(sanitize_rate(8, full), 4);    // 4x1 -> 2x1
  EXPECT_EQ(sanitize_rate(2, full), 1);    // 1x4 -> 1x2
  EXPECT_EQ(sanitize_rate(10, basic), 5);  // 4x4 -> 2x2
  EXPECT_EQ(sanitize_rate(10, supported_rates(RateProfile::kD3d12, true, 2)), 6);
  EXPECT_EQ(sanitize_rate(10, supported_rates(RateProfile::kXboxSeries, false, 8)), 5);
  EXPECT_THROW(supported_rates(RateProfile::kD3d12, true, 3), ArgumentError);
}

TEST(ShadingRate, CombinersCommuteWhereTheyShould) {
  for (const Rate a : kAxisPairs) {
    for (const Rate b : kAxisPairs) {
      for (const Combiner combiner : {Combiner::kMin, Combiner::kMax, Combiner::kSum}) {
        EXPECT_EQ(combine(combiner, a, b, 2), combine(combiner, b, a, 2));
      }
      EXPECT_EQ(combine(Combiner::kPassthrough, a, b, 2), a);
      EXPECT_EQ(combine(Combiner::kOverride, a, b, 2), b);
    }
  }
}

TEST(ShadingRate, TableMarksWhatIsNoRate) {
  std::vector<Rate> data(16 * 16 * 16);
  const ArrayView<Rate, 3> table(data.data(), {16, 16, 16});
  CombinerChain chain = {.first = Combiner::kSum,
                         .second = Combiner::kMax,
                         .supported = supported_rates(RateProfile::kD3d12, true, 1),
                         .max_axis_log2 = 2};
  combine_table(chain, table);
  EXPECT_EQ(table(1, 1, 4), 5);  // 1x4 becomes 1x2 before the maximum with 2x1
  chain.sanitize = Sanitize::kFinal;
  combine_table(chain, table);
  EXPECT_EQ(table(1, 1, 4), 6);
  EXPECT_EQ(table(3, 0, 0), kNoRate);
  EXPECT_EQ(table(0, 0, 12), kNoRate);
  EXPECT_THROW(combine_table(chain, ArrayView<Rate, 3>(data.data(), {16, 16, 15})), ArgumentError);
}

// The columns [first, last) of a luminance picture.
xt::xtensor<float, 3> cut_out(const xt::xtensor<float, 3>& lum, std::size_t first, std::size_t last) {
  auto part = xt::xtensor<float, 3>::from_shape({lum.shape(0), last - first, 1});
  for (std::size_t y = 0; y < lum.shape(0); ++y) {
    for (std::size_t x = first; x < last; ++x) part(y, x - first, 0) = lum(y, x, 0);
  }
  return part;
}

xt::xtensor<Rate, 2> rates_of(const xt::xtensor<float, 3>& lum, const RateImageOptions& options,
                              int threads = 1) {
  const auto tile = static_cast<std::size_t>(options.tile);
  auto rates = xt::xtensor<Rate, 2>::from_shape({ceil_div(lum.shape(0), tile), ceil_div(lum.shape(1), tile)});
  rate_image(view_of(lum), options, {}, view_of(rates), {}, threads);
  return rates;
}

TEST(RateImage, GivesTilesOfWidePicturesWhatTheirCutOutsGiveOnEveryTarget) {
  // The goldens know small pictures; wide ones are worked on in strips, and by several threads.
  std::mt19937 random(7);
  std::uniform_real_distribution<float> uniform(0.0f, 1.0f);
  auto lum = xt::xtensor<float, 3>::from_shape({33, 4099, 1});
  for (float& value : lum) value = 0.6f + 0.2f * uniform(random);
  for (const std::size_t x : {5u, 2047u, 2048u, 4098u}) lum(17, x, 0) = std::nanf("");
  for (const std::size_t tile : {8u, 16u, 32u}) {
    const auto size = static_cast<int>(tile);
    const RateImageOptions options = {.tile = size, .vote = size};
    auto wanted = xt::xtensor<Rate, 2>::from_shape(
        {ceil_div(std::size_t{33}, tile), ceil_div(std::size_t{4099}, tile)});
    for (std::size_t column = 0; column < wanted.shape(1); ++column) {
      // A tile sees no further than the tiles beside it.
      const std::size_t before = column == 0 ? 0 : 1;
      const auto part = rates_of(
          cut_out(lum, (column - before) * tile, std::min(lum.shape(1), (column + 2) * tile)), options);
      for (std::size_t row = 0; row < wanted.shape(0); ++row) wanted(row, column) = part(row, before);
    }
    on_every_target([&] {
      for (const int threads : {1, 3}) EXPECT_EQ(rates_of(lum, options, threads), wanted) << "tile " << tile;
    });
  }
}

TEST(RateImage, RefusesWhatDoesNotFit) {
  std::vector<float> pixels(16 * 16 * 2);
  std::vector<Rate> rates(4);
  const ArrayView<Rate, 2> out(rates.data(), {2, 2});
  RateImageOptions options;
  EXPECT_THROW(rate_image(ArrayView<const float, 3>(pixels.data(), {16, 16, 2}), options, {}, out, {}, 1),
               ArgumentError);
  EXPECT_THROW(rate_image(ArrayView<const float, 3>(pixels.data(), {17, 16, 1}), options, {}, out, {}, 1),
               ArgumentError);
  EXPECT_THROW(rate_image(ArrayView<const float, 3>(pixels.data(), {0, 16, 1}), options, {}, out, {}, 1),
               ArgumentError);
  options.tile = 12;
  EXPECT_THROW(rate_image(ArrayView<const float, 3>(pixels.data(), {16, 16, 1}), options, {}, out, {}, 1),
               ArgumentError);
}

TEST(Reproject, RoundsHalvesToEvenAndClamps) {
  const std::array<float, 4> history = {0.0f, 1.0f, 2.0f, 3.0f};
  const std::array<float, 8> motion = {-0.5f, 0.0f, -1.5f, 0.0f, 9.0f, 0.0f, NAN, 0.0f};
  std::array<float, 4> out{};
  std::array<std::uint8_t, 4> no_history{};
  reproject(ArrayView<const float, 2>(history.data(), {1, 4}), {.pixels = {motion.data(), {1, 4, 2}}},
            ArrayView<float, 2>(out.data(), {1, 4}), ArrayView<std::uint8_t, 2>(no_history.data(), {1, 4}),
            1);
  EXPECT_EQ(out, (std::array<float, 4>{0.0f, 3.0f, 0.0f, 3.0f}));
  EXPECT_EQ(no_history, (std::array<std::uint8_t, 4>{0, 0, 1, 1}));
}

TEST(Coarse, CountsPrimitivesAndHelperLanes) {
  // One 8x8 tile at 2x2 with a diagonal edge between two primitives and a hole.
  std::vector<std::int32_t> ids(64);
  for (int y = 0; y < 8; ++y) {
    for (int x = 0; x < 8; ++x) ids[static_cast<std::size_t>(8 * y + x)] = x + y < 8 ? 0 : 1;
  }
  ids[0] = -1;
  const Rate rate = 5;
  std::vector<Rate> final_rates(256, 0);
  for (std::size_t image = 0; image < 16; ++image) final_rates[image] = static_cast<Rate>(image);
  CoarseScene scene = {.height = 8,
                       .width = 8,
                       .primitive_id = {ids.data(), {8, 8}},
                       .rates = {&rate, {1, 1}},
                       .final_rates = {final_rates.data(), {16, 16}}};
  std::int64_t invocations = 0, lanes = 0;
  count_coarse(scene, {&invocations, {1, 1}}, {&lanes, {1, 1}}, 1);
  EXPECT_EQ(invocations, 16 + 4);  // four coarse pixels on the diagonal hold both primitives
  EXPECT_EQ(lanes, 4 * (3 + 3));   // of four groups of 4x4 pixels two hold both primitives

  const auto count = static_cast<std::size_t>(invocations);
  std::vector<double> positions(2 * count);
  std::vector<std::uint16_t> masks(count);
  std::vector<Rate> rates(count);
  std::vector<std::int32_t> primitives(count), pixel_invocation(64);
  std::vector<std::int64_t> sources(count);
  const std::int64_t first = 0;
  scene.location = Location::kCentroid;
  const CoarseRows rows = {.positions = {positions.data(), {invocations, 2}},
                           .masks = {masks.data(), {invocations}},
                           .rates = {rates.data(), {invocations}},
                           .primitives = {primitives.data(), {invocations}},
                           .sources = {sources.data(), {invocations}},
                           .pixel_invocation = {pixel_invocation.data(), {8, 8}}};
  list_coarse(scene, {&first, {1}}, rows, {}, 2);
  EXPECT_EQ(masks[0], 0b0111);
  EXPECT_EQ(positions[0], 1.5);  // the first covered pixel in bit order is the bottom right one
  EXPECT_EQ(positions[1], 1.5);
  EXPECT_EQ(sources[0], 9);
  EXPECT_EQ(pixel_invocation[0], -1);
  EXPECT_EQ(pixel_invocation[9], 0);

  // The image is shown through the invocations; their values can also be given, or averaged from it.
  std::vector<std::uint8_t> image(64), shown(64), again(64), values(count);
  for (std::size_t p = 0; p < 64; ++p) image[p] = static_cast<std::uint8_t>(p + 1);
  const std::uint8_t nothing{0};
  const CoarseImage through = {
      .pixels = {image.data(), {64, 1}}, .nothing = {&nothing, {1}}, .out = {shown.data(), {64, 1}}};
  list_coarse(scene, {&first, {1}}, rows, through, 1);
  EXPECT_EQ(shown[0], nothing);
  EXPECT_EQ(shown[1], image[9]);
  for (std::size_t i = 0; i < count; ++i) values[i] = image[static_cast<std::size_t>(sources[i])];
  broadcast_coarse({values.data(), {invocations, 1}}, {&nothing, {1}}, {pixel_invocation.data(), {64}},
                   {again.data(), {64, 1}}, 2);
  EXPECT_EQ(shown, again);
  std::vector<float> pixels(64);
  for (std::size_t p = 0; p < 64; ++p) pixels[p] = static_cast<float>(p);
  std::vector<double> means(count);
  mean_coarse(ArrayView<const float, 2>(pixels.data(), {64, 1}), {pixel_invocation.data(), {8, 8}},
              {masks.data(), {invocations}}, 8, {means.data(), {invocations, 1}}, 2);
  EXPECT_EQ(means[0], (1.0 + 8.0 + 9.0) / 3.0);

  ids[5] = -2;
  EXPECT_THROW(count_coarse(scene, {&invocations, {1, 1}}, {&lanes, {1, 1}}, 1), ArgumentError);
}

}  // namespace
}  // namespace tilelab::vrs
