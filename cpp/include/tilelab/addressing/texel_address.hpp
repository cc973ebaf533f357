// Where a texel lies, and which texel a byte belongs to.
#pragma once

#include <cstdint>
#include <vector>

#include "tilelab/addressing/layout.hpp"
#include "tilelab/core/array_view.hpp"

namespace tilelab::addressing {

/// The address equation as tables, one for each axis: offset in a block = x[..] ^ y[..] ^ z[..] ^ sample[..]
/// (derived: it is linear over GF(2)). Sizes are powers of two; higher coordinate bits do not matter.
struct AddressTables {
  explicit AddressTables(const AddressEquation& equation);

  std::vector<std::uint32_t> x, y, z, sample;

  std::uint32_t of_x(std::int64_t v) const { return lookup(x, v); }
  std::uint32_t of_y(std::int64_t v) const { return lookup(y, v); }
  std::uint32_t of_z(std::int64_t v) const { return lookup(z, v); }
  std::uint32_t of_sample(std::int64_t v) const { return lookup(sample, v); }

 private:
  static std::uint32_t lookup(const std::vector<std::uint32_t>& table, std::int64_t v) {
    return table[static_cast<std::size_t>(v) & (table.size() - 1)];
  }
};

/// A coordinate of every query: an array (step 1) or one value for all (step 0).
struct CoordinateView {
  const std::int64_t* data = nullptr;
  std::int64_t step = 0;
};

struct TexelQueries {
  CoordinateView x;  ///< elements
  CoordinateView y;
  CoordinateView z;  ///< depth slice of a volume, else array slice
  CoordinateView mip;
  CoordinateView sample;
};

/// Byte offset of every queried element, counted from the start of the resource. Nothing is written where an
/// ArgumentError is thrown.
///
/// Precondition (ArgumentError): every coordinate lies in its mip.
/// Precondition (not checked): views of step 1 hold one value for each element of `out`, the others one.
void texel_offset(const PlaneLayout& layout, const TexelQueries& queries, ArrayView<std::int64_t, 1> out,
                  int threads);

/// The element that a byte belongs to; -1 everywhere where valid is false (padding).
struct TexelCoordinates {
  std::int32_t x, y, z, array_slice, mip, sample;
  bool valid;
};

/// Exact inverse of texel_offset for every byte of the plane: a byte inside an element gives the element
/// (derived). Nothing is written where an ArgumentError is thrown.
///
/// Precondition (ArgumentError): `out` has one record for each offset.
/// Precondition (ArgumentError): every offset lies in the plane.
void offset_texel(const PlaneLayout& layout, ArrayView<const std::int64_t, 1> offset_bytes,
                  ArrayView<TexelCoordinates, 1> out, int threads);

}  // namespace tilelab::addressing
