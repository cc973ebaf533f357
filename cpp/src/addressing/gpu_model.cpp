#include "tilelab/addressing/gpu_model.hpp"

#include <bit>
#include <cstdint>
#include <string>

#include "tilelab/core/bits.hpp"
#include "tilelab/core/error.hpp"

namespace tilelab::addressing {
namespace {

constexpr int kMaxPipes = 64;

void check_count(const char* name, int count) {
  require(count >= 1 && count <= kMaxPipes, name, "must be in [1, 64]", count);
  require(std::has_single_bit(static_cast<unsigned>(count)), name, "must be a power of two", count);
}

}  // namespace

int GpuModel::pipes_log2() const { return log2_exact(static_cast<std::uint64_t>(pipes)); }
int GpuModel::packers_log2() const { return log2_exact(static_cast<std::uint64_t>(packers)); }

void check_gpu(const GpuModel& gpu) {
  check_count("pipes", gpu.pipes);
  check_count("packers", gpu.packers);
  require(gpu.packers <= gpu.pipes && gpu.pipes <= 4 * gpu.packers, "packers",
          "must satisfy packers <= pipes <= 4 x packers",
          std::to_string(gpu.packers) + " with " + std::to_string(gpu.pipes) + " pipes");
}

}  // namespace tilelab::addressing
