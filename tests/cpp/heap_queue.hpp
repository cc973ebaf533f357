// The scheduler's event queue as one binary heap ordered by time and creation: slower than TimingWheel, and
// obviously in order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tessellation/scheduler_event.hpp"

namespace tilelab::tessellation {

class HeapQueue {
 public:
  explicit HeapQueue(std::int64_t /*longest_delay*/) {}

  bool empty() const { return heap_.empty(); }
  bool pending_now() const { return !heap_.empty() && heap_.front().time == now_; }
  std::int64_t next_time() const { return heap_.front().time; }
  void advance(std::int64_t time) { now_ = time; }

  void push(std::int64_t time, const SchedulerEvent& event) {
    heap_.push_back({.time = time, .created = created_++, .event = event});
    std::push_heap(heap_.begin(), heap_.end(), later);
  }

  SchedulerEvent pop_now() {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const SchedulerEvent event = heap_.back().event;
    heap_.pop_back();
    return event;
  }

 private:
  struct Entry {
    std::int64_t time;
    std::int64_t created;
    SchedulerEvent event;
  };

  static bool later(const Entry& a, const Entry& b) {
    return a.time != b.time ? a.time > b.time : a.created > b.created;
  }

  std::int64_t now_ = 0;
  std::int64_t created_ = 0;
  std::vector<Entry> heap_;
};

}  // namespace tilelab::tessellation
