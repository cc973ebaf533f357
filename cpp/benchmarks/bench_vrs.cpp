// The rate image of a 3840x2160 picture without Python around it; compare with "read" of bench_core.cpp.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "tilelab/vrs/rate_image.hpp"

namespace {

constexpr std::int64_t kWidth = 3840, kHeight = 2160;

// Waves with a noisy quarter, so that every rate occurs.
std::vector<float> picture() {
  std::vector<float> pixels(static_cast<std::size_t>(kWidth * kHeight * 3));
  std::uint32_t noise = 1;
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    noise = noise * 1664525u + 1013904223u;
    const float busy = (i / 3) % static_cast<std::size_t>(kWidth) < kWidth / 4 ? 0.3f : 0.0f;
    pixels[i] = 0.5f + 0.2f * std::sin(static_cast<float>(i) * 1e-3f) +
                busy * static_cast<float>(noise >> 8) / 16777216.0f;
  }
  return pixels;
}

void rate_image_rgb(benchmark::State& state) {
  const std::vector<float> pixels = picture();
  std::vector<std::uint8_t> rates(static_cast<std::size_t>(kHeight / 8 * kWidth / 8));
  const tilelab::ArrayView<const float, 3> color(pixels.data(), {kHeight, kWidth, 3});
  const tilelab::ArrayView<tilelab::vrs::Rate, 2> out(rates.data(), {kHeight / 8, kWidth / 8});
  for (auto _ : state) {
    tilelab::vrs::rate_image(color, {}, {}, out, {}, static_cast<int>(state.range(0)));
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(pixels.size() * sizeof(float)));
}
BENCHMARK(rate_image_rgb)->Arg(1)->Arg(2)->UseRealTime();

}  // namespace
