// Positions of the points along one axis, kept for later patches that have the same factor.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tessellation/tessellator_patch.hpp"

namespace tilelab::tessellation {

/// Positions in 16.16 fixed point, from 0 to 1 and from 1 to 0. The slack lets readers take whole vectors.
struct Row {
  static constexpr std::size_t kSlack = 7;
  using Positions = std::array<std::int32_t, kMaxSegments + 1 + kSlack>;

  Positions up;
  Positions down;
  Axis axis{0, 0};
};

class RowCache {
 public:
  /// The row of an axis; it stays valid until the next call.
  const Row& operator()(Axis axis) {
    // Integer factors differ in the high half only and get an entry each.
    const auto bits = static_cast<std::uint32_t>(axis.factor);
    Row& row = rows_[((bits >> 16) ^ (bits >> 5) ^ bits) % kEntries];
    if (row.axis != axis) fill(axis, row);
    return row;
  }

 private:
  static constexpr std::size_t kEntries = 64;

  static void fill(Axis axis, Row& row);

  std::array<Row, kEntries> rows_;
};

}  // namespace tilelab::tessellation
