#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "vrs/luminance.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>

#include "tilelab/core/error.hpp"
#include "tilelab/core/parallel.hpp"
#include "tilelab/vrs/luminance.hpp"
#include "vrs/color_load-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tilelab::vrs {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <typename Format>
void convert(const typename Format::Element* pixels, const ColorWeights& weights, float* out,
             std::int64_t count) {
  const FloatTag d;
  const Format format(weights);
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    hn::StoreU(format.load(pixels + i * Format::kChannels), d, out + i);
  if (i == count) return;
  HWY_ALIGN typename Format::Element staged[kLanes * Format::kChannels] = {};
  HWY_ALIGN float result[kLanes];
  std::copy_n(pixels + i * Format::kChannels, (count - i) * Format::kChannels, staged);
  hn::Store(format.load(staged), d, result);
  std::copy_n(result, count - i, out + i);
}

void luminance_float(const float* pixels, std::int64_t channels, const ColorWeights& weights, float* out,
                     std::int64_t count) {
  (channels == 3 ? convert<RgbFloat> : convert<RgbaFloat>)(pixels, weights, out, count);
}

void luminance_byte(const std::uint8_t* pixels, std::int64_t channels, const ColorWeights& weights,
                    float* out, std::int64_t count) {
  (channels == 3 ? convert<RgbByte> : convert<RgbaByte>)(pixels, weights, out, count);
}

}  // namespace HWY_NAMESPACE
}  // namespace tilelab::vrs
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tilelab::vrs {
namespace {

HWY_EXPORT(luminance_float);
HWY_EXPORT(luminance_byte);

constexpr std::int64_t kGrain = 1 << 14;

template <typename T, typename Convert>
void run_luminance(ArrayView<const T, 2> pixels, ArrayView<float, 1> out, int threads, Convert convert) {
  const std::int64_t channels = pixels.extent(1);
  require(channels == 3 || channels == 4, "pixels", "must have 3 or 4 channels", channels);
  require(out.extent(0) == pixels.extent(0), "out", "must have one element for each pixel", out.extent(0));
  parallel_for(out.extent(0), kGrain, threads, [&](std::int64_t begin, std::int64_t end) {
    convert(pixels.data() + begin * channels, channels, out.data() + begin, end - begin);
  });
}

}  // namespace

void luminance(ArrayView<const float, 2> pixels, const ColorWeights& weights, ArrayView<float, 1> out,
               int threads) {
  run_luminance(pixels, out, threads,
                [&](const float* p, std::int64_t channels, float* result, std::int64_t count) {
                  HWY_DYNAMIC_DISPATCH(luminance_float)(p, channels, weights, result, count);
                });
}

void luminance(ArrayView<const std::uint8_t, 2> pixels, const ColorWeights& weights, ArrayView<float, 1> out,
               int threads) {
  run_luminance(pixels, out, threads,
                [&](const std::uint8_t* p, std::int64_t channels, float* result, std::int64_t count) {
                  HWY_DYNAMIC_DISPATCH(luminance_byte)(p, channels, weights, result, count);
                });
}

}  // namespace tilelab::vrs
#endif  // HWY_ONCE
