// Where the pixels of a picture were in the picture before.
#pragma once

#include <cstdint>

#include "tilelab/core/array_view.hpp"

namespace tilelab::vrs {

/// What happens where the earlier position lies outside the picture: nothing is known there, or the nearest
/// pixel inside is taken.
enum class OffScreen : std::uint8_t { kFine = 0, kClamp = 1 };

/// A pixel p was at p - rint(pixels[p]), halves to even, held inside the picture. That is not known where the
/// motion is NaN, where `disoccluded` is not 0 and, with OffScreen::kFine, where the position lies outside.
struct Motion {
  /// (H, W, 2) x and y in pixels; empty: there is no motion.
  ArrayView<const float, 3> pixels;
  /// (H, W), may be empty.
  ArrayView<const std::uint8_t, 2> disoccluded;
  OffScreen off_screen = OffScreen::kFine;
};

/// out[p] = history where p was; no_history[p] is 1 where that is not known, else 0.
///
/// Precondition (ArgumentError): every array is (H, W), the motion (H, W, 2), and neither side is 0.
void reproject(ArrayView<const float, 2> history, const Motion& motion, ArrayView<float, 2> out,
               ArrayView<std::uint8_t, 2> no_history, int threads);

}  // namespace tilelab::vrs
