// The stitch between an edge and the first inner ring, whose numbers of points are independent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tilelab::tessellation {

/// A vertex of a transition stitch: position in its row, plus kInnerRow for the inner one.
inline constexpr std::uint8_t kInnerRow = 0x80;

/// Every transition stitch: 1 .. 64 segments outside, 2 .. 64 on the inside axis (of which the ring has two
/// less).
class TransitionTable {
 public:
  /// Vertices, three per triangle. The memory behind the end may be read up to kReadSlack vertices on.
  std::span<const std::uint8_t> vertices(std::int32_t outer_segments, std::int32_t inside_segments) const {
    const std::size_t k = slot(outer_segments, inside_segments);
    return {vertices_.data() + starts_[k], starts_[k + 1] - starts_[k]};
  }

  static constexpr std::size_t kReadSlack = 16;

  /// The table of one winding; made at the first call.
  static const TransitionTable& of(bool counter_clockwise);

 private:
  explicit TransitionTable(bool counter_clockwise);

  static std::size_t slot(std::int32_t outer_segments, std::int32_t inside_segments) {
    return static_cast<std::size_t>((inside_segments - 2) * 64 + outer_segments - 1);
  }

  std::vector<std::uint8_t> vertices_;
  std::vector<std::uint32_t> starts_;
};

}  // namespace tilelab::tessellation
