#include "addressing/patch_plan.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace tilelab::addressing {
namespace {

constexpr int kMicroTileLog2 = 8;
constexpr int kPieceLog2 = 4;  // vector register
constexpr int kMinRowsLog2 = 2;

enum class Axis { kColumn, kRow, kSlice };

struct CoordinateBit {
  Axis axis;
  int bit;
  bool operator==(const CoordinateBit&) const = default;
};

// Address bits below 256 bytes are single coordinate bits in every mode.
// A column is (x << samples_log2) | sample.
CoordinateBit coordinate_bit(const AxisMasks& masks, int samples_log2) {
  if (masks.sample != 0) return {.axis = Axis::kColumn, .bit = std::countr_zero(masks.sample)};
  if (masks.x != 0) return {.axis = Axis::kColumn, .bit = std::countr_zero(masks.x) + samples_log2};
  if (masks.y != 0) return {.axis = Axis::kRow, .bit = std::countr_zero(masks.y)};
  return {.axis = Axis::kSlice, .bit = std::countr_zero(masks.z)};
}

std::uint32_t tiled_bit(const AddressEquation& equation, const CoordinateBit& coordinate) {
  std::uint32_t image = 0;
  for (int b = 0; b < equation.block_log2; ++b) {
    const AxisMasks& masks = equation.bits[static_cast<std::size_t>(b)];
    const bool is_sample = coordinate.axis == Axis::kColumn && coordinate.bit < equation.samples_log2;
    const std::uint32_t mask = is_sample                          ? masks.sample
                               : coordinate.axis == Axis::kColumn ? masks.x
                               : coordinate.axis == Axis::kRow    ? masks.y
                                                                  : masks.z;
    const int bit = coordinate.axis == Axis::kColumn && !is_sample ? coordinate.bit - equation.samples_log2
                                                                   : coordinate.bit;
    image |= (mask >> bit & 1) << b;
  }
  return image;
}

struct Stages {
  Network network = {kNoStage, kNoStage, kNoStage};
  int count = 0;
  std::vector<CoordinateBit> inserted, removed;  // register index bit before and after each stage
};

// The network that makes address bits below 16 bytes from registers that hold the lowest column bits.
Stages find_stages(const std::vector<CoordinateBit>& wanted, int element_log2) {
  Stages stages;
  const int held = kPieceLog2 - element_log2;  // column bits in a register
  const auto add = [&](int stage, const CoordinateBit& inserted, int removed) {
    if (stages.count == 3) return false;
    stages.network[static_cast<std::size_t>(stages.count++)] = stage;
    stages.inserted.push_back(inserted);
    stages.removed.push_back({.axis = Axis::kColumn, .bit = removed});
    return true;
  };
  if (!wanted.empty() && wanted[0].axis == Axis::kColumn && wanted[0].bit > 0) {
    // Samples lie in high address bits: take them out from below, later columns come in at the top.
    const int skipped = wanted[0].bit;
    for (int removed = 0; removed < std::min(skipped, held); ++removed) {
      add(kDeinterleave + element_log2, {.axis = Axis::kColumn, .bit = std::max(skipped, held) + removed},
          removed);
    }
    return stages;
  }
  int next_column = 0;
  for (int position = 0; position < held; ++position) {
    const CoordinateBit& bit = wanted[static_cast<std::size_t>(position)];
    if (bit == CoordinateBit{.axis = Axis::kColumn, .bit = next_column}) {
      ++next_column;
    } else {
      add(kInterleave + element_log2 + position, bit, held - 1 - stages.count);
    }
  }
  return stages;
}

}  // namespace

PatchPlan plan_patch(const AddressEquation& equation, CopyDirection direction) {
  PatchPlan plan;
  const int e = equation.element_log2;
  const bool to_tiled = direction == CopyDirection::kSwizzle;
  std::vector<CoordinateBit> bits;  // address bits from the element up that a patch holds whole
  for (int b = e; b < kMicroTileLog2; ++b) {
    bits.push_back(coordinate_bit(equation.bits[static_cast<std::size_t>(b)], equation.samples_log2));
  }
  const Stages stages = find_stages(bits, e);
  const auto* found = std::find(std::begin(kNetworks), std::end(kNetworks), stages.network);
  if (found == std::end(kNetworks)) return plan;
  plan.network = static_cast<int>(found - std::begin(kNetworks));
  plan.stages = stages.count;

  plan.columns_log2 = std::max(kPieceLog2 - e, equation.samples_log2);
  if (!to_tiled && equation.depth_log2 == 0) plan.rows_log2 = kMinRowsLog2;
  for (const CoordinateBit& bit : stages.inserted) {
    if (bit.axis == Axis::kColumn) plan.columns_log2 = std::max(plan.columns_log2, bit.bit + 1);
  }
  for (const CoordinateBit& bit : bits) {
    if (bit.axis == Axis::kColumn && !to_tiled) continue;
    int& size = bit.axis == Axis::kColumn ? plan.columns_log2
                : bit.axis == Axis::kRow  ? plan.rows_log2
                                          : plan.slices_log2;
    size = std::max(size, bit.bit + 1);
  }
  // Bits that number the groups, and the XOR of each.
  std::vector<CoordinateBit> outer;
  const auto add_outer = [&](Axis axis, int first, int last) {
    for (int bit = first; bit < last; ++bit) {
      const CoordinateBit coordinate{.axis = axis, .bit = bit};
      if (std::find(stages.inserted.begin(), stages.inserted.end(), coordinate) == stages.inserted.end()) {
        outer.push_back(coordinate);
      }
    }
  };
  add_outer(Axis::kColumn, kPieceLog2 - e, plan.columns_log2);
  add_outer(Axis::kRow, 0, plan.rows_log2);
  add_outer(Axis::kSlice, 0, plan.slices_log2);
  // Groups in the order of their tiled addresses.
  std::sort(outer.begin(), outer.end(), [&](const CoordinateBit& a, const CoordinateBit& b) {
    return tiled_bit(equation, a) < tiled_bit(equation, b);
  });
  const int group = 1 << stages.count;
  plan.pieces = group << outer.size();
  for (int piece = 0; piece < plan.pieces; ++piece) {
    const auto p = static_cast<std::size_t>(piece);
    const auto place = [&](const CoordinateBit& bit) {
      if (bit.axis == Axis::kColumn) {
        plan.piece_column[p] =
            static_cast<std::int16_t>(plan.piece_column[p] + (1 << (bit.bit + e - kPieceLog2)));
      } else {
        std::int8_t& coordinate = bit.axis == Axis::kRow ? plan.piece_row[p] : plan.piece_slice[p];
        coordinate = static_cast<std::int8_t>(coordinate + (1 << bit.bit));
      }
    };
    for (int k = 0; k < static_cast<int>(outer.size()); ++k) {
      if ((piece / group >> k & 1) == 0) continue;
      place(outer[static_cast<std::size_t>(k)]);
      plan.tiled[p] ^= tiled_bit(equation, outer[static_cast<std::size_t>(k)]);
    }
    for (int k = 0; k < stages.count; ++k) {
      if ((piece >> k & 1) == 0) continue;
      place(stages.inserted[static_cast<std::size_t>(k)]);
      plan.tiled[p] ^= tiled_bit(equation, stages.removed[static_cast<std::size_t>(k)]);
    }
  }
  return plan;
}

}  // namespace tilelab::addressing
