// What the scan kernel needs to know, prepared once per call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lighting/quad_table.hpp"
#include "tilelab/lighting/scan.hpp"

namespace tilelab::lighting {

/// A channel ready for the kernel: the allowance is codes in every byte or half word, or float32 bits.
struct ChannelJob {
  const std::uint8_t* pixels;
  std::size_t pixel_bytes;
  Compare compare;
  std::uint32_t allowance;
};

struct ScanJob {
  const ScanInput* input;
  std::vector<ChannelJob> channels;
  const QuadTable* table;
  std::uint32_t* counts;
  bool identity_range;  ///< depth is normalised already: near 0, far 1
};

}  // namespace tilelab::lighting
