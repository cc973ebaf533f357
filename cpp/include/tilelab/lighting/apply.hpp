// Moves values between images and the pixels of a record list. A value is any number of bytes.
#pragma once

#include <cstdint>

#include "tilelab/core/array_view.hpp"
#include "tilelab/lighting/records.hpp"

namespace tilelab::lighting {

/// Records of all tiles, tile-major; those of tile t are [offsets[t], offsets[t + 1]).
struct RecordList {
  ArrayView<const std::uint32_t, 1> records;
  ArrayView<const std::int64_t, 1> offsets;
  std::int64_t height = 0;
  std::int64_t width = 0;
};

/// Throws ArgumentError unless the offsets fit the image and the list, ascend, and every pixel and copy lies
/// inside the image. The other functions begin with it, since a list may change after it was made.
void check_records(const RecordList& list);

/// Image coordinates of every record. Precondition: x and y hold one entry per record.
void record_pixels(const RecordList& list, ArrayView<std::int32_t, 1> x, ArrayView<std::int32_t, 1> y,
                   int threads);

/// values[i] = the pixel of record i of an image (height, width, bytes).
void gather_pixels(const RecordList& list, ArrayView<const std::uint8_t, 3> image,
                   ArrayView<std::uint8_t, 2> values, int threads);

/// Writes values[i] (bytes) to the pixel of record i and to its copies; leaves all other pixels alone.
void fill_pixels(const RecordList& list, ArrayView<const std::uint8_t, 2> values,
                 ArrayView<std::uint8_t, 3> image, int threads);

}  // namespace tilelab::lighting
