#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "tilelab/core/array_view.hpp"
#include "tilelab/core/bits.hpp"
#include "tilelab/core/error.hpp"
#include "tilelab/core/parallel.hpp"
#include "tilelab/core/probe.hpp"
#include "tilelab/core/targets.hpp"
#include "tilelab/core/uq53.hpp"

namespace tilelab {
namespace {

TEST(ArrayView, IndexesInCOrder) {
  std::vector<int> data(24);
  std::iota(data.begin(), data.end(), 0);
  const ArrayView<int, 3> view(data.data(), {2, 3, 4});
  EXPECT_EQ(view(1, 2, 3), 23);
  EXPECT_EQ(view.size(), 24);
  const ArrayView<const int, 2> rows(data.data(), {6, 4});
  EXPECT_EQ(rows(5, 1), 21);
  EXPECT_EQ((ArrayView<int, 2>().size()), 0);
}

TEST(Bits, RoundsAndCounts) {
  EXPECT_EQ(ceil_div(std::int64_t{7}, std::int64_t{8}), 1);
  EXPECT_EQ(ceil_div(std::int64_t{0}, std::int64_t{8}), 0);
  EXPECT_EQ(round_up(65, 64), 128);
  EXPECT_EQ(log2_exact(65536), 16);
  EXPECT_EQ(parity(0b1011), 1u);
  EXPECT_EQ(parity(0), 0u);
}

TEST(Uq53, EveryCodeSurvivesTheRoundTrip) {
  for (int code = 0; code <= kUq53Max; ++code) {
    EXPECT_EQ(uq53_encode_floor(uq53_decode(static_cast<std::uint8_t>(code))), code);
  }
  EXPECT_EQ(uq53_encode_floor(-1.0f), 0);
  EXPECT_EQ(uq53_encode_floor(1e9f), kUq53Max);
  EXPECT_EQ(uq53_encode_floor(std::numeric_limits<float>::quiet_NaN()), 0);
}

TEST(ArgumentError, NamesArgumentRuleAndValue) {
  try {
    require(false, "tile", "must be 8, 16 or 32", 9);
    FAIL();
  } catch (const ArgumentError& error) {
    EXPECT_STREQ(error.what(), "tile must be 8, 16 or 32, got 9");
    EXPECT_EQ(error.argument, "tile");
  }
}

TEST(ParallelFor, CoversEveryIndexOnceInAlignedPieces) {
  for (const int threads : {0, 1, 2, 3, 4, 9}) {
    for (const std::int64_t count : {0, 1, 7, 8, 9, 1000}) {
      std::vector<std::atomic<int>> hits(static_cast<std::size_t>(count));
      parallel_for(count, 8, threads, [&](std::int64_t begin, std::int64_t end) {
        EXPECT_EQ(begin % 8, 0);
        for (std::int64_t i = begin; i < end; ++i) hits[static_cast<std::size_t>(i)]++;
      });
      for (const auto& hit : hits) EXPECT_EQ(hit.load(), 1);
    }
  }
}

TEST(ParallelFor, GivesTheExceptionToTheCallerAndStaysUsable) {
  for (int round = 0; round < 50; ++round) {
    EXPECT_THROW(parallel_for(100, 1, 4,
                              [](std::int64_t begin, std::int64_t) {
                                if (begin >= 10) throw std::runtime_error("piece");
                              }),
                 std::runtime_error);
  }
  std::atomic<std::int64_t> sum{0};
  parallel_for(100, 1, 4, [&](std::int64_t begin, std::int64_t end) {
    parallel_for(end - begin, 1, 4, [&](std::int64_t b, std::int64_t e) { sum += e - b; });
  });
  EXPECT_EQ(sum.load(), 100);
}

TEST(ParallelFor, RefusesBadArguments) {
  const auto nothing = [](std::int64_t, std::int64_t) {};
  EXPECT_THROW(parallel_for(-1, 1, 1, nothing), ArgumentError);
  EXPECT_THROW(parallel_for(1, 0, 1, nothing), ArgumentError);
  EXPECT_THROW(parallel_for(1, 1, -1, nothing), ArgumentError);
}

TEST(Probe, AgreesWithPlainSumsOnEveryTarget) {
  std::vector<std::uint64_t> a(1003), out(1003);
  std::iota(a.begin(), a.end(), 5u);
  const std::uint64_t expected = std::accumulate(a.begin(), a.end(), std::uint64_t{0});
  const ArrayView<const std::uint64_t, 1> view(a.data(), {1003});
  for (const std::string& target : supported_targets()) {
    force_target(target);
    EXPECT_EQ(current_target(), target);
    EXPECT_EQ(probe_read(view), expected);
    probe_triad(view, view, ArrayView<std::uint64_t, 1>(out.data(), {1003}));
    EXPECT_EQ(out[1002], 2 * a[1002]);
  }
  force_target("");
  EXPECT_THROW(force_target("none"), ArgumentError);
}

}  // namespace
}  // namespace tilelab
