// Connectivity of one patch. It depends on the segment counts alone.
#pragma once

#include <cstdint>

#include "tessellation/tessellator_patch.hpp"

namespace tilelab::tessellation {

/// Indices that may be written behind the last one of a patch.
inline constexpr int kIndexSlack = 24;

/// Writes the indices of a patch that is not culled, and up to kIndexSlack more of anything.
void write_indices(Domain domain, Topology topology, const Patch& patch, std::uint16_t* out);

}  // namespace tilelab::tessellation
