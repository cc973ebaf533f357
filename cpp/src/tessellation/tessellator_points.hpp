// Domain points of one patch.
#pragma once

#include <cstdint>

#include "tessellation/tessellator_patch.hpp"
#include "tessellation/tessellator_rows.hpp"

namespace tilelab::tessellation {

/// Points that may be written behind the last one of a patch.
inline constexpr int kPointSlack = 7;

struct PointRows {
  RowCache any;
  RowCache v;  // inside V is in use together with inside U, which must not be evicted meanwhile
};

/// Writes the points of a patch that is not culled: pairs (u, v), and up to kPointSlack pairs of anything.
void write_points(Domain domain, const Patch& patch, PointRows& rows, std::int32_t* out);

}  // namespace tilelab::tessellation
