#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "vrs/reproject.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>

#include "core/simd-inl.hpp"
#include "tilelab/core/error.hpp"
#include "tilelab/core/parallel.hpp"
#include "vrs/color_load-inl.hpp"
#include "vrs/reprojection.hpp"

HWY_BEFORE_NAMESPACE();
namespace tilelab::vrs {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Int = hn::Vec<IntTag>;
using Mask = hn::Mask<FloatTag>;

// Where the pixels of a vector were along one axis, and which of them were outside. Exact in float32: pixel
// coordinates are small integers, and motion beyond 2^24 leaves the picture anyway.
struct Position {
  Int index;
  Mask outside;
};

HWY_INLINE Position locate(Float pixel, Float motion, float last) {
  const FloatTag d;
  const Float known = hn::IfThenElseZero(simd::is_number(motion), motion);
  const Float position = hn::Sub(pixel, hn::Round(known));
  const Float inside = hn::Min(hn::Max(position, hn::Zero(d)), hn::Set(d, last));
  return {hn::ConvertTo(IntTag(), inside), hn::Ne(inside, position)};
}

// Vectors whose scattered pixels are fetched, copied and weighed together: memory has time to answer, and no
// vector load has to wait for the small stores that fill its memory.
constexpr std::int64_t kScatteredVectors = 16;

template <typename Format>
class RowReader {
 public:
  using Element = typename Format::Element;

  explicit RowReader(const Reprojection& job)
      : job_(job), format_(job.weights), pixels_(static_cast<const Element*>(job.pixels)) {}

  void row(std::int64_t y, float* luminance, std::uint8_t* no_history) {
    const float* motion = &job_.motion.pixels(y, 0, 0);
    const std::uint8_t* hidden =
        job_.motion.disoccluded.size() != 0 ? &job_.motion.disoccluded(y, 0) : nullptr;
    std::int64_t x = 0;
    for (; x + kLanes <= job_.width; x += kLanes) {
      simd::prefetch<2 * kLanes* static_cast<std::int64_t>(sizeof(float))>(motion + 2 * (x + kAhead));
      const Mask unknown =
          read(y, x, motion + 2 * x, hidden != nullptr ? hidden + x : nullptr, luminance + x);
      store_bits(unknown, x / kLanes, no_history);
    }
    const std::int64_t rest = job_.width - x;
    if (rest != 0) {
      HWY_ALIGN float last_motion[2 * kLanes] = {};
      HWY_ALIGN std::uint8_t last_hidden[kLanes] = {};
      HWY_ALIGN float last[kLanes];
      std::copy_n(motion + 2 * x, 2 * rest, last_motion);
      if (hidden != nullptr) std::copy_n(hidden + x, rest, last_hidden);
      const Mask unknown = read(y, x, last_motion, last_hidden, last);
      store_bits(hn::And(unknown, hn::FirstN(FloatTag(), static_cast<std::size_t>(rest))), x / kLanes,
                 no_history);
      weigh_scattered();
      std::copy_n(last, rest, luminance + x);
    }
    weigh_scattered();
  }

 private:
  // Luminances of the vector at x, at once or by weigh_scattered, and which of them are not known.
  HWY_INLINE Mask read(std::int64_t y, std::int64_t x, const float* motion, const std::uint8_t* hidden,
                       float* luminance) {
    const FloatTag d;
    const IntTag di;
    Float vx, vy;
    hn::LoadInterleaved2(d, motion, vx, vy);
    const Float column = hn::ConvertTo(d, hn::Add(along_, hn::Set(di, static_cast<std::int32_t>(x))));
    const Position px = locate(column, vx, static_cast<float>(job_.width - 1));
    const Position py = locate(hn::Set(d, static_cast<float>(y)), vy, static_cast<float>(job_.height - 1));
    gather(py.index, px.index, luminance);
    Mask unknown = hn::Not(hn::And(simd::is_number(vx), simd::is_number(vy)));
    if (job_.motion.off_screen == OffScreen::kFine) unknown = hn::Or(unknown, hn::Or(px.outside, py.outside));
    if (hidden != nullptr) {
      const Int bytes = hn::PromoteTo(di, hn::LoadU(hn::Rebind<std::uint8_t, IntTag>(), hidden));
      unknown = hn::Or(unknown, hn::RebindMask(d, hn::Ne(bytes, hn::Zero(di))));
    }
    return unknown;
  }

  // Where lane i is column + i of a row.
  struct Run {
    std::int32_t row, column;
  };

  HWY_INLINE hn::Mask<IntTag> is_in(const Run& run, Int rows, Int columns) const {
    const IntTag di;
    return hn::And(hn::Eq(rows, hn::Set(di, run.row)),
                   hn::Eq(columns, hn::Add(along_, hn::Set(di, run.column))));
  }

  // Motion is mostly smooth: the pixels of a vector were side by side, or one run was next to another one.
  HWY_INLINE void gather(Int rows, Int columns, float* luminance) {
    const IntTag di;
    const Run first = {hn::GetLane(rows), hn::GetLane(columns)};
    const Run last = {hn::GetLane(hn::Reverse(di, rows)),
                      hn::GetLane(hn::Reverse(di, columns)) - static_cast<std::int32_t>(kLanes - 1)};
    const auto in_first = is_in(first, rows, columns);
    const std::int64_t begin = first.row * job_.width + first.column,
                       end = last.row * job_.width + last.column;
    if (HWY_LIKELY(hn::AllTrue(di, hn::Or(in_first, is_in(last, rows, columns))) && end >= 0 &&
                   begin + kLanes <= job_.height * job_.width)) {
      const Element* const p = pixels_ + begin * Format::kChannels;
      simd::prefetch<kStep* static_cast<std::int64_t>(sizeof(Element))>(p + kAhead * Format::kChannels);
      hn::StoreU(hn::IfThenElse(hn::RebindMask(FloatTag(), in_first), format_.load(p),
                                format_.load(pixels_ + end * Format::kChannels)),
                 FloatTag(), luminance);
      return;
    }
    HWY_ALIGN std::int32_t row_of[kLanes];
    HWY_ALIGN std::int32_t column_of[kLanes];
    hn::Store(rows, di, row_of);
    hn::Store(columns, di, column_of);
    const std::int64_t width = job_.width;
    const Element* const all = pixels_;
    const Element** const out = places_ + count_ * kLanes;
    for (std::int64_t i = 0; i < kLanes; ++i) {
      out[i] = all + (row_of[i] * width + column_of[i]) * Format::kChannels;
      hwy::Prefetch(out[i]);
    }
    targets_[count_++] = luminance;
    if (count_ == kScatteredVectors) weigh_scattered();
  }

  HWY_INLINE void weigh_scattered() {
    HWY_ALIGN Element staged[kScatteredVectors * kStep];
    for (std::int64_t i = 0; i < count_ * kLanes; ++i) {
      std::memcpy(staged + i * Format::kChannels, places_[i], Format::kChannels * sizeof(Element));
    }
    for (std::int64_t i = 0; i < count_; ++i) {
      hn::StoreU(format_.load(staged + i * kStep), FloatTag(), targets_[i]);
    }
    count_ = 0;
  }

  // Pixels ahead of the loads. So far because motion that turns enters a row of the history in short pieces.
  static constexpr std::int64_t kAhead = 2048;
  static constexpr std::int64_t kStep = kLanes * Format::kChannels;  // elements of a vector of pixels

  const Reprojection& job_;
  const Format format_;
  const Element* const pixels_;
  const Int along_ = hn::Iota(IntTag(), 0);  // made once: some compilers build it lane by lane in memory
  const Element* places_[kScatteredVectors * kLanes];  // of the pixels that wait
  float* targets_[kScatteredVectors];
  std::int64_t count_ = 0;
};

void reproject_rows(const Reprojection& job, std::int64_t begin, std::int64_t end, float* luminance,
                    std::uint8_t* no_history) {
  with_format(job.format, [&](auto format) {
    RowReader<typename decltype(format)::type> reader(job);
    for (std::int64_t y = begin; y < end; ++y) {
      reader.row(y, luminance + (y - begin) * job.width, no_history + (y - begin) * bit_pitch(job.width));
    }
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace tilelab::vrs
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tilelab::vrs {
namespace {

HWY_EXPORT(reproject_rows);

template <typename T, std::size_t N>
void require_extents(ArrayView<T, N> view, const char* name, std::int64_t height, std::int64_t width) {
  require(view.extent(0) == height, name, "must have the height of the picture", view.extent(0));
  require(view.extent(1) == width, name, "must have the width of the picture", view.extent(1));
}

}  // namespace

void Reprojection::check() const {
  require_extents(motion.pixels, "motion", height, width);
  require(motion.pixels.extent(2) == 2, "motion", "must have 2 components", motion.pixels.extent(2));
  if (motion.disoccluded.size() != 0) require_extents(motion.disoccluded, "disoccluded", height, width);
}

void Reprojection::rows(std::int64_t begin, std::int64_t end, float* luminance,
                        std::uint8_t* no_history) const {
  HWY_DYNAMIC_DISPATCH(reproject_rows)(*this, begin, end, luminance, no_history);
}

void reproject(ArrayView<const float, 2> history, const Motion& motion, ArrayView<float, 2> out,
               ArrayView<std::uint8_t, 2> no_history, int threads) {
  const Reprojection job = {
      .pixels = history.data(), .height = history.extent(0), .width = history.extent(1), .motion = motion};
  require(job.height >= 1 && job.width >= 1, "history", "must not be empty", history.size());
  require_extents(history, "history", job.height, job.width);
  require_extents(out, "out", job.height, job.width);
  require_extents(no_history, "no_history", job.height, job.width);
  job.check();
  parallel_for(job.height, 16, threads, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::uint8_t> bits(static_cast<std::size_t>(bit_pitch(job.width)));
    for (std::int64_t y = begin; y < end; ++y) {
      job.rows(y, y + 1, &out(y, 0), bits.data());
      for (std::int64_t x = 0; x < job.width; ++x) {
        no_history(y, x) = bits[static_cast<std::size_t>(x / 8)] >> (x % 8) & 1;
      }
    }
  });
}

}  // namespace tilelab::vrs
#endif  // HWY_ONCE
