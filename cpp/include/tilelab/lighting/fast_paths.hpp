// What the fast paths around the comparison need: constant blocks, as DCC keys tell them, and hashes.
#pragma once

#include <cstdint>
#include <span>

#include "tilelab/core/array_view.hpp"

namespace tilelab::lighting {

/// uniform = 1 where all pixels of a block hold the same bytes, else 0. Blocks at the border are cut off.
///
/// Precondition (ArgumentError): `image` is (height, width, bytes per pixel), block sizes are at least 1
/// pixel. Precondition (ArgumentError): `uniform` is (ceil(height / block_height), ceil(width /
/// block_width)).
void uniform_blocks(ArrayView<const std::uint8_t, 3> image, std::int64_t block_width,
                    std::int64_t block_height, ArrayView<std::uint8_t, 2> uniform, int threads);

/// Hash of all channel bytes of every pixel, taken as little-endian words whose tail is zero-padded:
/// h = (h ^ word) * 0x9E3779B1, h ^= h >> 15, from 0x811C9DC5 on; 16 bits: (h ^ h >> 16) & 0xFFFF (modelled).
///
/// Precondition (ArgumentError): channels are (height, width, bytes per pixel), `hashes` is (height, width).
/// Precondition (ArgumentError): hash_bits is 16 or 32.
void hash_pixels(std::span<const ArrayView<const std::uint8_t, 3>> channels, int hash_bits,
                 ArrayView<std::uint32_t, 2> hashes, int threads);

}  // namespace tilelab::lighting
