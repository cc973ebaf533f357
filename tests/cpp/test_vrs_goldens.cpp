#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "every_target.hpp"
#include "golden.hpp"
#include "tilelab/core/bits.hpp"
#include "tilelab/vrs/coarse.hpp"
#include "tilelab/vrs/rate_image.hpp"
#include "tilelab/vrs/shading_rate.hpp"
#include "tilelab/xtensor.hpp"

namespace tilelab::vrs {
namespace {

constexpr Combiner kCombiners[] = {Combiner::kPassthrough, Combiner::kOverride, Combiner::kMin,
                                   Combiner::kMax, Combiner::kSum};

CombinerChain chain_of(Combiner first, Combiner second, Sanitize sanitize, bool additional_rates = true,
                       int sample_count = 1) {
  return {.first = first,
          .second = second,
          .sanitize = sanitize,
          .supported = supported_rates(RateProfile::kD3d12, additional_rates, sample_count),
          .max_axis_log2 = additional_rates ? 2 : 1};
}

xt::xtensor<Rate, 3> table_of(const CombinerChain& chain) {
  auto table = xt::xtensor<Rate, 3>::from_shape({16, 16, 16});
  combine_table(chain, view_of(table));
  return table;
}

TEST(ShadingRateGoldens, TruthTablesOfEveryCap) {
  const auto truth = golden::json("vrs/combiner_truth.json");
  const auto codes = truth.at("codes").get<std::vector<Rate>>();
  for (const auto& caps : truth.at("caps")) {
    const bool additional = caps.at("additional_rates");
    const int samples = caps.at("msaa");
    const auto delivered = caps.at("supported").get<std::set<Rate>>();
    const std::uint32_t supported = supported_rates(RateProfile::kD3d12, additional, samples);
    for (Rate code = 0; code < kRateCodes; ++code) {
      EXPECT_EQ((supported >> code & 1u) != 0, delivered.contains(code)) << int{code};
    }
    for (const Rate code : codes) {
      EXPECT_EQ(sanitize_rate(code, supported), caps.at("sanitize").at(std::to_string(code)).get<Rate>());
    }
    for (const auto& [name, table] : caps.at("table").items()) {
      const auto combiner = static_cast<Combiner>(truth.at("ops").at(name).get<int>());
      const CombinerChain chain =
          chain_of(combiner, Combiner::kPassthrough, Sanitize::kEach, additional, samples);
      for (std::size_t a = 0; a < codes.size(); ++a) {
        for (std::size_t b = 0; b < codes.size(); ++b) {
          EXPECT_EQ(combine_chain(chain, codes[a], codes[b], kRate1x1), table[a][b].get<Rate>()) << name;
        }
      }
    }
  }
}

TEST(ShadingRateGoldens, RandomChains) {
  const auto chains = golden::json("vrs/combiner_chain.json");
  for (const auto& row : chains.at("random")) {
    const auto first = static_cast<Combiner>(row.at("ops")[0].get<int>());
    const auto second = static_cast<Combiner>(row.at("ops")[1].get<int>());
    for (const auto& [sanitize, key] :
         {std::pair{Sanitize::kEach, "d3d12"}, {Sanitize::kFinal, "final_clamp_only"}}) {
      const CombinerChain chain = chain_of(first, second, sanitize, row.at("additional"));
      EXPECT_EQ(combine_chain(chain, row.at("draw"), row.at("prim"), row.at("image")),
                row.at(key).get<Rate>());
    }
  }
}

TEST(ShadingRateGoldens, CombinersOfTheMeasuredGpu) {
  const auto measured = golden::array<Rate, 5>("gpu/vrs/combiners.npz", "rate");
  const auto codes = golden::array<Rate, 1>("gpu/vrs/combiners.npz", "rate_codes");
  std::size_t compared = 0;
  for (std::size_t first = 0; first < 5; ++first) {
    for (std::size_t second = 0; second < 5; ++second) {
      const auto table = table_of(chain_of(kCombiners[first], kCombiners[second], Sanitize::kOutputs));
      for (std::size_t a = 0; a < codes.size(); ++a) {
        for (std::size_t b = 0; b < codes.size(); ++b) {
          for (std::size_t t = 0; t < codes.size(); ++t, ++compared) {
            EXPECT_EQ(table(codes(a), codes(b), codes(t)), measured(first, second, a, b, t));
          }
        }
      }
    }
  }
  EXPECT_EQ(compared, 18'225u);
}

struct Rated {
  xt::xtensor<Rate, 2> rates;
  xt::xtensor<std::int32_t, 3> votes;
};

Rated rate(const xt::xtensor<float, 2>& lum, const RateImageOptions& options, int threads) {
  const auto tile = static_cast<std::size_t>(options.tile);
  const std::size_t rows = ceil_div(lum.shape(0), tile), columns = ceil_div(lum.shape(1), tile);
  Rated result = {.rates = xt::xtensor<Rate, 2>::from_shape({rows, columns}),
                  .votes = xt::xtensor<std::int32_t, 3>::from_shape({rows, columns, 2})};
  const auto picture = view_of(lum);
  rate_image(ArrayView<const float, 3>(picture.data(), {picture.extent(0), picture.extent(1), 1}), options,
             {}, view_of(result.rates), view_of(result.votes), threads);
  return result;
}

TEST(RateImageGoldens, RandomPicturesOnEveryTarget) {
  const std::string archive = "vrs/sobel_vote_random.npz";
  const auto count = golden::value<std::int64_t>(archive, "n");
  for (std::int64_t k = 0; k < count; ++k) {
    const std::string number = std::to_string(k);
    SCOPED_TRACE(number);
    const auto lum = golden::array<float, 2>(archive, "lum_" + number);
    const auto parameters = golden::array<double, 1>(archive, "param_" + number);
    const auto rates = golden::array<Rate, 2>(archive, "rate_" + number);
    const auto votes = golden::array<std::int32_t, 3>(archive, "count_" + number);
    const RateImageOptions options = {.tile = static_cast<int>(parameters(0)),
                                      .threshold = static_cast<float>(parameters(1)),
                                      .env_luma = static_cast<float>(parameters(2)),
                                      .vote = static_cast<std::int64_t>(parameters(3))};
    on_every_target([&] {
      for (const int threads : {1, 3}) {
        const Rated result = rate(lum, options, threads);
        EXPECT_EQ(result.rates, rates);
        EXPECT_EQ(result.votes, votes);
      }
    });
  }
}

std::optional<float> optional_number(const nlohmann::json& value) {
  return value.is_null() ? std::nullopt : std::optional<float>(value.get<float>());
}

template <typename T>
xt::xtensor<T, 2> table(const nlohmann::json& rows) {
  auto result = xt::xtensor<T, 2>::from_shape({rows.size(), rows.at(0).size()});
  for (std::size_t y = 0; y < rows.size(); ++y) {
    for (std::size_t x = 0; x < rows.at(y).size(); ++x) result(y, x) = rows.at(y).at(x).get<T>();
  }
  return result;
}

TEST(RateImageGoldens, NamedTilesOnEveryTarget) {
  for (const auto& row : golden::json("vrs/tile_vote_cases.json")) {
    SCOPED_TRACE(row.at("name").get<std::string>());
    const auto lum = table<float>(row.at("lum"));
    const RateImageOptions options = {.tile = row.at("tile"),
                                      .threshold = row.at("tau"),
                                      .env_luma = row.at("env"),
                                      .vote = row.at("vote").get<std::int64_t>(),
                                      .lum_lo = optional_number(row.at("lum_lo")),
                                      .lum_hi = optional_number(row.at("lum_hi"))};
    on_every_target([&] {
      const Rated result = rate(lum, options, 1);
      EXPECT_EQ(result.rates, table<Rate>(row.at("rate")));
      for (std::size_t y = 0; y < result.votes.shape(0); ++y) {
        for (std::size_t x = 0; x < result.votes.shape(1); ++x) {
          const auto& votes = row.at("fine_count_xy").at(y).at(x);
          EXPECT_EQ(result.votes(y, x, 0), votes.at(0).get<int>());
          EXPECT_EQ(result.votes(y, x, 1), votes.at(1).get<int>());
        }
      }
    });
  }
}

// A rate image decides alone, as by default: the draw is 1x1 and the second combiner overrides.
xt::xtensor<Rate, 3> image_decides() {
  return table_of(chain_of(Combiner::kPassthrough, Combiner::kOverride, Sanitize::kEach));
}

TEST(CoarseGoldens, InvocationsOfRandomPictures) {
  const std::string archive = "vrs/coarse_invocations.npz";
  const auto final_rates = image_decides();
  const auto count = golden::value<std::int64_t>(archive, "n");
  for (std::int64_t k = 0; k < count; ++k) {
    const std::string number = std::to_string(k);
    SCOPED_TRACE(number);
    const auto primitives = golden::array<std::int32_t, 2>(archive, "prim_" + number);
    const auto rates = golden::array<Rate, 2>(archive, "rate_" + number);
    const auto plane = golden::array<double, 2>(archive, "coef_" + number);
    const CoarseScene scene = {
        .height = view_of(primitives).extent(0),
        .width = view_of(primitives).extent(1),
        .tile = static_cast<int>(golden::value<std::int64_t>(archive, "tile_" + number)),
        .primitive_id = view_of(primitives),
        .rates = view_of(rates),
        .final_rates = {final_rates.data(), {16, 16}}};
    xt::xtensor<std::int64_t, 2> invocations(rates.shape()), lanes(rates.shape());
    count_coarse(scene, view_of(invocations), view_of(lanes), 2);
    EXPECT_EQ(invocations, (golden::array<std::int64_t, 2>(archive, "inv_" + number)));
    EXPECT_EQ(lanes, (golden::array<std::int64_t, 2>(archive, "lanes_" + number)));

    auto first = xt::xtensor<std::int64_t, 1>::from_shape({invocations.size()});
    std::size_t total = 0;
    for (std::size_t tile = 0; tile < first.size(); ++tile) {
      first(tile) = static_cast<std::int64_t>(total);
      total += static_cast<std::size_t>(invocations.flat(tile));
    }
    auto positions = xt::xtensor<double, 2>::from_shape({total, 2});
    auto masks = xt::xtensor<std::uint16_t, 1>::from_shape({total});
    auto shaded_rates = xt::xtensor<Rate, 1>::from_shape({total});
    auto shaded_primitives = xt::xtensor<std::int32_t, 1>::from_shape({total});
    xt::xtensor<std::int32_t, 2> pixel_invocation(primitives.shape());
    list_coarse(scene, view_of(first),
                {.positions = view_of(positions),
                 .masks = view_of(masks),
                 .rates = view_of(shaded_rates),
                 .primitives = view_of(shaded_primitives),
                 .pixel_invocation = view_of(pixel_invocation)},
                {}, 2);
    const auto wanted = golden::array<double, 2>(archive, "out_" + number);
    for (std::size_t pixel = 0; pixel < wanted.size(); ++pixel) {
      const std::int32_t row = pixel_invocation.flat(pixel);
      if (row < 0) {
        EXPECT_TRUE(std::isnan(wanted.flat(pixel)));
        continue;
      }
      const auto i = static_cast<std::size_t>(row), p = static_cast<std::size_t>(shaded_primitives(i));
      EXPECT_EQ(plane(p, 0) * positions(i, 0) + plane(p, 1) * positions(i, 1) + plane(p, 2),
                wanted.flat(pixel));
    }
  }
}

TEST(CoarseGoldens, InvocationsOfWholeTilesAndQuads) {
  const auto counts = golden::json("vrs/counts.json");
  const auto final_rates = image_decides();
  const auto count = [&](Rate rate, const xt::xtensor<std::int32_t, 2>& primitives) {
    std::int64_t invocations = 0, lanes = 0;
    count_coarse({.height = view_of(primitives).extent(0),
                  .width = view_of(primitives).extent(1),
                  .primitive_id = view_of(primitives),
                  .rates = {&rate, {1, 1}},
                  .final_rates = {final_rates.data(), {16, 16}}},
                 {&invocations, {1, 1}}, {&lanes, {1, 1}}, 1);
    return invocations;
  };
  const std::map<char, int> log2 = {{'1', 0}, {'2', 1}, {'4', 2}};
  for (const auto& [name, wanted] : counts.at("per_tile_8x8").items()) {
    const auto code = static_cast<Rate>(log2.at(name[0]) << 2 | log2.at(name[2]));
    EXPECT_EQ(count(code, xt::xtensor<std::int32_t, 2>({8, 8}, 0)), wanted.get<std::int64_t>()) << name;
  }
  for (const auto& row : counts.at("quad")) {
    xt::xtensor<std::int32_t, 2> primitives({2, 2}, 0);
    const int distinct = row.at("distinct_prims_in_2x2_pixel_block");
    for (int i = 0; i < 4; ++i) primitives.flat(static_cast<std::size_t>(i)) = std::min(i, distinct - 1);
    EXPECT_EQ(count(5, primitives), row.at("invocations_at_2x2").get<std::int64_t>());
  }
}

}  // namespace
}  // namespace tilelab::vrs
