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
  std::int64_t height = 0;  ///< of the image in pixels
  std::int64_t width = 0;
};

/// Throws unless the list is sound. The other functions begin with it, since a list may change after it was
/// made.
///
/// Precondition (ArgumentError): offsets begin with 0, do not descend, end with the number of records, and
/// are one more than the tiles of the image. Precondition (ArgumentError): every pixel and every copy lies
/// inside the image.
void check_records(const RecordList& list);

/// Image coordinates of every record in pixels.
///
/// Precondition (ArgumentError): the list is sound; x and y hold one entry per record.
void record_pixels(const RecordList& list, ArrayView<std::int32_t, 1> x, ArrayView<std::int32_t, 1> y,
                   int threads);

/// values[i] = the pixel of record i.
///
/// Precondition (ArgumentError): the list is sound; `image` is (height, width, bytes) of the list's image.
/// Precondition (ArgumentError): `values` is (records, bytes).
void gather_pixels(const RecordList& list, ArrayView<const std::uint8_t, 3> image,
                   ArrayView<std::uint8_t, 2> values, int threads);

/// Writes values[i] to the pixel of record i and to its copies; leaves all other pixels alone.
///
/// Precondition (ArgumentError): those of gather_pixels.
void fill_pixels(const RecordList& list, ArrayView<const std::uint8_t, 2> values,
                 ArrayView<std::uint8_t, 3> image, int threads);

}  // namespace tilelab::lighting
