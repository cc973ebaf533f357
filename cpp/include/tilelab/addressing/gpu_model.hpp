// What of a chip's configuration takes part in texel addressing.
#pragma once

namespace tilelab::addressing {

/// Counts, not logarithms. The default is the larger console: the pipes follow from the documented size of
/// its VAR blocks, the packers are derived from its shader arrays.
struct GpuModel {
  int pipes = 32;
  int packers = 8;

  /// Precondition (not checked): check_gpu takes the chip.
  int pipes_log2() const;
  int packers_log2() const;
};

/// Throws unless the chip is one that AMD's library takes (measured).
///
/// Precondition (ArgumentError): pipes and packers are powers of two in [1, 64].
/// Precondition (ArgumentError): packers <= pipes <= 4 x packers.
void check_gpu(const GpuModel& gpu);

}  // namespace tilelab::addressing
