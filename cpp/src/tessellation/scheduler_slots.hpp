// Wave slots and issue ports of all CUs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilelab::tessellation {

class WaveSlots {
 public:
  WaveSlots(std::int32_t cu_count, std::int32_t simd_per_cu, std::int32_t slots_per_simd)
      : cu_count_(cu_count),
        simd_per_cu_(simd_per_cu),
        per_cu_(simd_per_cu * slots_per_simd),
        free_(static_cast<std::int64_t>(per_cu_) * cu_count),
        resident_(static_cast<std::size_t>(cu_count), 0),
        simds_(static_cast<std::size_t>(cu_count) * static_cast<std::size_t>(simd_per_cu)) {}

  std::int32_t left(std::int32_t cu) const { return per_cu_ - resident_[static_cast<std::size_t>(cu)]; }
  bool any_left() const { return free_ > 0; }

  /// Takes a slot of the CU's SIMD with the fewest resident waves, the first of equals, and gives the SIMD.
  std::int32_t take(std::int32_t cu) {
    SimdState* simds = simds_of(cu);
    std::int32_t key = simds[0].resident << 6;  // a minimum over (resident, number) needs no branch
    for (std::int32_t s = 1; s < simd_per_cu_; ++s) key = std::min(key, simds[s].resident << 6 | s);
    const std::int32_t best = key & 63;
    ++simds[best].resident;
    ++resident_[static_cast<std::size_t>(cu)];
    --free_;
    return best;
  }

  void release(std::int32_t cu, std::int32_t simd) {
    --simds_of(cu)[simd].resident;
    --resident_[static_cast<std::size_t>(cu)];
    ++free_;
  }

  /// Time from which the SIMD's issue port is free.
  std::int64_t& port_free(std::int32_t cu, std::int32_t simd) { return simds_of(cu)[simd].port_free; }

  /// The CU with the fewest resident waves, among equals the first one from `pointer` on. A minimum over both
  /// numbers in one integer (at most 2^18 waves, 2^12 CUs) needs no branch.
  std::int32_t emptiest(std::int32_t pointer) const {
    const std::int32_t* resident = resident_.data();
    std::int32_t key = resident[pointer] << 12;
    for (std::int32_t cu = pointer + 1; cu < cu_count_; ++cu)
      key = std::min(key, resident[cu] << 12 | (cu - pointer));
    for (std::int32_t cu = 0; cu < pointer; ++cu)
      key = std::min(key, resident[cu] << 12 | (cu - pointer + cu_count_));
    const std::int32_t best = pointer + (key & 4095);
    return best < cu_count_ ? best : best - cu_count_;
  }

 private:
  struct SimdState {
    std::int64_t port_free = 0;
    std::int32_t resident = 0;
  };

  SimdState* simds_of(std::int32_t cu) {
    return &simds_[static_cast<std::size_t>(cu) * static_cast<std::size_t>(simd_per_cu_)];
  }

  const std::int32_t cu_count_;
  const std::int32_t simd_per_cu_;
  const std::int32_t per_cu_;
  std::int64_t free_;
  std::vector<std::int32_t>
      resident_;  // waves of a CU, kept apart from the SIMDs because emptiest() scans it
  std::vector<SimdState> simds_;
};

}  // namespace tilelab::tessellation
