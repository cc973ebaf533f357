#include <algorithm>
#include <bit>

#include "tilelab/addressing/texel_address.hpp"

namespace tilelab::addressing {
namespace {

// Table of a map that is linear over GF(2): each entry is the entry without its lowest bit, XOR the image of
// that bit.
std::vector<std::uint32_t> linear_table(const AddressEquation& equation, std::uint32_t AxisMasks::*axis) {
  std::uint32_t used = 0;
  for (const AxisMasks& masks : equation.bits) used |= masks.*axis;
  std::vector<std::uint32_t> table(std::size_t{1} << std::bit_width(used));
  for (std::size_t i = 1; i < table.size(); ++i) {
    const std::size_t rest = i & (i - 1);
    if (rest != 0) {
      table[i] = table[rest] ^ table[i ^ rest];
      continue;
    }
    for (std::size_t bit = 0; bit < equation.bits.size(); ++bit) {
      if ((equation.bits[bit].*axis & i) != 0) table[i] |= 1u << bit;
    }
  }
  return table;
}

}  // namespace

AddressTables::AddressTables(const AddressEquation& equation)
    : x(linear_table(equation, &AxisMasks::x)),
      y(linear_table(equation, &AxisMasks::y)),
      z(linear_table(equation, &AxisMasks::z)),
      sample(linear_table(equation, &AxisMasks::sample)) {}

}  // namespace tilelab::addressing
