// Finds the distinct pixels of every 2x2 quad of a G-buffer and lists them tile by tile (documented: tiles of
// 16x16, exact mode, tolerance with a depth gate; modelled: the order of visits).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "tilelab/core/array_view.hpp"
#include "tilelab/lighting/records.hpp"

namespace tilelab::lighting {

/// How the bytes of a pixel are compared. All kinds but kBits use the channel's allowance.
enum class Compare : std::uint8_t { kBits = 0, kUnorm8 = 1, kUnorm16 = 2, kFloat16 = 3, kFloat32 = 4 };

/// One channel of a G-buffer.
struct Channel {
  ArrayView<const std::uint8_t, 3> pixels;  ///< (height, width, bytes per pixel)
  Compare compare = Compare::kBits;
  /// Largest accepted difference: codes for kUnorm8 and kUnorm16, a value for the float kinds (float32).
  double allowance = 0.0;
};

/// Which pixels of a quad lead: kChecker visits (0,0), (1,1), (1,0), (0,1), so that 2x1 and 1x2 both light a
/// chequerboard; kFirst visits row by row.
enum class Policy : std::uint8_t { kChecker = 0, kFirst = 1 };

/// Side in pixels of a block whose quads may have a known pattern instead of being compared.
inline constexpr std::int64_t kPatternBlock = 8;
/// Codes of a pattern: x neighbours are equal, y neighbours are equal, both (then the whole quad is), or 0
/// for four different pixels.
inline constexpr std::uint8_t kPatternEqualX = 1;
inline constexpr std::uint8_t kPatternEqualY = 2;
/// The code of a block whose quads are compared.
inline constexpr std::uint8_t kPatternCompare = 255;

/// What a scan reads besides the channels.
struct ScanInput {
  ArrayView<const float, 2> depth;            ///< (height, width)
  ArrayView<const std::uint8_t, 2> valid;     ///< (height, width), non-zero = lit; empty: all
  ArrayView<const std::uint8_t, 2> patterns;  ///< (ceil(height / 8), ceil(width / 8)); empty: compare all
};

struct ScanOptions {
  DepthRange depth_range;
  /// Largest accepted difference of normalised depth; none: depth does not matter.
  std::optional<float> depth_delta = 0.001f;
  Policy policy = Policy::kChecker;
  DepthEncoding depth_encoding = DepthEncoding::kUnorm21;
};

/// Where the records go. Those of tile t are [offsets[t], offsets[t + 1]), tiles row-major.
struct ScanOutput {
  ArrayView<std::uint32_t, 1> records;  ///< at least height * width; what is behind the last one is scratch
  ArrayView<std::int64_t, 1> offsets;   ///< one entry more than counts
  ArrayView<std::uint32_t, 2> counts;   ///< (ceil(height / 16), ceil(width / 16)), 0..256 each
};

/// What a scan met.
struct ScanCounts {
  std::int64_t records = 0;
  std::int64_t depth_clamped = 0;  ///< valid pixels with a depth outside the range, infinities included
  std::int64_t depth_nan = 0;      ///< valid pixels whose depth is NaN
};

/// Lists the pixels to light. In a tile the quads are row-major, in a quad the pixels have the order of the
/// policy. A pixel joins the first earlier leader it matches, else it leads: so every copy is within the
/// allowance of what it gets. The same for every thread count and instruction set.
///
/// Precondition (ArgumentError): there is at least one channel, of at least one byte per pixel.
/// Precondition (ArgumentError): depth holds at least one pixel; all other views have the extents told above.
ScanCounts scan(std::span<const Channel> channels, const ScanInput& input, const ScanOptions& options,
                const ScanOutput& output, int threads);

}  // namespace tilelab::lighting
