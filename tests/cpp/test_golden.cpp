#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "golden.hpp"

namespace tilelab {
namespace {

TEST(Golden, WhatIsMissingOrOfAnotherKindIsAnError) {
  EXPECT_GT((golden::value<std::int64_t>("vrs/sobel_vote_random.npz", "n")), 0);
  EXPECT_THROW((golden::array<float, 3>("vrs/sobel_vote_random.npz", "lum_0")), std::runtime_error);
  EXPECT_THROW((golden::array<double, 2>("vrs/sobel_vote_random.npz", "lum_0")), std::runtime_error);
  EXPECT_THROW((golden::array<float, 2>("vrs/sobel_vote_random.npz", "lum_none")), std::runtime_error);
  EXPECT_THROW((golden::array<float, 2>("vrs/none.npz", "lum_0")), std::runtime_error);
  EXPECT_THROW(golden::json("vrs/none.json"), std::runtime_error);
}

}  // namespace
}  // namespace tilelab
