#include "bindings/numpy_args.hpp"
#include "bindings/options.hpp"
#include "bindings/register.hpp"
#include "tilelab/vrs/coarse.hpp"
#include "tilelab/vrs/luminance.hpp"
#include "tilelab/vrs/rate_image.hpp"
#include "tilelab/vrs/shading_rate.hpp"

namespace tilelab::bindings {
namespace {

using namespace tilelab::vrs;  // NOLINT(google-build-using-namespace)

void bind_shading_rate(py::module_& module) {
  py::native_enum<Combiner>(module, "Combiner", "enum.IntEnum",
                            "How two rates A and B become one, per axis, with the D3D12 values.\n\n"
                            "PASSTHROUGH gives A, OVERRIDE gives B, MIN the finer, MAX the coarser, SUM adds "
                            "the log2 sizes (documented).")
      .value("PASSTHROUGH", Combiner::kPassthrough)
      .value("OVERRIDE", Combiner::kOverride)
      .value("MIN", Combiner::kMin)
      .value("MAX", Combiner::kMax)
      .value("SUM", Combiner::kSum)
      .finalize();
  py::native_enum<RateProfile>(module, "RateProfile", "enum.IntEnum", "Whose list of delivered rates holds.")
      .value("D3D12", RateProfile::kD3d12)
      .value("NVIDIA", RateProfile::kNvidia)
      .value("XBOX_SERIES", RateProfile::kXboxSeries)
      .finalize();
  py::native_enum<Sanitize>(module, "Sanitize", "enum.IntEnum",
                            "Where the combiner chain replaces rates that are not delivered.")
      .value("EACH", Sanitize::kEach)
      .value("FINAL", Sanitize::kFinal)
      .value("OUTPUTS", Sanitize::kOutputs)
      .finalize();
  bind_options<CombinerChain>(module, "CombinerChain", "second(first(draw, primitive), image) on a device.",
                              field("first", &CombinerChain::first), field("second", &CombinerChain::second),
                              field("sanitize", &CombinerChain::sanitize),
                              field("supported", &CombinerChain::supported),
                              field("max_axis_log2", &CombinerChain::max_axis_log2, between(1, 2)));
  module.def("supported_rates", &supported_rates, py::arg("profile"), py::arg("additional_rates"),
             py::arg("sample_count"));
  module.def(
      "combine_table",
      [](const CombinerChain& chain, py::array table) {
        combine_table(chain, output<Rate, 3>(table, "table"));
      },
      py::arg("chain"), py::arg("table"));
}

template <typename T>
void luminance_of(const py::array& pixels, const ColorWeights& weights, py::array& out, int threads) {
  const auto view = input<T, 2>(pixels, "pixels");
  const auto result = output<float, 1>(out, "out");
  const py::gil_scoped_release release;
  luminance(view, weights, result, threads);
}

void bind_luminance(py::module_& module) {
  module.def(
      "luminance",
      [](const py::array& pixels, const ColorWeights& weights, py::array out, int threads) {
        (holds<std::uint8_t>(pixels) ? luminance_of<std::uint8_t> : luminance_of<float>)(pixels, weights, out,
                                                                                         threads);
      },
      py::arg("pixels"), py::arg("weights"), py::arg("out"), py::arg("threads"));
}

template <typename T>
void rate_image_of(const py::array& color, const RateImageOptions& options, const Motion& motion,
                   py::array& rates, std::optional<py::array>& votes, int threads) {
  const auto color_view = input<T, 3>(color, "color");
  const auto rates_view = output<Rate, 2>(rates, "rates");
  const auto votes_view = optional_output<std::int32_t, 3>(votes, "votes");
  const py::gil_scoped_release release;
  rate_image(color_view, options, motion, rates_view, votes_view, threads);
}

void bind_rate_image(py::module_& module) {
  py::native_enum<Estimator>(module, "Estimator", "enum.IntEnum", "What a pixel's luminance is compared by.")
      .value("SOBEL", Estimator::kSobel)
      .value("SOBEL_DIFF", Estimator::kSobelDiff)
      .finalize();
  py::native_enum<OffScreen>(module, "OffScreen", "enum.IntEnum",
                             "What happens where motion leads outside the picture.")
      .value("FINE", OffScreen::kFine)
      .value("CLAMP", OffScreen::kClamp)
      .finalize();
  bind_options<RateImageOptions>(module, "RateImageOptions", "How a picture becomes a rate image.",
                                 field("estimator", &RateImageOptions::estimator),
                                 field("tile", &RateImageOptions::tile, one_of({8, 16, 32})),
                                 field("threshold", &RateImageOptions::threshold, at_least(0)),
                                 field("env_luma", &RateImageOptions::env_luma, at_least(0)),
                                 field("vote", &RateImageOptions::vote, at_least(0)),
                                 field("lum_lo", &RateImageOptions::lum_lo, unlimited()),
                                 field("lum_hi", &RateImageOptions::lum_hi, unlimited()),
                                 field("weights", &RateImageOptions::weights));
  bind_options<Motion>(module, "Motion", "Where pixels were in the picture before.",
                       field("pixels", &Motion::pixels), field("disoccluded", &Motion::disoccluded),
                       field("off_screen", &Motion::off_screen));
  module.def(
      "rate_image",
      [](const py::array& color, const RateImageOptions& options, const Motion& motion, py::array rates,
         std::optional<py::array> votes, int threads) {
        (holds<std::uint8_t>(color) ? rate_image_of<std::uint8_t>
                                    : rate_image_of<float>)(color, options, motion, rates, votes, threads);
      },
      py::arg("color"), py::arg("options"), py::arg("motion"), py::arg("rates"), py::arg("votes"),
      py::arg("threads"));
}

void bind_coarse(py::module_& module) {
  py::native_enum<Location>(module, "Location", "enum.IntEnum",
                            "Where a partly covered coarse pixel is shaded.")
      .value("CENTER", Location::kCenter)
      .value("CENTROID", Location::kCentroid)
      .finalize();
  bind_options<CoarseScene>(
      module, "CoarseScene", "A picture of primitives and how it is shaded.",
      field("height", &CoarseScene::height, at_least(1)), field("width", &CoarseScene::width, at_least(1)),
      field("tile", &CoarseScene::tile, one_of({8, 16, 32})),
      field("primitive_id", &CoarseScene::primitive_id), field("rates", &CoarseScene::rates),
      field("primitive_rates", &CoarseScene::primitive_rates),
      field("final_rates", &CoarseScene::final_rates), field("location", &CoarseScene::location),
      field("offsets", &CoarseScene::offsets));
  bind_options<CoarseRows>(module, "CoarseRows", "One row for each invocation, to be filled.",
                           field("positions", &CoarseRows::positions), field("masks", &CoarseRows::masks),
                           field("rates", &CoarseRows::rates), field("primitives", &CoarseRows::primitives),
                           field("pixel_invocation", &CoarseRows::pixel_invocation));
  bind_options<CoarseImage>(module, "CoarseImage", "An image as bytes, and where its coarse form goes.",
                            field("pixels", &CoarseImage::pixels), field("nothing", &CoarseImage::nothing),
                            field("out", &CoarseImage::out));
  module.def(
      "count_coarse",
      [](const CoarseScene& scene, py::array invocations, py::array lanes, int threads) {
        const auto invocations_view = output<std::int64_t, 2>(invocations, "invocations");
        const auto lanes_view = output<std::int64_t, 2>(lanes, "lanes");
        const py::gil_scoped_release release;
        count_coarse(scene, invocations_view, lanes_view, threads);
      },
      py::arg("scene"), py::arg("invocations"), py::arg("lanes"), py::arg("threads"));
  module.def(
      "list_coarse",
      [](const CoarseScene& scene, const py::array& first, const CoarseRows& rows, const CoarseImage& image,
         int threads) {
        const auto first_view = input<std::int64_t, 1>(first, "first");
        const py::gil_scoped_release release;
        list_coarse(scene, first_view, rows, image, threads);
      },
      py::arg("scene"), py::arg("first"), py::arg("rows"), py::arg("image"), py::arg("threads"));
}

template <typename T>
void mean_of(const py::array& pixels, const py::array& pixel_invocation, const py::array& masks, int tile,
             py::array& means, int threads) {
  const auto pixel_view = input<T, 2>(pixels, "pixels");
  const auto rows = input<std::int32_t, 2>(pixel_invocation, "pixel_invocation");
  const auto mask_view = input<std::uint16_t, 1>(masks, "masks");
  const auto mean_view = output<double, 2>(means, "means");
  const py::gil_scoped_release release;
  mean_coarse(pixel_view, rows, mask_view, tile, mean_view, threads);
}

void bind_coarse_values(py::module_& module) {
  module.def(
      "mean_coarse",
      [](const py::array& pixels, const py::array& pixel_invocation, const py::array& masks, int tile,
         py::array means, int threads) {
        (holds<float>(pixels) ? mean_of<float> : mean_of<double>)(pixels, pixel_invocation, masks, tile,
                                                                  means, threads);
      },
      py::arg("pixels"), py::arg("pixel_invocation"), py::arg("masks"), py::arg("tile"), py::arg("means"),
      py::arg("threads"));
  module.def(
      "broadcast_coarse",
      [](const py::array& values, const py::array& nothing, const py::array& pixel_invocation, py::array out,
         int threads) {
        const auto values_view = input<std::uint8_t, 2>(values, "values");
        const auto nothing_view = input<std::uint8_t, 1>(nothing, "nothing");
        const auto rows = input<std::int32_t, 1>(pixel_invocation, "pixel_invocation");
        const auto out_view = output<std::uint8_t, 2>(out, "out");
        const py::gil_scoped_release release;
        broadcast_coarse(values_view, nothing_view, rows, out_view, threads);
      },
      py::arg("values"), py::arg("nothing"), py::arg("pixel_invocation"), py::arg("out"), py::arg("threads"));
}

}  // namespace

void register_vrs(py::module_& module) {
  bind_shading_rate(module);
  bind_luminance(module);
  bind_rate_image(module);
  bind_coarse(module);
  bind_coarse_values(module);
}

}  // namespace tilelab::bindings
