// Memory traffic of known size: what benchmarks divide by.
#pragma once

#include <cstdint>

#include "tilelab/core/array_view.hpp"

namespace tilelab {

/// Sum (modulo 2^64) of the 64-bit words of `words`: one read of the memory.
std::uint64_t probe_read(ArrayView<const std::uint64_t, 1> words);

/// out[i] = a[i] + b[i] (modulo 2^64): two reads and one write.
/// Precondition: equal extents (ArgumentError otherwise).
void probe_triad(ArrayView<const std::uint64_t, 1> a, ArrayView<const std::uint64_t, 1> b,
                 ArrayView<std::uint64_t, 1> out);

}  // namespace tilelab
