#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "addressing/patch_plan.hpp"
#include "tilelab/addressing/swizzle_plan.hpp"
#include "tilelab/core/error.hpp"
#include "vector_view.hpp"

namespace tilelab::addressing {
namespace {

PlaneDesc describe(int mode, int bytes, Dimension dimension = Dimension::kTexture2d, int samples = 1) {
  return {
      .swizzle_mode = mode,
      .dimension = dimension,
      .width = 75,
      .height = 53,
      .depth_or_array_size = dimension == Dimension::kTexture3d ? 19 : 2,
      .bytes_per_element = bytes,
      .sample_count = samples,
      .depth_stencil = mode_info(mode).micro_tile == MicroTile::kZ && samples > 1,
  };
}

// Every legal combination of mode, element size, dimension and samples.
template <typename Visit>
void for_each_layout(Visit visit) {
  for (int mode = 0; mode < kModeCount; ++mode) {
    for (const int bytes : {1, 2, 4, 8, 16}) {
      for (const Dimension dimension : {Dimension::kTexture2d, Dimension::kTexture3d}) {
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
  const PlaneDesc desc = {
      .swizzle_mode = 5,  // 4KB_S
      .width = 48,
      .height = 24,
      .depth_or_array_size = 2,
      .mip_levels = 6,
  };
  const PlaneLayout layout = lay_out_plane(desc);
  const std::vector<std::int64_t> offsets = {8192, 4096, 2048, 1536, 1280, 1024};
  for (std::size_t i = 0; i < offsets.size(); ++i) EXPECT_EQ(layout.mips[i].offset_bytes, offsets[i]);
  EXPECT_EQ(layout.standard_mip_count, 2);
  EXPECT_EQ(layout.mips[4].tail_y_elements, 24);
  EXPECT_EQ(layout.size_bytes, 32768);
}

TEST(Layout, RefusesByName) {
  PlaneDesc desc = describe(1, 4, Dimension::kTexture3d);
  try {
    lay_out_plane(desc);
    FAIL();
  } catch (const ArgumentError& error) {
    EXPECT_EQ(error.argument, "swizzle_mode");
    EXPECT_EQ(error.got, "256B_S");
  }
  desc = describe(0, 4);
  desc.width = desc.height = desc.depth_or_array_size = std::int64_t{1} << 31;
  EXPECT_THROW(lay_out_plane(desc), ArgumentError);
  desc = describe(27, 4);
  desc.gpu = {.pipes = 32, .packers = 16};
  EXPECT_THROW(lay_out_plane(desc), UnsupportedError);
}

TEST(PatchPlan, EveryEquationHasANetwork) {
  for_each_layout([](const PlaneLayout& layout) {
    if (layout.is_linear()) return;
    for (const auto direction : {CopyDirection::kSwizzle, CopyDirection::kDeswizzle}) {
      const PatchPlan plan = plan_patch(layout.equation, direction);
      EXPECT_GE(plan.network, 0);
      EXPECT_LE(plan.pieces, PatchPlan::kMaxPieces);
      EXPECT_EQ(plan.pieces % 4 == 0 || direction == CopyDirection::kDeswizzle, true);
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
    const Box box = {.z = 1, .width = mip.width_elements, .height = mip.height_elements, .depth = 1};
    plan.swizzle({.data = image.data(), .row_bytes = row, .slice_bytes = slice}, view_of(tiled), box, 2);
    plan.deswizzle(view_of(tiled), {.data = back.data(), .row_bytes = row, .slice_bytes = slice}, box, 2);
    EXPECT_EQ(image, back);

    const std::int64_t x = 41, y = 37, z = 1, zero = 0, sample = layout.desc.sample_count - 1;
    std::vector<std::int64_t> offset = {-1};
    const TexelQueries query = {.x = {.data = &x},
                                .y = {.data = &y},
                                .z = {.data = &z},
                                .mip = {.data = &zero},
                                .sample = {.data = &sample}};
    texel_offset(layout, query, view_of(offset), 1);
    EXPECT_EQ(tiled[static_cast<std::size_t>(offset[0])],
              image[static_cast<std::size_t>(y * row + x * texel + sample * element)]);
    std::vector<TexelCoordinates> found(1);
    offset_texel(layout, view_of(offset), view_of(found), 1);
    EXPECT_TRUE(found[0].valid);
    EXPECT_EQ(found[0].x, 41);
    EXPECT_EQ(found[0].y, 37);
    EXPECT_EQ(found[0].sample, sample);
  });
}

TEST(SwizzlePlan, RefusesWhatItCannotHold) {
  const PlaneLayout layout = lay_out_plane(describe(9, 4));
  const SwizzlePlan plan(layout, 0);
  std::vector<std::uint8_t> tiled(static_cast<std::size_t>(layout.end_bytes())), rows(16);
  const LinearImage<std::uint8_t> image = {.data = rows.data(), .row_bytes = 16, .slice_bytes = 16};
  const auto refused = [](const char* argument, auto copy) {
    try {
      copy();
      ADD_FAILURE() << argument;
    } catch (const ArgumentError& error) {
      EXPECT_EQ(error.argument, argument);
    }
  };
  const Box texels = {.width = 4, .height = 1, .depth = 1};
  refused("x",
          [&] { plan.deswizzle(view_of(tiled), image, {.x = 72, .width = 4, .height = 1, .depth = 1}, 1); });
  refused("array_slice", [&] {
    plan.swizzle({.data = rows.data()}, view_of(tiled), {.z = 2, .width = 4, .height = 1, .depth = 1}, 1);
  });
  refused("mip", [&] { SwizzlePlan(layout, 1); });
  tiled.pop_back();
  refused("tiled", [&] { plan.deswizzle(view_of(tiled), image, texels, 1); });
  refused("tiled", [&] { plan.swizzle({.data = rows.data()}, view_of(tiled), texels, 1); });
}

TEST(OffsetTexel, RefusesWhatItCannotHold) {
  const PlaneLayout layout = lay_out_plane(describe(9, 4));
  std::vector<std::int64_t> offsets = {0, layout.size_bytes};
  std::vector<TexelCoordinates> texels(1);
  EXPECT_THROW(offset_texel(layout, view_of(offsets), view_of(texels), 1), ArgumentError);
  texels.assign(2, {.x = 7});
  EXPECT_THROW(offset_texel(layout, view_of(offsets), view_of(texels), 1), ArgumentError);
  EXPECT_EQ(texels[0].x, 7);
}

TEST(Equation, RefusesByName) {
  const auto refused = [](const char* argument, const EquationDesc& desc) {
    try {
      build_equation(desc);
      ADD_FAILURE() << argument;
    } catch (const ArgumentError& error) {
      EXPECT_EQ(error.argument, argument);
    }
  };
  refused("swizzle_mode", {.swizzle_mode = kLinearMode});
  refused("swizzle_mode", {.swizzle_mode = 10, .dimension = Dimension::kTexture3d});
  refused("bytes_per_element", {.swizzle_mode = 9, .bytes_per_element = 3});
  refused("bytes_per_element", {.swizzle_mode = 24, .bytes_per_element = 16});
  refused("sample_count", {.swizzle_mode = 27, .sample_count = 3});
  refused("sample_count", {.swizzle_mode = 9, .sample_count = 2});
  refused("packers", {.swizzle_mode = 9, .gpu = {.pipes = 8, .packers = 16}});
  EXPECT_THROW(build_equation({.swizzle_mode = 3}), UnsupportedError);
}

}  // namespace
}  // namespace tilelab::addressing
