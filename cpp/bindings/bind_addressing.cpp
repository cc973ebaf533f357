#include "bindings/numpy_args.hpp"
#include "bindings/register.hpp"
#include "tilelab/addressing/swizzle_plan.hpp"

namespace tilelab::bindings {
namespace {

using namespace tilelab::addressing;

py::list mask_rows(const AddressEquation& equation) {
  py::list rows;
  for (int bit = 0; bit < equation.block_log2; ++bit) {
    const AxisMasks& masks = equation.bits[static_cast<std::size_t>(bit)];
    rows.append(py::make_tuple(masks.x, masks.y, masks.z, masks.sample));
  }
  return rows;
}

py::tuple block_shape(const AddressEquation& equation) {
  return py::make_tuple(1 << equation.width_log2, 1 << equation.height_log2, 1 << equation.depth_log2);
}

py::dict mip_fields(const MipLayout& mip) {
  py::dict fields;
  fields["size_bytes"] = mip.size_bytes;
  fields["offset_bytes"] = mip.offset_bytes;
  fields["slice2d_size_bytes"] = mip.slice2d_size_bytes;
  fields["pitch_pixels"] = mip.pitch_pixels;
  fields["pitch_bytes"] = mip.pitch_bytes;
  fields["alignment_bytes"] = mip.alignment_bytes;
  fields["padded_width_elements"] = mip.padded_width_elements;
  fields["padded_height_elements"] = mip.padded_height_elements;
  fields["padded_depth_or_array_size"] = mip.padded_depth_or_array_size;
  fields["width_elements"] = mip.width_elements;
  fields["height_elements"] = mip.height_elements;
  fields["depth_or_array_size"] = mip.depth_or_array_size;
  fields["slice_depth_elements"] = mip.slice_depth_elements;
  fields["is_mip_tail"] = mip.is_mip_tail;
  fields["tail_x_elements"] = mip.tail_x;
  fields["tail_y_elements"] = mip.tail_y;
  return fields;
}

PlaneLayout make_layout(int swizzle_mode, int pipes, int packers, int dimension, std::int64_t width,
                        std::int64_t height, std::int64_t slices, int mip_levels, int bytes_per_element,
                        int texels_x, int texels_y, int sample_count, bool depth_stencil,
                        std::uint32_t pipe_bank_xor, std::int64_t pitch_bytes,
                        std::int64_t base_offset_bytes) {
  PlaneDesc desc;
  desc.swizzle_mode = swizzle_mode;
  desc.gpu = {pipes, packers};
  desc.dimension = dimension;
  desc.width = width;
  desc.height = height;
  desc.slices = slices;
  desc.mip_levels = mip_levels;
  desc.bytes_per_element = bytes_per_element;
  desc.texels_x = texels_x;
  desc.texels_y = texels_y;
  desc.sample_count = sample_count;
  desc.depth_stencil = depth_stencil;
  desc.pipe_bank_xor = pipe_bank_xor;
  desc.pitch_bytes = pitch_bytes;
  desc.base_offset_bytes = base_offset_bytes;
  return lay_out_plane(desc);
}

std::int64_t end_of(const SwizzlePlan& plan) {
  return plan.layout().desc.base_offset_bytes + plan.layout().size_bytes;
}

// One value or `count` of them.
CoordinateView coordinate(const py::array& array, const char* name, std::int64_t count) {
  const auto view = input<std::int64_t, 1>(array, name);
  require(view.extent(0) == count || view.extent(0) == 1, name, "must have one value or one for each query",
          view.extent(0));
  return {view.data(), view.extent(0) == 1 ? 0 : 1};
}

}  // namespace

void register_addressing(py::module_& module) {
  module.def(
      "mode_row",
      [](int mode) {
        const ModeInfo& info = mode_info(mode);
        return py::make_tuple(mode_name(mode), info.block_log2, static_cast<int>(info.micro_tile),
                              static_cast<int>(info.xor_kind), info.takes_1d, info.takes_2d, info.takes_3d,
                              info.takes_depth_stencil, info.takes_msaa);
      },
      py::arg("mode"));
  module.def(
      "check_gpu",
      [](int pipes, int packers) {
        check_gpu({pipes, packers});
      },
      py::arg("pipes"), py::arg("packers"));
  module.def(
      "swizzle_equation",
      [](int mode, int element_log2, int dimension, int samples_log2, int pipes, int packers) {
        return mask_rows(build_equation(mode, element_log2, dimension, samples_log2, {pipes, packers}));
      },
      py::arg("mode"), py::arg("element_log2"), py::arg("dimension"), py::arg("samples_log2"),
      py::arg("pipes"), py::arg("packers"));

  module.def(
      "block_shape",
      [](int block_log2, int element_log2, int samples_log2, bool thick) {
        AddressEquation equation;
        equation.block_log2 = block_log2;
        equation.element_log2 = element_log2;
        equation.samples_log2 = samples_log2;
        set_block_dimensions(equation, thick);
        return block_shape(equation);
      },
      py::arg("block_log2"), py::arg("element_log2"), py::arg("samples_log2"), py::arg("thick"));

  py::class_<PlaneLayout>(module, "PlaneLayout")
      .def(py::init(&make_layout), py::kw_only(), py::arg("swizzle_mode"), py::arg("pipes"),
           py::arg("packers"), py::arg("dimension"), py::arg("width"), py::arg("height"), py::arg("slices"),
           py::arg("mip_levels"), py::arg("bytes_per_element"), py::arg("texels_x"), py::arg("texels_y"),
           py::arg("sample_count"), py::arg("depth_stencil"), py::arg("pipe_bank_xor"),
           py::arg("pitch_bytes"), py::arg("base_offset_bytes"))
      .def_readonly("size_bytes", &PlaneLayout::size_bytes)
      .def_readonly("base_alignment_bytes", &PlaneLayout::base_alignment_bytes)
      .def_readonly("slice_size_bytes", &PlaneLayout::slice_size_bytes)
      .def_readonly("standard_mip_count", &PlaneLayout::standard_mip_count)
      .def_property_readonly("element_bytes", [](const PlaneLayout& self) { return 1 << self.element_log2; })
      .def_property_readonly("xor_term", [](const PlaneLayout& self) { return self.xor_term; })
      .def_property_readonly("block_shape",
                             [](const PlaneLayout& self) { return block_shape(self.equation); })
      .def_property_readonly("mips",
                             [](const PlaneLayout& self) {
                               py::list mips;
                               for (int i = 0; i < self.desc.mip_levels; ++i)
                                 mips.append(mip_fields(self.mips[static_cast<std::size_t>(i)]));
                               return mips;
                             })
      .def(
          "texel_offset",
          [](const PlaneLayout& self, const py::array& x, const py::array& y, const py::array& z,
             const py::array& mip, const py::array& sample, py::array out, int threads) {
            const auto view = output<std::int64_t, 1>(out, "out");
            const std::int64_t count = view.extent(0);
            const TexelQueries queries = {coordinate(x, "x", count),
                                          coordinate(y, "y", count),
                                          coordinate(z, self.is_volume() ? "z" : "array_slice", count),
                                          coordinate(mip, "mip", count),
                                          coordinate(sample, "sample", count),
                                          count};
            const py::gil_scoped_release release;
            texel_offset(self, queries, view.data(), threads);
          },
          py::arg("x"), py::arg("y"), py::arg("z"), py::arg("mip"), py::arg("sample"), py::arg("out"),
          py::arg("threads"))
      .def(
          "offset_texel",
          [](const PlaneLayout& self, const py::array& offsets, py::array out, int threads) {
            const auto view = input<std::int64_t, 1>(offsets, "offset_bytes");
            require(out.itemsize() == sizeof(TexelCoordinates) && out.size() == view.extent(0), "out",
                    "must hold one record for each offset", describe(out));
            auto* records = static_cast<TexelCoordinates*>(out.mutable_data());
            const py::gil_scoped_release release;
            offset_texel(self, view.data(), view.extent(0), records, threads);
          },
          py::arg("offset_bytes"), py::arg("out"), py::arg("threads"));

  // The linear side is an address with strides: rows may lie at any distance, which NumPy views of one dtype
  // cannot say for every element type. The Python layer keeps the array alive and has checked its extents.
  const auto box_of = [](const std::array<std::int64_t, 6>& b) {
    return Box{b[0], b[1], b[2], b[3], b[4], b[5]};
  };
  py::class_<SwizzlePlan>(module, "SwizzlePlan")
      .def(py::init<const PlaneLayout&, int>(), py::arg("layout"), py::arg("mip"))
      .def(
          "swizzle",
          [box_of](const SwizzlePlan& self, const py::array& image, std::int64_t row_bytes,
                   std::int64_t slice_bytes, py::array tiled, const std::array<std::int64_t, 6>& box,
                   int threads) {
            const auto target = output<std::uint8_t, 1>(tiled, "out");
            require(end_of(self) <= target.extent(0), "out", "must hold the plane", target.extent(0));
            const LinearImage<const std::uint8_t> linear = {static_cast<const std::uint8_t*>(image.data()),
                                                            row_bytes, slice_bytes};
            const py::gil_scoped_release release;
            self.swizzle(linear, target.data(), box_of(box), threads);
          },
          py::arg("image"), py::arg("row_bytes"), py::arg("slice_bytes"), py::arg("tiled"), py::arg("box"),
          py::arg("threads"))
      .def(
          "deswizzle",
          [box_of](const SwizzlePlan& self, const py::array& tiled, py::array image, std::int64_t row_bytes,
                   std::int64_t slice_bytes, const std::array<std::int64_t, 6>& box, int threads) {
            const auto source = input<std::uint8_t, 1>(tiled, "buffer");
            require(end_of(self) <= source.extent(0), "buffer", "must hold the plane", source.extent(0));
            const LinearImage<std::uint8_t> linear = {static_cast<std::uint8_t*>(image.mutable_data()),
                                                      row_bytes, slice_bytes};
            const py::gil_scoped_release release;
            self.deswizzle(source.data(), linear, box_of(box), threads);
          },
          py::arg("tiled"), py::arg("image"), py::arg("row_bytes"), py::arg("slice_bytes"), py::arg("box"),
          py::arg("threads"));
}

}  // namespace tilelab::bindings
