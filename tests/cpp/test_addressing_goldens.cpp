#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "every_target.hpp"
#include "golden.hpp"
#include "tilelab/addressing/swizzle_plan.hpp"
#include "vector_view.hpp"

namespace tilelab::addressing {
namespace {

using Json = nlohmann::json;

Dimension dimension_of(const Json& axes) { return static_cast<Dimension>(axes.get<int>()); }

GpuModel gpu_of(const Json& configs, const std::string& name) {
  return {.pipes = configs.at(name).at("pipes"), .packers = configs.at(name).at("packers")};
}

PlaneLayout lay_out(const Json& configs, const Json& surface, std::uint32_t pipe_bank_xor) {
  const int block = surface.at("format").get<std::string>().starts_with("BC") ? 4 : 1;
  const auto usage = surface.at("usage").get<std::string>();
  return lay_out_plane({.swizzle_mode = surface.at("mode"),
                        .gpu = gpu_of(configs, surface.at("config")),
                        .dimension = dimension_of(surface.at("dim")),
                        .width = surface.at("width"),
                        .height = surface.at("height"),
                        .depth_or_array_size = surface.at("depth_or_slices"),
                        .mip_levels = surface.at("mips"),
                        .bytes_per_element = surface.at("bpe"),
                        .texels_x = block,
                        .texels_y = block,
                        .sample_count = surface.at("samples"),
                        .depth_stencil = usage == "depth" || usage == "stencil",
                        .pipe_bank_xor = pipe_bank_xor});
}

TEST(EquationGoldens, EveryMeasuredEquation) {
  const Json configs = golden::json("addressing/layouts.json").at("configs");
  const Json rows = golden::json("addressing/equations.json").at("rows");
  EXPECT_EQ(rows.size(), 1044u);
  for (const Json& row : rows) {
    SCOPED_TRACE(row.at(2).get<std::string>());
    const AddressEquation equation = build_equation({.swizzle_mode = row.at(1),
                                                     .bytes_per_element = row.at(4),
                                                     .dimension = dimension_of(row.at(3)),
                                                     .sample_count = row.at(5),
                                                     .gpu = gpu_of(configs, row.at(0))});
    EXPECT_EQ((std::array{1 << equation.width_log2, 1 << equation.height_log2, 1 << equation.depth_log2}),
              (row.at(6).get<std::array<int, 3>>()));
    const auto bits = row.at(8).get<std::vector<std::array<std::uint32_t, 4>>>();
    ASSERT_EQ(equation.block_log2, row.at(7).get<int>());
    ASSERT_EQ(bits.size(), static_cast<std::size_t>(equation.block_log2));
    for (std::size_t bit = 0; bit < bits.size(); ++bit) {
      const AxisMasks& masks = equation.bits[bit];
      EXPECT_EQ((std::array{masks.x, masks.y, masks.z, masks.sample}), bits[bit]) << "bit " << bit;
    }
  }
}

TEST(LayoutGoldens, EveryMeasuredLayout) {
  const Json layouts = golden::json("addressing/layouts.json");
  for (const Json& surface : layouts.at("surfaces")) {
    SCOPED_TRACE(surface.at("id").get<std::string>());
    const PlaneLayout layout = lay_out(layouts.at("configs"), surface, 0);
    EXPECT_EQ(layout.base_alignment_bytes, surface.at("base_align").get<std::int64_t>());
    EXPECT_EQ(layout.size_bytes, surface.at("size_bytes").get<std::int64_t>());
    EXPECT_EQ(layout.slice_size_bytes, surface.at("slice_bytes").get<std::int64_t>());
    EXPECT_EQ(layout.standard_mip_count, surface.at("first_tail_mip").get<int>());
    std::int64_t number = 0;
    for (const Json& wanted : surface.at("mip")) {
      const MipLayout& mip = layout.mips[static_cast<std::size_t>(number)];
      const std::int64_t zero = 0;
      std::vector<std::int64_t> first = {-1};
      const CoordinateView origin = {.data = &zero};
      texel_offset(layout,
                   {.x = origin, .y = origin, .z = origin, .mip = {.data = &number}, .sample = origin},
                   view_of(first), 1);
      EXPECT_EQ(
          (std::array{mip.padded_width_elements, mip.padded_height_elements, mip.offset_bytes,
                      std::int64_t{mip.is_mip_tail}, mip.tail_x_elements, mip.tail_y_elements, first[0]}),
          (wanted.get<std::array<std::int64_t, 7>>()));
      EXPECT_EQ(mip.padded_depth_or_array_size, surface.at("padded").at(2).get<std::int64_t>());
      ++number;
    }
  }
}

// The measured texels of one surface: coordinates in the order of the archive, and byte addresses.
struct Texels {
  std::array<std::vector<std::int64_t>, 5> coordinates;
  std::vector<std::int64_t> offsets;

  TexelQueries queries() const {
    const auto column = [&](std::size_t i) {
      return CoordinateView{.data = coordinates[i].data(), .step = 1};
    };
    return {.x = column(0), .y = column(1), .z = column(2), .mip = column(4), .sample = column(3)};
  }
};

// Calls visit(surface, layout with its pipe/bank XOR, texels) for every measured surface.
template <typename Visit>
void for_each_surface(Visit visit) {
  const Json layouts = golden::json("addressing/layouts.json");
  const Json& surfaces = layouts.at("surfaces");
  const auto surface_of = golden::array<std::uint16_t, 1>("addressing/addresses.npz", "surface");
  const auto coordinates = golden::array<std::uint16_t, 2>("addressing/addresses.npz", "coords");
  const auto offsets = golden::array<std::uint64_t, 1>("addressing/addresses.npz", "offset");
  std::vector<Texels> texels(surfaces.size());
  for (std::size_t row = 0; row < offsets.size(); ++row) {
    Texels& of_surface = texels.at(surface_of(row));
    for (std::size_t i = 0; i < 5; ++i) of_surface.coordinates[i].push_back(coordinates(row, i));
    of_surface.offsets.push_back(static_cast<std::int64_t>(offsets(row)));
  }
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    SCOPED_TRACE(surfaces[i].at("id").get<std::string>());
    ASSERT_FALSE(texels[i].offsets.empty());
    visit(lay_out(layouts.at("configs"), surfaces[i], surfaces[i].at("pipe_bank_xor")), texels[i]);
  }
}

TEST(TexelAddressGoldens, EveryMeasuredAddressAndItsInverseOnEveryTarget) {
  for_each_surface([](const PlaneLayout& layout, const Texels& texels) {
    const std::int64_t bytes = layout.desc.bytes_per_element;
    std::vector<std::int64_t> inside = texels.offsets;
    for (std::size_t i = 0; i < inside.size(); ++i) inside[i] += static_cast<std::int64_t>(i) % bytes;
    on_every_target([&] {
      std::vector<std::int64_t> offsets(texels.offsets.size());
      texel_offset(layout, texels.queries(), view_of(offsets), 2);
      EXPECT_EQ(offsets, texels.offsets);
      std::vector<TexelCoordinates> found(inside.size());
      offset_texel(layout, view_of(inside), view_of(found), 2);
      for (std::size_t i = 0; i < found.size(); ++i) {
        const std::int64_t z = layout.is_volume() ? found[i].z : found[i].array_slice;
        EXPECT_TRUE(found[i].valid);
        EXPECT_EQ((std::array<std::int64_t, 5>{found[i].x, found[i].y, z, found[i].sample, found[i].mip}),
                  (std::array{texels.coordinates[0][i], texels.coordinates[1][i], texels.coordinates[2][i],
                              texels.coordinates[3][i], texels.coordinates[4][i]}));
      }
    });
  });
}

Box whole(const MipLayout& mip) {
  return {.x = 0,
          .y = 0,
          .z = 0,
          .width = mip.width_elements,
          .height = mip.height_elements,
          .depth = mip.depth_or_array_size};
}

TEST(SwizzlePlanGoldens, CopiesPutTexelsAtTheirMeasuredAddressesOnEveryTarget) {
  constexpr std::int64_t kLargest = std::int64_t{1} << 19;  // bytes; larger surfaces add time and no rule
  int compared = 0;
  for_each_surface([&](const PlaneLayout& layout, const Texels& texels) {
    if (layout.size_bytes > kLargest) return;
    ++compared;
    const std::int64_t element = std::int64_t{1} << layout.element_log2;
    const std::int64_t texel = element * layout.desc.sample_count;
    std::vector<std::vector<std::uint8_t>> images;
    for (int mip = 0; mip < layout.desc.mip_levels; ++mip) {
      const Box box = whole(layout.mips[static_cast<std::size_t>(mip)]);
      const auto bytes = static_cast<std::size_t>(box.width * box.height * box.depth * texel);
      std::vector<std::uint8_t>& image = images.emplace_back(bytes);
      for (std::size_t k = 0; k < image.size(); ++k) {
        image[k] = static_cast<std::uint8_t>(131 * k + 31 * (k >> 8) + 7 + images.size());
      }
    }
    on_every_target([&] {
      std::vector<std::uint8_t> tiled(static_cast<std::size_t>(layout.size_bytes));
      for (int mip = 0; mip < layout.desc.mip_levels; ++mip) {
        const std::vector<std::uint8_t>& image = images[static_cast<std::size_t>(mip)];
        const Box box = whole(layout.mips[static_cast<std::size_t>(mip)]);
        const std::int64_t row = box.width * texel, slice = row * box.height;
        const SwizzlePlan plan(layout, mip);
        plan.swizzle({.data = image.data(), .row_bytes = row, .slice_bytes = slice}, view_of(tiled), box, 2);
        std::vector<std::uint8_t> back(image.size());
        plan.deswizzle(view_of(tiled), {.data = back.data(), .row_bytes = row, .slice_bytes = slice}, box, 2);
        EXPECT_EQ(back, image) << "mip " << mip;
      }
      for (std::size_t i = 0; i < texels.offsets.size(); ++i) {
        const auto at = [&](std::size_t column) { return texels.coordinates[column][i]; };
        const auto mip = static_cast<std::size_t>(at(4));
        const Box box = whole(layout.mips[mip]);
        const std::int64_t row = at(2) * box.height + at(1);
        const std::int64_t place = (row * box.width + at(0)) * texel + at(3) * element;
        EXPECT_TRUE(std::equal(&images[mip][static_cast<std::size_t>(place)],
                               &images[mip][static_cast<std::size_t>(place)] + element,
                               &tiled[static_cast<std::size_t>(texels.offsets[i])]));
      }
    });
  });
  EXPECT_GT(compared, 200);
}

}  // namespace
}  // namespace tilelab::addressing
