// UQ5.3: an unsigned level of detail with five integer and three fraction bits.
// Source: D3D12 Sampler Feedback specification; 0xFF in a feedback map means "not sampled".
#pragma once

#include <cstdint>

namespace tilelab {

inline constexpr float kUq53Scale = 8.0f;
inline constexpr std::uint8_t kUq53Max = 0xFE;
inline constexpr std::uint8_t kUq53NotSampled = 0xFF;

/// Level that a code stands for. Exact.
constexpr float uq53_decode(std::uint8_t code) { return static_cast<float>(code) / kUq53Scale; }

/// Largest code whose level does not exceed `lod`, held inside [0, kUq53Max]; NaN gives 0.
constexpr std::uint8_t uq53_encode_floor(float lod) {
  const float scaled = lod * kUq53Scale;
  if (!(scaled > 0.0f)) return 0;
  if (scaled >= static_cast<float>(kUq53Max)) return kUq53Max;
  return static_cast<std::uint8_t>(scaled);
}

}  // namespace tilelab
