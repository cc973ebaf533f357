// All answers of the greedy grouping of a 2x2 quad, indexed by which pixels are valid and which match.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "tilelab/lighting/scan.hpp"

namespace tilelab::lighting {

// Index of a quad: five bits found at its even columns, five more at its odd ones.
inline constexpr unsigned kMatchBelow = 0;   ///< the pixel below matches
inline constexpr unsigned kMatchBeside = 1;  ///< x neighbour: of the upper row (even), of the lower (odd)
inline constexpr unsigned kMatchAcross = 2;  ///< the diagonal pixel below matches
inline constexpr unsigned kUpperValid = 3;
inline constexpr unsigned kLowerValid = 4;
inline constexpr unsigned kOddColumn = 5;  ///< shift of the odd column's bits
inline constexpr std::size_t kQuadStates = 1024;

struct QuadTable {
  /// Copy flags, already at their place in the record, of the four pixels in visiting order.
  alignas(64) std::array<std::array<std::uint32_t, 4>, kQuadStates> flags{};
  /// Bit k: the pixel visited as number k leads.
  alignas(64) std::array<std::uint8_t, kQuadStates> leaders{};
};

/// Quad pixels by number: bit 0 = x, bit 1 = y.
inline constexpr std::array<std::array<unsigned, 4>, 2> kVisitingOrder{{{0, 3, 1, 2}, {0, 1, 2, 3}}};

constexpr bool pixel_valid(std::size_t state, unsigned pixel) {
  const unsigned bit = ((pixel & 1) != 0 ? kOddColumn : 0) + ((pixel & 2) != 0 ? kLowerValid : kUpperValid);
  return ((state >> bit) & 1) != 0;
}

constexpr bool pixels_match(std::size_t state, unsigned a, unsigned b) {
  const unsigned step = a ^ b;
  unsigned bit = 0;
  if (step == 2) bit = kMatchBelow + ((a & 1) != 0 ? kOddColumn : 0);
  if (step == 1) bit = kMatchBeside + ((a & 2) != 0 ? kOddColumn : 0);
  if (step == 3) bit = kMatchAcross + (a == 0 || b == 0 ? 0 : kOddColumn);
  return ((state >> bit) & 1) != 0;
}

constexpr QuadTable make_quad_table(Policy policy) {
  const auto& visit = kVisitingOrder[static_cast<std::size_t>(policy)];
  QuadTable table;
  for (std::size_t state = 0; state < kQuadStates; ++state) {
    unsigned leaders = 0;
    for (unsigned k = 0; k < 4; ++k) {
      if (!pixel_valid(state, visit[k])) continue;
      bool leads = true;
      for (unsigned j = 0; j < k && leads; ++j) {
        if ((leaders >> j & 1) == 0 || !pixels_match(state, visit[j], visit[k])) continue;
        const unsigned step = visit[j] ^ visit[k];
        const std::uint32_t copy = step == 1 ? kCopyX : step == 2 ? kCopyY : kCopyXY;
        table.flags[state][j] |= copy << kCopyShift;
        leads = false;
      }
      if (leads) leaders |= 1u << k;
    }
    table.leaders[state] = static_cast<std::uint8_t>(leaders);
  }
  return table;
}

/// Byte shuffles that move the words of the leaders to the front.
constexpr std::array<std::array<std::uint8_t, 16>, 16> make_compress_table() {
  std::array<std::array<std::uint8_t, 16>, 16> table{};
  for (unsigned leaders = 0; leaders < 16; ++leaders) {
    std::size_t to = 0;
    for (unsigned word = 0; word < 4; ++word) {
      if ((leaders >> word & 1) == 0) continue;
      for (unsigned byte = 0; byte < 4; ++byte)
        table[leaders][to++] = static_cast<std::uint8_t>(word * 4 + byte);
    }
  }
  return table;
}

}  // namespace tilelab::lighting
