// Rows of a picture read where their pixels were in the picture before, on the best instruction set.
#pragma once

#include <cstdint>

#include "tilelab/vrs/luminance.hpp"
#include "tilelab/vrs/reproject.hpp"
#include "vrs/rate_image_band.hpp"

namespace tilelab::vrs {

struct Reprojection {
  PixelFormat format = PixelFormat::kLuminanceFloat;
  const void* pixels = nullptr;
  std::int64_t height = 0;
  std::int64_t width = 0;
  ColorWeights weights = kBt709;
  Motion motion;

  // Throws ArgumentError when the arrays of the motion do not have the size of the picture.
  void check() const;
  // Writes luminances and, bit_pitch(width) bytes for each row, one bit for each pixel without history.
  void rows(std::int64_t begin, std::int64_t end, float* luminance, std::uint8_t* no_history) const;
};

}  // namespace tilelab::vrs
