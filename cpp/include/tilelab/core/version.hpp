// The one place that holds the version; the build reads this line.
#pragma once

namespace tilelab {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace tilelab
