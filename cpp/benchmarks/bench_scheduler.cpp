// Events per second of the scheduler's engine with its timing wheel and with a binary heap.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>
#include <vector>

#include "tessellation/scheduler_engine.hpp"
#include "tessellation/timing_wheel.hpp"

namespace {

using tilelab::ArrayView;
using tilelab::SchedulerEvent;

/// The event queue as one heap ordered by time and creation.
class HeapQueue {
 public:
  explicit HeapQueue(std::int64_t) {}
  bool empty() const { return heap_.empty(); }
  bool pending_now() const { return !heap_.empty() && heap_.front().time == now_; }
  std::int64_t next_time() const { return heap_.front().time; }
  void advance(std::int64_t time) { now_ = time; }
  void push(std::int64_t time, const SchedulerEvent& event) {
    heap_.push_back({time, created_++, event});
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

/// 100,000 groups on 12 CUs with 1 to 31 domain-shader waves; argument: waves kept, -1 = on-chip.
template <typename Queue>
void bench_scheduler(benchmark::State& state) {
  const std::int64_t kept = state.range(0);
  tilelab::SchedulerMachine machine{12, 4, 10, 65536, {400, 400}, {400, 300}, {600, 800}, 0,
                                    0,  0, 2,  64,    350,        false,      false};
  std::mt19937 random(1);
  std::vector<tilelab::ThreadgroupWork> groups(100000);
  std::int64_t domain = 0, all = 0;
  for (auto& group : groups) {
    const auto waves = static_cast<std::int32_t>(random() % 31 + 1);
    const auto stay = kept < 0 ? waves : static_cast<std::int32_t>(std::min<std::int64_t>(kept, waves));
    group = {0, 1, 1, waves, stay, kept >= 0, 4864, kept >= 0 ? 2432 : 0, 0};
    domain += waves;
    all += waves + 2;
  }
  const std::vector<std::int32_t> lanes(static_cast<std::size_t>(domain), 64);
  const std::vector<std::int64_t> bytes(static_cast<std::size_t>(domain), 304);
  std::vector<tilelab::WaveRecord> waves(static_cast<std::size_t>(all));
  std::vector<tilelab::ThreadgroupStall> stalls(groups.size());
  std::int64_t events = 0;
  for (auto _ : state) {
    tilelab::SchedulerEngine<Queue> engine(
        machine, ArrayView<const tilelab::ThreadgroupWork, 1>(groups.data(), {100000}),
        ArrayView<const std::int32_t, 1>(lanes.data(), {domain}),
        ArrayView<const std::int64_t, 1>(bytes.data(), {domain}),
        ArrayView<tilelab::WaveRecord, 1>(waves.data(), {all}),
        ArrayView<tilelab::ThreadgroupStall, 1>(stalls.data(), {100000}));
    while (engine.run(1 << 20)) {
    }
    events += engine.totals().events;
  }
  state.SetItemsProcessed(events);
}

BENCHMARK_TEMPLATE(bench_scheduler, tilelab::TimingWheel<SchedulerEvent>)->Arg(-1)->Arg(4)->Arg(0);
BENCHMARK_TEMPLATE(bench_scheduler, HeapQueue)->Arg(-1)->Arg(4)->Arg(0);

}  // namespace
