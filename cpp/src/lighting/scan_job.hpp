// What the scan kernel needs to know, prepared once per call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lighting/quad_table.hpp"
#include "tilelab/lighting/scan.hpp"

namespace tilelab::lighting {

/// A channel ready for the kernel.
struct ChannelJob {
  const std::uint8_t* pixels;
  std::size_t pixel_bytes;
  Compare compare;
  std::uint32_t allowance;  ///< codes in every byte or half word, or float32 bits
};

struct ScanJob {
  const ScanInput& input;
  const ScanOptions& options;
  std::vector<ChannelJob> channels;
  const QuadTable& table;
  std::uint32_t* counts;
  bool normalised;  ///< depth is in 0..1 already: near 0, far 1
};

/// Writes the records of the tile rows [begin, end), one after the other from `output` on, and adds to the
/// counts of depths.
void scan_band(const ScanJob& job, std::int64_t begin, std::int64_t end, std::uint32_t* output,
               ScanCounts& counts);

}  // namespace tilelab::lighting
