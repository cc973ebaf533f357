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
  int element_log2 = 0;  ///< bytes
  int samples_log2 = 0;
  int block_log2 = 0;  ///< address bits inside a block; 0 for LINEAR, which has no equation
  int width_log2 = 0;  ///< of the block, in elements
  int height_log2 = 0;
  int depth_log2 = 0;
  std::array<AxisMasks, kMaxBlockLog2> bits{};
};

/// Fills width_log2, height_log2 and depth_log2 from block_log2, element_log2 and samples_log2 (measured).
///
/// Precondition (not checked): block_log2 is in [8, 20], [10, 20] if thick.
/// Precondition (not checked): element_log2 is in [0, 4], samples_log2 in [0, 3] and 0 if thick.
void set_block_dimensions(AddressEquation& equation, bool thick);

/// What an equation is made for.
struct EquationDesc {
  int swizzle_mode = 0;
  int bytes_per_element = 4;
  Dimension dimension = Dimension::kTexture2d;
  int sample_count = 1;
  GpuModel gpu;
};

/// Equation of a block mode. S and D letters: closed form (derived). R, Z and thick 64KB_D_X: the masks of
/// measured_masks.csv (measured).
///
/// Precondition (ArgumentError): check_gpu takes the chip.
/// Precondition (ArgumentError): swizzle_mode is a mode other than LINEAR that takes the dimension.
/// Precondition (ArgumentError): bytes_per_element is 1, 2, 4, 8 or 16.
/// Precondition (ArgumentError): bytes_per_element is at most 8 for Z modes, at most 4 for them with samples.
/// Precondition (ArgumentError): sample_count is 1, 2, 4 or 8.
/// Precondition (ArgumentError): sample_count is 1 unless the mode takes samples and the resource is 2D.
/// Precondition (UnsupportedError): GFX10.3 takes the mode.
/// Precondition (UnsupportedError): masks, where they are needed, were measured for the chip.
AddressEquation build_equation(const EquationDesc& desc);

/// Byte XOR of a pipe/bank XOR value: pipe bits and, two places further up, bank bits; 0 for modes without
/// XOR (measured).
///
/// Precondition (ArgumentError): mode is in [0, 31].
/// Precondition (not checked): check_gpu takes the chip.
std::uint32_t pipe_bank_xor_term(std::uint32_t value, int mode, const GpuModel& gpu);

}  // namespace tilelab::addressing
