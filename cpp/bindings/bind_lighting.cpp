#include <vector>

#include "bindings/numpy_args.hpp"
#include "bindings/options.hpp"
#include "bindings/register.hpp"
#include "tilelab/lighting/apply.hpp"
#include "tilelab/lighting/fast_paths.hpp"
#include "tilelab/lighting/records.hpp"
#include "tilelab/lighting/scan.hpp"

namespace tilelab::bindings {
namespace {

using namespace tilelab::lighting;  // NOLINT(google-build-using-namespace)

void bind_records(py::module_& module) {
  module.attr("TILE") = kTile;
  py::native_enum<DepthEncoding>(module, "DepthEncoding", "enum.IntEnum",
                                 "How 21 bits of a record hold a depth.")
      .value("UNORM21", DepthEncoding::kUnorm21)
      .value("FLOAT21", DepthEncoding::kFloat21)
      .finalize();
  bind_options<DepthRange>(module, "DepthRange", "The stored depths that become 0..1.",
                           field("near", &DepthRange::near), field("span", &DepthRange::span));
  bind_options<RecordFields>(module, "RecordFields", "Fields of records, one entry for each.",
                             field("x", &RecordFields::x), field("y", &RecordFields::y),
                             field("copies", &RecordFields::copies), field("depth", &RecordFields::depth));
  module.def(
      "pack_records",
      [](const RecordFields& fields, DepthEncoding encoding, py::array records) {
        const auto records_view = output<std::uint32_t, 1>(records, "records");
        const py::gil_scoped_release release;
        pack_records(fields, encoding, records_view);
      },
      py::arg("fields"), py::arg("encoding"), py::arg("records"));
  module.def(
      "decode_depths",
      [](const py::array& records, DepthEncoding encoding, py::array depth, int threads) {
        const auto records_view = input<std::uint32_t, 1>(records, "records");
        const auto depth_view = output<float, 1>(depth, "depth");
        const py::gil_scoped_release release;
        decode_depths(records_view, encoding, depth_view, threads);
      },
      py::arg("records"), py::arg("encoding"), py::arg("depth"), py::arg("threads"));
  module.def(
      "requantise_depths",
      [](const py::array& depth, const DepthRange& range, DepthEncoding encoding, py::array decoded,
         int threads) {
        const auto depth_view = input<float, 1>(depth, "depth");
        const auto decoded_view = output<float, 1>(decoded, "decoded");
        const py::gil_scoped_release release;
        requantise_depths(depth_view, range, encoding, decoded_view, threads);
      },
      py::arg("depth"), py::arg("range"), py::arg("encoding"), py::arg("decoded"), py::arg("threads"));
}

void bind_scan(py::module_& module) {
  py::native_enum<Compare>(module, "Compare", "enum.IntEnum", "How the bytes of a pixel are compared.")
      .value("BITS", Compare::kBits)
      .value("UNORM8", Compare::kUnorm8)
      .value("UNORM16", Compare::kUnorm16)
      .value("FLOAT16", Compare::kFloat16)
      .value("FLOAT32", Compare::kFloat32)
      .finalize();
  py::native_enum<Policy>(module, "Policy", "enum.IntEnum", "Order of visits in a quad.")
      .value("CHECKER", Policy::kChecker)
      .value("FIRST", Policy::kFirst)
      .finalize();
  module.attr("PATTERN_BLOCK") = kPatternBlock;
  module.attr("PATTERN_EQUAL_X") = kPatternEqualX;
  module.attr("PATTERN_EQUAL_Y") = kPatternEqualY;
  module.attr("PATTERN_COMPARE") = kPatternCompare;
  bind_options<Channel>(module, "Channel", "One channel of a G-buffer as bytes, and how it is compared.",
                        field("pixels", &Channel::pixels), field("compare", &Channel::compare),
                        field("allowance", &Channel::allowance, {.low = 0.0, .finite = false}));
  bind_options<ScanInput>(module, "ScanInput", "What a scan reads besides the channels.",
                          field("depth", &ScanInput::depth), field("valid", &ScanInput::valid),
                          field("patterns", &ScanInput::patterns));
  bind_options<ScanOptions>(module, "ScanOptions", "How pixels are compared and listed.",
                            field("depth_range", &ScanOptions::depth_range),
                            field("depth_delta", &ScanOptions::depth_delta, at_least(0)),
                            field("policy", &ScanOptions::policy),
                            field("depth_encoding", &ScanOptions::depth_encoding));
  bind_options<ScanOutput>(module, "ScanOutput", "Where the records of a scan go.",
                           field("records", &ScanOutput::records), field("offsets", &ScanOutput::offsets),
                           field("counts", &ScanOutput::counts));
  py::class_<ScanCounts>(module, "ScanCounts", "What a scan met.")
      .def_readonly("records", &ScanCounts::records)
      .def_readonly("depth_clamped", &ScanCounts::depth_clamped)
      .def_readonly("depth_nan", &ScanCounts::depth_nan);
  module.def(
      "scan",
      [](const std::vector<Channel>& channels, const ScanInput& images, const ScanOptions& options,
         const ScanOutput& written, int threads) {
        const py::gil_scoped_release release;
        return scan(channels, images, options, written, threads);
      },
      py::arg("channels"), py::arg("input"), py::arg("options"), py::arg("output"), py::arg("threads"));
}

void bind_apply(py::module_& module) {
  bind_options<RecordList>(module, "RecordList", "Records of all tiles of an image.",
                           field("records", &RecordList::records), field("offsets", &RecordList::offsets),
                           field("height", &RecordList::height, at_least(1)),
                           field("width", &RecordList::width, at_least(1)));
  module.def("check_records", &check_records, py::arg("list"), py::call_guard<py::gil_scoped_release>());
  module.def(
      "record_pixels",
      [](const RecordList& list, py::array x, py::array y, int threads) {
        const auto x_view = output<std::int32_t, 1>(x, "x"), y_view = output<std::int32_t, 1>(y, "y");
        const py::gil_scoped_release release;
        record_pixels(list, x_view, y_view, threads);
      },
      py::arg("list"), py::arg("x"), py::arg("y"), py::arg("threads"));
  module.def(
      "gather_pixels",
      [](const RecordList& list, const py::array& image, py::array values, int threads) {
        const auto image_view = input<std::uint8_t, 3>(image, "image");
        const auto values_view = output<std::uint8_t, 2>(values, "values");
        const py::gil_scoped_release release;
        gather_pixels(list, image_view, values_view, threads);
      },
      py::arg("list"), py::arg("image"), py::arg("values"), py::arg("threads"));
  module.def(
      "fill_pixels",
      [](const RecordList& list, const py::array& values, py::array image, int threads) {
        const auto values_view = input<std::uint8_t, 2>(values, "values");
        const auto image_view = output<std::uint8_t, 3>(image, "image");
        const py::gil_scoped_release release;
        fill_pixels(list, values_view, image_view, threads);
      },
      py::arg("list"), py::arg("values"), py::arg("image"), py::arg("threads"));
}

void bind_fast_paths(py::module_& module) {
  module.def(
      "uniform_blocks",
      [](const py::array& image, std::int64_t block_width, std::int64_t block_height, py::array uniform,
         int threads) {
        const auto image_view = input<std::uint8_t, 3>(image, "image");
        const auto uniform_view = output<std::uint8_t, 2>(uniform, "uniform");
        const py::gil_scoped_release release;
        uniform_blocks(image_view, block_width, block_height, uniform_view, threads);
      },
      py::arg("image"), py::arg("block_width"), py::arg("block_height"), py::arg("uniform"),
      py::arg("threads"));
  module.def(
      "hash_pixels",
      [](const std::vector<py::array>& channels, int hash_bits, py::array hashes, int threads) {
        std::vector<ArrayView<const std::uint8_t, 3>> views;
        for (const py::array& channel : channels) {
          views.push_back(input<std::uint8_t, 3>(channel, "channels"));
        }
        const auto hashes_view = output<std::uint32_t, 2>(hashes, "hashes");
        const py::gil_scoped_release release;
        hash_pixels(views, hash_bits, hashes_view, threads);
      },
      py::arg("channels"), py::arg("hash_bits"), py::arg("hashes"), py::arg("threads"));
}

}  // namespace

void register_lighting(py::module_& module) {
  bind_records(module);
  bind_scan(module);
  bind_apply(module);
  bind_fast_paths(module);
}

}  // namespace tilelab::bindings
