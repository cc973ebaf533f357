#include "bindings/numpy_args.hpp"
#include "bindings/options.hpp"
#include "bindings/records.hpp"
#include "bindings/register.hpp"
#include "tilelab/addressing/swizzle_plan.hpp"

namespace tilelab::bindings {
namespace {

using namespace tilelab::addressing;  // NOLINT(google-build-using-namespace)

void bind_swizzle_mode(py::module_& module) {
  py::native_enum<MicroTile>(module, "MicroTile", "enum.IntEnum", "Order of the texels inside 256 bytes.")
      .value("NONE", MicroTile::kNone)
      .value("Z", MicroTile::kZ)
      .value("S", MicroTile::kS)
      .value("D", MicroTile::kD)
      .value("R", MicroTile::kR)
      .finalize();
  py::native_enum<XorKind>(module, "XorKind", "enum.IntEnum",
                           "Pipe/bank XOR: none, inside the block (T) or across blocks (X).")
      .value("NONE", XorKind::kNone)
      .value("T", XorKind::kT)
      .value("X", XorKind::kX)
      .finalize();
  py::native_enum<Dimension>(module, "Dimension", "enum.IntEnum", "Axes of a resource; cubes are 2D.")
      .value("TEXTURE_1D", Dimension::kTexture1d)
      .value("TEXTURE_2D", Dimension::kTexture2d)
      .value("TEXTURE_3D", Dimension::kTexture3d)
      .finalize();
  bind_record<ModeInfo>(module, "ModeInfo", "What a swizzle mode is made of and which resources it takes.",
                        field("block_log2", &ModeInfo::block_log2),
                        field("micro_tile", &ModeInfo::micro_tile), field("xor_kind", &ModeInfo::xor_kind),
                        field("takes_1d", &ModeInfo::takes_1d), field("takes_2d", &ModeInfo::takes_2d),
                        field("takes_3d", &ModeInfo::takes_3d),
                        field("takes_depth_stencil", &ModeInfo::takes_depth_stencil),
                        field("takes_msaa", &ModeInfo::takes_msaa))
      .def_property_readonly("is_supported", &ModeInfo::is_supported);
  module.attr("VAR_BLOCK") = kVarBlock;
  module.def("mode_info", &mode_info, py::arg("mode"), py::return_value_policy::reference);
  module.def("is_thick", &is_thick, py::arg("mode"), py::arg("dimension"));
  bind_options<GpuModel>(module, "GpuModel", "What of a chip takes part in addressing.",
                         field("pipes", &GpuModel::pipes), field("packers", &GpuModel::packers));
  module.def("check_gpu", &check_gpu, py::arg("gpu"));
  module.def("block_size_log2", &block_size_log2, py::arg("mode"), py::arg("gpu"));
}

py::typing::Tuple<int, int, int> block_shape(const AddressEquation& equation) {
  return py::make_tuple(1 << equation.width_log2, 1 << equation.height_log2, 1 << equation.depth_log2);
}

// The first `count` elements of an array of the core.
template <typename T, std::size_t N>
py::typing::List<T> first_of(const std::array<T, N>& values, int count) {
  py::typing::List<T> list;
  for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) list.append(values[k]);
  return list;
}

void bind_equation(py::module_& module) {
  bind_options<EquationDesc>(module, "EquationDesc", "What an address equation is made for.",
                             field("swizzle_mode", &EquationDesc::swizzle_mode),
                             field("bytes_per_element", &EquationDesc::bytes_per_element),
                             field("dimension", &EquationDesc::dimension),
                             field("sample_count", &EquationDesc::sample_count),
                             field("gpu", &EquationDesc::gpu));
  bind_record<AxisMasks>(module, "AxisMasks", "Coordinate bits whose parity makes one address bit.",
                         field("x", &AxisMasks::x), field("y", &AxisMasks::y), field("z", &AxisMasks::z),
                         field("sample", &AxisMasks::sample));
  bind_record<AddressEquation>(module, "AddressEquation", "Which coordinate bits make each address bit.",
                               field("element_log2", &AddressEquation::element_log2),
                               field("samples_log2", &AddressEquation::samples_log2),
                               field("block_log2", &AddressEquation::block_log2))
      .def_property_readonly("block_shape", &block_shape)
      .def_property_readonly(
          "bits", [](const AddressEquation& self) { return first_of(self.bits, self.block_log2); });
  module.def("build_equation", &build_equation, py::arg("desc"));
  module.def(
      "block_shape",
      [](int block_log2, int element_log2, int samples_log2, bool thick) {
        AddressEquation equation = {
            .element_log2 = element_log2, .samples_log2 = samples_log2, .block_log2 = block_log2};
        set_block_dimensions(equation, thick);
        return block_shape(equation);
      },
      py::kw_only(), py::arg("block_log2"), py::arg("element_log2"), py::arg("samples_log2"),
      py::arg("thick"));
}

void bind_layout(py::module_& module) {
  bind_options<PlaneDesc>(
      module, "PlaneDesc", "One plane to lay out.", field("swizzle_mode", &PlaneDesc::swizzle_mode),
      field("gpu", &PlaneDesc::gpu), field("dimension", &PlaneDesc::dimension),
      field("width", &PlaneDesc::width), field("height", &PlaneDesc::height),
      field("depth_or_array_size", &PlaneDesc::depth_or_array_size),
      field("mip_levels", &PlaneDesc::mip_levels), field("bytes_per_element", &PlaneDesc::bytes_per_element),
      field("texels_x", &PlaneDesc::texels_x), field("texels_y", &PlaneDesc::texels_y),
      field("sample_count", &PlaneDesc::sample_count), field("depth_stencil", &PlaneDesc::depth_stencil),
      field("pipe_bank_xor", &PlaneDesc::pipe_bank_xor, between(0, 0xFFFFFFFF)),
      field("pitch_bytes", &PlaneDesc::pitch_bytes),
      field("base_offset_bytes", &PlaneDesc::base_offset_bytes));
  bind_record<MipLayout>(
      module, "MipLayout", "Where one mip of a plane lies.", field("size_bytes", &MipLayout::size_bytes),
      field("offset_bytes", &MipLayout::offset_bytes),
      field("slice2d_size_bytes", &MipLayout::slice2d_size_bytes),
      field("pitch_pixels", &MipLayout::pitch_pixels), field("pitch_bytes", &MipLayout::pitch_bytes),
      field("alignment_bytes", &MipLayout::alignment_bytes),
      field("padded_width_elements", &MipLayout::padded_width_elements),
      field("padded_height_elements", &MipLayout::padded_height_elements),
      field("padded_depth_or_array_size", &MipLayout::padded_depth_or_array_size),
      field("width_elements", &MipLayout::width_elements),
      field("height_elements", &MipLayout::height_elements),
      field("depth_or_array_size", &MipLayout::depth_or_array_size),
      field("slice_depth_elements", &MipLayout::slice_depth_elements),
      field("is_mip_tail", &MipLayout::is_mip_tail), field("tail_x_elements", &MipLayout::tail_x_elements),
      field("tail_y_elements", &MipLayout::tail_y_elements));
}

// One value, or one for each of `count` queries.
CoordinateView coordinate(const py::array& array, const char* name, std::int64_t count) {
  const auto view = input<std::int64_t, 1>(array, name);
  require(view.extent(0) == count || view.extent(0) == 1, name, "must have one value or one for each query",
          view.extent(0));
  return {.data = view.data(), .step = view.extent(0) == 1 ? 0 : 1};
}

void bind_texel_address(py::module_& module) {
  PYBIND11_NUMPY_DTYPE(TexelCoordinates, x, y, z, array_slice, mip, sample, valid);
  module.attr("TEXEL_COORDINATES") = py::dtype::of<TexelCoordinates>();
  py::class_<PlaneLayout>(module, "PlaneLayout", "Where one plane lies; what the kernels take.")
      .def_readonly("desc", &PlaneLayout::desc)
      .def_readonly("xor_term", &PlaneLayout::xor_term)
      .def_readonly("size_bytes", &PlaneLayout::size_bytes)
      .def_readonly("base_alignment_bytes", &PlaneLayout::base_alignment_bytes)
      .def_readonly("slice_size_bytes", &PlaneLayout::slice_size_bytes)
      .def_readonly("standard_mip_count", &PlaneLayout::standard_mip_count)
      .def_property_readonly("element_bytes", [](const PlaneLayout& self) { return 1 << self.element_log2; })
      .def_property_readonly("block_shape",
                             [](const PlaneLayout& self) { return block_shape(self.equation); })
      .def_property_readonly(
          "mips", [](const PlaneLayout& self) { return first_of(self.mips, self.desc.mip_levels); })
      .def(
          "texel_offset",
          [](const PlaneLayout& self, const py::array& x, const py::array& y, const py::array& z,
             const py::array& mip, const py::array& sample, py::array out, int threads) {
            const auto view = output<std::int64_t, 1>(out, "out");
            const std::int64_t count = view.size();
            const TexelQueries queries = {
                .x = coordinate(x, "x", count),
                .y = coordinate(y, "y", count),
                .z = coordinate(z, self.is_volume() ? "z" : "array_slice", count),
                .mip = coordinate(mip, "mip", count),
                .sample = coordinate(sample, "sample", count),
            };
            const py::gil_scoped_release release;
            texel_offset(self, queries, view, threads);
          },
          py::arg("x"), py::arg("y"), py::arg("z"), py::arg("mip"), py::arg("sample"), py::arg("out"),
          py::arg("threads"))
      .def(
          "offset_texel",
          [](const PlaneLayout& self, const py::array& offset_bytes, py::array out, int threads) {
            const auto offsets = input<std::int64_t, 1>(offset_bytes, "offset_bytes");
            const auto texels = output<TexelCoordinates, 1>(out, "out");
            const py::gil_scoped_release release;
            offset_texel(self, offsets, texels, threads);
          },
          py::arg("offset_bytes"), py::arg("out"), py::arg("threads"));
  module.def("lay_out_plane", &lay_out_plane, py::arg("desc"));
}

// The linear side is an address and two distances: rows may lie anywhere, which a view of one dtype cannot
// say for every kind of element. The Python layer has checked that the array holds the box.
void bind_swizzle_plan(py::module_& module) {
  py::native_enum<CopyDirection>(module, "CopyDirection", "enum.IntEnum", "To tiled bytes, or back to rows.")
      .value("SWIZZLE", CopyDirection::kSwizzle)
      .value("DESWIZZLE", CopyDirection::kDeswizzle)
      .finalize();
  bind_options<Box>(module, "Box", "Box of elements; z counts depth slices of a volume, else array slices.",
                    field("x", &Box::x), field("y", &Box::y), field("z", &Box::z),
                    field("width", &Box::width), field("height", &Box::height), field("depth", &Box::depth));
  py::class_<SwizzlePlan>(module, "SwizzlePlan", "The copies between linear images and one mip.")
      .def(py::init<const PlaneLayout&, int>(), py::arg("layout"), py::arg("mip"))
      .def(
          "swizzle",
          [](const SwizzlePlan& self, const py::array& image, std::int64_t row_bytes,
             std::int64_t slice_bytes, py::array tiled, const Box& box, int threads) {
            const LinearImage<const std::uint8_t> linear = {
                .data = static_cast<const std::uint8_t*>(image.data()),
                .row_bytes = row_bytes,
                .slice_bytes = slice_bytes,
            };
            const auto target = output<std::uint8_t, 1>(tiled, "tiled");
            const py::gil_scoped_release release;
            self.swizzle(linear, target, box, threads);
          },
          py::arg("image"), py::arg("row_bytes"), py::arg("slice_bytes"), py::arg("tiled"), py::arg("box"),
          py::arg("threads"))
      .def(
          "deswizzle",
          [](const SwizzlePlan& self, py::array image, std::int64_t row_bytes, std::int64_t slice_bytes,
             const py::array& tiled, const Box& box, int threads) {
            const LinearImage<std::uint8_t> linear = {
                .data = static_cast<std::uint8_t*>(image.mutable_data()),
                .row_bytes = row_bytes,
                .slice_bytes = slice_bytes,
            };
            const auto source = input<std::uint8_t, 1>(tiled, "tiled");
            const py::gil_scoped_release release;
            self.deswizzle(source, linear, box, threads);
          },
          py::arg("image"), py::arg("row_bytes"), py::arg("slice_bytes"), py::arg("tiled"), py::arg("box"),
          py::arg("threads"));
}

}  // namespace

void register_addressing(py::module_& module) {
  bind_swizzle_mode(module);
  bind_equation(module);
  bind_layout(module);
  bind_texel_address(module);
  bind_swizzle_plan(module);
}

}  // namespace tilelab::bindings
