// Luminance: the weighted sum of red, green and blue.
#pragma once

#include <array>
#include <cstdint>

#include "tilelab/core/array_view.hpp"

namespace tilelab::vrs {

using ColorWeights = std::array<float, 3>;

inline constexpr ColorWeights kBt709 = {0.2126f, 0.7152f, 0.0722f};

/// out[i] = (wr * r + wg * g) + wb * b in float32. Bytes are UNORM: float(v) / 255 first. Alpha is ignored,
/// and nothing is decoded: linear or display-encoded is the caller's choice.
///
/// Precondition (ArgumentError): `pixels` is (N, 3) or (N, 4), `out` (N).
/// Precondition (ArgumentError): threads >= 0.
void luminance(ArrayView<const float, 2> pixels, const ColorWeights& weights, ArrayView<float, 1> out,
               int threads);
void luminance(ArrayView<const std::uint8_t, 2> pixels, const ColorWeights& weights, ArrayView<float, 1> out,
               int threads);

}  // namespace tilelab::vrs
