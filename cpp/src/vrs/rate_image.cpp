// Sobel gradients and tile votes in one pass over the picture. A row is converted to luminance once; two rows
// of luminance and two of horizontal sums stay in cache, and each new row overwrites the one it replaces.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "vrs/rate_image.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <vector>

#include "core/simd-inl.hpp"
#include "vrs/color_load-inl.hpp"
#include "vrs/rate_image_band.hpp"
#include "vrs/reprojection.hpp"

HWY_BEFORE_NAMESPACE();
namespace tilelab::vrs {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// One strip of columns, walked down row by row.
template <typename Format, bool kExtras>
class Strip {
 public:
  using Element = typename Format::Element;

  Strip(const RateImageBand& band, std::int64_t begin, std::int64_t end, StripScratch& scratch)
      : band_(band),
        format_(band.options.weights),
        pixels_(static_cast<const Element*>(band.pixels)),
        begin_(begin),
        vectors_(ceil_div(end - begin, kLanes)),
        whole_vectors_((band.width - begin) / kLanes),
        above_(scratch.luminance[0]),
        current_(scratch.luminance[1]),
        sums_above_(scratch.sums[0]),
        sums_current_(scratch.sums[1]) {}

  // Prepares the two rows that the first output row needs.
  void start(std::int64_t y) {
    ingest(std::max<std::int64_t>(y - 1, 0), above_, sums_above_);
    ingest(y, current_, sums_current_);
  }

  // Writes the coarse bits of row y, 1 where a gradient is within its limit; so NaN gives 0. The row below it
  // replaces the row above it.
  void row(std::int64_t y, std::uint8_t* coarse_x, std::uint8_t* coarse_y) {
    const FloatTag d;
    const Element* below = row_pointer(std::min(y + 1, band_.height - 1));
    const Float threshold = hn::Set(d, band_.options.threshold), env = hn::Set(d, band_.options.env_luma);
    const Float two = hn::Set(d, 2.0f), eighth = hn::Set(d, 0.125f);
    const Format format = format_;
    float* const above = above_;
    const float* const current = current_;
    float* const sums = sums_above_;

    // State of three neighbouring vectors: the new row, the row itself, and the vertical sums.
    Float new_left, new_here, new_right, here, right, column_left, column_right;
    Float column_here = hn::Zero(d);  // left of the row nothing is kept: the first shift only moves it away
    const auto advance = [&](std::int64_t k, Float fresh) HWY_ATTR {
      new_right = fresh;
      right = hn::Load(d, current + k * kLanes);
      column_right = hn::Add(hn::Add(hn::Load(d, above + k * kLanes), hn::Mul(two, right)), fresh);
      hn::Store(fresh, d, above + k * kLanes);
    };
    const auto shift = [&]() HWY_ATTR {
      new_left = new_here;
      new_here = new_right;
      here = right;
      column_left = column_here;
      column_here = column_right;
    };
    const auto emit = [&](std::int64_t k) HWY_ATTR {
      const Float sum = hn::Add(hn::Add(simd::left_neighbour(d, new_left, new_here), hn::Mul(two, new_here)),
                                simd::right_neighbour(d, new_here, new_right));
      const Float gy = hn::Mul(hn::Sub(sum, hn::Load(d, sums + k * kLanes)), eighth);
      hn::Store(sum, d, sums + k * kLanes);
      const Float gx = hn::Mul(hn::Sub(simd::right_neighbour(d, column_here, column_right),
                                       simd::left_neighbour(d, column_left, column_here)),
                               eighth);
      const Float limit = hn::Mul(threshold, hn::Add(here, env));
      auto within_x = hn::Le(hn::Abs(gx), limit);
      auto within_y = hn::Le(hn::Abs(gy), limit);
      if constexpr (kExtras) {
        if (band_.options.estimator == Estimator::kSobelDiff) {
          const Float dx = hn::Sub(simd::right_neighbour(d, here, right), here), dy = hn::Sub(new_here, here);
          within_x = hn::And(within_x, hn::Le(hn::Abs(dx), limit));
          within_y = hn::And(within_y, hn::Le(hn::Abs(dy), limit));
        }
        const auto cut =
            hn::Or(hn::Ge(here, hn::Set(d, band_.lum_hi())), hn::Lt(here, hn::Set(d, band_.lum_lo())));
        within_x = hn::Or(within_x, cut);
        within_y = hn::Or(within_y, cut);
      }
      store_bits(within_x, k, coarse_x);
      store_bits(within_y, k, coarse_y);
    };

    new_left = new_here = load_edge(below, -1);
    advance(-1, new_here);
    shift();
    advance(0, load_edge(below, 0));
    shift();
    std::int64_t k = 0;
    const std::int64_t fast_end = std::min(vectors_, whole_vectors_ - 1);
    const Element* p = below + (begin_ + kLanes) * Format::kChannels;
    // What comes next is further along the row and, near its end, the following row of the strip.
    const Element* const next_row =
        row_pointer(std::min(y + 2, band_.height - 1)) + begin_ * Format::kChannels;
    for (const bool along : {true, false}) {
      const std::int64_t run_end = along ? fast_end - kAhead : fast_end;
      const Element* ahead = along ? p + kAhead * kStep : next_row;
      for (; k < run_end; ++k, p += kStep, ahead += kStep) {
        simd::prefetch<kStepBytes>(ahead);
        advance(k + 1, format.load(p));
        emit(k);
        shift();
      }
    }
    for (; k < vectors_; ++k) {
      advance(k + 1, load_edge(below, k + 1));
      emit(k);
      shift();
    }
    std::swap(above_, current_);
    std::swap(sums_above_, sums_current_);
  }

 private:
  static constexpr std::int64_t kStep = kLanes * Format::kChannels;  // elements of a vector of pixels
  static constexpr std::int64_t kStepBytes = kStep * static_cast<std::int64_t>(sizeof(Element));
  static constexpr std::int64_t kAhead = kPrefetchBytes / kStepBytes;

  const Element* row_pointer(std::int64_t y) const {
    return pixels_ + (y - band_.first_row) * band_.width * Format::kChannels;
  }

  // Vector k of a row, pixels outside the picture replaced by the nearest one inside.
  Float load_edge(const Element* row, std::int64_t k) const {
    const std::int64_t first = begin_ + k * kLanes;
    if (first >= 0 && first + kLanes <= band_.width) return format_.load(row + first * Format::kChannels);
    HWY_ALIGN Element staged[kLanes * Format::kChannels];
    for (std::int64_t i = 0; i < kLanes; ++i) {
      const std::int64_t x = std::clamp<std::int64_t>(first + i, 0, band_.width - 1);
      std::copy_n(row + x * Format::kChannels, Format::kChannels, staged + i * Format::kChannels);
    }
    return format_.load(staged);
  }

  void ingest(std::int64_t y, float* luminance, float* sums) const {
    const FloatTag d;
    const Element* row = row_pointer(y);
    for (std::int64_t k = -1; k <= vectors_; ++k) hn::Store(load_edge(row, k), d, luminance + k * kLanes);
    for (std::int64_t k = 0; k < vectors_; ++k) {
      const float* p = luminance + k * kLanes;
      const Float here = hn::Load(d, p);
      hn::Store(hn::Add(hn::Add(hn::LoadU(d, p - 1), hn::Mul(hn::Set(d, 2.0f), here)), hn::LoadU(d, p + 1)),
                d, sums + k * kLanes);
    }
  }

  const RateImageBand& band_;
  const Format format_;
  const Element* const pixels_;
  const std::int64_t begin_;
  const std::int64_t vectors_;
  const std::int64_t whole_vectors_;
  float* above_;
  float* current_;
  float* sums_above_;
  float* sums_current_;
};

// counts[i] += the bits of coarse[i] that are 0: the votes for fine
HWY_INLINE void add_votes(const std::uint8_t* coarse, std::int64_t bytes, std::uint8_t* counts) {
  const hn::FixedTag<std::uint8_t, 16> d;
  for (std::int64_t i = 0; i < bytes; i += 16) {
    const auto fine = hn::PopulationCount(hn::Not(hn::Load(d, coarse + i)));
    hn::Store(hn::Add(hn::Load(d, counts + i), fine), d, counts + i);
  }
}

template <typename Format, bool kExtras>
void strips(const RateImageBand& band, std::int64_t tile_begin, std::int64_t tile_end) {
  const std::int64_t tile = band.options.tile;
  StripScratch scratch(std::min(band.width, kStripPixels));
  for (std::int64_t begin = 0; begin < band.width; begin += kStripPixels) {
    const std::int64_t end = std::min(begin + kStripPixels, band.width);
    const std::int64_t strip_bytes = ceil_div<std::int64_t>(end - begin, 8);
    Strip<Format, kExtras> strip(band, begin, end, scratch);
    strip.start(tile_begin * tile);
    for (std::int64_t ty = tile_begin; ty < tile_end; ++ty) {
      const std::int64_t last = std::min((ty + 1) * tile, band.height);
      for (std::int64_t y = ty * tile; y < last; ++y) {
        strip.row(y, scratch.coarse_x, scratch.coarse_y);
        band.keep_inside(y, begin, end, scratch);
        add_votes(scratch.coarse_x, strip_bytes, scratch.count_x);
        add_votes(scratch.coarse_y, strip_bytes, scratch.count_y);
        // A column of eight pixels stays below 256 votes for 16 rows.
        if (y + 1 == last || (y + 1) % 16 == 0) band.sum_votes(begin, end, scratch);
      }
      band.decide(ty, begin, end, scratch);
    }
  }
}

void rate_image_band(const RateImageBand& band, std::int64_t tile_begin, std::int64_t tile_end) {
  with_format(band.format, [&](auto format) {
    using Format = typename decltype(format)::type;
    if (band.needs_extras()) {
      strips<Format, true>(band, tile_begin, tile_end);
    } else {
      strips<Format, false>(band, tile_begin, tile_end);
    }
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace tilelab::vrs
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tilelab::vrs {
namespace {

HWY_EXPORT(rate_image_band);

PixelFormat format_of(std::int64_t channels, PixelFormat luminance, PixelFormat rgb, PixelFormat rgba) {
  require(channels == 1 || channels == 3 || channels == 4, "color", "must have 1, 3 or 4 channels", channels);
  return channels == 1 ? luminance : channels == 3 ? rgb : rgba;
}

PixelFormat format_of(ArrayView<const float, 3> color) {
  return format_of(color.extent(2), PixelFormat::kLuminanceFloat, PixelFormat::kRgbFloat,
                   PixelFormat::kRgbaFloat);
}

PixelFormat format_of(ArrayView<const std::uint8_t, 3> color) {
  return format_of(color.extent(2), PixelFormat::kLuminanceByte, PixelFormat::kRgbByte,
                   PixelFormat::kRgbaByte);
}

// Rows of a picture with motion that are read before their rates are estimated: they stay in cache.
constexpr std::int64_t kReprojectedRows = 32;

// Estimates rows of tiles from where their pixels were.
void reprojected_band(RateImageBand band, const Reprojection& history, std::int64_t tile_begin,
                      std::int64_t tile_end) {
  const std::int64_t tile = band.options.tile, step = kReprojectedRows / tile;
  const auto most = static_cast<std::size_t>(kReprojectedRows + 2);  // and a row above and below
  std::vector<float> luminance(most * static_cast<std::size_t>(band.width));
  std::vector<std::uint8_t> no_history(most * static_cast<std::size_t>(bit_pitch(band.width)));
  band.format = PixelFormat::kLuminanceFloat;
  band.pixels = luminance.data();
  band.no_history = no_history.data();
  for (std::int64_t ty = tile_begin; ty < tile_end; ty += step) {
    const std::int64_t end = std::min(ty + step, tile_end);
    band.first_row = std::max<std::int64_t>(ty * tile - 1, 0);
    history.rows(band.first_row, std::min(end * tile + 1, band.height), luminance.data(), no_history.data());
    HWY_DYNAMIC_DISPATCH(rate_image_band)(band, ty, end);
  }
}

template <typename T>
void run_rate_image(ArrayView<const T, 3> color, const RateImageOptions& options, const Motion& motion,
                    ArrayView<Rate, 2> rates, ArrayView<std::int32_t, 3> votes, int threads) {
  const RateImageBand band = {.format = format_of(color),
                              .pixels = color.data(),
                              .height = color.extent(0),
                              .width = color.extent(1),
                              .options = options,
                              .rates = rates,
                              .votes = votes};
  band.check();
  if (motion.pixels.size() == 0) {
    parallel_for(rates.extent(0), 1, threads, [&](std::int64_t begin, std::int64_t end) {
      HWY_DYNAMIC_DISPATCH(rate_image_band)(band, begin, end);
    });
    return;
  }
  const Reprojection history = {.format = band.format,
                                .pixels = band.pixels,
                                .height = band.height,
                                .width = band.width,
                                .weights = options.weights,
                                .motion = motion};
  history.check();
  parallel_for(rates.extent(0), 1, threads,
               [&](std::int64_t begin, std::int64_t end) { reprojected_band(band, history, begin, end); });
}

}  // namespace

void rate_image(ArrayView<const float, 3> color, const RateImageOptions& options, const Motion& motion,
                ArrayView<Rate, 2> rates, ArrayView<std::int32_t, 3> votes, int threads) {
  run_rate_image(color, options, motion, rates, votes, threads);
}

void rate_image(ArrayView<const std::uint8_t, 3> color, const RateImageOptions& options, const Motion& motion,
                ArrayView<Rate, 2> rates, ArrayView<std::int32_t, 3> votes, int threads) {
  run_rate_image(color, options, motion, rates, votes, threads);
}

}  // namespace tilelab::vrs
#endif  // HWY_ONCE
