#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include "heap_queue.hpp"
#include "scheduler_run.hpp"
#include "tessellation/timing_wheel.hpp"
#include "tilelab/core/error.hpp"

namespace tilelab::tessellation {
namespace {

struct Numbered {
  std::int64_t time;
  std::int32_t created;
};

// Delays reach from zero to far beyond the wheel, which has 1,024 buckets here.
TEST(TimingWheel, GivesEventsByTimeThenCreation) {
  std::mt19937 random(7);
  const std::vector<std::int64_t> delays = {0, 1, 63, 64, 500, 1023, 1024, 1025, 5000, 1000000};
  TimingWheel<Numbered> wheel(600);
  std::vector<Numbered> expected, seen;
  std::int32_t created = 0;
  const auto push = [&] {
    const std::int64_t time = wheel.now() + delays[random() % delays.size()];
    wheel.push(time, {.time = time, .created = created});
    expected.push_back({.time = time, .created = created++});
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

SchedulerRun random_run(unsigned seed) {
  std::mt19937 random(seed);
  const auto pick = [&](std::initializer_list<std::int32_t> values) {
    return values.begin()[random() % values.size()];
  };
  const auto cost = [&] { return pick({0, 1, 7, 300, 70000}); };
  SchedulerRun run;
  run.machine = {.mode = pick({0, 1}) != 0 ? PipelineMode::kOffChip : PipelineMode::kOnChip,
                 .ds_order = pick({0, 1}) != 0 ? WaveOrder::kStrictFifo : WaveOrder::kOldestFirstSkip,
                 .cu_count = pick({1, 2, 9}),
                 .simd_per_cu = pick({1, 4}),
                 .wave_slots_per_simd = pick({1, 2, 10}),
                 .vs_issue = cost(),
                 .vs_latency = cost(),
                 .hs_issue = cost(),
                 .hs_latency = cost(),
                 .ds_issue = cost(),
                 .ds_latency = cost(),
                 .hs_decide_issue = pick({0, 5}),
                 .tg_launch_gap = pick({0, 9}),
                 .tess_points_per_clock = pick({0, 3, 64}),
                 .shader_engines = pick({1, 2}),
                 .count_tf_ring = pick({0, 1}) != 0,
                 .memory_bytes_per_clock = pick({0, 4, 64}),
                 .memory_latency = cost()};
  const std::int32_t slots = std::min(4, run.machine.simd_per_cu * run.machine.wave_slots_per_simd);
  for (auto left = random() % 100; left > 0; --left) {
    const auto domain_waves = static_cast<std::int32_t>(random() % 40);
    const bool off_chip = random() % 2 == 0;
    run.add({.draw = 0,
             .vertex_waves = pick({1, slots}),
             .hull_waves = pick({1, slots}),
             .domain_waves = domain_waves,
             .on_chip_waves = off_chip ? std::min(domain_waves, pick({0, 2, 4})) : domain_waves,
             .off_chip = off_chip ? 1 : 0,
             .lds_bytes = pick({0, 512, 20000, 65536}),
             .bytes_written = off_chip ? 640 : 0,
             .factor_bytes = 96});
    for (std::int32_t w = 0; w < domain_waves; ++w) {
      run.lanes.push_back(pick({1, 40, 64}));
      run.read_bytes.push_back(pick({0, 64, 999}));
    }
  }
  return run;
}

TEST(SchedulerEngine, RunsTheSameOnAnyQueue) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    SchedulerRun wheel = random_run(seed), heap = random_run(seed);
    wheel.run<TimingWheel<SchedulerEvent>>(100);
    heap.run<HeapQueue>(100);
    ASSERT_EQ(wheel.waves.size(), heap.waves.size());
    for (std::size_t w = 0; w < wheel.waves.size(); ++w) {
      ASSERT_EQ(wheel.waves[w].cu, heap.waves[w].cu) << seed;
      ASSERT_EQ(wheel.waves[w].simd, heap.waves[w].simd) << seed;
      ASSERT_EQ(wheel.waves[w].start, heap.waves[w].start) << seed;
      ASSERT_EQ(wheel.waves[w].ready, heap.waves[w].ready) << seed;
      ASSERT_EQ(wheel.waves[w].end, heap.waves[w].end) << seed;
    }
  }
}

/// One group of 6 domain-shader waves on two CUs, two of them kept on its CU and four off-chip.
class Scheduler : public testing::Test {
 protected:
  Scheduler() {
    run.machine = {.cu_count = 2,
                   .simd_per_cu = 1,
                   .vs_issue = 10,
                   .vs_latency = 0,
                   .hs_issue = 10,
                   .hs_latency = 0,
                   .ds_issue = 10,
                   .ds_latency = 0,
                   .memory_latency = 5};
    run.add({.draw = 0,
             .vertex_waves = 1,
             .hull_waves = 1,
             .domain_waves = 6,
             .on_chip_waves = 2,
             .off_chip = 1,
             .lds_bytes = 1024,
             .bytes_written = 640,
             .factor_bytes = 0});
    run.lanes.assign(6, 64);
    run.read_bytes.assign(6, 64);
  }

  /// The argument that is refused after a change.
  template <typename Change>
  std::string complaint(const Change& change) {
    SchedulerRun changed = run;
    change(changed, changed.groups[0]);
    try {
      changed.simulate();
    } catch (const ArgumentError& error) {
      return error.argument;
    }
    return "none";
  }

  SchedulerRun run;
};

TEST_F(Scheduler, RunsOneGroupOffChip) {
  EXPECT_EQ(run.simulate().makespan_cycles, 71);
  EXPECT_EQ(run.waves[0].end, 10);
  EXPECT_EQ(run.waves[1].start, 10);
  EXPECT_EQ(run.waves[1].stage, Stage::kHull);
  EXPECT_EQ(run.waves[3].end, 40);
  EXPECT_FALSE(run.waves[3].off_chip);
  EXPECT_TRUE(run.waves[4].off_chip);
  EXPECT_EQ(run.waves[4].start, 35);  // 640 bytes written from cycle 20, usable 5 cycles after their transfer
  EXPECT_EQ(run.waves[4].ready, 41);
}

TEST_F(Scheduler, DecidesInTheOffChipModeAlone) {
  run.machine.hs_decide_issue = 7;
  run.simulate();
  EXPECT_EQ(run.waves[1].end, 20);
  run.machine.mode = PipelineMode::kOffChip;
  run.simulate();
  EXPECT_EQ(run.waves[1].end, 27);
}

TEST_F(Scheduler, RefusesWhatCannotRun) {
  using Run = SchedulerRun;
  using Work = ThreadgroupWork;
  EXPECT_EQ(complaint([](Run&, Work&) {}), "none");
  EXPECT_EQ(complaint([](Run&, Work& work) { work.lds_bytes = 65537; }), "lds_bytes");
  EXPECT_EQ(complaint([](Run&, Work& work) { work.vertex_waves = 11; }), "vertex_waves");
  EXPECT_EQ(complaint([](Run&, Work& work) { work.on_chip_waves = 7; }), "on_chip_waves");
  EXPECT_EQ(complaint([](Run&, Work& work) { work.off_chip = 0; }), "on_chip_waves");
  EXPECT_EQ(complaint([](Run&, Work& work) { work.domain_waves = 5; }), "lanes");
  EXPECT_EQ(complaint([](Run&, Work& work) { work.factor_bytes = -1; }), "factor_bytes");
  EXPECT_EQ(complaint([](Run& changed, Work&) { changed.read_bytes[3] = -1; }), "read_bytes");
  EXPECT_EQ(complaint([](Run& changed, Work&) { changed.machine.cu_count = 0; }), "cu_count");
  EXPECT_EQ(complaint([](Run& changed, Work&) { changed.machine.simd_per_cu = 65; }), "simd_per_cu");
  EXPECT_EQ(complaint([](Run& changed, Work&) { changed.machine.ds_latency = -1; }), "ds_latency");
  EXPECT_EQ(complaint([](Run& changed, Work&) { changed.machine.vs_issue = kMaxCycles + 1; }), "vs_issue");
}

}  // namespace
}  // namespace tilelab::tessellation
