// Memory layout of one plane of a texture: padding, mip offsets and the mip tail.
#pragma once

#include <array>
#include <cstdint>

#include "tilelab/addressing/equation.hpp"

namespace tilelab::addressing {

inline constexpr int kMaxMips = 15;                    // XG_PLANE_LAYOUT has 15 mips
inline constexpr std::int64_t kLinearAlignment = 256;  // bytes, of linear rows and of 256B blocks

/// One plane to lay out. Sizes are those of the texture in texels; an element covers `texels_x` x `texels_y`
/// of them.
struct PlaneDesc {
  int swizzle_mode = 0;
  GpuModel gpu{32, 8};
  int dimension = 2;  // 1, 2 (also cubes, whose faces are slices) or 3
  std::int64_t width = 1;
  std::int64_t height = 1;
  std::int64_t slices = 1;  // array slices, or the depth of a volume
  int mip_levels = 1;
  int bytes_per_element = 4;  // 1, 2, 4, 8, 16; 12 is laid out as three 4-byte elements, LINEAR only
  int texels_x = 1;
  int texels_y = 1;
  int sample_count = 1;
  bool depth_stencil = false;
  std::uint32_t pipe_bank_xor = 0;
  std::int64_t pitch_bytes = 0;        // custom row pitch of a LINEAR plane without mips; 0 = the default
  std::int64_t base_offset_bytes = 0;  // where the plane begins in the resource
};

/// XG_MIPLEVEL_LAYOUT in snake_case, and the tail coordinates that addressing adds.
struct MipLayout {
  std::int64_t size_bytes = 0;
  std::int64_t offset_bytes = 0;
  std::int64_t slice2d_size_bytes = 0;
  std::int64_t pitch_pixels = 0;
  std::int64_t pitch_bytes = 0;
  std::int64_t alignment_bytes = 0;
  std::int64_t padded_width_elements = 0;
  std::int64_t padded_height_elements = 0;
  std::int64_t padded_depth_or_array_size = 0;
  std::int64_t width_elements = 0;
  std::int64_t height_elements = 0;
  std::int64_t depth_or_array_size = 0;
  std::int64_t slice_depth_elements = 1;
  bool is_mip_tail = false;
  std::int64_t tail_x = 0;
  std::int64_t tail_y = 0;
};

struct PlaneLayout {
  PlaneDesc desc;
  AddressEquation equation;    // block_log2 is 0 for LINEAR
  std::uint32_t xor_term = 0;  // byte XOR of the pipe/bank XOR
  int element_log2 = 0;        // of the elements that are addressed (2 for 12-byte texels)
  std::int64_t size_bytes = 0;
  std::int64_t base_alignment_bytes = 0;
  std::int64_t slice_size_bytes = 0;  // one chain; for thick volumes the chain of one block depth
  int standard_mip_count = 0;         // = first mip of the tail
  std::array<MipLayout, kMaxMips> mips{};

  bool is_linear() const { return equation.block_log2 == 0; }
  bool is_volume() const { return desc.dimension == 3; }
};

/// Lays out a plane. Offsets grow from the last mip to mip 0; a tail is one block at offset 0 (documented,
/// measured). Preconditions (ArgumentError naming the argument): the mode takes the dimension, samples and
/// use; sizes >= 1;
///   1 <= mip_levels <= 15 and no more than the full chain; one mip with MSAA; everything below 2^63 bytes.
PlaneLayout lay_out_plane(const PlaneDesc& desc);

}  // namespace tilelab::addressing
