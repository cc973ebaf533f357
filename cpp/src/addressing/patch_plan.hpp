// Finds the patch of an equation and the interleaving network that turns its rows into lines.
#pragma once

#include <array>
#include <cstdint>

#include "tilelab/addressing/swizzle_plan.hpp"

namespace tilelab::addressing {

/// One stage works on pairs of 16-byte registers. kInterleave + k puts the register's index bit at
/// byte-address bit k and moves the top bit out; kDeinterleave + k takes bit k out and puts the index bit on
/// top. They undo each other.
inline constexpr int kInterleave = 0;
inline constexpr int kDeinterleave = 4;
inline constexpr int kNoStage = -1;
using Network = std::array<int, 3>;

/// The networks that are compiled: every order that swizzle modes have.
inline constexpr Network kNetworks[] = {
    {kNoStage, kNoStage, kNoStage},                // 16-byte runs: S, large elements
    {kInterleave + 3, kNoStage, kNoStage},         // 8-byte runs: D 1 byte, Z 4 bytes, thick 4 bytes
    {kInterleave + 2, kNoStage, kNoStage},         // Z 2 bytes
    {kInterleave + 1, kInterleave + 3, kNoStage},  // Z 1 byte
    {kInterleave + 2, kInterleave + 3, kNoStage},  // thick 1 and 2 bytes
    {kDeinterleave + 3, kNoStage, kNoStage},       // R with samples, by element size and sample count
    {kDeinterleave + 2, kNoStage, kNoStage},
    {kDeinterleave + 2, kDeinterleave + 2, kNoStage},
    {kDeinterleave + 1, kNoStage, kNoStage},
    {kDeinterleave + 1, kDeinterleave + 1, kNoStage},
    {kDeinterleave + 1, kDeinterleave + 1, kDeinterleave + 1},
    {kDeinterleave + 0, kNoStage, kNoStage},
    {kDeinterleave + 0, kDeinterleave + 0, kNoStage},
    {kDeinterleave + 0, kDeinterleave + 0, kDeinterleave + 0},
};
inline constexpr int kNetworkCount = static_cast<int>(std::size(kNetworks));

/// The patch of a block mode.
///
/// Precondition (not checked): build_equation made the equation.
PatchPlan plan_patch(const AddressEquation& equation, CopyDirection direction);

}  // namespace tilelab::addressing
