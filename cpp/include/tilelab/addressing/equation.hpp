// The address equation of a block: every bit of the byte offset is the parity of chosen coordinate bits.
#pragma once

#include <array>
#include <cstdint>

#include "tilelab/addressing/swizzle_mode.hpp"

namespace tilelab::addressing {

/// Coordinate bits whose parity makes one address bit. z is the depth slice or the array slice.
struct AxisMasks {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::uint32_t z = 0;
  std::uint32_t sample = 0;
};

struct AddressEquation {
  int element_log2 = 0;
  int samples_log2 = 0;
  int block_log2 = 0;  // address bits inside a block; 0 for LINEAR, which has no equation
  int width_log2 = 0;  // of the block, in elements
  int height_log2 = 0;
  int depth_log2 = 0;
  std::array<AxisMasks, kMaxBlockLog2> bits{};
};

/// Fills width_log2, height_log2 and depth_log2 from block_log2, element_log2 and samples_log2 (measured
/// rule). Preconditions: 8 <= block_log2 <= 20, 0 <= element_log2 <= 4, 0 <= samples_log2 <= 3, 0 samples and
/// >= 10 bits if thick.
void set_block_dimensions(AddressEquation& equation, bool thick);

/// Equation of a block mode for elements of `1 << element_log2` bytes.
/// S and D letters: derived closed form. R, Z and thick 64KB_D_X: measured masks (measured_masks.csv).
/// Preconditions (ArgumentError): a supported mode other than LINEAR, dimension 1..3 taken by the mode,
///   0 <= element_log2 <= 4 (<= 3 for Z), samples_log2 0..3 and 0 unless the mode takes MSAA (Z: element_log2
///   <= 2).
/// UnsupportedError: a (pipes, packers) pair without measured masks.
AddressEquation build_equation(int mode, int element_log2, int dimension, int samples_log2,
                               const GpuModel& gpu);

/// Byte XOR of a pipe/bank XOR value: pipe bits and, two places further up, bank bits; 0 for modes without
/// XOR.
std::uint32_t pipe_bank_xor_term(std::uint32_t value, int mode, const GpuModel& gpu);

}  // namespace tilelab::addressing
