#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

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
