// The scheduler's engine, over any event queue with the interface of TimingWheel.
//
// Between two times the following holds, and every step keeps it: a hull shader that is ready does not fit
// its CU; an on-chip domain-shader wave that may start has a full CU; an off-chip one means that all CUs are
// full; the next group to launch fits nowhere. So after an event only the CUs it touched have to be looked
// at.
#pragma once

#include <hwy/cache_control.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "tessellation/scheduler_event.hpp"
#include "tessellation/scheduler_launch.hpp"
#include "tessellation/scheduler_slots.hpp"
#include "tessellation/scheduler_state.hpp"
#include "tessellation/scheduler_tessellators.hpp"
#include "tilelab/tessellation/scheduler.hpp"

namespace tilelab::tessellation {

template <typename Queue>
class SchedulerEngine {
 public:
  SchedulerEngine(const SchedulerMachine& machine, ArrayView<const ThreadgroupWork, 1> groups,
                  ArrayView<const std::int32_t, 1> lanes, ArrayView<const std::int64_t, 1> read_bytes,
                  ArrayView<WaveRecord, 1> waves, ArrayView<ThreadgroupStall, 1> stalls)
      : machine_(machine),
        vertex_cost_{.issue = machine.vs_issue, .latency = machine.vs_latency},
        hull_cost_{.issue = machine.hs_issue, .latency = machine.hs_latency},
        domain_cost_{.issue = machine.ds_issue, .latency = machine.ds_latency},
        decide_issue_(machine.mode == PipelineMode::kOffChip ? machine.hs_decide_issue : 0),
        strict_fifo_(machine.ds_order == WaveOrder::kStrictFifo),
        group_count_(static_cast<std::int32_t>(groups.extent(0))),
        work_(groups.data()),
        lanes_(lanes.data()),
        read_bytes_(read_bytes.data()),
        log_(waves.data()),
        stalls_(stalls.data()),
        queue_(longest_usual_delay(machine)),
        states_(static_cast<std::size_t>(group_count_)),
        cus_(static_cast<std::size_t>(machine.cu_count)),
        slots_(machine.cu_count, machine.simd_per_cu, machine.wave_slots_per_simd),
        tessellators_(machine, group_count_),
        head_(machine.cu_count) {
    for (CuState& cu : cus_) cu.lds_free = machine.available_lds_bytes;
    std::int64_t row = 0, domain = 0;
    for (std::int32_t g = 0; g < group_count_; ++g) {
      const ThreadgroupWork& work = work_[g];
      GroupState& state = states_[index(g)];
      state.row = row;
      state.domain = domain;
      state.draw = work.draw;
      state.first_domain = work.vertex_waves + work.hull_waves;
      state.vertex_left = work.vertex_waves;
      state.hull_left = work.hull_waves;
      state.on_chip = state.on_chip_left = work.on_chip_waves;
      row += state.first_domain + work.domain_waves;
      domain += work.domain_waves;
      stalls_[g] = ThreadgroupStall{};
    }
  }

  /// Handles about `budget` events; false when nothing is left.
  bool run(std::int64_t budget) {
    const std::int64_t stop = events_ + budget;
    if (events_ == 0) schedule();
    while (!queue_.empty()) {
      if (events_ >= stop) return true;
      const std::int64_t time = queue_.next_time();
      if (time > now_ && next_launch_ < group_count_) {
        head_.count_stall(time - now_, now_ < launch_open_, stalls_[next_launch_]);
      }
      clear_touched();
      queue_.advance(time);
      now_ = time;
      while (queue_.pending_now()) {
        handle(queue_.pop_now());
        ++events_;
      }
      schedule();
    }
    return false;
  }

  SchedulerTotals totals() const {
    return {.makespan_cycles = std::max(last_end_, channel_free_), .events = events_};
  }

 private:
  template <typename Integer>
  static std::size_t index(Integer value) {
    return static_cast<std::size_t>(value);
  }

  static std::int64_t longest_usual_delay(const SchedulerMachine& m) {
    const std::int64_t issue = std::max({m.vs_issue, m.hs_issue, m.ds_issue});
    const std::int64_t latency = std::max({m.vs_latency, m.hs_latency, m.ds_latency, m.memory_latency});
    return issue * std::min<std::int64_t>(m.wave_slots_per_simd, 64) + latency;
  }

  void touch(std::int32_t cu) {
    if (!cus_[index(cu)].touched) {
      cus_[index(cu)].touched = true;
      touched_.push_back(cu);
    }
  }

  void clear_touched() {
    for (const std::int32_t cu : touched_) cus_[index(cu)].touched = false;
    touched_.clear();
  }

  /// Time at which the bytes are usable.
  std::int64_t transfer(std::int64_t bytes) {
    const std::int64_t rate = machine_.memory_bytes_per_clock;
    const std::int64_t cycles = rate > 0 ? (bytes + rate - 1) / rate : 0;
    channel_free_ = std::max(channel_free_, now_) + cycles;
    return channel_free_ + machine_.memory_latency;
  }

  void free_slot(const SchedulerEvent& event) {
    slots_.release(event.cu, event.simd);
    touch(event.cu);
  }

  /// The issue queue is first-in first-out, so the wave's whole future is known when it joins.
  void join_issue_queue(WaveRecord& wave, const WaveCost& cost, EventKind end_kind) {
    std::int64_t& port_free = slots_.port_free(wave.cu, wave.simd);
    wave.ready = now_;
    wave.issue = std::max(now_, port_free);
    port_free = wave.issue + cost.issue;
    wave.end = port_free + cost.latency;
    last_end_ = std::max(last_end_, wave.end);
    queue_.push(
        wave.end,
        {.group = wave.group, .cu = wave.cu, .simd = static_cast<std::uint8_t>(wave.simd), .kind = end_kind});
  }

  WaveRecord& log_wave(std::int32_t group, const GroupState& state, Stage stage, std::int32_t number,
                       std::int32_t in_group, std::int32_t cu, bool off_chip) {
    WaveRecord& wave = log_[state.row + in_group];
    // The group's next waves come when other groups' have evicted these lines.
    hwy::Prefetch(&wave + 2);
    wave.draw = state.draw;
    wave.group = group;
    wave.stage = stage;
    wave.off_chip = off_chip;
    wave.cu = static_cast<std::int16_t>(cu);
    wave.simd = static_cast<std::int16_t>(slots_.take(cu));
    touch(cu);
    wave.index = number;
    wave.start = now_;
    return wave;
  }

  void handle(const SchedulerEvent& event) {
    switch (event.kind) {
      case EventKind::kVertexEnd:
        free_slot(event);
        if (--states_[index(event.group)].vertex_left == 0) {
          std::vector<std::int32_t>& ready = cus_[index(event.cu)].hull_ready;
          ++hull_waiting_;
          ready.insert(std::lower_bound(ready.begin(), ready.end(), event.group), event.group);
        }
        break;
      case EventKind::kHullEnd:
        free_slot(event);
        if (--states_[index(event.group)].hull_left == 0) end_hull_shader(event.group);
        break;
      case EventKind::kOnChipDomainEnd:
        free_slot(event);
        if (--states_[index(event.group)].on_chip_left == 0) release_lds(event.group);
        break;
      case EventKind::kOffChipDomainEnd:
        free_slot(event);
        break;
      case EventKind::kDataArrived:
        join_issue_queue(log_[states_[index(event.group)].row + event.wave], domain_cost_,
                         EventKind::kOffChipDomainEnd);
        break;
      case EventKind::kWritesUsable:
        states_[index(event.group)].writes_usable = true;
        enqueue(event.group);
        break;
      case EventKind::kFactorsWritten:
        push_group(transfer(work_[event.group].factor_bytes), event.group, EventKind::kFactorsRead);
        break;
      case EventKind::kFactorsRead:
        tessellate(event.group);
        break;
      case EventKind::kPointsReady:
        ++states_[index(event.group)].points_ready;
        expect_next_points(event.group);
        enqueue(event.group);
        break;
      case EventKind::kLaunchOpen:
        break;
    }
  }

  void push_group(std::int64_t time, std::int32_t group, EventKind kind) {
    queue_.push(time, {.group = group, .kind = kind});
  }

  void end_hull_shader(std::int32_t group) {
    const ThreadgroupWork& work = work_[group];
    if (work.off_chip != 0) push_group(transfer(work.bytes_written), group, EventKind::kWritesUsable);
    if (strict_fifo_ && work.domain_waves > 0) fifo_.push(group);
    if (machine_.count_tf_ring) {
      push_group(transfer(work.factor_bytes), group, EventKind::kFactorsWritten);
    } else {
      tessellate(group);
    }
    if (work.on_chip_waves == 0) release_lds(group);
  }

  void release_lds(std::int32_t group) {
    const std::int32_t cu = states_[index(group)].cu;
    cus_[index(cu)].lds_free += work_[group].lds_bytes;
    touch(cu);
  }

  void tessellate(std::int32_t group) {
    GroupState& state = states_[index(group)];
    const ThreadgroupWork& work = work_[group];
    if (tessellators_.instant()) {
      state.points_ready = work.domain_waves;
      enqueue(group);
      return;
    }
    std::int64_t points = 0;
    for (std::int32_t w = 0; w < work.domain_waves; ++w) points += lanes_[state.domain + w];
    tessellators_.start(group, state.cu, points, now_);
    expect_next_points(group);
  }

  void expect_next_points(std::int32_t group) {
    const GroupState& state = states_[index(group)];
    if (state.points_ready == work_[group].domain_waves) return;
    const std::int64_t time = tessellators_.make(group, lanes_[state.domain + state.points_ready]);
    push_group(time, group, EventKind::kPointsReady);
  }

  /// Puts the group where its next domain-shader wave, if it may start now, will be looked for.
  void enqueue(std::int32_t group) {
    GroupState& state = states_[index(group)];
    if (strict_fifo_ || state.queued || state.next_wave == state.points_ready) return;
    if (state.next_wave < state.on_chip) {
      cus_[index(state.cu)].domain_ready.push(group);
      touch(state.cu);
    } else if (state.writes_usable) {
      off_chip_ready_.push(group);
    } else {
      return;
    }
    state.queued = true;
  }

  void schedule() {
    start_hull_shaders();
    if (strict_fifo_) {
      start_domain_shaders_in_order();
    } else {
      start_domain_shaders();
    }
    launch_groups();
  }

  void start_hull_shaders() {
    if (hull_waiting_ == 0) return;
    candidates_.clear();
    for (const std::int32_t cu : touched_) {
      const std::vector<std::int32_t>& ready = cus_[index(cu)].hull_ready;
      candidates_.insert(candidates_.end(), ready.begin(), ready.end());
    }
    if (candidates_.size() > 1) std::sort(candidates_.begin(), candidates_.end());
    for (const std::int32_t group : candidates_) {
      const ThreadgroupWork& work = work_[group];
      const GroupState& state = states_[index(group)];
      if (slots_.left(state.cu) < work.hull_waves) continue;
      std::vector<std::int32_t>& ready = cus_[index(state.cu)].hull_ready;
      ready.erase(std::lower_bound(ready.begin(), ready.end(), group));
      --hull_waiting_;
      for (std::int32_t w = 0; w < work.hull_waves; ++w) {
        WaveCost cost = hull_cost_;
        if (w == 0) cost.issue += decide_issue_;
        WaveRecord& wave = log_wave(group, state, Stage::kHull, w, work.vertex_waves + w, state.cu, false);
        join_issue_queue(wave, cost, EventKind::kHullEnd);
      }
    }
  }

  void start_on_chip_wave(std::int32_t group, GroupState& state) {
    const std::int32_t number = state.next_wave++;
    WaveRecord& wave =
        log_wave(group, state, Stage::kDomain, number, state.first_domain + number, state.cu, false);
    join_issue_queue(wave, domain_cost_, EventKind::kOnChipDomainEnd);
  }

  void start_off_chip_wave(std::int32_t group, GroupState& state) {
    const std::int32_t number = state.next_wave++;
    const std::int32_t in_group = state.first_domain + number;
    const WaveRecord& wave =
        log_wave(group, state, Stage::kDomain, number, in_group, slots_.emptiest(head_.pointer()), true);
    queue_.push(transfer(read_bytes_[state.domain + number]), {.group = group,
                                                               .wave = in_group,
                                                               .cu = wave.cu,
                                                               .simd = static_cast<std::uint8_t>(wave.simd),
                                                               .kind = EventKind::kDataArrived});
  }

  /// Oldest group first; a group that cannot go on lets younger ones pass.
  void start_domain_shaders() {
    // The touched CUs that can start a wave of their own, by their oldest group; a heap, oldest first.
    turns_.clear();
    for (const std::int32_t cu : touched_) add_turn(cu);
    while (true) {
      const bool off_chip = !off_chip_ready_.empty() && slots_.any_left() &&
                            (turns_.empty() || off_chip_ready_.top() < turns_.front().group);
      if (off_chip) {
        const std::int32_t group = off_chip_ready_.top();
        GroupState& state = states_[index(group)];
        while (state.next_wave < state.points_ready && slots_.any_left()) start_off_chip_wave(group, state);
        if (state.next_wave < state.points_ready) continue;
        off_chip_ready_.pop();
        state.queued = false;
      } else if (!turns_.empty()) {
        const CuTurn turn = turns_.front();
        std::pop_heap(turns_.begin(), turns_.end(), std::greater<>{});
        turns_.pop_back();
        GroupState& state = states_[index(turn.group)];
        const std::int32_t limit = std::min(state.points_ready, state.on_chip);
        while (state.next_wave < limit && slots_.left(turn.cu) > 0) start_on_chip_wave(turn.group, state);
        if (state.next_wave < limit) continue;
        cus_[index(turn.cu)].domain_ready.pop();
        state.queued = false;
        enqueue(turn.group);
        add_turn(turn.cu);
      } else {
        return;
      }
    }
  }

  void add_turn(std::int32_t cu) {
    const GroupHeap& ready = cus_[index(cu)].domain_ready;
    if (ready.empty() || slots_.left(cu) == 0) return;
    turns_.push_back({.group = ready.top(), .cu = cu});
    std::push_heap(turns_.begin(), turns_.end(), std::greater<>{});
  }

  /// Oldest group first; the first wave that cannot start stops everything behind it.
  void start_domain_shaders_in_order() {
    while (!fifo_.empty()) {
      const std::int32_t group = fifo_.top();
      GroupState& state = states_[index(group)];
      while (state.next_wave < state.points_ready) {
        if (state.next_wave < state.on_chip) {
          if (slots_.left(state.cu) == 0) return;
          start_on_chip_wave(group, state);
        } else {
          if (!state.writes_usable || !slots_.any_left()) return;
          start_off_chip_wave(group, state);
        }
      }
      if (state.next_wave < work_[group].domain_waves) return;
      fifo_.pop();
    }
  }

  void launch_groups() {
    while (next_launch_ < group_count_ && now_ >= launch_open_) {
      const ThreadgroupWork& work = work_[next_launch_];
      const std::int32_t cu = head_.find_cu(work, cus_, slots_, touched_);
      if (cu < 0) {
        head_.wait(work, cus_, slots_, touched_);
        return;
      }
      GroupState& state = states_[index(next_launch_)];
      state.cu = cu;
      cus_[index(cu)].lds_free -= work.lds_bytes;
      for (std::int32_t w = 0; w < work.vertex_waves; ++w) {
        WaveRecord& wave = log_wave(next_launch_, state, Stage::kVertex, w, w, cu, false);
        join_issue_queue(wave, vertex_cost_, EventKind::kVertexEnd);
      }
      head_.launched(cu);
      ++next_launch_;
      if (machine_.tg_launch_gap > 0) {
        launch_open_ = now_ + machine_.tg_launch_gap;
        push_group(launch_open_, 0, EventKind::kLaunchOpen);
      }
    }
  }

  const SchedulerMachine machine_;
  const WaveCost vertex_cost_;
  const WaveCost hull_cost_;
  const WaveCost domain_cost_;
  const std::int64_t decide_issue_;  // of the first hull-shader wave of a group
  const bool strict_fifo_;
  const std::int32_t group_count_;
  const ThreadgroupWork* work_;
  const std::int32_t* lanes_;
  const std::int64_t* read_bytes_;
  WaveRecord* log_;
  ThreadgroupStall* stalls_;

  Queue queue_;
  std::vector<GroupState> states_;
  std::vector<CuState> cus_;
  WaveSlots slots_;
  Tessellators tessellators_;
  LaunchHead head_;
  GroupHeap off_chip_ready_;
  GroupHeap fifo_;
  std::vector<std::int32_t> touched_;
  std::vector<std::int32_t> candidates_;
  std::vector<CuTurn> turns_;

  std::int64_t now_ = 0;
  std::int64_t channel_free_ = 0;
  std::int64_t last_end_ = 0;
  std::int64_t launch_open_ = 0;
  std::int64_t events_ = 0;
  std::int32_t next_launch_ = 0;
  std::int32_t hull_waiting_ = 0;
};

}  // namespace tilelab::tessellation
