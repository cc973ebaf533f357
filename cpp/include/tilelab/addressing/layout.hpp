// Memory layout of one plane of a texture: padding, mip offsets and the mip tail.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "tilelab/addressing/equation.hpp"

namespace tilelab::addressing {

inline constexpr int kMaxMips = 15;                    // XG_PLANE_LAYOUT has 15 mips
inline constexpr std::int64_t kLinearAlignment = 256;  // bytes, of linear rows and of 256B blocks

/// One plane to lay out.
struct PlaneDesc {
  int swizzle_mode = 0;
  GpuModel gpu;
  Dimension dimension = Dimension::kTexture2d;
  std::int64_t width = 1;                ///< texels of the texture
  std::int64_t height = 1;               ///< texels of the texture
  std::int64_t depth_or_array_size = 1;  ///< depth of a volume, else array slices (cubes: faces)
  int mip_levels = 1;
  int bytes_per_element = 4;  ///< 12 is laid out as three 4-byte elements
  int texels_x = 1;           ///< texels of the texture that an element covers
  int texels_y = 1;
  int sample_count = 1;
  bool depth_stencil = false;
  std::uint32_t pipe_bank_xor = 0;
  std::optional<std::int64_t> pitch_bytes;  ///< custom row pitch; none: the row rounded up to 256
  std::int64_t base_offset_bytes = 0;       ///< where the plane begins in the resource
};

/// XG_MIPLEVEL_LAYOUT in snake_case, and the tail coordinates that addressing adds.
struct MipLayout {
  /// pitch_bytes x padded height x samples, of a volume x padded depth; of tail mips the reported pitch x
  /// height (whether the console reports the slot instead is uncertain).
  std::int64_t size_bytes = 0;
  std::int64_t offset_bytes = 0;  ///< in the chain; of tail mips the nominal slot offset
  std::int64_t slice2d_size_bytes = 0;
  std::int64_t pitch_pixels = 0;
  std::int64_t pitch_bytes = 0;
  std::int64_t alignment_bytes = 0;
  std::int64_t padded_width_elements = 0;
  std::int64_t padded_height_elements = 0;
  std::int64_t padded_depth_or_array_size = 0;
  std::int64_t width_elements = 0;  ///< elements that exist
  std::int64_t height_elements = 0;
  std::int64_t depth_or_array_size = 0;
  std::int64_t slice_depth_elements = 1;  ///< depth of a block
  bool is_mip_tail = false;               ///< shares the tail block at offset 0
  std::int64_t tail_x_elements = 0;       ///< element (0, 0) of a tail mip inside the tail block
  std::int64_t tail_y_elements = 0;
};

struct PlaneLayout {
  PlaneDesc desc;
  AddressEquation equation;    ///< block_log2 is 0 for LINEAR
  std::uint32_t xor_term = 0;  ///< byte XOR of the pipe/bank XOR
  int element_log2 = 0;        ///< bytes of the elements that are addressed (4 for 12-byte texels)
  std::int64_t size_bytes = 0;
  std::int64_t base_alignment_bytes = 0;
  std::int64_t slice_size_bytes = 0;  ///< one chain; for thick volumes the chain of one block depth
  int standard_mip_count = 0;         ///< mips outside the tail, so the first mip of the tail
  std::array<MipLayout, kMaxMips> mips{};

  bool is_linear() const { return equation.block_log2 == 0; }
  bool is_volume() const { return desc.dimension == Dimension::kTexture3d; }
  /// Past the last byte of the plane, from the start of the resource.
  std::int64_t end_bytes() const { return desc.base_offset_bytes + size_bytes; }
};

/// Lays out a plane. Offsets grow from the last mip to mip 0; a tail is one block at offset 0 (documented;
/// sizes and offsets measured).
///
/// Precondition (ArgumentError): check_gpu takes the chip.
/// Precondition (ArgumentError): width, height and depth_or_array_size are in [1, 2^31]; height is 1 in 1D.
/// Precondition (ArgumentError): bytes_per_element is 1, 2, 4, 8, 16, or for LINEAR 12.
/// Precondition (ArgumentError): texels_x and texels_y are at least 1, not both 4 for Z modes.
/// Precondition (ArgumentError): sample_count is 1, 2, 4 or 8; 1 unless the mode takes samples.
/// Precondition (ArgumentError): mip_levels is in [1, 15], no more than the full chain, and 1 with samples.
/// Precondition (ArgumentError): the mode takes the dimension, and depth_stencil where that is set.
/// Precondition (ArgumentError): pitch_bytes is a multiple of 256 that holds a row, for LINEAR with one mip.
/// Precondition (ArgumentError): base_offset_bytes is not negative, the plane ends below 2^63 bytes.
/// Precondition (UnsupportedError): those of build_equation.
PlaneLayout lay_out_plane(const PlaneDesc& desc);

}  // namespace tilelab::addressing
