#define HWY_WANT_AVX3_DL 1  // kernels may opt in, so the list names it
#include "tilelab/core/targets.hpp"

#include <hwy/highway.h>

#include "tilelab/core/error.hpp"

namespace tilelab {
namespace {

std::int64_t detected_targets() {
  // The detection itself is cached by the library; lifting the limit first makes it report the whole CPU.
  static const std::int64_t detected = [] {
    hwy::SetSupportedTargetsForTest(0);
    return hwy::SupportedTargets() & HWY_TARGETS;
  }();
  return detected;
}

void limit_targets(std::int64_t allowed) {
  hwy::SetSupportedTargetsForTest(allowed);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace

std::vector<std::string> supported_targets() {
  std::vector<std::string> names;
  for (std::int64_t rest = detected_targets(); rest != 0; rest &= rest - 1) {
    names.emplace_back(hwy::TargetName(rest & -rest));
  }
  return names;
}

void force_target(std::string_view name) {
  const std::int64_t detected = detected_targets();
  if (name.empty()) {
    limit_targets(0);
    return;
  }
  std::string known;
  for (std::int64_t rest = detected; rest != 0; rest &= rest - 1) {
    const std::int64_t target = rest & -rest;
    if (name == hwy::TargetName(target)) {
      // Better targets have lower bits. Worse ones stay allowed, for kernels not built for this one.
      limit_targets(detected & ~(target - 1));
      return;
    }
    known += (known.empty() ? "" : ", ") + std::string(hwy::TargetName(target));
  }
  throw ArgumentError("target", "must be one of " + known, std::string(name));
}

std::string current_target() {
  const std::int64_t allowed = hwy::SupportedTargets() & HWY_TARGETS;
  return hwy::TargetName(allowed & -allowed);
}

}  // namespace tilelab
