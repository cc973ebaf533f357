// Where the next thread group launches, and what it waits for when it fits nowhere.
#pragma once

#include <cstdint>
#include <vector>

#include "tessellation/scheduler_slots.hpp"
#include "tessellation/scheduler_state.hpp"
#include "tilelab/tessellation/scheduler.hpp"

namespace tilelab::tessellation {

class LaunchHead {
 public:
  explicit LaunchHead(std::int32_t cu_count)
      : cu_count_(cu_count), fits_(static_cast<std::size_t>(cu_count)) {}

  /// The CU from which the next scan starts.
  std::int32_t pointer() const { return pointer_; }

  /// The CU for the group, scanning from the pointer, or -1. A group that has waited can only fit a CU that
  /// was touched since.
  std::int32_t find_cu(const ThreadgroupWork& work, const std::vector<CuState>& cus, const WaveSlots& slots,
                       const std::vector<std::int32_t>& touched) const {
    const auto fits = [&](std::int32_t cu) {
      return cus[static_cast<std::size_t>(cu)].lds_free >= work.lds_bytes &&
             slots.left(cu) >= work.vertex_waves;
    };
    if (is_new_) {
      for (std::int32_t cu = pointer_; cu < cu_count_; ++cu) {
        if (fits(cu)) return cu;
      }
      for (std::int32_t cu = 0; cu < pointer_; ++cu) {
        if (fits(cu)) return cu;
      }
      return -1;
    }
    std::int32_t best = -1, best_distance = cu_count_;
    for (const std::int32_t cu : touched) {
      const std::int32_t distance = cu >= pointer_ ? cu - pointer_ : cu - pointer_ + cu_count_;
      if (distance < best_distance && fits(cu)) {
        best = cu;
        best_distance = distance;
      }
    }
    return best;
  }

  /// The group went to this CU; another one is next.
  void launched(std::int32_t cu) {
    pointer_ = cu + 1 == cu_count_ ? 0 : cu + 1;
    is_new_ = true;
  }

  /// Remembers which CUs lack what for the group that has to wait, for count_stall().
  void wait(const ThreadgroupWork& work, const std::vector<CuState>& cus, const WaveSlots& slots,
            const std::vector<std::int32_t>& touched) {
    const auto note = [&](std::int32_t cu) {
      Fit& fit = fits_[static_cast<std::size_t>(cu)];
      const bool lds = cus[static_cast<std::size_t>(cu)].lds_free >= work.lds_bytes;
      const bool enough_slots = slots.left(cu) >= work.vertex_waves;
      cus_with_lds_ += static_cast<int>(lds) - static_cast<int>(fit.lds);
      cus_with_slots_ += static_cast<int>(enough_slots) - static_cast<int>(fit.slots);
      fit = {.lds = lds, .slots = enough_slots};
    };
    if (is_new_) {
      for (std::int32_t cu = 0; cu < cu_count_; ++cu) note(cu);
    } else {
      for (const std::int32_t cu : touched) note(cu);
    }
    is_new_ = false;
  }

  /// Adds the cycles for which the group has waited to their reason.
  void count_stall(std::int64_t cycles, bool in_gap, ThreadgroupStall& stall) const {
    if (in_gap) {
      stall.gap += cycles;
    } else if ((cus_with_lds_ > 0) == (cus_with_slots_ > 0)) {
      stall.both += cycles;
    } else if (cus_with_lds_ > 0) {
      stall.slots += cycles;
    } else {
      stall.lds += cycles;
    }
  }

 private:
  struct Fit {
    bool lds = false;
    bool slots = false;
  };

  const std::int32_t cu_count_;
  std::vector<Fit> fits_;
  std::int32_t pointer_ = 0;
  std::int32_t cus_with_lds_ = 0;
  std::int32_t cus_with_slots_ = 0;
  bool is_new_ = true;  // the group has not been tried
};

}  // namespace tilelab::tessellation
