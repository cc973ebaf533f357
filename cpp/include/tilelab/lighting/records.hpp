// The 32-bit record of sparse lighting: which pixel to light, where else to write the result, and its depth.
// The widths of the fields are documented, their order is modelled.
#pragma once

#include <bit>
#include <cstdint>

#include "tilelab/core/array_view.hpp"

namespace tilelab::lighting {

/// Side of the screen tile of one wave in pixels. Even and evenly aligned, so that a coordinate XOR 1 stays
/// inside.
inline constexpr std::int64_t kTile = 16;
inline constexpr std::int64_t kTilePixels = kTile * kTile;

// Field positions: x bits 0-3, y bits 4-7, copies bits 8-10, depth bits 11-31.
inline constexpr unsigned kYShift = 4;
inline constexpr unsigned kCopyShift = 8;
inline constexpr unsigned kDepthShift = 11;
inline constexpr std::uint32_t kCoordinateMask = 15;

/// Copies of a result: to (x^1, y), to (x, y^1), to (x^1, y^1).
inline constexpr std::uint32_t kCopyX = 1;
inline constexpr std::uint32_t kCopyY = 2;
inline constexpr std::uint32_t kCopyXY = 4;

/// The 21-bit code of a depth in 0..1: floor(depth * (2^21 - 1) + 0.5), or the float32 bits without their
/// lowest ten, rounded to nearest even.
enum class DepthEncoding : std::uint8_t { kUnorm21 = 0, kFloat21 = 1 };

inline constexpr double kUnorm21Max = 2097151.0;

/// The stored depths that become 0..1: (depth - near) / span, then held inside [0, 1].
/// Precondition (not checked): both are finite and span is above 0.
struct DepthRange {
  float near = 0.0f;
  float span = 1.0f;  ///< far - near
};

/// Depth held inside [0, 1]; NaN and -0 become +0.
constexpr float clamp_depth(float depth) { return depth > 0.0f ? (depth < 1.0f ? depth : 1.0f) : 0.0f; }

/// The code of a depth. The steps of kUnorm21 are exact in double.
/// Precondition (not checked): depth is what clamp_depth gives.
constexpr std::uint32_t encode_depth(float depth, DepthEncoding encoding) {
  if (encoding == DepthEncoding::kUnorm21) {
    return static_cast<std::uint32_t>(static_cast<double>(depth) * kUnorm21Max + 0.5);
  }
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(depth);
  return (bits + 0x1FFu + ((bits >> 10) & 1u)) >> 10;
}

/// Depth that a 21-bit code stands for, rounded to float32.
constexpr float decode_depth(std::uint32_t code, DepthEncoding encoding) {
  if (encoding == DepthEncoding::kUnorm21) {
    return static_cast<float>(static_cast<double>(code) / kUnorm21Max);
  }
  return std::bit_cast<float>(code << 10);
}

/// Fields of records, one entry for each.
struct RecordFields {
  ArrayView<const std::uint8_t, 1> x;       ///< column in the tile, 0..15
  ArrayView<const std::uint8_t, 1> y;       ///< row in the tile, 0..15
  ArrayView<const std::uint8_t, 1> copies;  ///< kCopyX | kCopyY | kCopyXY
  ArrayView<const float, 1> depth;          ///< in units of 0..1; what lies outside is clamped
};

/// Packs fields into records.
///
/// Precondition (ArgumentError): all views have the same extent.
/// Precondition (not checked): coordinates are below 16, copies below 8.
void pack_records(const RecordFields& fields, DepthEncoding encoding, ArrayView<std::uint32_t, 1> records);

/// Depth of every record, 0..1.
///
/// Precondition (ArgumentError): both views have the same extent.
void decode_depths(ArrayView<const std::uint32_t, 1> records, DepthEncoding encoding,
                   ArrayView<float, 1> depth, int threads);

/// Depths as the records of their pixels would carry them: normalised, clamped, encoded, decoded.
///
/// Precondition (ArgumentError): both views have the same extent.
void requantise_depths(ArrayView<const float, 1> depth, const DepthRange& range, DepthEncoding encoding,
                       ArrayView<float, 1> decoded, int threads);

}  // namespace tilelab::lighting
