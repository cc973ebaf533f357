#include "tilelab/addressing/layout.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include "tilelab/core/bits.hpp"
#include "tilelab/core/error.hpp"

namespace tilelab::addressing {
namespace {

// Sizes up to this keep every product of three below 2^63 once it is checked step by step.
constexpr std::int64_t kMaxExtent = std::int64_t{1} << 31;

std::int64_t multiply(std::int64_t a, std::int64_t b) {
  if (a != 0 && b > std::numeric_limits<std::int64_t>::max() / a) {
    throw ArgumentError("width, height and depth_or_array_size", "must give fewer than 2^63 bytes",
                        std::to_string(a) + " x " + std::to_string(b));
  }
  return a * b;
}

std::int64_t add(std::int64_t a, std::int64_t b) {
  if (b > std::numeric_limits<std::int64_t>::max() - a) {
    throw ArgumentError("width, height and depth_or_array_size", "must give fewer than 2^63 bytes",
                        std::to_string(a) + " + " + std::to_string(b));
  }
  return a + b;
}

std::int64_t ceil_shift(std::int64_t value, int shift) { return ceil_div(value, std::int64_t{1} << shift); }

struct Extent {
  std::int64_t width, height;
};

// 256-byte blocks, from which tail slots are made; thick ones are w x h of 8x4x8, 4x4x8, 4x4x4, 4x2x4, 2x2x4.
constexpr std::array<Extent, 5> kMicro2d = {{{16, 16}, {16, 8}, {8, 8}, {8, 4}, {4, 4}}};
constexpr std::array<Extent, 5> kMicro3d = {{{8, 4}, {4, 4}, {4, 4}, {4, 2}, {2, 2}}};

void check(const PlaneDesc& desc) {
  check_gpu(desc.gpu);
  const ModeInfo& info = mode_info(desc.swizzle_mode);
  const std::string name = mode_name(desc.swizzle_mode);
  for (const auto& [argument, value] : {std::pair{"width", desc.width}, std::pair{"height", desc.height},
                                        std::pair{"depth_or_array_size", desc.depth_or_array_size}}) {
    require(value >= 1 && value <= kMaxExtent, argument, "must be in [1, 2^31]", value);
  }
  require(desc.dimension != Dimension::kTexture1d || desc.height == 1, "height", "must be 1 for 1D resources",
          desc.height);
  require(desc.texels_x >= 1, "texels_x", "must be at least 1", desc.texels_x);
  require(desc.texels_y >= 1, "texels_y", "must be at least 1", desc.texels_y);
  const bool wide = desc.bytes_per_element == 12;
  const bool power = desc.bytes_per_element > 0 && desc.bytes_per_element <= 16 &&
                     std::has_single_bit(static_cast<unsigned>(desc.bytes_per_element));
  require(wide || power, "bytes_per_element", "must be one of 1, 2, 4, 8, 12, 16", desc.bytes_per_element);
  require(!wide || desc.swizzle_mode == kLinearMode, "swizzle_mode", "must be LINEAR for 96-bit formats",
          name);
  const bool samples =
      desc.sample_count == 1 || desc.sample_count == 2 || desc.sample_count == 4 || desc.sample_count == 8;
  require(samples, "sample_count", "must be one of 1, 2, 4, 8", desc.sample_count);
  require(desc.mip_levels >= 1 && desc.mip_levels <= kMaxMips, "mip_levels", "must be in [1, 15]",
          desc.mip_levels);
  require(desc.sample_count == 1 || desc.mip_levels == 1, "mip_levels",
          "must be 1 for multisampled resources", desc.mip_levels);
  const std::int64_t depth = desc.dimension == Dimension::kTexture3d ? desc.depth_or_array_size : 1;
  const std::int64_t longest = std::max({desc.width, desc.height, depth});
  const auto full = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(longest)));
  require(desc.mip_levels <= full, "mip_levels",
          ("must be at most " + std::to_string(full) + ", the full chain").c_str(), desc.mip_levels);
  require(!desc.depth_stencil || info.takes_depth_stencil, "swizzle_mode",
          "must be 64KB_Z_X or VAR_Z_X for depth and stencil", name);
  const bool is_z = info.micro_tile == MicroTile::kZ;
  require(!is_z || desc.texels_x != 4 || desc.texels_y != 4, "swizzle_mode",
          "must not be a Z mode for block-compressed formats", name);
  require(desc.sample_count == 1 || !is_z || desc.depth_stencil, "swizzle_mode",
          "must be 64KB_R_X or VAR_R_X for multisampled colour", name);
  require(desc.swizzle_mode != kLinearMode || desc.sample_count == 1, "sample_count",
          "must be 1 for swizzle mode LINEAR", desc.sample_count);
  require(!desc.pitch_bytes || desc.swizzle_mode == kLinearMode, "pitch_bytes",
          "must be given for LINEAR only", name);
  require(!desc.pitch_bytes || desc.mip_levels == 1, "pitch_bytes", "must be given for one mip only",
          desc.mip_levels);
  require(desc.base_offset_bytes >= 0, "base_offset_bytes", "must not be negative", desc.base_offset_bytes);
}

// Most mips that a tail can hold.
int tail_slots(int block_log2, bool thick) {
  const int t = thick ? block_log2 - (block_log2 - 8) / 3 : block_log2;
  return t <= 11 ? 1 + (1 << (t - 9)) : t - 4;
}

// Texel (0, 0, 0) of the slot with that nominal offset: its bits from 256 bytes up, dealt to y and x in turn.
Extent slot_coordinates(std::int64_t nominal, const AddressEquation& equation, const Extent& micro) {
  std::int64_t x = 0, y = 0;
  for (int i = 0; i < 6; ++i) {
    x |= (nominal >> (9 + 2 * i) & 1) << i;
    y |= (nominal >> (8 + 2 * i) & 1) << i;
  }
  if (equation.block_log2 % 2 == 1) {
    std::swap(x, y);
    if (equation.element_log2 % 2 == 1) {
      y = 2 * y + (x & 1);
      x >>= 1;
    }
  }
  return {.width = x * micro.width, .height = y * micro.height};
}

void lay_out_linear(PlaneLayout& layout, const Extent& elements) {
  const PlaneDesc& desc = layout.desc;
  const std::int64_t align = kLinearAlignment >> layout.element_log2;
  layout.base_alignment_bytes = kLinearAlignment;
  layout.standard_mip_count = desc.mip_levels;
  std::int64_t offset = 0;
  for (int i = desc.mip_levels - 1; i >= 0; --i) {
    MipLayout& mip = layout.mips[static_cast<std::size_t>(i)];
    mip.padded_width_elements = round_up(ceil_shift(elements.width, i), align);
    if (desc.pitch_bytes) {
      const std::int64_t pitch = *desc.pitch_bytes;
      require(pitch % kLinearAlignment == 0, "pitch_bytes", "must be a multiple of 256", pitch);
      require(pitch >> layout.element_log2 >= elements.width, "pitch_bytes", "must hold a row of elements",
              pitch);
      mip.padded_width_elements = pitch >> layout.element_log2;
    }
    mip.padded_height_elements = ceil_shift(elements.height, i);
    mip.padded_depth_or_array_size = desc.depth_or_array_size;
    mip.offset_bytes = offset;
    mip.alignment_bytes = kLinearAlignment;
    offset = add(offset, multiply(multiply(mip.padded_width_elements, mip.padded_height_elements),
                                  std::int64_t{1} << layout.element_log2));
  }
  layout.slice_size_bytes = offset;
  layout.size_bytes = multiply(offset, desc.depth_or_array_size);
}

// Reported size of the first mip of the tail, and the size that a mip must not exceed to be in it.
struct TailLimits {
  Extent reported, membership;
};

TailLimits tail_limits(const PlaneLayout& layout, bool thick) {
  const AddressEquation& equation = layout.equation;
  Extent limit = {.width = std::int64_t{1} << equation.width_log2,
                  .height = std::int64_t{1} << equation.height_log2};
  if (thick && equation.block_log2 % 3 == 0) {
    limit.height /= 2;
  } else {
    limit.width /= 2;
  }
  Extent membership = limit;
  if (mode_info(layout.desc.swizzle_mode).micro_tile == MicroTile::kZ) {
    // 1- and 2-byte Z elements are tested as if they had 4 bytes.
    if (equation.element_log2 <= 1) membership.width /= 2;
    if (equation.element_log2 == 0) membership.height /= 2;
  }
  return {.reported = limit, .membership = membership};
}

int first_tail_mip(const PlaneLayout& layout, const Extent& elements, const Extent& membership, int slots) {
  const int mips = layout.desc.mip_levels;
  if (mips == 1 || layout.equation.block_log2 == 8) return mips;
  for (int i = std::max(0, mips - slots); i < mips; ++i) {
    if (ceil_shift(elements.width, i) <= membership.width &&
        ceil_shift(elements.height, i) <= membership.height)
      return i;
  }
  return mips;
}

void lay_out_blocks(PlaneLayout& layout, const Extent& elements) {
  const PlaneDesc& desc = layout.desc;
  const AddressEquation& equation = layout.equation;
  const bool thick = equation.depth_log2 > 0;
  const std::int64_t block_bytes = std::int64_t{1} << equation.block_log2;
  const std::int64_t depth = std::int64_t{1} << equation.depth_log2;
  const int slots = equation.block_log2 == 8 ? 0 : tail_slots(equation.block_log2, thick);
  const TailLimits limits = tail_limits(layout, thick);
  const int first = first_tail_mip(layout, elements, limits.membership, slots);
  const Extent micro = (thick ? kMicro3d : kMicro2d)[static_cast<std::size_t>(equation.element_log2)];
  const std::int64_t padded_slices = round_up(desc.depth_or_array_size, depth);

  layout.base_alignment_bytes = block_bytes;
  layout.standard_mip_count = first;
  std::int64_t offset = first < desc.mip_levels ? block_bytes : 0;
  for (int i = first - 1; i >= 0; --i) {
    MipLayout& mip = layout.mips[static_cast<std::size_t>(i)];
    mip.padded_width_elements =
        round_up(ceil_shift(elements.width, i), std::int64_t{1} << equation.width_log2);
    mip.padded_height_elements =
        round_up(ceil_shift(elements.height, i), std::int64_t{1} << equation.height_log2);
    mip.offset_bytes = offset;
    mip.alignment_bytes = block_bytes;
    offset = add(offset, multiply(multiply(mip.padded_width_elements, mip.padded_height_elements),
                                  depth << (equation.element_log2 + equation.samples_log2)));
  }
  for (int i = first; i < desc.mip_levels; ++i) {
    MipLayout& mip = layout.mips[static_cast<std::size_t>(i)];
    const int slot = slots - 1 - (i - first);
    mip.offset_bytes = slot > 6 ? std::int64_t{16} << slot : 256 * slot;
    const Extent place = slot_coordinates(mip.offset_bytes, equation, micro);
    mip.tail_x_elements = place.width;
    mip.tail_y_elements = place.height;
    mip.padded_width_elements = std::max(limits.reported.width >> (i - first), micro.width);
    mip.padded_height_elements = std::max(limits.reported.height >> (i - first), micro.height);
    mip.alignment_bytes = kLinearAlignment;
    mip.is_mip_tail = true;
  }
  for (int i = 0; i < desc.mip_levels; ++i) {
    layout.mips[static_cast<std::size_t>(i)].padded_depth_or_array_size = padded_slices;
    layout.mips[static_cast<std::size_t>(i)].slice_depth_elements = depth;
  }
  layout.slice_size_bytes = offset;
  layout.size_bytes = multiply(offset, padded_slices / depth);
}

// The fields that follow from the padded sizes in the same way for every mode.
void derive_fields(PlaneLayout& layout) {
  const PlaneDesc& desc = layout.desc;
  const int elements_per_texel = desc.bytes_per_element == 12 ? 3 : 1;
  for (int i = 0; i < desc.mip_levels; ++i) {
    MipLayout& mip = layout.mips[static_cast<std::size_t>(i)];
    mip.width_elements = ceil_div(std::max<std::int64_t>(1, desc.width >> i), std::int64_t{desc.texels_x}) *
                         elements_per_texel;
    mip.height_elements = ceil_div(std::max<std::int64_t>(1, desc.height >> i), std::int64_t{desc.texels_y});
    mip.depth_or_array_size = layout.is_volume() ? std::max<std::int64_t>(1, desc.depth_or_array_size >> i)
                                                 : desc.depth_or_array_size;
    mip.pitch_bytes = multiply(mip.padded_width_elements, std::int64_t{1} << layout.element_log2);
    mip.pitch_pixels = multiply(mip.padded_width_elements, desc.texels_x) / elements_per_texel;
    mip.slice2d_size_bytes =
        multiply(multiply(mip.pitch_bytes, mip.padded_height_elements), desc.sample_count);
    mip.size_bytes = layout.is_volume() ? multiply(mip.slice2d_size_bytes, mip.padded_depth_or_array_size)
                                        : mip.slice2d_size_bytes;
  }
}

}  // namespace

PlaneLayout lay_out_plane(const PlaneDesc& desc) {
  check(desc);
  PlaneLayout layout;
  layout.desc = desc;
  Extent elements = {.width = ceil_div(desc.width, std::int64_t{desc.texels_x}),
                     .height = ceil_div(desc.height, std::int64_t{desc.texels_y})};
  if (desc.bytes_per_element == 12) {
    elements.width = multiply(elements.width, 3);
    layout.element_log2 = 2;
  } else {
    layout.element_log2 = log2_exact(static_cast<std::uint64_t>(desc.bytes_per_element));
  }
  if (desc.swizzle_mode == kLinearMode) {
    lay_out_linear(layout, elements);
  } else {
    layout.equation = build_equation({.swizzle_mode = desc.swizzle_mode,
                                      .bytes_per_element = desc.bytes_per_element,
                                      .dimension = desc.dimension,
                                      .sample_count = desc.sample_count,
                                      .gpu = desc.gpu});
    layout.xor_term = pipe_bank_xor_term(desc.pipe_bank_xor, desc.swizzle_mode, desc.gpu);
    lay_out_blocks(layout, elements);
  }
  derive_fields(layout);
  add(layout.size_bytes, desc.base_offset_bytes);
  return layout;
}

}  // namespace tilelab::addressing
