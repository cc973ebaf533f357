#include "tilelab/addressing/swizzle_mode.hpp"

#include <array>
#include <cstddef>

#include "tilelab/core/error.hpp"

namespace tilelab::addressing {
namespace {

constexpr std::array<ModeInfo, kModeCount> make_modes() {
  std::array<ModeInfo, kModeCount> modes{};
  constexpr std::array<int, 4> kBlocks = {8, 12, 16, kVarBlock};
  constexpr std::array<MicroTile, 4> kLetters = {MicroTile::kZ, MicroTile::kS, MicroTile::kD, MicroTile::kR};
  for (int mode = 1; mode < kModeCount; ++mode) {
    // Groups of four letters: 256B, 4KB, 64KB, VAR without XOR; 64KB_T; 4KB_X, 64KB_X, VAR_X.
    const int group = mode / 4;
    const int block = group < 4 ? group : group == 4 ? 2 : group - 4;
    const XorKind xor_kind = group < 4 ? XorKind::kNone : group == 4 ? XorKind::kT : XorKind::kX;
    modes[static_cast<std::size_t>(mode)] = {.block_log2 = kBlocks[static_cast<std::size_t>(block)],
                                             .micro_tile = kLetters[static_cast<std::size_t>(mode % 4)],
                                             .xor_kind = xor_kind};
  }
  modes[0] = {.takes_1d = true, .takes_2d = true, .takes_3d = true};
  for (const std::size_t mode : {1, 2, 5, 6, 9, 10, 17, 18, 21, 22, 24, 25, 26, 27, 28, 31})
    modes[mode].takes_2d = true;
  for (const std::size_t mode : {5, 9, 17, 21, 24, 25, 26, 27, 28, 31}) modes[mode].takes_3d = true;
  for (const std::size_t mode : {24, 27, 28, 31}) modes[mode].takes_1d = modes[mode].takes_msaa = true;
  for (const std::size_t mode : {24, 28}) modes[mode].takes_depth_stencil = true;
  return modes;
}

constexpr std::array<ModeInfo, kModeCount> kModes = make_modes();

}  // namespace

bool ModeInfo::takes(Dimension dimension) const {
  return dimension == Dimension::kTexture1d   ? takes_1d
         : dimension == Dimension::kTexture2d ? takes_2d
                                              : takes_3d;
}

const ModeInfo& mode_info(int mode) {
  require(mode >= 0 && mode < kModeCount, "swizzle_mode", "must be in [0, 31]", mode);
  return kModes[static_cast<std::size_t>(mode)];
}

std::string mode_name(int mode) {
  const ModeInfo& info = mode_info(mode);
  if (mode == kLinearMode) return "LINEAR";
  const char* block = info.block_log2 == 8    ? "256B"
                      : info.block_log2 == 12 ? "4KB"
                      : info.block_log2 == 16 ? "64KB"
                                              : "VAR";
  constexpr const char* kLetters[] = {"", "_Z", "_S", "_D", "_R"};
  constexpr const char* kXor[] = {"", "_T", "_X"};
  return std::string(block) + kLetters[static_cast<int>(info.micro_tile)] +
         kXor[static_cast<int>(info.xor_kind)];
}

int block_size_log2(int mode, const GpuModel& gpu) {
  const int log2 = mode_info(mode).block_log2;
  return log2 == kVarBlock ? gpu.pipes_log2() + 14 : log2;
}

bool is_thick(int mode, Dimension dimension) {
  const MicroTile letter = mode_info(mode).micro_tile;
  return dimension == Dimension::kTexture3d && (letter == MicroTile::kS || letter == MicroTile::kD);
}

}  // namespace tilelab::addressing
