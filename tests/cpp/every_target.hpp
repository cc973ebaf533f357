// Runs a test once for every instruction set of this CPU.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tilelab/core/targets.hpp"

namespace tilelab {

template <typename Run>
void on_every_target(Run run) {
  for (const std::string& target : supported_targets()) {
    SCOPED_TRACE(target);
    force_target(target);
    run();
  }
  force_target("");
}

}  // namespace tilelab
