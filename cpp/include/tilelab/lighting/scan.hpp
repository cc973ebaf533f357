// Finds the distinct pixels of every 2x2 quad of a G-buffer and lists them tile by tile.
#pragma once

#include <cstdint>
#include <span>

#include "tilelab/core/array_view.hpp"
#include "tilelab/lighting/records.hpp"

namespace tilelab::lighting {

/// How the bytes of a pixel are compared. All kinds but kBits use the channel's allowance.
enum class Compare : int { kBits = 0, kUnorm8 = 1, kUnorm16 = 2, kFloat16 = 3, kFloat32 = 4 };

/// One G-buffer channel as bytes, (height, width, bytes per pixel), C order.
struct Channel {
  ArrayView<const std::uint8_t, 3> pixels;
  Compare compare = Compare::kBits;
  /// Largest accepted difference: codes for kUnorm8 and kUnorm16, a float32 value for the float kinds.
  double allowance = 0.0;
};

/// Which pixels of a quad lead: kChecker visits (0,0), (1,1), (1,0), (0,1); kFirst visits row by row.
enum class Policy : int { kChecker = 0, kFirst = 1 };

/// Pattern code of an 8x8 block whose quads are not compared: bit 0 = x neighbours are equal, bit 1 = y
/// neighbours are equal, both = the whole quad is.
inline constexpr std::int64_t kPatternBlock = 8;
inline constexpr std::uint8_t kPatternEqualX = 1;
inline constexpr std::uint8_t kPatternEqualY = 2;
inline constexpr std::uint8_t kPatternCompare = 255;

struct ScanInput {
  std::span<const Channel> channels;
  ArrayView<const float, 2> depth;         ///< (height, width)
  ArrayView<const std::uint8_t, 2> valid;  ///< (height, width), non-zero = lit; no data = all
  ArrayView<const std::uint8_t, 2>
      patterns;  ///< (ceil(height/8), ceil(width/8)) codes; no data = compare all
  float depth_near = 0.0f;
  float depth_span = 1.0f;  ///< far - near
  bool depth_gate = true;
  float depth_delta = 0.001f;  ///< largest accepted difference of normalised depth
  Policy policy = Policy::kChecker;
  DepthEncoding encoding = DepthEncoding::kUnorm21;
};

struct ScanStats {
  std::int64_t records = 0;
  std::int64_t depth_clamped = 0;  ///< valid pixels with a depth outside the range, infinities included
  std::int64_t depth_nan = 0;      ///< valid pixels whose depth is NaN
};

/// Writes the records of all tiles, row-major, one after the other.
/// In a tile: quads row-major, in a quad the visiting order of the policy. A pixel joins the first earlier
/// leader it matches, else it leads: so every copy is within the allowance.
/// Preconditions: all images of depth's extents, at least 1x1; records holds height * width words; counts is
/// (ceil(height/16), ceil(width/16)); offsets has one entry more than counts.
ScanStats scan(const ScanInput& input, ArrayView<std::uint32_t, 1> records,
               ArrayView<std::int64_t, 1> offsets, ArrayView<std::uint32_t, 2> counts, int threads);

}  // namespace tilelab::lighting
