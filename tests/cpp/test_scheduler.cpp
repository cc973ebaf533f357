#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include "tessellation/scheduler_engine.hpp"
#include "tessellation/timing_wheel.hpp"
#include "tilelab/core/error.hpp"
#include "tilelab/tessellation/scheduler.hpp"

namespace {

using tilelab::ArrayView;

struct Numbered {
  std::int64_t time;
  std::int32_t created;
};

// Delays reach from zero to far beyond the wheel, which has 1,024 buckets here.
TEST(TimingWheel, GivesEventsByTimeThenCreation) {
  std::mt19937 random(7);
  const std::vector<std::int64_t> delays = {0, 1, 63, 64, 500, 1023, 1024, 1025, 5000, 1000000};
  tilelab::TimingWheel<Numbered> wheel(600);
  std::vector<Numbered> expected, seen;
  std::int32_t created = 0;
  const auto push = [&] {
    const std::int64_t time = wheel.now() + delays[random() % delays.size()];
    wheel.push(time, {time, created});
    expected.push_back({time, created++});
  };
  for (int k = 0; k < 20; ++k) push();
  while (!wheel.empty()) {
    wheel.advance(wheel.next_time());
    while (wheel.pending_now()) {
      seen.push_back(wheel.pop_now());
      EXPECT_EQ(seen.back().time, wheel.now());
      if (created < 20000 && random() % 20 != 0) push();
    }
    if (created < 20000) push();
  }
  std::stable_sort(expected.begin(), expected.end(),
                   [](const Numbered& a, const Numbered& b) { return a.time < b.time; });
  ASSERT_EQ(seen.size(), expected.size());
  for (std::size_t k = 0; k < seen.size(); ++k) {
    ASSERT_EQ(seen[k].time, expected[k].time);
    ASSERT_EQ(seen[k].created, expected[k].created);
  }
}

/// The event queue as one heap ordered by time and creation: slower, and obviously in order.
class HeapQueue {
 public:
  explicit HeapQueue(std::int64_t) {}
  bool empty() const { return heap_.empty(); }
  bool pending_now() const { return !heap_.empty() && heap_.front().time == now_; }
  std::int64_t next_time() const { return heap_.front().time; }
  void advance(std::int64_t time) { now_ = time; }
  void push(std::int64_t time, const tilelab::SchedulerEvent& event) {
    heap_.push_back({time, created_++, event});
    std::push_heap(heap_.begin(), heap_.end(), later);
  }
  tilelab::SchedulerEvent pop_now() {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const tilelab::SchedulerEvent event = heap_.back().event;
    heap_.pop_back();
    return event;
  }

 private:
  struct Entry {
    std::int64_t time;
    std::int64_t created;
    tilelab::SchedulerEvent event;
  };
  static bool later(const Entry& a, const Entry& b) {
    return a.time != b.time ? a.time > b.time : a.created > b.created;
  }
  std::int64_t now_ = 0;
  std::int64_t created_ = 0;
  std::vector<Entry> heap_;
};

struct RandomRun {
  explicit RandomRun(unsigned seed) : random(seed) {
    machine = {pick({1, 2, 9}),  pick({1, 4}),      pick({1, 2, 10}), 65536,
               {cost(), cost()}, {cost(), cost()},  {cost(), cost()}, pick({0, 5}),
               pick({0, 9}),     pick({0, 3, 64}),  pick({1, 2}),     pick({0, 4, 64}),
               cost(),           pick({0, 1}) != 0, pick({0, 1}) != 0};
    const std::int32_t slots = std::min(4, machine.simd_per_cu * machine.wave_slots_per_simd);
    groups.resize(random() % 100);
    for (auto& group : groups) {
      const auto domain_waves = static_cast<std::int32_t>(random() % 40);
      const bool off_chip = random() % 2 == 0;
      const std::int32_t kept = off_chip ? std::min(domain_waves, pick({0, 2, 4})) : domain_waves;
      group = {0,
               pick({1, slots}),
               pick({1, slots}),
               domain_waves,
               kept,
               off_chip,
               pick({0, 512, 20000, 65536}),
               off_chip ? 640 : 0,
               96};
      all += group.vertex_waves + group.hull_waves + domain_waves;
      for (std::int32_t w = 0; w < domain_waves; ++w) {
        lanes.push_back(pick({1, 40, 64}));
        bytes.push_back(pick({0, 64, 999}));
      }
    }
  }

  template <typename Queue>
  std::vector<tilelab::WaveRecord> run() {
    const auto count = static_cast<std::int64_t>(groups.size());
    const auto domain = static_cast<std::int64_t>(lanes.size());
    std::vector<tilelab::WaveRecord> waves(static_cast<std::size_t>(all));
    std::vector<tilelab::ThreadgroupStall> stalls(groups.size());
    tilelab::SchedulerEngine<Queue> engine(machine, {groups.data(), {count}}, {lanes.data(), {domain}},
                                           {bytes.data(), {domain}}, {waves.data(), {all}},
                                           {stalls.data(), {count}});
    while (engine.run(100)) {
    }
    return waves;
  }

  std::int32_t pick(std::initializer_list<std::int32_t> values) {
    return values.begin()[random() % values.size()];
  }
  std::int64_t cost() { return pick({0, 1, 7, 300, 70000}); }

  std::mt19937 random;
  tilelab::SchedulerMachine machine{};
  std::vector<tilelab::ThreadgroupWork> groups;
  std::vector<std::int32_t> lanes;
  std::vector<std::int64_t> bytes;
  std::int64_t all = 0;
};

TEST(SchedulerEngine, RunsTheSameOnAnyQueue) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    RandomRun one(seed);
    const auto wheel = one.run<tilelab::TimingWheel<tilelab::SchedulerEvent>>();
    const auto heap = one.run<HeapQueue>();
    ASSERT_EQ(wheel.size(), heap.size());
    for (std::size_t w = 0; w < wheel.size(); ++w) {
      ASSERT_EQ(wheel[w].cu, heap[w].cu) << seed;
      ASSERT_EQ(wheel[w].simd, heap[w].simd) << seed;
      ASSERT_EQ(wheel[w].start, heap[w].start) << seed;
      ASSERT_EQ(wheel[w].ready, heap[w].ready) << seed;
      ASSERT_EQ(wheel[w].end, heap[w].end) << seed;
    }
  }
}

class Scheduler : public testing::Test {
 protected:
  tilelab::SchedulerTotals run() {
    return tilelab::simulate_threadgroups(machine, ArrayView<const tilelab::ThreadgroupWork, 1>(&work, {1}),
                                          ArrayView<const std::int32_t, 1>(lanes.data(), {6}),
                                          ArrayView<const std::int64_t, 1>(bytes.data(), {6}),
                                          ArrayView<tilelab::WaveRecord, 1>(waves.data(), {8}),
                                          ArrayView<tilelab::ThreadgroupStall, 1>(&stall, {1}), [] {});
  }

  std::string complaint() {
    try {
      run();
    } catch (const tilelab::ArgumentError& error) {
      return error.argument;
    }
    return "none";
  }

  tilelab::SchedulerMachine machine{2, 1, 10, 65536, {10, 0}, {10, 0}, {10, 0}, 0,
                                    0, 0, 2,  64,    5,       false,   false};
  tilelab::ThreadgroupWork work{0, 1, 1, 6, 2, 1, 1024, 640, 0};
  std::vector<std::int32_t> lanes = std::vector<std::int32_t>(6, 64);
  std::vector<std::int64_t> bytes = std::vector<std::int64_t>(6, 64);
  std::vector<tilelab::WaveRecord> waves = std::vector<tilelab::WaveRecord>(8);
  tilelab::ThreadgroupStall stall{};
};

TEST_F(Scheduler, RunsOneGroupOffChip) {
  EXPECT_EQ(run().makespan, 71);
  EXPECT_EQ(waves[0].end, 10);
  EXPECT_EQ(waves[1].start, 10);
  EXPECT_EQ(waves[3].end, 40);
  EXPECT_FALSE(waves[3].off_chip);
  EXPECT_TRUE(waves[4].off_chip);
  EXPECT_EQ(waves[4].start, 35);  // 640 bytes written from cycle 20, usable 5 cycles after their transfer
  EXPECT_EQ(waves[4].ready, 41);
}

TEST_F(Scheduler, RefusesWhatCannotRun) {
  const tilelab::ThreadgroupWork good = work;
  const tilelab::SchedulerMachine machine_as_it_was = machine;
  work.lds_bytes = 65537;
  EXPECT_EQ(complaint(), "lds_bytes");
  work = good;
  work.vertex_waves = 11;
  EXPECT_EQ(complaint(), "vertex_waves");
  work = good;
  work.kept_waves = 7;
  EXPECT_EQ(complaint(), "kept_waves");
  work = good;
  work.off_chip = 0;
  EXPECT_EQ(complaint(), "kept_waves");
  work = good;
  work.domain_waves = 5;
  EXPECT_EQ(complaint(), "lanes");
  work = good;
  bytes[3] = -1;
  EXPECT_EQ(complaint(), "read_bytes");
  bytes[3] = 64;
  machine.cu_count = 0;
  EXPECT_EQ(complaint(), "cu_count");
  machine = machine_as_it_was;
  machine.domain.latency = -1;
  EXPECT_EQ(complaint(), "costs");
}

}  // namespace
