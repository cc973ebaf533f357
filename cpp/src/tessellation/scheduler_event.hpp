// What happens in a simulation.
#pragma once

#include <cstdint>

namespace tilelab::tessellation {

enum class EventKind : std::uint8_t {
  kVertexEnd,
  kHullEnd,
  kOnChipDomainEnd,
  kOffChipDomainEnd,
  kDataArrived,
  kWritesUsable,
  kFactorsWritten,
  kFactorsRead,
  kPointsReady,
  kLaunchOpen,
};

struct SchedulerEvent {
  std::int32_t group = 0;
  std::int32_t wave = 0;  // of the group, for kDataArrived
  std::int16_t cu = 0;    // this and simd where a slot is freed
  std::uint8_t simd = 0;
  EventKind kind = EventKind::kLaunchOpen;
};

}  // namespace tilelab::tessellation
