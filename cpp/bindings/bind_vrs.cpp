#include <optional>

#include "bindings/numpy_args.hpp"
#include "bindings/register.hpp"
#include "tilelab/vrs/coarse.hpp"
#include "tilelab/vrs/rate_image.hpp"
#include "tilelab/vrs/shading_rate.hpp"

namespace tilelab::bindings {
namespace {

using OptionalArray = std::optional<py::array>;

template <typename T, std::size_t N>
ArrayView<const T, N> optional_input(const OptionalArray& array, const char* name) {
  return array ? input<T, N>(*array, name) : ArrayView<const T, N>();
}

template <std::size_t N>
ArrayView<const std::byte, N> bytes_of(ArrayView<const std::uint8_t, N> view) {
  return {reinterpret_cast<const std::byte*>(view.data()), view.extents()};
}

template <std::size_t N>
ArrayView<std::byte, N> bytes_of(ArrayView<std::uint8_t, N> view) {
  return {reinterpret_cast<std::byte*>(view.data()), view.extents()};
}

bool is_bytes(const py::array& array) { return array.dtype().equal(py::dtype::of<std::uint8_t>()); }

template <typename T>
void luminance_of(const py::array& pixels, const vrs::ColorWeights& weights, py::array& out, int threads) {
  const auto view = input<T, 2>(pixels, "pixels");
  const auto result = output<float, 1>(out, "out");
  const py::gil_scoped_release release;
  vrs::luminance(view, weights, result, threads);
}

void bind_luminance(py::module_& module) {
  module.def(
      "luminance",
      [](const py::array& pixels, const vrs::ColorWeights& weights, py::array out, int threads) {
        (is_bytes(pixels) ? luminance_of<std::uint8_t> : luminance_of<float>)(pixels, weights, out, threads);
      },
      py::arg("pixels"), py::arg("weights"), py::arg("out"), py::arg("threads"));
}

template <typename T>
void rate_image_of(const py::array& color, const vrs::SobelOptions& options, const vrs::Motion& motion,
                   py::array& rates, std::optional<py::array>& votes, int threads) {
  const auto color_view = input<T, 3>(color, "color");
  const auto rates_view = output<vrs::Rate, 2>(rates, "rates");
  const auto votes_view = votes ? output<std::int32_t, 3>(*votes, "votes") : ArrayView<std::int32_t, 3>();
  const py::gil_scoped_release release;
  vrs::rate_image(color_view, options, motion, rates_view, votes_view, threads);
}

void bind_rate_image(py::module_& module) {
  module.def(
      "rate_image",
      [](const py::array& color, int tile, float threshold, float env_luma, std::optional<float> lum_lo,
         std::optional<float> lum_hi, bool differences, double vote, bool vote_is_fraction,
         const vrs::ColorWeights& weights, const OptionalArray& motion, const OptionalArray& disoccluded,
         bool clamp_off_screen, py::array rates, std::optional<py::array> votes, int threads) {
        vrs::SobelOptions options;
        options.tile = tile;
        options.threshold = threshold;
        options.env_luma = env_luma;
        options.lum_lo = lum_lo.value_or(vrs::kNoCut);
        options.lum_hi = lum_hi.value_or(vrs::kNoCut);
        options.differences = differences;
        options.vote = vote;
        options.vote_is_fraction = vote_is_fraction;
        options.weights = weights;
        vrs::Motion history;
        history.pixels = optional_input<float, 3>(motion, "motion");
        history.disoccluded = optional_input<std::uint8_t, 2>(disoccluded, "disoccluded");
        history.clamp_off_screen = clamp_off_screen;
        (is_bytes(color) ? rate_image_of<std::uint8_t> : rate_image_of<float>)(color, options, history, rates,
                                                                               votes, threads);
      },
      py::arg("color"), py::kw_only(), py::arg("tile"), py::arg("threshold"), py::arg("env_luma"),
      py::arg("lum_lo"), py::arg("lum_hi"), py::arg("differences"), py::arg("vote"),
      py::arg("vote_is_fraction"), py::arg("weights"), py::arg("motion"), py::arg("disoccluded"),
      py::arg("clamp_off_screen"), py::arg("rates"), py::arg("votes"), py::arg("threads"));
}

void bind_rates(py::module_& module) {
  module.def(
      "supported_rates",
      [](int profile, bool additional_rates, int sample_count) {
        return vrs::supported_rates(static_cast<vrs::RateProfile>(profile), additional_rates, sample_count);
      },
      py::arg("profile"), py::arg("additional_rates"), py::arg("sample_count"));
  module.def(
      "combine_table",
      [](int first, int second, int sanitize, std::uint32_t supported, int max_axis_log2, py::array table) {
        vrs::CombinerChain chain;
        chain.first = static_cast<vrs::Combiner>(first);
        chain.second = static_cast<vrs::Combiner>(second);
        chain.sanitize = static_cast<vrs::Sanitize>(sanitize);
        chain.supported = supported;
        chain.max_axis_log2 = max_axis_log2;
        vrs::combine_table(chain, output<vrs::Rate, 3>(table, "table"));
      },
      py::arg("first"), py::arg("second"), py::arg("sanitize"), py::arg("supported"),
      py::arg("max_axis_log2"), py::arg("table"));
}

vrs::CoarseScene make_scene(std::int64_t height, std::int64_t width, int tile,
                            const OptionalArray& primitive_id, const OptionalArray& rates,
                            const OptionalArray& primitive_rates, const py::array& final_rates) {
  vrs::CoarseScene scene;
  scene.height = height;
  scene.width = width;
  scene.tile = tile;
  scene.primitive_id = optional_input<std::int32_t, 2>(primitive_id, "primitive_id");
  scene.image_rates = optional_input<vrs::Rate, 2>(rates, "rates");
  scene.primitive_rates = optional_input<vrs::Rate, 1>(primitive_rates, "primitive_rates");
  scene.final_rates = input<vrs::Rate, 2>(final_rates, "final_rates");
  return scene;
}

template <typename T>
void mean_of(const py::array& pixels, const py::array& pixel_invocation, const py::array& masks, int tile,
             py::array& means, int threads) {
  const auto pixel_view = input<T, 2>(pixels, "pixels");
  const auto rows = input<std::int32_t, 2>(pixel_invocation, "pixel_invocation");
  const auto mask_view = input<std::uint16_t, 1>(masks, "masks");
  const auto mean_view = output<double, 2>(means, "means");
  const py::gil_scoped_release release;
  vrs::mean_coarse(pixel_view, rows, mask_view, tile, mean_view, threads);
}

void bind_coarse_values(py::module_& module) {
  module.def(
      "mean_coarse",
      [](const py::array& pixels, const py::array& pixel_invocation, const py::array& masks, int tile,
         py::array means, int threads) {
        const bool single = pixels.dtype().equal(py::dtype::of<float>());
        (single ? mean_of<float> : mean_of<double>)(pixels, pixel_invocation, masks, tile, means, threads);
      },
      py::arg("pixels"), py::arg("pixel_invocation"), py::arg("masks"), py::arg("tile"), py::arg("means"),
      py::arg("threads"));
  module.def(
      "broadcast_coarse",
      [](const py::array& values, const py::array& nothing, const py::array& pixel_invocation, py::array out,
         int threads) {
        const auto values_view = bytes_of(input<std::uint8_t, 2>(values, "values"));
        const auto nothing_view = bytes_of(input<std::uint8_t, 1>(nothing, "nothing"));
        const auto rows = input<std::int32_t, 1>(pixel_invocation, "pixel_invocation");
        const auto out_view = bytes_of(output<std::uint8_t, 2>(out, "out"));
        const py::gil_scoped_release release;
        vrs::broadcast_coarse(values_view, nothing_view, rows, out_view, threads);
      },
      py::arg("values"), py::arg("nothing"), py::arg("pixel_invocation"), py::arg("out"), py::arg("threads"));
}

void bind_coarse(py::module_& module) {
  module.def(
      "count_coarse",
      [](std::int64_t height, std::int64_t width, int tile, const OptionalArray& primitive_id,
         const OptionalArray& rates, const OptionalArray& primitive_rates, const py::array& final_rates,
         py::array invocations, py::array lanes, int threads) {
        const auto scene = make_scene(height, width, tile, primitive_id, rates, primitive_rates, final_rates);
        const auto invocations_view = output<std::int64_t, 2>(invocations, "invocations");
        const auto lanes_view = output<std::int64_t, 2>(lanes, "lanes");
        const py::gil_scoped_release release;
        vrs::count_coarse(scene, invocations_view, lanes_view, threads);
      },
      py::kw_only(), py::arg("height"), py::arg("width"), py::arg("tile"), py::arg("primitive_id"),
      py::arg("rates"), py::arg("primitive_rates"), py::arg("final_rates"), py::arg("invocations"),
      py::arg("lanes"), py::arg("threads"));
  module.def(
      "list_coarse",
      [](std::int64_t height, std::int64_t width, int tile, const OptionalArray& primitive_id,
         const OptionalArray& rates, const OptionalArray& primitive_rates, const py::array& final_rates,
         bool centroid, const py::array& offsets, const py::array& first, py::array positions,
         py::array masks, py::array invocation_rates, py::array primitives, py::array pixel_invocation,
         const OptionalArray& image, const OptionalArray& nothing, std::optional<py::array> out,
         int threads) {
        auto scene = make_scene(height, width, tile, primitive_id, rates, primitive_rates, final_rates);
        scene.location = centroid ? vrs::Location::kCentroid : vrs::Location::kCenter;
        const auto offset_view = input<std::int8_t, 2>(offsets, "offsets");
        require(offset_view.extent(0) == vrs::kRateCodes && offset_view.extent(1) == 2, "offsets",
                "must have shape (16, 2)", offset_view.size());
        for (std::int64_t code = 0; code < vrs::kRateCodes; ++code) {
          scene.offsets[static_cast<std::size_t>(code)] = {offset_view(code, 0), offset_view(code, 1)};
        }
        const auto first_view = input<std::int64_t, 1>(first, "first");
        vrs::CoarseRows rows;
        rows.positions = output<double, 2>(positions, "positions");
        rows.masks = output<std::uint16_t, 1>(masks, "masks");
        rows.rates = output<vrs::Rate, 1>(invocation_rates, "invocation_rates");
        rows.primitives = output<std::int32_t, 1>(primitives, "primitives");
        rows.pixel_invocation = output<std::int32_t, 2>(pixel_invocation, "pixel_invocation");
        vrs::CoarseImage pixels;
        pixels.pixels = bytes_of(optional_input<std::uint8_t, 2>(image, "image"));
        pixels.nothing = bytes_of(optional_input<std::uint8_t, 1>(nothing, "nothing"));
        if (out) pixels.out = bytes_of(output<std::uint8_t, 2>(*out, "out"));
        const py::gil_scoped_release release;
        vrs::list_coarse(scene, first_view, rows, pixels, threads);
      },
      py::kw_only(), py::arg("height"), py::arg("width"), py::arg("tile"), py::arg("primitive_id"),
      py::arg("rates"), py::arg("primitive_rates"), py::arg("final_rates"), py::arg("centroid"),
      py::arg("offsets"), py::arg("first"), py::arg("positions"), py::arg("masks"),
      py::arg("invocation_rates"), py::arg("primitives"), py::arg("pixel_invocation"), py::arg("image"),
      py::arg("nothing"), py::arg("out"), py::arg("threads"));
}

}  // namespace

void register_vrs(py::module_& module) {
  bind_rates(module);
  bind_luminance(module);
  bind_rate_image(module);
  bind_coarse(module);
  bind_coarse_values(module);
}

}  // namespace tilelab::bindings
