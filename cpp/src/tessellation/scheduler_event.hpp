// What happens in a simulation, and the order in which waiting groups are served.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace tilelab {

enum class EventKind : std::uint8_t {
  kVertexEnd,
  kHullEnd,
  kKeptDomainEnd,
  kOffChipDomainEnd,
  kDataArrived,
  kWritesUsable,
  kFactorsWritten,
  kFactorsRead,
  kPointsReady,
  kLaunchOpen,
};

struct SchedulerEvent {
  std::int32_t group;
  std::int32_t wave;  // index in the wave log, for kDataArrived
  std::int16_t cu;
  std::uint8_t simd;
  EventKind kind;
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

}  // namespace tilelab
