#include <optional>
#include <utility>
#include <vector>

#include "bindings/numpy_args.hpp"
#include "bindings/register.hpp"
#include "tilelab/lighting/apply.hpp"
#include "tilelab/lighting/scan.hpp"
#include "tilelab/lighting/shortcuts.hpp"

namespace tilelab::bindings {
namespace {

using namespace tilelab::lighting;  // NOLINT(google-build-using-namespace)

/// A channel from Python: bytes (height, width, bytes per pixel), comparison, allowance.
using ChannelArgument = std::tuple<py::array, int, double>;

template <typename T, std::size_t N>
ArrayView<const T, N> optional_input(const std::optional<py::array>& array, const char* name) {
  return array ? input<T, N>(*array, name) : ArrayView<const T, N>();
}

RecordList record_list(const py::array& records, const py::array& offsets, std::int64_t height,
                       std::int64_t width) {
  return {input<std::uint32_t, 1>(records, "records"), input<std::int64_t, 1>(offsets, "offsets"), height,
          width};
}

py::tuple bind_scan(const std::vector<ChannelArgument>& channels, const py::array& depth,
                    const std::optional<py::array>& valid, const std::optional<py::array>& patterns,
                    float depth_near, float depth_span, std::optional<float> depth_delta, int policy,
                    int encoding, py::array records, py::array offsets, py::array counts, int threads) {
  std::vector<Channel> views;
  views.reserve(channels.size());
  for (const auto& [pixels, compare, allowance] : channels) {
    views.push_back({input<std::uint8_t, 3>(pixels, "channels"), static_cast<Compare>(compare), allowance});
  }
  ScanInput scan_input;
  scan_input.channels = views;
  scan_input.depth = input<float, 2>(depth, "depth");
  scan_input.valid = optional_input<std::uint8_t, 2>(valid, "valid");
  scan_input.patterns = optional_input<std::uint8_t, 2>(patterns, "patterns");
  scan_input.depth_near = depth_near;
  scan_input.depth_span = depth_span;
  scan_input.depth_gate = depth_delta.has_value();
  scan_input.depth_delta = depth_delta.value_or(0.0f);
  scan_input.policy = static_cast<Policy>(policy);
  scan_input.encoding = static_cast<DepthEncoding>(encoding);
  const auto records_view = output<std::uint32_t, 1>(records, "records");
  const auto offsets_view = output<std::int64_t, 1>(offsets, "offsets");
  const auto counts_view = output<std::uint32_t, 2>(counts, "counts");
  ScanStats stats;
  {
    const py::gil_scoped_release release;
    stats = scan(scan_input, records_view, offsets_view, counts_view, threads);
  }
  return py::make_tuple(stats.records, stats.depth_clamped, stats.depth_nan);
}

}  // namespace

void register_lighting(py::module_& module) {
  module.def("scan", &bind_scan, py::arg("channels"), py::arg("depth"), py::arg("valid"), py::arg("patterns"),
             py::arg("depth_near"), py::arg("depth_span"), py::arg("depth_delta"), py::arg("policy"),
             py::arg("encoding"), py::arg("records"), py::arg("offsets"), py::arg("counts"),
             py::arg("threads"));
  module.def(
      "pack_records",
      [](const py::array& x, const py::array& y, const py::array& copies, const py::array& depth,
         int encoding, py::array records) {
        const auto view_x = input<std::uint8_t, 1>(x, "x"), view_y = input<std::uint8_t, 1>(y, "y");
        const auto view_copies = input<std::uint8_t, 1>(copies, "copies");
        const auto view_depth = input<float, 1>(depth, "depth");
        const auto view_records = output<std::uint32_t, 1>(records, "records");
        const py::gil_scoped_release release;
        pack_records(view_x, view_y, view_copies, view_depth, static_cast<DepthEncoding>(encoding),
                     view_records);
      },
      py::arg("x"), py::arg("y"), py::arg("copies"), py::arg("depth"), py::arg("encoding"),
      py::arg("records"));
  module.def(
      "decode_depths",
      [](const py::array& records, int encoding, py::array depth, int threads) {
        const auto view_records = input<std::uint32_t, 1>(records, "records");
        const auto view_depth = output<float, 1>(depth, "depth");
        const py::gil_scoped_release release;
        decode_depths(view_records, static_cast<DepthEncoding>(encoding), view_depth, threads);
      },
      py::arg("records"), py::arg("encoding"), py::arg("depth"), py::arg("threads"));
  module.def(
      "requantise_depths",
      [](const py::array& depth, float near, float span, int encoding, py::array decoded, int threads) {
        const auto view_depth = input<float, 1>(depth, "depth");
        const auto view_decoded = output<float, 1>(decoded, "decoded");
        const py::gil_scoped_release release;
        requantise_depths(view_depth, near, span, static_cast<DepthEncoding>(encoding), view_decoded,
                          threads);
      },
      py::arg("depth"), py::arg("depth_near"), py::arg("depth_span"), py::arg("encoding"), py::arg("decoded"),
      py::arg("threads"));
  module.def(
      "check_records",
      [](const py::array& records, const py::array& offsets, std::int64_t height, std::int64_t width) {
        const RecordList list = record_list(records, offsets, height, width);
        const py::gil_scoped_release release;
        check_records(list);
      },
      py::arg("records"), py::arg("offsets"), py::arg("height"), py::arg("width"));
  module.def(
      "record_pixels",
      [](const py::array& records, const py::array& offsets, std::int64_t height, std::int64_t width,
         py::array x, py::array y, int threads) {
        const RecordList list = record_list(records, offsets, height, width);
        const auto view_x = output<std::int32_t, 1>(x, "x"), view_y = output<std::int32_t, 1>(y, "y");
        const py::gil_scoped_release release;
        record_pixels(list, view_x, view_y, threads);
      },
      py::arg("records"), py::arg("offsets"), py::arg("height"), py::arg("width"), py::arg("x"), py::arg("y"),
      py::arg("threads"));
  module.def(
      "gather_pixels",
      [](const py::array& records, const py::array& offsets, const py::array& image, py::array values,
         int threads) {
        const auto view_image = input<std::uint8_t, 3>(image, "image");
        const RecordList list = record_list(records, offsets, view_image.extent(0), view_image.extent(1));
        const auto view_values = output<std::uint8_t, 2>(values, "values");
        const py::gil_scoped_release release;
        gather_pixels(list, view_image, view_values, threads);
      },
      py::arg("records"), py::arg("offsets"), py::arg("image"), py::arg("values"), py::arg("threads"));
  module.def(
      "fill_pixels",
      [](const py::array& records, const py::array& offsets, const py::array& values, py::array image,
         int threads) {
        const auto view_values = input<std::uint8_t, 2>(values, "values");
        const auto view_image = output<std::uint8_t, 3>(image, "image");
        const RecordList list = record_list(records, offsets, view_image.extent(0), view_image.extent(1));
        const py::gil_scoped_release release;
        fill_pixels(list, view_values, view_image, threads);
      },
      py::arg("records"), py::arg("offsets"), py::arg("values"), py::arg("image"), py::arg("threads"));
  module.def(
      "uniform_blocks",
      [](const py::array& image, std::int64_t block_width, std::int64_t block_height, py::array uniform,
         int threads) {
        const auto view_image = input<std::uint8_t, 3>(image, "image");
        const auto view_uniform = output<std::uint8_t, 2>(uniform, "uniform");
        const py::gil_scoped_release release;
        uniform_blocks(view_image, block_width, block_height, view_uniform, threads);
      },
      py::arg("image"), py::arg("block_width"), py::arg("block_height"), py::arg("uniform"),
      py::arg("threads"));
  module.def(
      "hash_pixels",
      [](const std::vector<py::array>& channels, int hash_bits, py::array hashes, int threads) {
        std::vector<ArrayView<const std::uint8_t, 3>> views;
        for (const py::array& channel : channels)
          views.push_back(input<std::uint8_t, 3>(channel, "channels"));
        const auto view_hashes = output<std::uint32_t, 2>(hashes, "hashes");
        const py::gil_scoped_release release;
        hash_pixels(views, hash_bits, view_hashes, threads);
      },
      py::arg("channels"), py::arg("hash_bits"), py::arg("hashes"), py::arg("threads"));
}

}  // namespace tilelab::bindings
