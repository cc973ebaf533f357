// Where the groups and CUs of a simulation are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace tilelab::tessellation {

/// Cycles a wave holds the issue port of its SIMD, then cycles it waits without it.
struct WaveCost {
  std::int64_t issue;
  std::int64_t latency;
};

/// Lowest group number first.
class GroupHeap {
 public:
  bool empty() const { return groups_.empty(); }
  std::int32_t top() const { return groups_.front(); }
  void push(std::int32_t group) {
    groups_.push_back(group);
    std::push_heap(groups_.begin(), groups_.end(), std::greater<>{});
  }
  void pop() {
    std::pop_heap(groups_.begin(), groups_.end(), std::greater<>{});
    groups_.pop_back();
  }

 private:
  std::vector<std::int32_t> groups_;
};

/// What the hot path needs of a group, in one cache line.
struct alignas(64) GroupState {
  std::int64_t row = 0;     // of the group's first wave in the log
  std::int64_t domain = 0;  // of its first domain-shader wave in the per-wave arrays
  std::int32_t draw = 0;
  std::int32_t first_domain = 0;  // waves before the first domain-shader wave
  std::int32_t vertex_left = 0;
  std::int32_t hull_left = 0;
  std::int32_t on_chip = 0;
  std::int32_t on_chip_left = 0;
  std::int32_t next_wave = 0;  // of the domain shader
  std::int32_t points_ready = 0;
  std::int32_t cu = -1;
  bool writes_usable = false;
  bool queued = false;
};
static_assert(sizeof(GroupState) == 64);

struct CuState {
  std::int64_t lds_free = 0;
  std::vector<std::int32_t> hull_ready;  // ascending
  GroupHeap domain_ready;                // groups whose next wave runs here
  bool touched = false;
};

/// A CU that can start a wave of its own, ordered by its oldest group.
struct CuTurn {
  std::int32_t group;
  std::int32_t cu;
  bool operator>(const CuTurn& other) const { return group > other.group; }
};

}  // namespace tilelab::tessellation
