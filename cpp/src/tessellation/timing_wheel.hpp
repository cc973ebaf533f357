// Event queue for short integer delays: one bucket a cycle, first-in first-out, so that events of one time
// leave in creation order; a heap with creation numbers takes what lies beyond the wheel.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace tilelab::tessellation {

template <typename Event>
class TimingWheel {
 public:
  /// `longest_delay` is a hint: longer delays work through the heap.
  explicit TimingWheel(std::int64_t longest_delay) {
    constexpr std::int64_t kSmallest = 1 << 10, kLargest = 1 << 16;  // 64 KB of heads keeps to the L2 cache
    size_ = static_cast<std::int64_t>(
        std::bit_ceil(static_cast<std::uint64_t>(std::clamp(longest_delay + 1, kSmallest, kLargest))));
    buckets_.assign(static_cast<std::size_t>(size_), Bucket{kNone, kNone});
    words_.assign(static_cast<std::size_t>(size_ / 64), 0);
    summary_.assign(static_cast<std::size_t>((size_ / 64 + 63) / 64), 0);
  }

  std::int64_t now() const { return now_; }
  bool empty() const { return in_wheel_ == 0 && overflow_.empty(); }
  bool pending_now() const { return bucket(now_).head != kNone; }

  /// Precondition: time >= now().
  void push(std::int64_t time, const Event& event) {
    if (time - now_ < size_) {
      append(time, event);
    } else {
      overflow_.push_back({.time = time, .created = created_++, .event = event});
      std::push_heap(overflow_.begin(), overflow_.end(), Later{});
    }
  }

  /// Time of the next event. Precondition: not empty().
  std::int64_t next_time() const { return in_wheel_ != 0 ? next_in_wheel() : overflow_.front().time; }

  /// Moves to a time not after next_time(). What enters the wheel here was created before anything that a
  /// later push() can put into the same bucket, so buckets stay in creation order.
  void advance(std::int64_t time) {
    now_ = time;
    while (!overflow_.empty() && overflow_.front().time - now_ < size_) {
      append(overflow_.front().time, overflow_.front().event);
      std::pop_heap(overflow_.begin(), overflow_.end(), Later{});
      overflow_.pop_back();
    }
  }

  /// Takes the oldest event of the current time. Precondition: pending_now().
  Event pop_now() {
    Bucket& current = bucket(now_);
    const std::int32_t index = current.head;
    const Node node = nodes_[static_cast<std::size_t>(index)];
    current.head = node.next;
    if (node.next == kNone) clear_bit(slot(now_));
    nodes_[static_cast<std::size_t>(index)].next = free_;
    free_ = index;
    --in_wheel_;
    return node.event;
  }

 private:
  static constexpr std::int32_t kNone = -1;

  struct Bucket {
    std::int32_t head;
    std::int32_t tail;
  };
  struct Node {
    Event event;
    std::int32_t next;
  };
  struct Distant {
    std::int64_t time;
    std::int64_t created;
    Event event;
  };
  struct Later {
    bool operator()(const Distant& a, const Distant& b) const {
      return a.time != b.time ? a.time > b.time : a.created > b.created;
    }
  };

  std::size_t slot(std::int64_t time) const { return static_cast<std::size_t>(time & (size_ - 1)); }
  Bucket& bucket(std::int64_t time) { return buckets_[slot(time)]; }
  const Bucket& bucket(std::int64_t time) const { return buckets_[slot(time)]; }

  void append(std::int64_t time, const Event& event) {
    std::int32_t index = free_;
    if (index != kNone) {
      free_ = nodes_[static_cast<std::size_t>(index)].next;
      nodes_[static_cast<std::size_t>(index)] = {.event = event, .next = kNone};
    } else {
      index = static_cast<std::int32_t>(nodes_.size());
      nodes_.push_back({.event = event, .next = kNone});
    }
    Bucket& target = bucket(time);
    if (target.head == kNone) {
      target.head = index;
      set_bit(slot(time));
    } else {
      nodes_[static_cast<std::size_t>(target.tail)].next = index;
    }
    target.tail = index;
    ++in_wheel_;
  }

  void set_bit(std::size_t position) {
    words_[position / 64] |= std::uint64_t{1} << (position % 64);
    summary_[position / 4096] |= std::uint64_t{1} << (position / 64 % 64);
  }

  void clear_bit(std::size_t position) {
    words_[position / 64] &= ~(std::uint64_t{1} << (position % 64));
    if (words_[position / 64] == 0) summary_[position / 4096] &= ~(std::uint64_t{1} << (position / 64 % 64));
  }

  std::int64_t next_in_wheel() const {
    const std::size_t start = slot(now_);
    const std::uint64_t here = words_[start / 64] >> (start % 64);
    if (here != 0) return now_ + std::countr_zero(here);
    // Words after this one, then round the wheel to this one again (its bits before `start`).
    const std::size_t first = start / 64 + 1;
    std::size_t group = first / 64;
    std::uint64_t bits = group < summary_.size() ? summary_[group] >> (first % 64) << (first % 64) : 0;
    while (bits == 0) {
      group = group + 1 < summary_.size() ? group + 1 : 0;
      bits = summary_[group];
    }
    const std::size_t word = group * 64 + static_cast<std::size_t>(std::countr_zero(bits));
    const auto position = static_cast<std::int64_t>(word * 64) + std::countr_zero(words_[word]);
    return now_ + ((position - static_cast<std::int64_t>(start)) & (size_ - 1));
  }

  std::int64_t size_ = 0;
  std::int64_t now_ = 0;
  std::int64_t in_wheel_ = 0;
  std::int64_t created_ = 0;
  std::int32_t free_ = kNone;
  std::vector<Bucket> buckets_;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint64_t> summary_;
  std::vector<Node> nodes_;
  std::vector<Distant> overflow_;
};

}  // namespace tilelab::tessellation
