// The shading-rate image of a picture: luminance, its gradients, and a vote in every tile.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "tilelab/core/array_view.hpp"
#include "tilelab/vrs/shading_rate.hpp"

namespace tilelab::vrs {

using ColorWeights = std::array<float, 3>;

inline constexpr ColorWeights kBt709 = {0.2126f, 0.7152f, 0.0722f};
inline constexpr float kNoCut = std::numeric_limits<float>::quiet_NaN();

/// out[i] = (wr * r + wg * g) + wb * b in float32. Bytes are UNORM: float(v) / 255 first. Alpha is ignored.
/// Preconditions: pixels (N, 3 or 4), out (N), threads >= 0 (ArgumentError otherwise).
void luminance(ArrayView<const float, 2> pixels, const ColorWeights& weights, ArrayView<float, 1> out,
               int threads);
void luminance(ArrayView<const std::uint8_t, 2> pixels, const ColorWeights& weights, ArrayView<float, 1> out,
               int threads);

/// Where the pixels of a picture were in the picture before: at p - rint(pixels[p]), halves to even,
/// coordinates clamped to the picture. That is not known where the motion is NaN, where `disoccluded` (may be
/// empty) is not 0 and, unless `clamp_off_screen`, where the position lies outside the picture.
struct Motion {
  /// (H, W, 2) x and y in pixels; empty: there is no motion.
  ArrayView<const float, 3> pixels;
  ArrayView<const std::uint8_t, 2> disoccluded;
  bool clamp_off_screen = false;
};

/// out[p] = history where p was; no_history[p] is 1 where that is not known, else 0.
/// Preconditions: every array (H, W), motion with one more dimension, neither side empty (ArgumentError
/// otherwise).
void reproject(ArrayView<const float, 2> history, const Motion& motion, ArrayView<float, 2> out,
               ArrayView<std::uint8_t, 2> no_history, int threads);

struct SobelOptions {
  int tile = 8;
  float threshold = 0.1f;
  float env_luma = 0.05f;
  /// Pixels darker than this never vote fine; kNoCut for no limit.
  float lum_lo = kNoCut;
  /// Pixels at least this bright never vote fine; kNoCut for no limit.
  float lum_hi = kNoCut;
  /// Also compare with the right and the lower neighbour, which sees signals of period 2.
  bool differences = false;
  /// Votes that an axis may have and still be halved: a count, or a fraction of the tile's pixels.
  double vote = 0.0;
  bool vote_is_fraction = false;
  ColorWeights weights = kBt709;
};

/// Per pixel, with L the luminance and borders repeated, in float32 and in this order:
///   column(d) = (L[y-1, x+d] + 2 L[y, x+d]) + L[y+1, x+d]    gx = (column(+1) - column(-1)) * 0.125
///   row(d)    = (L[y+d, x-1] + 2 L[y+d, x]) + L[y+d, x+1]    gy = (row(+1) - row(-1)) * 0.125
///   fine_x = not (|gx| <= threshold * (L + env_luma)), fine_y likewise; so NaN votes fine.
/// Per tile, over the pixels inside the picture: an axis is halved when at most `vote` pixels are fine.
/// With motion, `color` is the picture before and L is read from where the pixels were; pixels of which that
/// is not known vote fine on both axes whatever their value. `votes` (TH, TW, 2), may be empty, receives the
/// counts. Preconditions: color (H, W, 3 or 4), or (H, W, 1) holding luminance; tile is 8, 16 or 32; rates
/// (ceil(H / tile), ceil(W / tile)); H and W at least 1 (ArgumentError otherwise).
void rate_image(ArrayView<const float, 3> color, const SobelOptions& options, const Motion& motion,
                ArrayView<Rate, 2> rates, ArrayView<std::int32_t, 3> votes, int threads);
void rate_image(ArrayView<const std::uint8_t, 3> color, const SobelOptions& options, const Motion& motion,
                ArrayView<Rate, 2> rates, ArrayView<std::int32_t, 3> votes, int threads);

}  // namespace tilelab::vrs
