// When the tessellators have made the points of a group's domain-shader waves.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tilelab/tessellation/scheduler.hpp"

namespace tilelab::tessellation {

/// One tessellator a shader engine; the CUs are split evenly among them, and each works through groups in the
/// order in which they ask.
class Tessellators {
 public:
  Tessellators(const SchedulerMachine& machine, std::int32_t group_count)
      : rate_(machine.tess_points_per_clock),
        cu_count_(machine.cu_count),
        engine_count_(machine.shader_engines),
        free_(static_cast<std::size_t>(machine.shader_engines), 0),
        progress_(instant() ? 0 : static_cast<std::size_t>(group_count)) {}

  /// Points take no time; then nothing below may be called.
  bool instant() const { return rate_ == 0; }

  /// Queues all points of a group that runs on the CU.
  void start(std::int32_t group, std::int32_t cu, std::int64_t points, std::int64_t now) {
    const std::int64_t engine = static_cast<std::int64_t>(cu) * engine_count_ / cu_count_;
    std::int64_t& free = free_[static_cast<std::size_t>(engine)];
    const std::int64_t start = std::max(now, free);
    progress_[static_cast<std::size_t>(group)].start = start;
    free = start + cycles(points);
  }

  /// Time at which the next `points` points of a group have been made.
  std::int64_t make(std::int32_t group, std::int64_t points) {
    Progress& progress = progress_[static_cast<std::size_t>(group)];
    progress.made += points;
    return progress.start + cycles(progress.made);
  }

 private:
  struct Progress {
    std::int64_t start = 0;
    std::int64_t made = 0;
  };

  std::int64_t cycles(std::int64_t points) const { return (points + rate_ - 1) / rate_; }

  const std::int64_t rate_;
  const std::int32_t cu_count_;
  const std::int32_t engine_count_;
  std::vector<std::int64_t> free_;
  std::vector<Progress> progress_;
};

}  // namespace tilelab::tessellation
