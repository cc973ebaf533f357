#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "every_target.hpp"
#include "golden.hpp"
#include "tilelab/core/bits.hpp"
#include "tilelab/lighting/apply.hpp"
#include "tilelab/lighting/records.hpp"
#include "tilelab/lighting/scan.hpp"
#include "tilelab/xtensor.hpp"

namespace tilelab::lighting {
namespace {

constexpr auto kFrames = "lighting/sparse_scan_random.npz";

template <typename T>
ArrayView<const std::uint8_t, 3> bytes_of(const xt::xtensor<T, 3>& image) {
  const auto view = view_of(image);
  return {reinterpret_cast<const std::uint8_t*>(view.data()),
          {view.extent(0), view.extent(1), view.extent(2) * std::int64_t{sizeof(T)}}};
}

struct Frame {
  xt::xtensor<float, 3> gbuffer;
  xt::xtensor<float, 2> depth;
  xt::xtensor<std::uint8_t, 2> valid;
};

Frame frame_of(const std::string& number) {
  return {.gbuffer = golden::array<float, 3>(kFrames, "gbuf_" + number),
          .depth = golden::array<float, 2>(kFrames, "z_" + number),
          .valid = golden::array<bool, 2>(kFrames, "valid_" + number)};
}

struct Scanned {
  std::vector<std::uint32_t> records;
  std::vector<std::int64_t> offsets;
  xt::xtensor<std::uint32_t, 2> counts;
};

Scanned run(std::span<const Channel> channels, const ScanInput& input, const ScanOptions& options,
            int threads) {
  const std::int64_t height = input.depth.extent(0), width = input.depth.extent(1);
  const auto rows = static_cast<std::size_t>(ceil_div(height, kTile));
  const auto columns = static_cast<std::size_t>(ceil_div(width, kTile));
  Scanned out;
  out.records.resize(static_cast<std::size_t>(height * width));
  out.offsets.resize(rows * columns + 1);
  out.counts = xt::xtensor<std::uint32_t, 2>::from_shape({rows, columns});
  const ScanOutput output = {.records = {out.records.data(), {height * width}},
                             .offsets = {out.offsets.data(), {static_cast<std::int64_t>(out.offsets.size())}},
                             .counts = view_of(out.counts)};
  const ScanCounts found = scan(channels, input, options, output, threads);
  out.records.resize(static_cast<std::size_t>(found.records));
  return out;
}

TEST(ScanGoldens, RandomFramesOnEveryTarget) {
  const std::map<std::string, ScanOptions> cases = {
      {"exact", {.depth_delta = std::nullopt}},
      {"exact_z", {}},
      {"exact_first", {.depth_delta = std::nullopt, .policy = Policy::kFirst}},
      {"tol", {}}};
  const auto count = golden::value<std::int64_t>(kFrames, "n");
  for (std::int64_t k = 0; k < count; ++k) {
    const std::string number = std::to_string(k);
    const Frame frame = frame_of(number);
    for (const auto& [name, options] : cases) {
      SCOPED_TRACE(name + " " + number);
      const auto records = golden::array<std::uint32_t, 1>(kFrames, name + "_rec_" + number);
      const xt::xtensor<std::uint32_t, 2> counts =
          golden::array<std::int32_t, 2>(kFrames, name + "_count_" + number);
      const bool tolerance = name == "tol";
      const std::array channels = {Channel{.pixels = bytes_of(frame.gbuffer),
                                           .compare = tolerance ? Compare::kFloat32 : Compare::kBits,
                                           .allowance = tolerance ? 0.025 : 0.0}};
      const ScanInput input = {.depth = view_of(frame.depth), .valid = view_of(frame.valid)};
      on_every_target([&] {
        for (const int threads : {1, 3}) {
          const Scanned result = run(channels, input, options, threads);
          EXPECT_EQ(result.records, std::vector<std::uint32_t>(records.begin(), records.end()));
          EXPECT_EQ(result.counts, counts);
        }
      });
    }
  }
}

TEST(ApplyGoldens, LightingOfTheRecordsIsLightingOfEveryPixel) {
  const auto count = golden::value<std::int64_t>(kFrames, "n");
  for (std::int64_t k = 0; k < count; ++k) {
    const std::string number = std::to_string(k);
    const Frame frame = frame_of(number);
    const std::array channels = {Channel{.pixels = bytes_of(frame.gbuffer)}};
    const Scanned tiles =
        run(channels, {.depth = view_of(frame.depth), .valid = view_of(frame.valid)}, {}, 1);
    const auto records = static_cast<std::int64_t>(tiles.records.size());
    const RecordList list = {
        .records = {tiles.records.data(), {records}},
        .offsets = {tiles.offsets.data(), {static_cast<std::int64_t>(tiles.offsets.size())}},
        .height = view_of(frame.depth).extent(0),
        .width = view_of(frame.depth).extent(1)};
    using Texel = std::array<float, 4>;
    std::vector<Texel> texels(tiles.records.size());
    gather_pixels(list, bytes_of(frame.gbuffer),
                  {reinterpret_cast<std::uint8_t*>(texels.data()), {records, sizeof(Texel)}}, 2);
    std::vector<float> lit;
    for (const Texel& g : texels) lit.push_back(((g[0] * g[1]) + (g[2] * 2.0f)) * 0.5f + g[3]);
    auto wanted = golden::array<float, 2>(kFrames, "lit_" + number);
    xt::xtensor<float, 2> filled(wanted.shape(), 0.0f);
    for (std::size_t pixel = 0; pixel < wanted.size(); ++pixel) {
      if (frame.valid.flat(pixel) == 0) wanted.flat(pixel) = 0.0f;
    }
    fill_pixels(list, {reinterpret_cast<const std::uint8_t*>(lit.data()), {records, sizeof(float)}},
                {reinterpret_cast<std::uint8_t*>(filled.data()), {list.height, list.width, sizeof(float)}},
                2);
    EXPECT_EQ(filled, wanted) << number;
  }
}

// Scans a picture of ids, every pixel at the same depth.
Scanned scan_ids(const xt::xtensor<std::uint32_t, 3>& ids, float depth, Policy policy = Policy::kChecker) {
  const xt::xtensor<float, 2> depths({ids.shape(0), ids.shape(1)}, depth);
  const std::array channels = {Channel{.pixels = bytes_of(ids)}};
  return run(channels, {.depth = view_of(depths)}, {.policy = policy}, 1);
}

TEST(ScanGoldens, AllPartitionsOfAQuadOnEveryTarget) {
  const auto partitions = golden::json("lighting/quad_partitions.json").at("partitions");
  EXPECT_EQ(partitions.size(), 15u);
  for (const auto& partition : partitions) {
    const auto labels = partition.at("labels_p00_p10_p01_p11").get<std::vector<std::uint32_t>>();
    auto ids = xt::xtensor<std::uint32_t, 3>::from_shape({2, 2, 1});
    std::copy(labels.begin(), labels.end(), ids.begin());
    for (const auto& [name, policy] : {std::pair{"checker", Policy::kChecker}, {"first", Policy::kFirst}}) {
      const auto wanted = partition.at("records").at(name).get<std::vector<std::array<std::uint32_t, 3>>>();
      on_every_target([&, policy = policy] {
        std::vector<std::array<std::uint32_t, 3>> fields;
        for (const std::uint32_t word : scan_ids(ids, 0.0f, policy).records) {
          fields.push_back({word & kCoordinateMask, word >> kYShift & kCoordinateMask,
                            word >> kCopyShift & (kCopyX | kCopyY | kCopyXY)});
        }
        EXPECT_EQ(fields, wanted);
      });
    }
  }
}

TEST(ScanGoldens, TilesOfOneRateOnEveryTarget) {
  const std::map<char, std::uint32_t> step = {{'1', 1}, {'2', 2}};
  for (const auto& answer : golden::json("lighting/uniform_tiles.json")) {
    const auto rate = answer.at("rate").get<std::string>();
    SCOPED_TRACE(rate);
    auto ids = xt::xtensor<std::uint32_t, 3>::from_shape({16, 16, 1});
    for (std::uint32_t y = 0; y < 16; ++y) {
      for (std::uint32_t x = 0; x < 16; ++x) ids(y, x, 0) = y / step.at(rate[2]) * 16 + x / step.at(rate[0]);
    }
    on_every_target([&] {
      const Scanned tile = scan_ids(ids, 0.5f);
      EXPECT_EQ(tile.counts(0, 0), answer.at("count").get<std::uint32_t>());
      std::vector<std::string> kept(4, std::string(16, '0'));
      for (const std::uint32_t word : tile.records) {
        const std::uint32_t y = word >> kYShift & kCoordinateMask;
        if (y < kept.size()) kept[y][word & kCoordinateMask] = '1';
      }
      EXPECT_EQ(kept, answer.at("kept_mask_rows").get<std::vector<std::string>>());
      for (std::size_t i = 0; i < 8; ++i) {
        EXPECT_EQ(tile.records.at(i),
                  std::stoul(answer.at("first_8_words").at(i).get<std::string>(), nullptr, 16));
      }
    });
  }
}

TEST(RecordGoldens, PackingAndDepths) {
  const auto packing = golden::json("lighting/packing.json");
  for (const auto& row : packing.at("rows")) {
    const std::uint8_t x = row.at("x"), y = row.at("y"), copies = row.at("copy");
    const float depth = row.at("depth");
    for (const auto& [name, encoding] :
         {std::pair{std::string("unorm21"), DepthEncoding::kUnorm21}, {"float21", DepthEncoding::kFloat21}}) {
      std::uint32_t word = 0;
      pack_records({.x = {&x, {1}}, .y = {&y, {1}}, .copies = {&copies, {1}}, .depth = {&depth, {1}}},
                   encoding, {&word, {1}});
      EXPECT_EQ(word, std::stoul(row.at("word_" + name).get<std::string>(), nullptr, 16));
      EXPECT_EQ(word >> kDepthShift, row.at(name).get<std::uint32_t>());
      float decoded = -1.0f;
      decode_depths({&word, {1}}, encoding, {&decoded, {1}}, 1);
      EXPECT_EQ(decoded, row.at("decoded_" + name).get<float>());
    }
  }
}

}  // namespace
}  // namespace tilelab::lighting
