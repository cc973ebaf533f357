#include "tessellation/tessellator_transition.hpp"

#include <array>
#include <bit>

#include "tessellation/tessellator_patch.hpp"

namespace tilelab::tessellation {
namespace {

constexpr int kSlots = kMaxSegments / 2;

// Rank of slot k (0 .. 32) of a half edge: points are born in this order as the factor grows.
constexpr auto kRulerRanks = [] {
  std::array<int, kSlots + 1> ranks{};
  ranks[1] = kSlots;
  for (unsigned k = 2; k <= kSlots; ++k) {
    const unsigned j = k - 1;
    const int zeros = std::countr_zero(j);
    ranks[k] = (1 << (4 - zeros)) + static_cast<int>(j >> (zeros + 1));
  }
  return ranks;
}();

// Walks both rows from their first corner to their last and emits a triangle per step.
class Walk {
 public:
  Walk(bool counter_clockwise, std::vector<std::uint8_t>& out)
      : counter_clockwise_(counter_clockwise), out_(out) {}

  void advance_outer() {
    emit(outer(0), outer(1), inner(0));
    ++outer_;
  }
  void advance_inner() {
    emit(inner(0), outer(0), inner(1));
    ++inner_;
  }
  void middle(bool inner_odd, bool outer_odd) {
    if (inner_odd && outer_odd) {
      emit(inner(0), outer(0), inner(1));
      emit(inner(1), outer(0), outer(1));
      ++inner_;
      ++outer_;
    } else if (outer_odd) {
      emit(inner(0), outer(0), outer(1));
      ++outer_;
    } else if (inner_odd) {
      advance_inner();
    }
  }

 private:
  std::uint8_t outer(int ahead) const { return static_cast<std::uint8_t>(outer_ + ahead); }
  std::uint8_t inner(int ahead) const { return static_cast<std::uint8_t>((inner_ + ahead) | kInnerRow); }
  void emit(std::uint8_t a, std::uint8_t b, std::uint8_t c) {
    out_.push_back(a);
    out_.push_back(counter_clockwise_ ? c : b);
    out_.push_back(counter_clockwise_ ? b : c);
  }

  bool counter_clockwise_;
  std::vector<std::uint8_t>& out_;
  int outer_ = 0;
  int inner_ = 0;
};

void append_stitch(int outer_segments, int inside_segments, Walk walk) {
  const int outer_count = outer_segments / 2, inner_count = inside_segments / 2;
  if (outer_count > 0) walk.advance_outer();
  for (std::size_t k = 1; k <= kSlots; ++k) {
    if (kRulerRanks[k] < inner_count) walk.advance_inner();
    if (kRulerRanks[k] < outer_count) walk.advance_outer();
  }
  walk.middle(inside_segments % 2 == 1, outer_segments % 2 == 1);
  for (std::size_t k = kSlots; k >= 1; --k) {
    if (kRulerRanks[k] < outer_count) walk.advance_outer();
    if (kRulerRanks[k] < inner_count) walk.advance_inner();
  }
  if (outer_count > 0) walk.advance_outer();
}

}  // namespace

TransitionTable::TransitionTable(bool counter_clockwise) {
  for (int inside = 2; inside <= kMaxSegments; ++inside) {
    for (int outer = 1; outer <= kMaxSegments; ++outer) {
      starts_.push_back(static_cast<std::uint32_t>(vertices_.size()));
      append_stitch(outer, inside, Walk(counter_clockwise, vertices_));
    }
  }
  starts_.push_back(static_cast<std::uint32_t>(vertices_.size()));
  vertices_.resize(vertices_.size() + kReadSlack);
}

const TransitionTable& TransitionTable::of(bool counter_clockwise) {
  if (counter_clockwise) {
    static const TransitionTable table(true);
    return table;
  }
  static const TransitionTable table(false);
  return table;
}

}  // namespace tilelab::tessellation
