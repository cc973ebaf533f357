#include "tilelab/core/build_config.hpp"

#include <Eigen/Core>

#include "core/build_info.hpp"
#include "tilelab/core/targets.hpp"
#include "tilelab/core/version.hpp"
#include "tilelab/xtensor.hpp"

namespace tilelab {
namespace {

std::string dotted(int major, int minor, int patch) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> build_config() {
#if defined(__SANITIZE_ADDRESS__)
  const char* sanitizers = "address, undefined";
#else
  const char* sanitizers = "none";
#endif
  return {
      {"version", kVersion},
      {"system", kSystem},
      {"compiler", kCompiler},
      {"build_type", kBuildType},
      {"sanitizers", sanitizers},
      {"eigen", dotted(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
      {"xtensor", dotted(XTENSOR_VERSION_MAJOR, XTENSOR_VERSION_MINOR, XTENSOR_VERSION_PATCH)},
      {"highway", kHighwayVersion},
      {"targets", joined(supported_targets())},
      {"current_target", current_target()},
  };
}

}  // namespace tilelab
