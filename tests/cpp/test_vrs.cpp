#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "core/xtensor.hpp"
#include "tilelab/core/array_view.hpp"
#include "tilelab/core/error.hpp"
#include "tilelab/core/targets.hpp"
#include "tilelab/vrs/coarse.hpp"
#include "tilelab/vrs/rate_image.hpp"
#include "tilelab/vrs/shading_rate.hpp"

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

// The rule of rate_image.hpp on a luminance picture, written with xtensor.
xt::xtensor<std::uint8_t, 2> plain_rates(const xt::xtensor<float, 2>& lum, const RateImageOptions& options) {
  const auto height = static_cast<std::int64_t>(lum.shape(0)),
             width = static_cast<std::int64_t>(lum.shape(1));
  const auto at = [&](std::int64_t y, std::int64_t x) {
    return lum(std::clamp<std::int64_t>(y, 0, height - 1), std::clamp<std::int64_t>(x, 0, width - 1));
  };
  const std::int64_t vote = std::get<std::int64_t>(options.vote);
  const std::int64_t tile = options.tile, rows = (height + tile - 1) / tile,
                     columns = (width + tile - 1) / tile;
  xt::xtensor<std::uint8_t, 2> rates = xt::zeros<std::uint8_t>({rows, columns});
  for (std::int64_t ty = 0; ty < rows; ++ty) {
    for (std::int64_t tx = 0; tx < columns; ++tx) {
      int fine_x = 0, fine_y = 0;
      for (std::int64_t y = ty * tile; y < std::min(height, (ty + 1) * tile); ++y) {
        for (std::int64_t x = tx * tile; x < std::min(width, (tx + 1) * tile); ++x) {
          const auto column = [&](std::int64_t d) {
            return (at(y - 1, x + d) + 2.0f * at(y, x + d)) + at(y + 1, x + d);
          };
          const auto row = [&](std::int64_t d) {
            return (at(y + d, x - 1) + 2.0f * at(y + d, x)) + at(y + d, x + 1);
          };
          const float limit = options.threshold * (lum(y, x) + options.env_luma);
          fine_x += !(std::abs((column(1) - column(-1)) * 0.125f) <= limit);
          fine_y += !(std::abs((row(1) - row(-1)) * 0.125f) <= limit);
        }
      }
      rates(ty, tx) = static_cast<std::uint8_t>((fine_x <= vote ? 4 : 0) | (fine_y <= vote ? 1 : 0));
    }
  }
  return rates;
}

TEST(RateImage, EqualsThePlainRuleOnEveryTarget) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> uniform(0.0f, 1.0f);
  for (const auto& [height, width] : {std::array{1, 1}, {1, 33}, {40, 1}, {17, 130}, {33, 4099}}) {
    xt::xtensor<float, 2> lum = xt::zeros<float>({height, width});
    for (float& value : lum) value = 0.6f + 0.2f * uniform(random);
    if (lum.size() > 100) lum(0, 5) = std::nanf("");
    for (const int tile : {8, 16, 32}) {
      const RateImageOptions options = {.tile = tile, .vote = tile};
      const auto wanted = plain_rates(lum, options);
      for (const std::string& target : supported_targets()) {
        force_target(target);
        for (const int threads : {1, 3}) {
          xt::xtensor<std::uint8_t, 2> rates = xt::zeros<std::uint8_t>(wanted.shape());
          rate_image(ArrayView<const float, 3>(lum.data(), {height, width, 1}), options, {},
                     ArrayView<Rate, 2>(rates.data(), {static_cast<std::int64_t>(rates.shape(0)),
                                                       static_cast<std::int64_t>(rates.shape(1))}),
                     {}, threads);
          EXPECT_TRUE(rates == wanted) << target << " tile " << tile << " size " << height << "x" << width;
        }
      }
      force_target("");
    }
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
