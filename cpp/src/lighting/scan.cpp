// One pass over the G-buffer, tile by tile: compare row pairs in vectors, group each quad by table, append
// its words. The records of a tile gather in a small buffer and leave it as one copy.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "lighting/extents_text.hpp"
#include "lighting/quad_table.hpp"
#include "lighting/scan_job.hpp"
#include "tilelab/core/bits.hpp"
#include "tilelab/core/error.hpp"
#include "tilelab/core/parallel.hpp"
#include "tilelab/lighting/scan.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lighting/scan.cpp"
#include <hwy/aligned_allocator.h>
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "lighting/compare-inl.hpp"
#include "lighting/quads-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tilelab::lighting {
namespace HWY_NAMESPACE {

/// How far ahead of the work lines are asked for (tuned: 256 to 1024 do equally well, 128 is a fifth slower).
constexpr std::size_t kPrefetchPixels = 512;
constexpr std::size_t kLineBytes = 64;

/// Two image rows as the kernel reads them, or padded copies of a piece of them.
struct RowPair {
  std::array<const float*, 2> depth;
  std::array<const std::uint8_t*, 2> valid;                // null = all valid
  std::vector<std::array<const std::uint8_t*, 2>> pixels;  // per channel
};

/// Points `rows` at the image row y and the one below (itself where there is none).
void point_at(const ScanJob& job, std::int64_t y, RowPair& rows) {
  const ScanInput& input = *job.input;
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
    hwy::Prefetch(rows.depth[r] + x);
    for (std::size_t c = 0; c < rows.pixels.size(); ++c) {
      if constexpr (kWordChannels) {
        hwy::Prefetch(rows.pixels[c][r] + 4 * x);
      } else {
        const std::size_t bytes = job.channels[c].pixel_bytes;
        for (std::size_t offset = 0; offset < kTile * bytes; offset += kLineBytes) {
          hwy::Prefetch(rows.pixels[c][r] + x * bytes + offset);
        }
      }
    }
  }
}

struct PixelCounts {
  std::int64_t outside = 0, nan = 0;
};

/// Counts valid pixels with a depth outside the range: rare, so kept away from the rest.
HWY_NOINLINE void count_outside(FloatVec depth, const std::uint8_t* valid, PixelCounts& counts) {
  const Floats df;
  const auto inside = hn::And(hn::Ge(depth, hn::Zero(df)), hn::Le(depth, hn::Set(df, 1.0f)));
  const auto lit = hn::RebindMask(df, valid_lanes(valid));
  const std::size_t nan = hn::CountTrue(df, hn::AndNot(hn::Eq(depth, depth), lit));
  counts.nan += static_cast<std::int64_t>(nan);
  counts.outside += static_cast<std::int64_t>(hn::CountTrue(df, hn::AndNot(inside, lit)) - nan);
}

HWY_INLINE FloatVec normalise(const ScanJob& job, const float* depth) {
  const Floats df;
  const FloatVec raw = hn::LoadU(df, depth);
  if (job.identity_range) return raw;
  return hn::Div(hn::Sub(raw, hn::Set(df, job.input->depth_near)), hn::Set(df, job.input->depth_span));
}

/// Compares one row pair of one tile, 16 pixels from `x` on. `patterns` are the codes of its two 8x8 blocks
/// or null; `slot` is the tile's place in the group.
template <bool kWordChannels, Compare kCompare>
HWY_INLINE void scan_piece(const ScanJob& job, const RowPair& rows, std::size_t x,
                           const std::uint8_t* patterns, std::size_t slot, QuadGroup& quads,
                           PixelCounts& counts) {
  const Words d;
  const Floats df;
  const std::size_t lanes = hn::Lanes(d);
  const ScanInput& input = *job.input;
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
    if (HWY_UNLIKELY(patterns != nullptr)) apply_patterns(patterns, column, sum);
    if (input.depth_gate) {
      add_plane<Compare::kFloat32>(hn::BitCast(d, upper_depth), hn::BitCast(d, lower_depth),
                                   hn::Set(d, std::bit_cast<std::uint32_t>(input.depth_delta)), sum);
    }
    quads.add(slot, column, sum, depth_field(upper_depth, input.encoding),
              depth_field(lower_depth, input.encoding), valid);
  }
}

/// Records of the tile rows [begin, end), one after the other from `output` on. Row pairs are walked from
/// left to right, as memory lies; the records of each tile gather in a segment of their own.
template <bool kWordChannels, Compare kCompare>
HWY_INLINE void scan_tile_rows(const ScanJob& job, std::int64_t begin, std::int64_t end,
                               std::uint32_t* output, ScanStats& stats) {
  const ScanInput& input = *job.input;
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
  PixelCounts counts;
  QuadGroup quads(input.policy);
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
          if (columns == kTile && row_count == 2 && !at_end) {
            scan_piece<kWordChannels, kCompare>(job, rows, x, piece_patterns, k, quads, counts);
          } else {
            const RowPair& copy = padded.copy(job, rows, x, columns, row_count);
            scan_piece<kWordChannels, kCompare>(job, copy, 0, piece_patterns, k, quads, counts);
          }
        }
        quads.emit(*job.table, static_cast<std::uint32_t>(y % kTile), tiles, cursors.data() + first);
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
  stats.depth_nan = counts.nan;
  stats.depth_clamped = counts.outside;
}

void scan_bit_words(const ScanJob& job, std::int64_t begin, std::int64_t end, std::uint32_t* output,
                    ScanStats& stats) {
  scan_tile_rows<true, Compare::kBits>(job, begin, end, output, stats);
}

void scan_unorm8_words(const ScanJob& job, std::int64_t begin, std::int64_t end, std::uint32_t* output,
                       ScanStats& stats) {
  scan_tile_rows<true, Compare::kUnorm8>(job, begin, end, output, stats);
}

void scan_any(const ScanJob& job, std::int64_t begin, std::int64_t end, std::uint32_t* output,
              ScanStats& stats) {
  scan_tile_rows<false, Compare::kBits>(job, begin, end, output, stats);
}

}  // namespace HWY_NAMESPACE
}  // namespace tilelab::lighting
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tilelab::lighting {
namespace {

HWY_EXPORT(scan_bit_words);
HWY_EXPORT(scan_unorm8_words);
HWY_EXPORT(scan_any);

void scan_band(const ScanJob& job, std::int64_t begin, std::int64_t end, std::uint32_t* output,
               ScanStats& stats) {
  const auto all_words_of = [&](Compare compare) {
    return std::all_of(job.channels.begin(), job.channels.end(), [&](const ChannelJob& channel) {
      return channel.pixel_bytes == 4 && channel.compare == compare;
    });
  };
  if (all_words_of(Compare::kBits))
    return HWY_DYNAMIC_DISPATCH(scan_bit_words)(job, begin, end, output, stats);
  if (all_words_of(Compare::kUnorm8))
    return HWY_DYNAMIC_DISPATCH(scan_unorm8_words)(job, begin, end, output, stats);
  HWY_DYNAMIC_DISPATCH(scan_any)(job, begin, end, output, stats);
}

constexpr QuadTable kCheckerTable = make_quad_table(Policy::kChecker);
constexpr QuadTable kFirstTable = make_quad_table(Policy::kFirst);

std::uint32_t kernel_allowance(const Channel& channel) {
  const auto codes = [&](double largest) {
    return static_cast<std::uint32_t>(std::clamp(std::floor(channel.allowance), 0.0, largest));
  };
  switch (channel.compare) {
    case Compare::kBits:
      return 0;
    case Compare::kUnorm8:
      return codes(255.0) * 0x01010101u;
    case Compare::kUnorm16:
      return codes(65535.0) * 0x00010001u;
    case Compare::kFloat16:
    case Compare::kFloat32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(channel.allowance));
  }
  return 0;
}

void check(const ScanInput& input, ArrayView<std::uint32_t, 1> records, ArrayView<std::int64_t, 1> offsets,
           ArrayView<std::uint32_t, 2> counts) {
  const std::int64_t height = input.depth.extent(0), width = input.depth.extent(1);
  const auto same_extents = [&](const auto& image) {
    return image.extent(0) == height && image.extent(1) == width;
  };
  require(height >= 1 && width >= 1, "depth", "must hold at least one pixel", extents_text(height, width));
  require(!input.channels.empty(), "channels", "must hold at least one channel", "none");
  for (const Channel& channel : input.channels) {
    require(same_extents(channel.pixels), "channels", "must have the extents of depth",
            extents_text(channel.pixels.extent(0), channel.pixels.extent(1)));
    require(channel.pixels.extent(2) >= 1, "channels", "must have at least one byte per pixel", "none");
  }
  if (input.valid.data() != nullptr) {
    require(same_extents(input.valid), "valid", "must have the extents of depth",
            extents_text(input.valid.extent(0), input.valid.extent(1)));
  }
  if (input.patterns.data() != nullptr) {
    require(input.patterns.extent(0) == ceil_div(height, kPatternBlock) &&
                input.patterns.extent(1) == ceil_div(width, kPatternBlock),
            "patterns", "must hold one code per 8x8 block",
            extents_text(input.patterns.extent(0), input.patterns.extent(1)));
  }
  require(counts.extent(0) == ceil_div(height, kTile) && counts.extent(1) == ceil_div(width, kTile), "counts",
          "must hold one count per 16x16 tile", extents_text(counts.extent(0), counts.extent(1)));
  require(offsets.extent(0) == counts.size() + 1, "offsets", "must have one entry more than counts",
          offsets.extent(0));
  require(records.extent(0) >= height * width, "records", "must hold a word for every pixel",
          records.extent(0));
}

}  // namespace

ScanStats scan(const ScanInput& input, ArrayView<std::uint32_t, 1> records,
               ArrayView<std::int64_t, 1> offsets, ArrayView<std::uint32_t, 2> counts, int threads) {
  check(input, records, offsets, counts);
  ScanJob job{&input,
              {},
              input.policy == Policy::kChecker ? &kCheckerTable : &kFirstTable,
              counts.data(),
              input.depth_near == 0.0f && input.depth_span == 1.0f};
  for (const Channel& channel : input.channels) {
    job.channels.push_back({channel.pixels.data(), static_cast<std::size_t>(channel.pixels.extent(2)),
                            channel.compare, kernel_allowance(channel)});
  }

  // A band of tile rows writes where its pixels would begin if all were lit, and moves forward afterwards.
  struct Band {
    std::int64_t rows = 0;
    ScanStats stats;
  };
  const std::int64_t tile_rows = counts.extent(0), tile_columns = counts.extent(1);
  const std::int64_t row_pixels = kTile * input.depth.extent(1);
  std::vector<Band> bands(static_cast<std::size_t>(tile_rows));
  parallel_for(tile_rows, 1, threads, [&](std::int64_t begin, std::int64_t end) {
    Band& band = bands[static_cast<std::size_t>(begin)];
    band.rows = end - begin;
    scan_band(job, begin, end, records.data() + begin * row_pixels, band.stats);
  });

  offsets(0) = 0;
  for (std::int64_t tile = 0; tile < counts.size(); ++tile)
    offsets(tile + 1) = offsets(tile) + counts.data()[tile];
  ScanStats stats;
  stats.records = offsets(counts.size());
  for (std::int64_t row = 0; row < tile_rows;) {
    const Band& band = bands[static_cast<std::size_t>(row)];
    const std::int64_t to = offsets(row * tile_columns), end = offsets((row + band.rows) * tile_columns);
    std::uint32_t* from = records.data() + row * row_pixels;
    if (from != records.data() + to) {
      std::memmove(records.data() + to, from, static_cast<std::size_t>(end - to) * sizeof(std::uint32_t));
    }
    stats.depth_clamped += band.stats.depth_clamped;
    stats.depth_nan += band.stats.depth_nan;
    row += band.rows;
  }
  return stats;
}

}  // namespace tilelab::lighting
#endif  // HWY_ONCE
