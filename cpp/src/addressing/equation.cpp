#include "tilelab/addressing/equation.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "tilelab/core/bits.hpp"
#include "tilelab/core/error.hpp"

namespace tilelab::addressing {
namespace {

// Columns are explained in the file itself; the package has a copy for the NumPy twin.
constexpr std::uint32_t kMeasured[] = {
#include "addressing/measured_masks.csv"
};
constexpr std::size_t kMeasuredColumns = 17;
static_assert(std::size(kMeasured) % kMeasuredColumns == 0);

// Micro tiles (bits below 256 bytes) by element size, low bit first; the closed form goes on from bit 8.
constexpr const char* kMicroS2d[] = {"x0x1x2x3y0y1y2y3", "x0x1x2y0y1y2x3", "x0x1y0y1y2x2", "x0y0y1x1x2",
                                     "y0y1x0x1"};
constexpr const char* kMicroD2d[] = {"x0x1x2y1y0y2x3y3", "x0x1x2y0y1y2x3", "x0x1y0y1x2y2", "x0y0x1x2y1",
                                     "x0y0x1y1"};
constexpr const char* kMicroS3d[] = {"x0x1z0y0z1y1x2z2", "x0z0y0z1y1x1z2", "x0y0z0y1x1z1", "x0z0y0x1z1",
                                     "z0y0x0z1"};
constexpr const char* kMicroD3d[] = {"x0x1z0y0y1z1x2z2", "x0z0y0x1z1y1z2", "x0y0x1z0y1z1", "x0y0z0x1z1",
                                     "x0z0y0z1"};

constexpr int kStreamLength = 64;
using Stream = std::array<AxisMasks, kStreamLength>;

std::uint32_t& axis_mask(AxisMasks& masks, char axis) {
  return axis == 'x' ? masks.x : axis == 'y' ? masks.y : axis == 'z' ? masks.z : masks.sample;
}

void toggle(AxisMasks& target, const AxisMasks& source) {
  target.x ^= source.x;
  target.y ^= source.y;
  target.z ^= source.z;
  target.sample ^= source.sample;
}

// Base stream of the S and D letters: the micro tile, then y and x in turn (thick: y, x, z) for ever.
Stream base_stream(bool letter_d, int element_log2, bool thick) {
  Stream stream{};
  const auto e = static_cast<std::size_t>(element_log2);
  const char* micro =
      thick ? (letter_d ? kMicroD3d[e] : kMicroS3d[e]) : (letter_d ? kMicroD2d[e] : kMicroS2d[e]);
  std::array<int, 3> count{};
  std::size_t bit = e;
  for (; *micro != '\0'; micro += 2, ++bit) {
    axis_mask(stream[bit], micro[0]) = 1u << (micro[1] - '0');
    ++count[static_cast<std::size_t>(micro[0] - 'x')];
  }
  for (; bit < stream.size(); ++bit) {
    const char axis = thick ? "yxz"[(bit - 8) % 3] : "yx"[(bit - 8) % 2];
    axis_mask(stream[bit], axis) = 1u << count[static_cast<std::size_t>(axis - 'x')]++;
  }
  return stream;
}

void closed_form(AddressEquation& equation, const ModeInfo& info, bool thick, const GpuModel& gpu) {
  const int block = equation.block_log2;
  const int pipes = std::min(gpu.pipes_log2(), block - 8);
  const Stream stream = base_stream(info.micro_tile == MicroTile::kD, equation.element_log2, thick);
  std::copy_n(stream.begin(), block, equation.bits.begin());
  if (info.xor_kind == XorKind::kNone) return;
  const bool across = info.xor_kind == XorKind::kX;
  const auto add_source = [&](int target, int source) {
    if (across || source < block)
      toggle(equation.bits[static_cast<std::size_t>(target)], stream[static_cast<std::size_t>(source)]);
  };
  for (int i = 0; i < pipes; ++i) {
    if (thick) {
      add_source(8 + pipes - 1 - i, 8 + pipes + 2 * i);
      add_source(8 + pipes - 1 - i, 8 + pipes + 2 * i + 1);
    } else {
      add_source(8 + i, 8 + 2 * pipes - 1 - i);
    }
  }
  if (!across || thick) return;
  const int slice_bits = std::min(gpu.pipes_log2(), std::max(1, gpu.packers_log2()));
  for (int j = 0; j < slice_bits; ++j) {
    const int target = 8 + gpu.pipes_log2() - 1 - j;
    if (target >= 8 && target < block) equation.bits[static_cast<std::size_t>(target)].z ^= 1u << j;
  }
}

// Address bits below 8 where only the bits from 8 on are measured.
void micro_bits(AddressEquation& equation, const ModeInfo& info, bool thick) {
  const int e = equation.element_log2;
  if (thick || info.micro_tile == MicroTile::kR) {  // R keeps samples in the high bits
    const Stream stream = base_stream(thick || e >= 2, e, thick);
    std::copy_n(stream.begin(), 8, equation.bits.begin());
    return;
  }
  for (int bit = e; bit < 8; ++bit) {
    const int place = bit - e;
    AxisMasks& masks = equation.bits[static_cast<std::size_t>(bit)];
    if (place < equation.samples_log2) {
      masks.sample = 1u << place;
    } else {
      const int order = place - equation.samples_log2;
      (order % 2 == 0 ? masks.x : masks.y) = 1u << (order / 2);
    }
  }
}

std::string pair_text(std::uint32_t pipes, std::uint32_t packers) {
  std::string text = "(";
  text += std::to_string(pipes);
  text += ", ";
  text += std::to_string(packers);
  text += ")";
  return text;
}

void measured_bits(AddressEquation& equation, int mode, bool thick, const GpuModel& gpu) {
  const std::array<std::uint32_t, 6> key = {
      static_cast<std::uint32_t>(gpu.pipes), static_cast<std::uint32_t>(gpu.packers),
      static_cast<std::uint32_t>(mode),      thick ? 3u : 2u,
      1u << equation.element_log2,           1u << equation.samples_log2};
  for (const std::uint32_t* row = kMeasured; row != std::end(kMeasured); row += kMeasuredColumns) {
    if (!std::equal(key.begin(), key.end(), row)) continue;
    for (int bit = 8; bit < equation.block_log2; ++bit) {
      const std::uint32_t word = row[key.size() + static_cast<std::size_t>(bit - 8)];
      equation.bits[static_cast<std::size_t>(bit)] = {
          .x = word & 0xFFFu, .y = word >> 12 & 0xFFFu, .z = word >> 24 & 0x1Fu, .sample = word >> 29};
    }
    return;
  }
  std::string pairs;
  for (const std::uint32_t* row = kMeasured; row != std::end(kMeasured); row += kMeasuredColumns) {
    const std::string pair = pair_text(row[0], row[1]);
    if (pairs.find(pair) == std::string::npos) pairs += (pairs.empty() ? "" : ", ") + pair;
  }
  throw UnsupportedError("gpu",
                         "must have one of the measured (pipes, packers) pairs " + pairs +
                             " for swizzle mode " + mode_name(mode),
                         pair_text(key[0], key[1]));
}

bool is_power_up_to(int value, int largest) {
  return value >= 1 && value <= largest && std::has_single_bit(static_cast<unsigned>(value));
}

}  // namespace

void set_block_dimensions(AddressEquation& equation, bool thick) {
  if (thick) {
    // A 1 KB cube, then doubled along w, h, d in turn.
    constexpr std::array<std::array<int, 3>, 5> kCube = {
        {{4, 3, 3}, {3, 3, 3}, {3, 3, 2}, {3, 2, 2}, {2, 2, 2}}};
    const auto& cube = kCube[static_cast<std::size_t>(equation.element_log2)];
    const int third = (equation.block_log2 - 10) / 3;
    const int rest = (equation.block_log2 - 10) % 3;
    equation.width_log2 = cube[0] + third;
    equation.height_log2 = cube[1] + third + rest / 2;
    equation.depth_log2 = cube[2] + third + (rest > 0 ? 1 : 0);
    return;
  }
  const int area = equation.block_log2 - equation.element_log2 - equation.samples_log2;
  const bool wide = equation.samples_log2 % 2 == 0 || equation.block_log2 % 2 == 1;
  equation.width_log2 = (area + (wide ? 1 : 0)) / 2;
  equation.height_log2 = area - equation.width_log2;
}

AddressEquation build_equation(const EquationDesc& desc) {
  check_gpu(desc.gpu);
  const int bytes = desc.bytes_per_element, samples = desc.sample_count;
  require(is_power_up_to(bytes, 16), "bytes_per_element", "must be one of 1, 2, 4, 8, 16", bytes);
  require(is_power_up_to(samples, 8), "sample_count", "must be one of 1, 2, 4, 8", samples);
  const int mode = desc.swizzle_mode;
  const ModeInfo& info = mode_info(mode);
  const std::string name = mode_name(mode);
  require(mode != kLinearMode, "swizzle_mode", "must be a block mode to have an equation", name);
  if (!info.is_supported()) throw UnsupportedError("swizzle_mode", "must be a mode that GFX10.3 takes", name);
  if (desc.dimension == Dimension::kTexture3d && info.block_log2 == 8) {
    throw ArgumentError(
        "swizzle_mode",
        "must not be a 256B mode for volumes (AMD's library refuses them although documents speak "
        "of 3D padding for 256-byte blocks)",
        name);
  }
  require(info.takes(desc.dimension), "swizzle_mode",
          ("must take " + std::to_string(static_cast<int>(desc.dimension)) + "D resources").c_str(), name);
  const bool is_z = info.micro_tile == MicroTile::kZ;
  require(!is_z || bytes <= 8, "bytes_per_element", "must be at most 8 for Z modes", bytes);
  require(samples == 1 || info.takes_msaa, "sample_count", ("must be 1 for swizzle mode " + name).c_str(),
          samples);
  require(samples == 1 || desc.dimension == Dimension::kTexture2d, "sample_count",
          "must be 1 unless the resource is 2D", samples);
  require(samples == 1 || !is_z || bytes <= 4, "bytes_per_element",
          "must be at most 4 for multisampled Z modes", bytes);

  const bool thick = is_thick(mode, desc.dimension);
  AddressEquation equation = {.element_log2 = log2_exact(static_cast<std::uint64_t>(bytes)),
                              .samples_log2 = log2_exact(static_cast<std::uint64_t>(samples)),
                              .block_log2 = block_size_log2(mode, desc.gpu)};
  set_block_dimensions(equation, thick);
  if (is_z || info.micro_tile == MicroTile::kR || (thick && mode == k64KbDXMode)) {
    measured_bits(equation, mode, thick, desc.gpu);
    micro_bits(equation, info, thick);
  } else {
    closed_form(equation, info, thick, desc.gpu);
  }
  return equation;
}

std::uint32_t pipe_bank_xor_term(std::uint32_t value, int mode, const GpuModel& gpu) {
  if (mode_info(mode).xor_kind == XorKind::kNone) return 0;
  const int block = block_size_log2(mode, gpu);
  const int pipes = gpu.pipes_log2();
  const int banks = std::clamp(block - 8 - pipes - 2, 0, 4);
  const std::uint32_t kept = ((1u << pipes) - 1) | (((1u << banks) - 1) << (pipes + 2));
  return ((value & kept) << 8) & ((1u << block) - 1);
}

}  // namespace tilelab::addressing
