// The 32-bit record of sparse lighting: which pixel to light, where else to write the result, and its depth.
#pragma once

#include <bit>
#include <cstdint>

#include "tilelab/core/array_view.hpp"

namespace tilelab::lighting {

/// Screen tile of one wave. Even and evenly aligned, so that a coordinate XOR 1 stays inside.
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

enum class DepthEncoding : int { kUnorm21 = 0, kFloat21 = 1 };

inline constexpr double kUnorm21Max = 2097151.0;

/// Depth held inside [0, 1]; NaN and -0 become +0.
constexpr float clamp_depth(float depth) { return depth > 0.0f ? (depth < 1.0f ? depth : 1.0f) : 0.0f; }

/// 21-bit code of a depth inside [0, 1]: round half up of depth * (2^21 - 1) (exact in double), or the
/// float32 bits without their lowest ten, rounded to nearest even.
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

/// Packs x, y (0..15), copies (kCopyX | kCopyY | kCopyXY) and depth (clamped) of every record.
/// Preconditions: equal extents; coordinates and copies in range (checked by the caller).
void pack_records(ArrayView<const std::uint8_t, 1> x, ArrayView<const std::uint8_t, 1> y,
                  ArrayView<const std::uint8_t, 1> copies, ArrayView<const float, 1> depth,
                  DepthEncoding encoding, ArrayView<std::uint32_t, 1> records);

/// Depth of every record. Precondition: equal extents.
void decode_depths(ArrayView<const std::uint32_t, 1> records, DepthEncoding encoding,
                   ArrayView<float, 1> depth, int threads);

/// Depth image as every pixel's record would carry it: (depth - near) / range, clamped, encoded, decoded.
/// Precondition: equal extents.
void requantise_depths(ArrayView<const float, 1> depth, float near, float range, DepthEncoding encoding,
                       ArrayView<float, 1> decoded, int threads);

}  // namespace tilelab::lighting
