// Where a texel lies, and which texel a byte belongs to.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tilelab/addressing/layout.hpp"

namespace tilelab::addressing {

/// The address equation as tables: offset in a block = x[..] ^ y[..] ^ z[..] ^ sample[..] (it is linear over
/// GF(2)).
struct AddressTables {
  explicit AddressTables(const AddressEquation& equation);

  std::vector<std::uint32_t> x, y, z,
      sample;  // sizes are powers of two; higher coordinate bits do not matter

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
  const std::int64_t* data;
  std::int64_t step;
};

struct TexelQueries {
  CoordinateView x, y, z;  // elements; z is the depth slice of a volume, else the array slice
  CoordinateView mip, sample;
  std::int64_t count;
};

/// Byte offset of every queried element, counted from the start of the resource.
/// Preconditions: out holds queries.count values; every coordinate lies in the mip, else ArgumentError naming
/// it and nothing is written.
void texel_offset(const PlaneLayout& layout, const TexelQueries& queries, std::int64_t* out, int threads);

/// The element that a byte belongs to; -1 everywhere where valid is false (padding).
struct TexelCoordinates {
  std::int32_t x, y, z, array_slice, mip, sample;
  bool valid;
};

/// Exact inverse of texel_offset for every byte of the plane (a byte inside an element gives the element).
/// Preconditions: out holds `count` entries; every offset lies in the plane, else ArgumentError and
/// nothing is written.
void offset_texel(const PlaneLayout& layout, const std::int64_t* offsets, std::int64_t count,
                  TexelCoordinates* out, int threads);

}  // namespace tilelab::addressing
