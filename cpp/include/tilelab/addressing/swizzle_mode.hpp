// The 32 hardware swizzle modes: what each is made of and which resources it takes.
#pragma once

#include <string>

#include "tilelab/addressing/gpu_model.hpp"

namespace tilelab::addressing {

inline constexpr int kModeCount = 32;
inline constexpr int kLinearMode = 0;
inline constexpr int k64KbDXMode = 26;    // 64KB_D_X, whose volumes have measured masks
inline constexpr int kVarBlock = -1;      // block size follows the number of pipes
inline constexpr int kMaxBlockLog2 = 20;  // 64 pipes: 1 MB

/// Order of the texels inside 256 bytes.
enum class MicroTile : int { kNone = 0, kZ = 1, kS = 2, kD = 3, kR = 4 };

/// Pipe/bank XOR: none, of address bits inside the block only (T), or across blocks (X).
enum class XorKind : int { kNone = 0, kT = 1, kX = 2 };

/// Axes of a resource. Cubes are 2D: their faces are slices.
enum class Dimension : int { kTexture1d = 1, kTexture2d = 2, kTexture3d = 3 };

/// What a mode is made of and which resources it takes (measured: accepted or refused by AMD's library).
struct ModeInfo {
  int block_log2 = 0;  ///< bytes: 0 for LINEAR, 8, 12, 16 or kVarBlock
  MicroTile micro_tile = MicroTile::kNone;
  XorKind xor_kind = XorKind::kNone;
  bool takes_1d = false;
  bool takes_2d = false;
  bool takes_3d = false;
  bool takes_depth_stencil = false;
  bool takes_msaa = false;

  bool is_supported() const { return takes_1d || takes_2d || takes_3d; }
  bool takes(Dimension dimension) const;
};

/// The entry of a mode, which is its hardware value.
///
/// Precondition (ArgumentError): mode is in [0, 31].
const ModeInfo& mode_info(int mode);

/// XG name without prefix: "LINEAR", "64KB_R_X".
///
/// Precondition (ArgumentError): mode is in [0, 31].
std::string mode_name(int mode);

/// Log2 of the bytes of a block, 0 for LINEAR. A VAR block has 16 KB per pipe (measured; documented for the
/// two consoles).
///
/// Precondition (ArgumentError): mode is in [0, 31].
/// Precondition (not checked): check_gpu takes the chip.
int block_size_log2(int mode, const GpuModel& gpu);

/// True where blocks are three-dimensional: S and D letters on a volume (measured).
///
/// Precondition (ArgumentError): mode is in [0, 31].
bool is_thick(int mode, Dimension dimension);

}  // namespace tilelab::addressing
