// Small integer helpers that <bit> does not have.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>

namespace tilelab {

/// Quotient rounded up. Preconditions: value >= 0, divisor > 0.
template <std::integral T>
constexpr T ceil_div(T value, T divisor) {
  return static_cast<T>(value / divisor + (value % divisor != 0 ? 1 : 0));
}

/// Smallest multiple of `step` that is not below `value`. Preconditions: value >= 0, step > 0, no overflow.
template <std::integral T>
constexpr T round_up(T value, T step) {
  return static_cast<T>(ceil_div(value, step) * step);
}

/// Base-2 logarithm of a power of two.
constexpr int log2_exact(std::uint64_t power_of_two) { return std::countr_zero(power_of_two); }

/// 1 when an odd number of bits is set, else 0: the value of one row of a GF(2) matrix product.
constexpr unsigned parity(std::uint64_t value) { return static_cast<unsigned>(std::popcount(value)) & 1u; }

}  // namespace tilelab
