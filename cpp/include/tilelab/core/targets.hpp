// Which vector instruction sets the kernels may use, and a way to force one so that each can be tested.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilelab {

/// Names of the instruction sets that this build holds and this CPU can run, best first.
std::vector<std::string> supported_targets();

/// Lets kernels use `name` and what is worse than it, nothing better; an empty name lifts the limit.
/// Precondition: `name` is one of supported_targets() (ArgumentError otherwise).
/// Not to be called while kernels run on other threads.
void force_target(std::string_view name);

/// Name of the instruction set that the kernels use now.
std::string current_target();

}  // namespace tilelab
