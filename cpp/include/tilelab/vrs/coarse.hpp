// Coarse shading: which shader invocations a picture of primitives needs, and where they shade.
#pragma once

#include <cstdint>

#include "tilelab/core/array_view.hpp"
#include "tilelab/vrs/shading_rate.hpp"

namespace tilelab::vrs {

/// Where a partly covered coarse pixel is shaded: at its geometric centre, or at its first covered pixel in
/// the order of the coverage bits, which starts at the bottom right (measured).
enum class Location : std::uint8_t { kCenter = 0, kCentroid = 1 };

/// A picture of primitives and how it is shaded.
struct CoarseScene {
  std::int64_t height = 0;
  std::int64_t width = 0;
  int tile = 8;
  /// (H, W), -1 where nothing is drawn; empty: primitive 0 everywhere.
  ArrayView<const std::int32_t, 2> primitive_id;
  /// Rates per tile, any extents: tiles outside are 1x1, surplus ones are ignored; may be empty.
  ArrayView<const Rate, 2> rates;
  /// Rate of every primitive; empty: 1x1.
  ArrayView<const Rate, 1> primitive_rates;
  /// Final rate by (primitive rate, image rate): combine_table for the rate of the draw.
  ArrayView<const Rate, 2> final_rates;
  Location location = Location::kCenter;
  /// (16, 2) sixteenths of the coarse size by which the centre moves, x and y by rate code; empty: not at
  /// all.
  ArrayView<const std::int8_t, 2> offsets;
};

/// Per tile (TH, TW): `invocations` = distinct (primitive, coarse pixel) pairs with a covered pixel, `lanes`
/// = 4 x distinct (primitive, 2x2 group of coarse pixels), so helper lanes are included (measured).
///
/// Precondition (ArgumentError): height and width are at least 1, tile is 8, 16 or 32.
/// Precondition (ArgumentError): primitive ids are at least -1 and below the number of primitive rates,
/// unless that is 0. Precondition (ArgumentError): all rates are legal codes, `final_rates` is (16, 16).
void count_coarse(const CoarseScene& scene, ArrayView<std::int64_t, 2> invocations,
                  ArrayView<std::int64_t, 2> lanes, int threads);

/// One row for each invocation. Tiles follow each other row by row; inside a tile the order is coarse-pixel
/// row, coarse-pixel column, primitive.
struct CoarseRows {
  /// (N, 2) x and y of the shading position, pixel centres at +0.5.
  ArrayView<double, 2> positions;
  /// (N) covered pixels; the first (top left) is the highest of the width * height bits, row-major.
  ArrayView<std::uint16_t, 1> masks;
  ArrayView<Rate, 1> rates;
  ArrayView<std::int32_t, 1> primitives;
  /// (N) flat index of the covered pixel nearest to the position; of equals the lowest, then the rightmost.
  /// May be empty.
  ArrayView<std::int64_t, 1> sources;
  /// (H, W) row of the invocation that shades the pixel, -1 for none.
  ArrayView<std::int32_t, 2> pixel_invocation;
};

/// An image shaded coarsely: every pixel of `out` is the pixel of `pixels` that its invocation reads. Pixels
/// are moved as bytes, whatever they mean.
struct CoarseImage {
  /// (H * W, bytes of a pixel).
  ArrayView<const std::uint8_t, 2> pixels;
  /// (bytes of a pixel) what pixels that nothing covers become.
  ArrayView<const std::uint8_t, 1> nothing;
  /// The shape of `pixels`; empty: no image is wanted.
  ArrayView<std::uint8_t, 2> out;
};

/// Fills `rows` and `image`.
///
/// Precondition (ArgumentError): those of count_coarse.
/// Precondition (ArgumentError): `first` (TH * TW) is the row at which each tile begins: the running sum of
/// count_coarse.
void list_coarse(const CoarseScene& scene, ArrayView<const std::int64_t, 1> first, const CoarseRows& rows,
                 const CoarseImage& image, int threads);

/// means[i] = the sum of the pixels of invocation i, in row-major order and in float64, divided by their
/// number. `tile` is the one with which list_coarse made pixel_invocation and masks: no invocation reaches
/// beyond a tile.
///
/// Precondition (ArgumentError): `pixels` is (H * W, C), pixel_invocation (H, W), masks (N), means (N, C).
/// Precondition (not checked): pixel_invocation is below N.
void mean_coarse(ArrayView<const float, 2> pixels, ArrayView<const std::int32_t, 2> pixel_invocation,
                 ArrayView<const std::uint16_t, 1> masks, int tile, ArrayView<double, 2> means, int threads);
void mean_coarse(ArrayView<const double, 2> pixels, ArrayView<const std::int32_t, 2> pixel_invocation,
                 ArrayView<const std::uint16_t, 1> masks, int tile, ArrayView<double, 2> means, int threads);

/// out[p] = values[pixel_invocation[p]], `nothing` where that is -1; elements are moved as bytes.
///
/// Precondition (ArgumentError): `values` is (N, bytes), nothing (bytes), pixel_invocation (P), out (P,
/// bytes). Precondition (not checked): pixel_invocation is below N.
void broadcast_coarse(ArrayView<const std::uint8_t, 2> values, ArrayView<const std::uint8_t, 1> nothing,
                      ArrayView<const std::int32_t, 1> pixel_invocation, ArrayView<std::uint8_t, 2> out,
                      int threads);

}  // namespace tilelab::vrs
