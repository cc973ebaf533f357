#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lighting/quad_table.hpp"
#include "tilelab/core/bits.hpp"
#include "tilelab/core/error.hpp"
#include "tilelab/core/targets.hpp"
#include "tilelab/lighting/apply.hpp"
#include "tilelab/lighting/fast_paths.hpp"
#include "tilelab/lighting/records.hpp"
#include "tilelab/lighting/scan.hpp"

namespace tilelab::lighting {
namespace {

TEST(Records, DepthCodesAreRoundedHalfUp) {
  EXPECT_EQ(encode_depth(0.0f, DepthEncoding::kUnorm21), 0u);
  EXPECT_EQ(encode_depth(0.5f, DepthEncoding::kUnorm21), 1048576u);
  EXPECT_EQ(encode_depth(1.0f, DepthEncoding::kUnorm21), 2097151u);
  EXPECT_EQ(encode_depth(1.0f, DepthEncoding::kFloat21), 1040384u);
  for (std::uint32_t code = 0; code <= 2097151u; code += 4099) {
    const float depth = decode_depth(code, DepthEncoding::kUnorm21);
    EXPECT_EQ(encode_depth(depth, DepthEncoding::kUnorm21), code);
  }
}

TEST(Records, ClampTakesNanAndMinusZeroToZero) {
  EXPECT_EQ(clamp_depth(std::bit_cast<float>(0x7FC00000u)), 0.0f);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(clamp_depth(-0.0f)), 0u);
  EXPECT_EQ(clamp_depth(-1.0f), 0.0f);
  EXPECT_EQ(clamp_depth(std::bit_cast<float>(0x7F800000u)), 1.0f);
}

TEST(QuadTable, EveryValidPixelIsLitOrCopiedOnce) {
  for (const Policy policy : {Policy::kChecker, Policy::kFirst}) {
    const QuadTable table = make_quad_table(policy);
    const auto& visit = kVisitingOrder[static_cast<std::size_t>(policy)];
    for (std::size_t state = 0; state < kQuadStates; ++state) {
      std::array<int, 4> written{};
      for (unsigned k = 0; k < 4; ++k) {
        if ((table.leaders[state] >> k & 1) == 0) {
          EXPECT_EQ(table.flags[state][k], 0u);
          continue;
        }
        const std::uint32_t copies = table.flags[state][k] >> kCopyShift;
        ++written[visit[k]];
        if ((copies & kCopyX) != 0) ++written[visit[k] ^ 1];
        if ((copies & kCopyY) != 0) ++written[visit[k] ^ 2];
        if ((copies & kCopyXY) != 0) ++written[visit[k] ^ 3];
      }
      for (unsigned pixel = 0; pixel < 4; ++pixel)
        EXPECT_EQ(written[pixel], pixel_valid(state, pixel) ? 1 : 0);
    }
  }
}

TEST(Records, FieldsStandWhereTheHeaderSays) {
  const std::array<std::uint8_t, 2> x{5, 15}, y{9, 0}, copies{kCopyX | kCopyY, kCopyXY};
  const std::array<float, 2> depth{0.5f, 2.0f};
  const RecordFields fields = {.x = {x.data(), {2}},
                               .y = {y.data(), {2}},
                               .copies = {copies.data(), {2}},
                               .depth = {depth.data(), {2}}};
  std::array<std::uint32_t, 2> records{};
  pack_records(fields, DepthEncoding::kUnorm21, {records.data(), {2}});
  EXPECT_EQ(records, (std::array<std::uint32_t, 2>{0x80000395u, 0xFFFFFC0Fu}));
  EXPECT_THROW(pack_records(fields, DepthEncoding::kUnorm21, {records.data(), {1}}), ArgumentError);
}

struct Image {
  std::int64_t height, width;
  std::vector<std::uint8_t> ids;
  std::vector<float> depth;
};

Image stripes(std::int64_t height, std::int64_t width) {
  Image image{.height = height, .width = width, .ids = {}, .depth = {}};
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      image.ids.push_back(static_cast<std::uint8_t>(x / 3 + y / 5 * 7));
      image.depth.push_back(0.5f);
    }
  }
  return image;
}

/// What a scan wrote.
struct Scanned {
  std::vector<std::uint32_t> records, counts;
  std::vector<std::int64_t> offsets;
  std::int64_t height, width;

  RecordList list() const {
    return {.records = {records.data(), {static_cast<std::int64_t>(records.size())}},
            .offsets = {offsets.data(), {static_cast<std::int64_t>(offsets.size())}},
            .height = height,
            .width = width};
  }
};

Scanned run(const Channel& channel, const ScanInput& input, const ScanOptions& options, int threads) {
  const std::int64_t height = input.depth.extent(0), width = input.depth.extent(1);
  const std::int64_t rows = ceil_div(height, kTile), columns = ceil_div(width, kTile);
  Scanned out{.records = std::vector<std::uint32_t>(static_cast<std::size_t>(height * width)),
              .counts = std::vector<std::uint32_t>(static_cast<std::size_t>(rows * columns)),
              .offsets = std::vector<std::int64_t>(static_cast<std::size_t>(rows * columns + 1)),
              .height = height,
              .width = width};
  const ScanOutput output = {.records = {out.records.data(), {height * width}},
                             .offsets = {out.offsets.data(), {rows * columns + 1}},
                             .counts = {out.counts.data(), {rows, columns}}};
  const ScanCounts met = scan({&channel, 1}, input, options, output, threads);
  out.records.resize(static_cast<std::size_t>(met.records));
  return out;
}

Scanned run(const Image& image, int threads) {
  return run({.pixels = {image.ids.data(), {image.height, image.width, 1}}},
             {.depth = {image.depth.data(), {image.height, image.width}}}, {}, threads);
}

TEST(Scan, GivesTheSameForAllTargetsAndThreadsAndFillsTheImageAgain) {
  for (const auto& [height, width] : {std::pair{1, 1}, {16, 64}, {33, 130}, {50, 17}}) {
    const Image image = stripes(height, width);
    const Scanned first = run(image, 1);
    for (const std::string& target : supported_targets()) {
      force_target(target);
      for (int threads = 1; threads <= 4; ++threads) {
        const Scanned other = run(image, threads);
        EXPECT_EQ(other.records, first.records) << target;
        EXPECT_EQ(other.offsets, first.offsets) << target;
      }
    }
    force_target("");
    const RecordList list = first.list();
    const std::int64_t count = list.records.size();
    check_records(list);
    std::vector<std::uint8_t> values(first.records.size()), filled(image.ids.size(), 255);
    gather_pixels(list, {image.ids.data(), {height, width, 1}}, {values.data(), {count, 1}}, 2);
    fill_pixels(list, {values.data(), {count, 1}}, {filled.data(), {height, width, 1}}, 2);
    EXPECT_EQ(filled, image.ids);
  }
}

TEST(Scan, ReadsPixelsOfAnySizeAndNothingBeyondThem) {
  for (std::int64_t bytes = 1; bytes <= 20; ++bytes) {
    for (const auto& [height, width] : {std::pair{2, 16}, {6, 33}, {16, 47}, {32, 64}}) {
      std::vector<std::uint8_t> pixels(static_cast<std::size_t>(height * width * bytes));
      for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint8_t>(i * i / 7 % 3);
      const std::vector<float> depth(static_cast<std::size_t>(height * width), 0.25f);
      const std::vector<std::uint8_t> valid(depth.size(), 1);
      const ScanInput input = {.depth = {depth.data(), {height, width}},
                               .valid = {valid.data(), {height, width}}};
      for (const Compare compare :
           {Compare::kBits, Compare::kUnorm8, Compare::kUnorm16, Compare::kFloat16, Compare::kFloat32}) {
        const Channel channel = {.pixels = {pixels.data(), {height, width, bytes}}, .compare = compare};
        std::vector<std::uint32_t> first;
        for (const std::string& target : supported_targets()) {
          force_target(target);
          const Scanned scanned = run(channel, input, {}, 1);
          if (first.empty()) first = scanned.records;
          EXPECT_EQ(scanned.records, first) << target << ", " << bytes << " bytes";
        }
        force_target("");
      }
    }
  }
}

TEST(Scan, ComparesPixelsOfAnySizeByTheirParts) {
  // Bytes 0, 1, 2 by column: with an allowance of one code the first pair joins and the second does not.
  for (std::int64_t bytes = 1; bytes <= 20; ++bytes) {
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(4 * bytes), 0);
    pixels[static_cast<std::size_t>(2 * bytes - 1)] = 1;
    pixels[static_cast<std::size_t>(4 * bytes - 1)] = 2;
    const std::array<float, 4> depth{};
    for (const auto& [compare, allowance, count] :
         {std::tuple{Compare::kBits, 1.0, 4u}, {Compare::kUnorm8, 1.0, 3u}, {Compare::kUnorm8, 2.0, 2u}}) {
      const Channel channel = {
          .pixels = {pixels.data(), {1, 4, bytes}}, .compare = compare, .allowance = allowance};
      for (const std::string& target : supported_targets()) {
        force_target(target);
        EXPECT_EQ(run(channel, {.depth = {depth.data(), {1, 4}}}, {}, 1).records.size(), count)
            << target << ", " << bytes << " bytes";
      }
      force_target("");
    }
  }
}

TEST(Scan, TheGateAndThePolicyAreOptions) {
  const std::array<std::uint8_t, 4> ids{1, 1, 1, 1};
  const std::array<float, 4> depth{10.0f, 10.5f, 10.0f, 10.5f};
  const Channel channel = {.pixels = {ids.data(), {2, 2, 1}}};
  const ScanInput input = {.depth = {depth.data(), {2, 2}}};
  EXPECT_EQ(run(channel, input, {.depth_range = {.near = 10.0f, .span = 100.0f}}, 1).records.size(), 2u);
  EXPECT_EQ(run(channel, input, {.depth_range = {.near = 10.0f, .span = 1000.0f}}, 1).records.size(), 1u);
  const ScanOptions open = {.depth_delta = {}, .depth_encoding = DepthEncoding::kFloat21};
  EXPECT_EQ(run(channel, input, open, 1).records.size(), 1u);
  const ScanOptions by_rows = {.depth_range = {.near = 10.0f}, .policy = Policy::kFirst};
  EXPECT_EQ(run(channel, input, by_rows, 1).records[1] & 0xFFu, 1u);  // (1, 0) before (1, 1)
}

TEST(Scan, NamesTheArgumentThatDoesNotFit) {
  const Image image = stripes(4, 4);
  std::vector<std::uint32_t> words(16), counts(1);
  std::vector<std::int64_t> offsets(2);
  const ScanInput input = {.depth = {image.depth.data(), {4, 4}}};
  const Channel channel = {.pixels = {image.ids.data(), {4, 4, 1}}};
  const auto call = [&](std::span<const Channel> channels, std::int64_t records) {
    const ScanOutput output = {.records = {words.data(), {records}},
                               .offsets = {offsets.data(), {2}},
                               .counts = {counts.data(), {1, 1}}};
    return scan(channels, input, {}, output, 1);
  };
  EXPECT_THROW(call({}, 16), ArgumentError);
  EXPECT_NO_THROW(call({&channel, 1}, 16));
  EXPECT_THROW(call({&channel, 1}, 15), ArgumentError);
}

TEST(FastPaths, FindConstantBlocksAndHashPixels) {
  std::vector<std::uint8_t> image(8 * 6, 3);
  image[47] = 4;
  std::array<std::uint8_t, 4> uniform{};
  uniform_blocks({image.data(), {6, 8, 1}}, 4, 4, {uniform.data(), {2, 2}}, 1);
  EXPECT_EQ(uniform, (std::array<std::uint8_t, 4>{1, 1, 1, 0}));
  std::vector<std::uint32_t> hashes(48);
  const std::array<ArrayView<const std::uint8_t, 3>, 1> channels{{{image.data(), {6, 8, 1}}}};
  hash_pixels(channels, 32, {hashes.data(), {6, 8}}, 1);
  EXPECT_EQ(hashes[0], hashes[46]);
  EXPECT_NE(hashes[0], hashes[47]);
}

}  // namespace
}  // namespace tilelab::lighting
