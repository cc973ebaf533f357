// A loop cut into pieces that the threads of one shared pool take in turn.
#pragma once

#include <cstdint>

#include "tilelab/core/function_ref.hpp"

namespace tilelab {

/// Number of threads that `threads` stands for: itself, or the number of cores for 0.
/// Precondition: threads >= 0 (ArgumentError otherwise).
int resolve_threads(int threads);

/// Calls body(begin, end) for pieces that together cover [0, count) exactly once.
/// Every piece begins at a multiple of `grain`, so a body that treats aligned groups sees them whole.
/// A body must write only what belongs to its piece: then the result is the same for every thread count.
/// The first exception (of the piece with the lowest index) is thrown again in the caller after all
/// started pieces have ended; pieces not yet started are dropped. A call made inside a body runs inline.
/// Preconditions: count >= 0, grain >= 1, threads >= 0 (0 = all cores).
void parallel_for(std::int64_t count, std::int64_t grain, int threads,
                  FunctionRef<void(std::int64_t begin, std::int64_t end)> body);

}  // namespace tilelab
