#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "lighting/quad_table.hpp"
#include "tilelab/core/error.hpp"
#include "tilelab/core/targets.hpp"
#include "tilelab/lighting/apply.hpp"
#include "tilelab/lighting/records.hpp"
#include "tilelab/lighting/scan.hpp"
#include "tilelab/lighting/shortcuts.hpp"

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

struct Image {
  std::int64_t height, width;
  std::vector<std::uint8_t> ids;
  std::vector<float> depth;
};

Image stripes(std::int64_t height, std::int64_t width) {
  Image image{height, width, {}, {}};
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      image.ids.push_back(static_cast<std::uint8_t>(x / 3 + y / 5 * 7));
      image.depth.push_back(0.5f);
    }
  }
  return image;
}

struct Scanned {
  std::vector<std::uint32_t> records, counts;
  std::vector<std::int64_t> offsets;
};

Scanned run(const Image& image, int threads) {
  const std::array<Channel, 1> channels{Channel{{image.ids.data(), {image.height, image.width, 1}}}};
  ScanInput input;
  input.channels = channels;
  input.depth = {image.depth.data(), {image.height, image.width}};
  const std::int64_t rows = (image.height + 15) / 16, columns = (image.width + 15) / 16;
  Scanned out;
  out.records.resize(static_cast<std::size_t>(image.height * image.width));
  out.counts.resize(static_cast<std::size_t>(rows * columns));
  out.offsets.resize(out.counts.size() + 1);
  const ScanStats stats =
      scan(input, {out.records.data(), {image.height * image.width}},
           {out.offsets.data(), {rows * columns + 1}}, {out.counts.data(), {rows, columns}}, threads);
  out.records.resize(static_cast<std::size_t>(stats.records));
  return out;
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
    const auto count = static_cast<std::int64_t>(first.records.size());
    const RecordList list{{first.records.data(), {count}},
                          {first.offsets.data(), {static_cast<std::int64_t>(first.offsets.size())}},
                          height,
                          width};
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
      for (const Compare compare :
           {Compare::kBits, Compare::kUnorm8, Compare::kUnorm16, Compare::kFloat16, Compare::kFloat32}) {
        const std::array<Channel, 1> channels{Channel{{pixels.data(), {height, width, bytes}}, compare, 0.0}};
        ScanInput input;
        input.channels = channels;
        input.depth = {depth.data(), {height, width}};
        input.valid = {valid.data(), {height, width}};
        const std::int64_t rows = (height + 15) / 16, columns = (width + 15) / 16;
        std::vector<std::uint32_t> first;
        for (const std::string& target : supported_targets()) {
          force_target(target);
          std::vector<std::uint32_t> records(depth.size()), counts(static_cast<std::size_t>(rows * columns));
          std::vector<std::int64_t> offsets(counts.size() + 1);
          const ScanStats stats =
              scan(input, {records.data(), {height * width}}, {offsets.data(), {rows * columns + 1}},
                   {counts.data(), {rows, columns}}, 1);
          records.resize(static_cast<std::size_t>(stats.records));
          if (first.empty()) first = records;
          EXPECT_EQ(records, first) << target << ", " << bytes << " bytes";
        }
        force_target("");
      }
    }
  }
}

TEST(Scan, NamesTheArgumentThatDoesNotFit) {
  const Image image = stripes(4, 4);
  std::vector<std::uint32_t> words(16), counts(1);
  std::vector<std::int64_t> offsets(2);
  ScanInput input;
  input.depth = {image.depth.data(), {4, 4}};
  const auto call = [&](std::int64_t records) {
    return scan(input, {words.data(), {records}}, {offsets.data(), {2}}, {counts.data(), {1, 1}}, 1);
  };
  EXPECT_THROW(call(16), ArgumentError);  // no channel
  const std::array<Channel, 1> channels{Channel{{image.ids.data(), {4, 4, 1}}}};
  input.channels = channels;
  EXPECT_NO_THROW(call(16));
  EXPECT_THROW(call(15), ArgumentError);
}

TEST(Shortcuts, FindConstantBlocksAndHashPixels) {
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
