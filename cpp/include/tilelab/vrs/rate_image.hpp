// The shading-rate image of a picture: luminance, its gradients, and a vote in every tile (modelled: the
// public source names the method, Sobel and a vote for each tile, and not its details).
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "tilelab/core/array_view.hpp"
#include "tilelab/vrs/luminance.hpp"
#include "tilelab/vrs/reproject.hpp"
#include "tilelab/vrs/shading_rate.hpp"

namespace tilelab::vrs {

/// What a pixel's luminance is compared by: Sobel gradients, or also the differences to the right and the
/// lower neighbour, which see signals of period 2.
enum class Estimator : std::uint8_t { kSobel = 0, kSobelDiff = 1 };

struct RateImageOptions {
  Estimator estimator = Estimator::kSobel;
  int tile = 8;  ///< pixels: 8, 16 or 32
  float threshold = 0.1f;
  float env_luma = 0.05f;
  /// Votes that an axis may have and still be halved: a count, or a fraction of the tile's pixels.
  std::variant<std::int64_t, double> vote = std::int64_t{0};
  std::optional<float> lum_lo;  ///< pixels darker than this never vote fine
  std::optional<float> lum_hi;  ///< pixels at least this bright never vote fine
  ColorWeights weights = kBt709;
};

/// Per pixel, with L the luminance and borders repeated, in float32 and in this order:
///   column(d) = (L[y-1, x+d] + 2 L[y, x+d]) + L[y+1, x+d]    gx = (column(+1) - column(-1)) * 0.125
///   row(d)    = (L[y+d, x-1] + 2 L[y+d, x]) + L[y+d, x+1]    gy = (row(+1) - row(-1)) * 0.125
///   fine_x = not (|gx| <= threshold * (L + env_luma)), fine_y likewise; so NaN votes fine.
/// Per tile, over the pixels inside the picture: an axis is halved when at most `vote` pixels are fine.
/// With motion, `color` is the picture before and L is read from where the pixels were; pixels of which that
/// is not known vote fine on both axes whatever their value.
///
/// Precondition (ArgumentError): `color` is (H, W, 3) or (H, W, 4), or (H, W, 1) holding luminance; bytes are
/// UNORM.
/// Precondition (ArgumentError): H and W are at least 1; the tile is 8, 16 or 32.
/// Precondition (ArgumentError): `rates` is (ceil(H / tile), ceil(W / tile)); `votes` has a last axis of 2
/// more and receives the counts of x and y, or is empty.
void rate_image(ArrayView<const float, 3> color, const RateImageOptions& options, const Motion& motion,
                ArrayView<Rate, 2> rates, ArrayView<std::int32_t, 3> votes, int threads);
void rate_image(ArrayView<const std::uint8_t, 3> color, const RateImageOptions& options, const Motion& motion,
                ArrayView<Rate, 2> rates, ArrayView<std::int32_t, 3> votes, int threads);

}  // namespace tilelab::vrs
