// The 32 hardware swizzle modes and the chip parameters that their patterns depend on.
#pragma once

#include <cstdint>
#include <string>

namespace tilelab::addressing {

inline constexpr int kModeCount = 32;
inline constexpr int kLinearMode = 0;
inline constexpr int k64KbDXMode = 26;    // 64KB_D_X, whose volumes have measured masks
inline constexpr int kVarBlock = -1;      // block size follows the number of pipes
inline constexpr int kMaxBlockLog2 = 20;  // 64 pipes: 1 MB

/// Order of the texels inside 256 bytes.
enum class MicroTile : int { kNone = 0, kZ = 1, kS = 2, kD = 3, kR = 4 };

/// Pipe/bank XOR: none, of address bits inside the block only (T), or across blocks (X).
enum class XorKind : int { kNone = 0, kInside = 1, kAcross = 2 };

/// What a mode is made of and which resources it takes (measured: accepted or refused by AMD's library).
struct ModeInfo {
  int block_log2;  // 0 linear, 8, 12, 16 or kVarBlock
  MicroTile micro_tile;
  XorKind xor_kind;
  bool takes_1d;
  bool takes_2d;
  bool takes_3d;
  bool takes_depth_stencil;
  bool takes_msaa;

  bool is_supported() const { return takes_1d || takes_2d || takes_3d; }
};

/// Precondition: 0 <= mode < kModeCount (ArgumentError otherwise).
const ModeInfo& mode_info(int mode);

/// XG name without prefix: "LINEAR", "64KB_R_X".
std::string mode_name(int mode);

/// Counts, not logarithms.
struct GpuModel {
  int pipes;
  int packers;

  int pipes_log2() const;
  int packers_log2() const;
};

/// Throws unless both are powers of two, pipes <= 64 and packers <= pipes <= 4 x packers (checked by AMD's
/// library).
void check_gpu(const GpuModel& gpu);

/// Log2 of the bytes of a block; a VAR block has 16 KB per pipe. 0 for LINEAR.
int block_size_log2(int mode, const GpuModel& gpu);

/// True where blocks are three-dimensional: S and D letters on a volume.
bool is_thick(int mode, int dimension);

}  // namespace tilelab::addressing
