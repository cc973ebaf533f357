// What happens in a simulation.
#pragma once

#include <cstdint>

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

}  // namespace tilelab
