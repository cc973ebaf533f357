// The inner loop of bulk copies: a strip of patches, in either direction.
#pragma once

#include <cstdint>

#include "tilelab/addressing/swizzle_plan.hpp"

namespace tilelab::addressing {

/// Where a patch column or a patch row lies in tiled memory: `block` is added, `inside` takes part in the
/// XOR.
struct TiledPlace {
  std::int64_t block;
  std::uint32_t inside;
};

/// A patch row: its place in tiled memory and its distance from the first row in linear memory.
struct PatchRow {
  TiledPlace place;
  std::int64_t linear_offset;
};

/// A strip of whole patches.
struct Strip {
  const PatchPlan* patch;
  std::uint8_t* linear;
  std::int64_t patch_column_bytes;    ///< linear distance of two patch columns
  const std::int64_t* piece_offsets;  ///< linear offset of every piece of a patch
  const std::int64_t* line_offsets;   ///< linear offset of every row of a patch
  int lines;
  const std::uint32_t* tiled_lines;  ///< XOR of every line of tiled memory that a patch touches
  int tiled_line_count;
  std::uint8_t* tiled;
  const TiledPlace* columns;
  std::int64_t column_count;
  const PatchRow* rows;
  std::int64_t row_count;
  std::int64_t rectangle_columns;  ///< patch columns that are walked before the next patch row
  std::int64_t ahead;              ///< patch columns to prefetch ahead
  std::int64_t tiled_ahead;    ///< to linear: tiled bytes to prefetch ahead in their order, 0 = by patches
  std::int64_t first_columns;  ///< patch columns before the first whole line of linear memory
  bool stream;                 ///< non-temporal stores
};

/// Copy a strip, to tiled memory or back.
///
/// Precondition (not checked): patch->network is not -1, the strip holds whole patches.
/// Precondition (not checked): where `stream` is set, the side that is written is aligned to 16 bytes, rows
/// and slices included.
void copy_strip_to_tiled(const Strip& strip);
void copy_strip_to_linear(const Strip& strip);

}  // namespace tilelab::addressing
