// One pass over the G-buffer, tile by tile: compare row pairs in vectors, group each quad, append its words.
// The records of a tile gather in a small buffer and leave it as one copy.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "lighting/scan_job.hpp"
#include "tilelab/core/bits.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lighting/scan_band.cpp"
#include <hwy/aligned_allocator.h>
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "core/simd-inl.hpp"
#include "lighting/compare-inl.hpp"
#include "lighting/quads-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tilelab::lighting {
namespace HWY_NAMESPACE {
namespace simd = tilelab::HWY_NAMESPACE;

/// How far ahead of the work lines are asked for (tuned: 256 to 1024 do equally well, 128 is a fifth slower).
constexpr std::size_t kPrefetchPixels = 512;
constexpr std::size_t kLineBytes = 64;
constexpr std::size_t kWordBytes = sizeof(std::uint32_t);

/// Two image rows as the kernel reads them, or padded copies of a piece of them.
struct RowPair {
  std::array<const float*, 2> depth;
  std::array<const std::uint8_t*, 2> valid;                // null = all valid
  std::vector<std::array<const std::uint8_t*, 2>> pixels;  // per channel
};

/// Points `rows` at the image row y and the one below (itself where there is none).
void point_at(const ScanJob& job, std::int64_t y, RowPair& rows) {
  const ScanInput& input = job.input;
  const std::int64_t first = y * input.depth.extent(1);
  const std::int64_t second = y + 1 < input.depth.extent(0) ? first + input.depth.extent(1) : first;
  rows.depth = {input.depth.data() + first, input.depth.data() + second};
  rows.valid = {nullptr, nullptr};
  if (input.valid.data() != nullptr) rows.valid = {input.valid.data() + first, input.valid.data() + second};
  for (std::size_t c = 0; c < job.channels.size(); ++c) {
    const auto bytes = static_cast<std::int64_t>(job.channels[c].pixel_bytes);
    rows.pixels[c] = {job.channels[c].pixels + first * bytes, job.channels[c].pixels + second * bytes};
  }
}

/// Copies of a piece that hangs over the border: zeros that are not valid fill it up to two rows of 16.
class PaddedPiece {
 public:
  explicit PaddedPiece(const ScanJob& job) {
    std::size_t bytes = 0;
    for (const ChannelJob& channel : job.channels) bytes += 2 * kTile * channel.pixel_bytes;
    bytes_.resize(bytes + kTile);  // room for readers that touch more than their pixels
    rows_.pixels.resize(job.channels.size());
  }

  const RowPair& copy(const ScanJob& job, const RowPair& from, std::size_t x, std::size_t columns,
                      std::size_t row_count) {
    std::fill(bytes_.begin(), bytes_.end(), std::uint8_t{0});
    std::uint8_t* to = bytes_.data();
    for (std::size_t r = 0; r < 2; ++r) {
      const std::size_t inside = r < row_count ? columns : 0;
      depth_[r].fill(0.0f);
      valid_[r].fill(0);
      std::copy_n(from.depth[r] + x, inside, depth_[r].data());
      std::fill_n(valid_[r].data(), inside, std::uint8_t{1});
      if (from.valid[r] != nullptr) std::copy_n(from.valid[r] + x, inside, valid_[r].data());
      for (std::size_t c = 0; c < job.channels.size(); ++c) {
        const std::size_t bytes = job.channels[c].pixel_bytes;
        std::copy_n(from.pixels[c][r] + x * bytes, inside * bytes, to);
        rows_.pixels[c][r] = to;
        to += kTile * bytes;
      }
      rows_.depth[r] = depth_[r].data();
      rows_.valid[r] = valid_[r].data();
    }
    return rows_;
  }

 private:
  std::array<std::array<float, kTile>, 2> depth_;
  std::array<std::array<std::uint8_t, kTile>, 2> valid_;
  std::vector<std::uint8_t> bytes_;
  RowPair rows_;
};

/// Asks for the lines of 16 pixels from `x` on.
template <bool kWordChannels>
HWY_INLINE void prefetch(const ScanJob& job, const RowPair& rows, std::size_t x) {
  for (std::size_t r = 0; r < 2; ++r) {
    simd::prefetch<kLineBytes>(rows.depth[r] + x);
    for (std::size_t c = 0; c < rows.pixels.size(); ++c) {
      if constexpr (kWordChannels) {
        simd::prefetch<kLineBytes>(rows.pixels[c][r] + kWordBytes * x);
      } else {
        const std::size_t bytes = job.channels[c].pixel_bytes;
        for (std::size_t offset = 0; offset < kTile * bytes; offset += kLineBytes) {
          simd::prefetch<kLineBytes>(rows.pixels[c][r] + x * bytes + offset);
        }
      }
    }
  }
}

/// Counts valid pixels with a depth outside the range: rare, so kept away from the rest.
HWY_NOINLINE void count_outside(FloatVec depth, const std::uint8_t* valid, ScanCounts& counts) {
  const Floats df;
  const auto inside = hn::And(hn::Ge(depth, hn::Zero(df)), hn::Le(depth, hn::Set(df, 1.0f)));
  const auto lit = hn::RebindMask(df, valid_lanes(valid));
  const std::size_t nan = hn::CountTrue(df, hn::AndNot(simd::is_number(depth), lit));
  counts.depth_nan += static_cast<std::int64_t>(nan);
  counts.depth_clamped += static_cast<std::int64_t>(hn::CountTrue(df, hn::AndNot(inside, lit)) - nan);
}

HWY_INLINE FloatVec normalise(const ScanJob& job, const float* depth) {
  const Floats df;
  const FloatVec raw = hn::LoadU(df, depth);
  if (job.normalised) return raw;
  const DepthRange& range = job.options.depth_range;
  return hn::Div(hn::Sub(raw, hn::Set(df, range.near)), hn::Set(df, range.span));
}

/// Compares one row pair of one tile, 16 pixels from `x` on. `patterns` are the codes of its two 8x8 blocks
/// or null; `slot` is the tile's place in the group.
template <bool kWordChannels, Compare kCompare>
HWY_INLINE void scan_piece(const ScanJob& job, const RowPair& rows, std::size_t x,
                           const std::uint8_t* patterns, std::size_t slot, QuadGroup& quads,
                           ScanCounts& counts) {
  const Words d;
  const Floats df;
  const std::size_t lanes = hn::Lanes(d);
  const ScanOptions& options = job.options;
  const bool compare =
      patterns == nullptr || patterns[0] == kPatternCompare || patterns[1] == kPatternCompare;
  for (std::size_t column = 0; column < kTile; column += lanes) {
    const std::size_t at = x + column;
    const std::array<const std::uint8_t*, 2> valid = {
        rows.valid[0] == nullptr ? nullptr : rows.valid[0] + at,
        rows.valid[1] == nullptr ? nullptr : rows.valid[1] + at};
    FloatVec upper_depth = normalise(job, rows.depth[0] + at),
             lower_depth = normalise(job, rows.depth[1] + at);
    // The bits of 0..1 are the lowest, so this finds negative numbers, infinities and NaN as well.
    const Word one = hn::BitCast(d, hn::Set(df, 1.0f));
    const Word largest = hn::Max(hn::Max(hn::BitCast(d, upper_depth), hn::BitCast(d, lower_depth)), one);
    if (HWY_UNLIKELY(!hn::AllTrue(d, hn::Eq(largest, one)))) {
      count_outside(upper_depth, valid[0], counts);
      count_outside(lower_depth, valid[1], counts);
      upper_depth = clamp(upper_depth);
      lower_depth = clamp(lower_depth);
    }

    Differences sum{hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    if (compare) {
      for (std::size_t c = 0; c < rows.pixels.size(); ++c) {
        const ChannelJob& channel = job.channels[c];
        if constexpr (kWordChannels) {
          const auto* upper = reinterpret_cast<const std::uint32_t*>(rows.pixels[c][0]) + at;
          const auto* lower = reinterpret_cast<const std::uint32_t*>(rows.pixels[c][1]) + at;
          add_plane<kCompare>(hn::LoadU(d, upper), hn::LoadU(d, lower), hn::Set(d, channel.allowance), sum);
        } else {
          const std::size_t offset = at * channel.pixel_bytes;
          add_channel(channel.compare, rows.pixels[c][0] + offset, rows.pixels[c][1] + offset,
                      channel.pixel_bytes, channel.allowance, sum);
        }
      }
    }
    if (HWY_UNLIKELY(patterns != nullptr)) sum = apply_patterns(patterns, column, sum);
    if (options.depth_delta) {
      add_plane<Compare::kFloat32>(hn::BitCast(d, upper_depth), hn::BitCast(d, lower_depth),
                                   hn::Set(d, std::bit_cast<std::uint32_t>(*options.depth_delta)), sum);
    }
    quads.add(slot, column, sum, depth_field(upper_depth, options.depth_encoding),
              depth_field(lower_depth, options.depth_encoding), valid);
  }
}

/// Records of the tile rows [begin, end), one after the other from `output` on. Row pairs are walked from
/// left to right, as memory lies; the records of each tile gather in a segment of their own.
template <bool kWordChannels, Compare kCompare>
HWY_INLINE void scan_tile_rows(const ScanJob& job, std::int64_t begin, std::int64_t end,
                               std::uint32_t* output, ScanCounts& counts) {
  const ScanInput& input = job.input;
  const auto height = static_cast<std::size_t>(input.depth.extent(0));
  const auto width = static_cast<std::size_t>(input.depth.extent(1));
  const std::size_t tile_columns = ceil_div<std::size_t>(width, kTile);
  const std::size_t block_columns = ceil_div<std::size_t>(width, kPatternBlock);
  RowPair rows{};
  rows.pixels.resize(job.channels.size());
  PaddedPiece padded(job);
  const bool overruns = std::any_of(job.channels.begin(), job.channels.end(), [](const ChannelJob& channel) {
    return overrun(channel.pixel_bytes) > 0;
  });
  QuadGroup quads(job.options.policy);
  hwy::AlignedFreeUniquePtr<std::uint32_t[]> segments =
      hwy::AllocateAligned<std::uint32_t>(tile_columns * kSegmentWords);
  std::vector<std::uint32_t*> cursors(tile_columns);

  for (auto tile_row = static_cast<std::size_t>(begin); tile_row < static_cast<std::size_t>(end);
       ++tile_row) {
    for (std::size_t t = 0; t < tile_columns; ++t) cursors[t] = segments.get() + t * kSegmentWords;
    const std::size_t bottom = std::min((tile_row + 1) * kTile, height);
    for (std::size_t y = tile_row * kTile; y < bottom; y += 2) {
      point_at(job, static_cast<std::int64_t>(y), rows);
      const std::size_t row_count = std::min<std::size_t>(2, height - y);
      const std::uint8_t* codes = input.patterns.data();
      if (codes != nullptr) codes += y / kPatternBlock * block_columns;
      for (std::size_t first = 0; first < tile_columns; first += kGroupTiles) {
        const std::size_t tiles = std::min(kGroupTiles, tile_columns - first);
        for (std::size_t k = 0; k < tiles; ++k) {
          const std::size_t x = (first + k) * kTile, columns = std::min<std::size_t>(kTile, width - x);
          // Near the end of the row the next pair of rows is wanted: it follows the lower row.
          prefetch<kWordChannels>(
              job, rows, x + kPrefetchPixels < width ? x + kPrefetchPixels : x + kPrefetchPixels + width);
          std::uint8_t patterns[2];
          bool patterned = false;
          if (codes != nullptr) {
            const std::size_t block = x / kPatternBlock;
            for (std::size_t b = 0; b < 2; ++b) patterns[b] = codes[std::min(block + b, block_columns - 1)];
            patterned = patterns[0] != kPatternCompare || patterns[1] != kPatternCompare;
          }
          const std::uint8_t* piece_patterns = patterned ? patterns : nullptr;
          const bool at_end = overruns && y + 2 >= height && x + 2 * kTile > width;
          // One call for both: the kernel is compiled into this loop.
          const RowPair* piece = &rows;
          std::size_t at = x;
          if (HWY_UNLIKELY(columns != kTile || row_count != 2 || at_end)) {
            piece = &padded.copy(job, rows, x, columns, row_count);
            at = 0;
          }
          scan_piece<kWordChannels, kCompare>(job, *piece, at, piece_patterns, k, quads, counts);
        }
        quads.emit(job.table, static_cast<std::uint32_t>(y % kTile), tiles, cursors.data() + first);
      }
    }
    for (std::size_t t = 0; t < tile_columns; ++t) {
      const std::uint32_t* segment = segments.get() + t * kSegmentWords;
      const auto count = static_cast<std::size_t>(cursors[t] - segment);
      std::memcpy(output, segment, count * sizeof(std::uint32_t));
      output += count;
      job.counts[tile_row * tile_columns + t] = static_cast<std::uint32_t>(count);
    }
  }
}

void scan_bit_words(const ScanJob& job, std::int64_t begin, std::int64_t end, std::uint32_t* output,
                    ScanCounts& counts) {
  scan_tile_rows<true, Compare::kBits>(job, begin, end, output, counts);
}

void scan_unorm8_words(const ScanJob& job, std::int64_t begin, std::int64_t end, std::uint32_t* output,
                       ScanCounts& counts) {
  scan_tile_rows<true, Compare::kUnorm8>(job, begin, end, output, counts);
}

void scan_any(const ScanJob& job, std::int64_t begin, std::int64_t end, std::uint32_t* output,
              ScanCounts& counts) {
  scan_tile_rows<false, Compare::kBits>(job, begin, end, output, counts);
}

}  // namespace HWY_NAMESPACE
}  // namespace tilelab::lighting
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tilelab::lighting {

HWY_EXPORT(scan_bit_words);
HWY_EXPORT(scan_unorm8_words);
HWY_EXPORT(scan_any);

void scan_band(const ScanJob& job, std::int64_t begin, std::int64_t end, std::uint32_t* output,
               ScanCounts& counts) {
  const auto all_words_of = [&](Compare compare) {
    return std::all_of(job.channels.begin(), job.channels.end(), [&](const ChannelJob& channel) {
      return channel.pixel_bytes == 4 && channel.compare == compare;
    });
  };
  if (all_words_of(Compare::kBits))
    return HWY_DYNAMIC_DISPATCH(scan_bit_words)(job, begin, end, output, counts);
  if (all_words_of(Compare::kUnorm8))
    return HWY_DYNAMIC_DISPATCH(scan_unorm8_words)(job, begin, end, output, counts);
  HWY_DYNAMIC_DISPATCH(scan_any)(job, begin, end, output, counts);
}

}  // namespace tilelab::lighting
#endif  // HWY_ONCE
