// Bulk copies between linear images and the tiled bytes of a mip. Build a plan once, run it on many textures.
#pragma once

#include <array>
#include <cstdint>

#include "tilelab/addressing/texel_address.hpp"
#include "tilelab/core/array_view.hpp"

namespace tilelab::addressing {

/// Linear rows: the elements of a row follow each other, samples of an element together; any distance between
/// rows and between slices.
template <typename Byte>
struct LinearImage {
  Byte* data = nullptr;
  std::int64_t row_bytes = 0;
  std::int64_t slice_bytes = 0;
};

/// Box of elements. z counts depth slices of a volume, else array slices.
struct Box {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t z = 0;
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::int64_t depth = 0;
};

/// To tiled bytes, or back to linear rows.
enum class CopyDirection : int { kSwizzle = 0, kDeswizzle = 1 };

/// How 16-byte pieces of linear rows become 16-byte pieces of tiled memory, and back.
/// A patch is a box of columns, rows and slices. To tiled it holds whole 256-byte micro tiles in the order of
/// their addresses; to linear it is 16 bytes wide (more with samples in high address bits) and holds whole
/// lines of tiled memory. Its pieces are moved in groups of `1 << stages`: load, run the network of
/// interleaving stages, store.
struct PatchPlan {
  static constexpr int kMaxPieces = 128;

  int columns_log2 = 0;  ///< a column is one sample of one element
  int rows_log2 = 0;
  int slices_log2 = 0;
  int network = -1;  ///< index of the compiled network, -1 = none fits: single elements only
  int stages = 0;
  int pieces = 0;
  std::array<std::int16_t, kMaxPieces> piece_column{};  ///< in 16-byte units
  std::array<std::int8_t, kMaxPieces> piece_row{};
  std::array<std::int8_t, kMaxPieces> piece_slice{};
  std::array<std::uint32_t, kMaxPieces>
      tiled{};  ///< XOR on the tiled offset, for the piece after the network
};

class SwizzlePlan {
 public:
  /// Precondition (ArgumentError): mip is in [0, layout.desc.mip_levels).
  SwizzlePlan(const PlaneLayout& layout, int mip);

  const PlaneLayout& layout() const { return layout_; }
  int mip() const { return mip_; }

  /// Linear box -> tiled bytes, which begin where the resource does. Bytes of no element of the box are left
  /// alone.
  ///
  /// Precondition (ArgumentError): the box lies in the mip, `tiled` holds the plane.
  /// Precondition (not checked): `image` holds the box and does not overlap `tiled`.
  void swizzle(const LinearImage<const std::uint8_t>& image, ArrayView<std::uint8_t, 1> tiled, const Box& box,
               int threads) const;

  /// Tiled bytes -> linear box.
  ///
  /// Precondition (ArgumentError): the box lies in the mip, `tiled` holds the plane.
  /// Precondition (not checked): `image` holds the box and does not overlap `tiled`.
  void deswizzle(ArrayView<const std::uint8_t, 1> tiled, const LinearImage<std::uint8_t>& image,
                 const Box& box, int threads) const;

 private:
  void copy(CopyDirection direction, const LinearImage<std::uint8_t>& image, std::uint8_t* tiled,
            const Box& box, int threads) const;

  PlaneLayout layout_;
  int mip_;
  AddressTables tables_;
  std::array<PatchPlan, 2> patches_;  // by CopyDirection
};

}  // namespace tilelab::addressing
