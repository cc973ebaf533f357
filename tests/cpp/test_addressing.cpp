#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "addressing/patch_plan.hpp"
#include "tilelab/addressing/swizzle_plan.hpp"
#include "tilelab/core/error.hpp"

namespace tilelab::addressing {
namespace {

PlaneDesc describe(int mode, int bytes, int dimension = 2, int samples = 1) {
  PlaneDesc desc;
  desc.swizzle_mode = mode;
  desc.dimension = dimension;
  desc.width = 75;
  desc.height = 53;
  desc.slices = dimension == 3 ? 19 : 2;
  desc.bytes_per_element = bytes;
  desc.sample_count = samples;
  desc.depth_stencil = mode_info(mode).micro_tile == MicroTile::kZ && samples > 1;
  return desc;
}

// Every legal combination of mode, element size, dimension and samples.
template <typename Visit>
void for_each_layout(Visit visit) {
  for (int mode = 0; mode < kModeCount; ++mode) {
    for (const int bytes : {1, 2, 4, 8, 16}) {
      for (const int dimension : {2, 3}) {
        for (const int samples : {1, 2, 4, 8}) {
          try {
            visit(lay_out_plane(describe(mode, bytes, dimension, samples)));
          } catch (const ArgumentError&) {
            continue;
          }
        }
      }
    }
  }
}

TEST(Layout, WorkedExampleOf48By24WithSixMips) {
  PlaneDesc desc;
  desc.swizzle_mode = 5;  // 4KB_S
  desc.width = 48;
  desc.height = 24;
  desc.slices = 2;
  desc.mip_levels = 6;
  const PlaneLayout layout = lay_out_plane(desc);
  const std::vector<std::int64_t> offsets = {8192, 4096, 2048, 1536, 1280, 1024};
  for (std::size_t i = 0; i < offsets.size(); ++i) EXPECT_EQ(layout.mips[i].offset_bytes, offsets[i]);
  EXPECT_EQ(layout.standard_mip_count, 2);
  EXPECT_EQ(layout.mips[4].tail_y, 24);
  EXPECT_EQ(layout.size_bytes, 32768);
}

TEST(Layout, RefusesByName) {
  PlaneDesc desc = describe(1, 4, 3);
  try {
    lay_out_plane(desc);
    FAIL();
  } catch (const ArgumentError& error) {
    EXPECT_EQ(error.argument, "swizzle_mode");
    EXPECT_EQ(error.got, "256B_S");
  }
  desc = describe(0, 4);
  desc.width = desc.height = desc.slices = std::int64_t{1} << 31;
  EXPECT_THROW(lay_out_plane(desc), ArgumentError);
  desc = describe(27, 4);
  desc.gpu = {32, 16};
  EXPECT_THROW(lay_out_plane(desc), UnsupportedError);
}

TEST(PatchPlan, EveryEquationHasANetwork) {
  for_each_layout([](const PlaneLayout& layout) {
    if (layout.is_linear()) return;
    for (const auto direction : {CopyDirection::kToTiled, CopyDirection::kToLinear}) {
      const PatchPlan plan = plan_patch(layout.equation, direction);
      EXPECT_GE(plan.network, 0);
      EXPECT_LE(plan.pieces, PatchPlan::kMaxPieces);
      EXPECT_EQ(plan.pieces % 4 == 0 || direction == CopyDirection::kToLinear, true);
    }
  });
}

TEST(SwizzlePlan, CopiesWhatTexelOffsetSays) {
  for_each_layout([](const PlaneLayout& layout) {
    const MipLayout& mip = layout.mips[0];
    const std::int64_t element = std::int64_t{1} << layout.element_log2;
    const std::int64_t texel = element * layout.desc.sample_count;
    const std::int64_t row = mip.width_elements * texel, slice = row * mip.height_elements;
    std::vector<std::uint8_t> image(static_cast<std::size_t>(slice)), back(image.size());
    for (std::size_t i = 0; i < image.size(); ++i)
      image[i] = static_cast<std::uint8_t>(i * 7 + (i >> 8) * 31);
    std::vector<std::uint8_t> tiled(static_cast<std::size_t>(layout.size_bytes));
    const SwizzlePlan plan(layout, 0);
    const Box box = {0, 0, 1, mip.width_elements, mip.height_elements, 1};
    plan.swizzle({image.data(), row, slice}, tiled.data(), box, 2);
    plan.deswizzle(tiled.data(), {back.data(), row, slice}, box, 2);
    EXPECT_EQ(image, back);

    const std::int64_t x = 41, y = 37, z = 1, zero = 0, sample = layout.desc.sample_count - 1;
    std::int64_t offset = -1;
    texel_offset(layout, {{&x, 0}, {&y, 0}, {&z, 0}, {&zero, 0}, {&sample, 0}, 1}, &offset, 1);
    EXPECT_EQ(tiled[static_cast<std::size_t>(offset)],
              image[static_cast<std::size_t>(y * row + x * texel + sample * element)]);
    TexelCoordinates found{};
    offset_texel(layout, &offset, 1, &found, 1);
    EXPECT_TRUE(found.valid);
    EXPECT_EQ(found.x, 41);
    EXPECT_EQ(found.y, 37);
    EXPECT_EQ(found.sample, sample);
  });
}

}  // namespace
}  // namespace tilelab::addressing
