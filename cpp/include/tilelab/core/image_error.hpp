// How far an image is from its reference, in one pass over both.
#pragma once

#include <cstdint>

#include "tilelab/core/array_view.hpp"

namespace tilelab {

/// Sums over the values (pixels times channels) of an image or of a tile. Bytes are UNORM: their errors count
/// in units of the full scale.
struct ImageErrorSums {
  double square = 0.0;          ///< of squared differences
  double absolute = 0.0;        ///< of absolute differences
  double largest = 0.0;         ///< absolute difference
  std::int64_t counted = 0;     ///< values that the sums are made of
  std::int64_t not_finite = 0;  ///< values left out: the difference is infinite or NaN
  std::int64_t differing = 0;   ///< those of them that are not equal (equal infinities, NaN on both sides)
};

/// Adds up image - reference, in float64, for every tile and for the whole image.
///
/// Values of a tile are added in eight partial sums, value i of each of its rows to sum i % 8, row after row;
/// the eight are added as ((0+4)+(2+6)) + ((1+5)+(3+7)), and tiles row by row to the whole. Without tiles,
/// bands of 16 rows take their place. So the bits depend on neither threads nor instruction set.
///
/// Precondition (ArgumentError): `image` and `reference` are (H, W, C) of equal extents.
/// Precondition (ArgumentError): `where` is (H, W), other than 0 where a pixel counts, or empty: all count.
/// Precondition (ArgumentError): tile >= 0; 0 for no tiles, then `tiles` is empty, else
/// (ceil(H / tile), ceil(W / tile)).
ImageErrorSums image_error(ArrayView<const float, 3> image, ArrayView<const float, 3> reference,
                           ArrayView<const std::uint8_t, 2> where, int tile,
                           ArrayView<ImageErrorSums, 2> tiles, int threads);
ImageErrorSums image_error(ArrayView<const double, 3> image, ArrayView<const double, 3> reference,
                           ArrayView<const std::uint8_t, 2> where, int tile,
                           ArrayView<ImageErrorSums, 2> tiles, int threads);
ImageErrorSums image_error(ArrayView<const std::uint8_t, 3> image, ArrayView<const std::uint8_t, 3> reference,
                           ArrayView<const std::uint8_t, 2> where, int tile,
                           ArrayView<ImageErrorSums, 2> tiles, int threads);

}  // namespace tilelab
