// What this binary was built from: shown by `tilelab info` and worth pasting into a bug report.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tilelab {

/// Pairs of name and value in a fixed order: version, compiler, flags, libraries, instruction sets.
std::vector<std::pair<std::string, std::string>> build_config();

}  // namespace tilelab
