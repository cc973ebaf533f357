// Image extents as error messages show them.
#pragma once

#include <cstdint>
#include <string>

namespace tilelab::lighting {

inline std::string extents_text(std::int64_t height, std::int64_t width) {
  std::string text("(");
  text.append(std::to_string(height)).append(", ").append(std::to_string(width)).append(")");
  return text;
}

}  // namespace tilelab::lighting
