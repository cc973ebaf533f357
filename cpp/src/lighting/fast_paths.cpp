#include "tilelab/lighting/fast_paths.hpp"

#include <algorithm>
#include <cstring>

#include "tilelab/core/bits.hpp"
#include "tilelab/core/error.hpp"
#include "tilelab/core/parallel.hpp"

namespace tilelab::lighting {
namespace {

constexpr std::uint32_t kHashSeed = 0x811C9DC5u;
constexpr std::uint32_t kHashFactor = 0x9E3779B1u;

void mix(std::uint32_t& hash, std::uint32_t word) {
  hash = (hash ^ word) * kHashFactor;
  hash ^= hash >> 15;
}

}  // namespace

void uniform_blocks(ArrayView<const std::uint8_t, 3> image, std::int64_t block_width,
                    std::int64_t block_height, ArrayView<std::uint8_t, 2> uniform, int threads) {
  require(block_width >= 1, "block_width", "must be at least 1", block_width);
  require(block_height >= 1, "block_height", "must be at least 1", block_height);
  const std::int64_t height = image.extent(0), width = image.extent(1), bytes = image.extent(2);
  require(uniform.extent(0) == ceil_div(height, block_height) &&
              uniform.extent(1) == ceil_div(width, block_width),
          "uniform", "must hold one entry per block", uniform.size());
  parallel_for(uniform.extent(0), 1, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const std::int64_t top = row * block_height, bottom = std::min(top + block_height, height);
      for (std::int64_t column = 0; column < uniform.extent(1); ++column) {
        const std::int64_t left = column * block_width;
        const std::int64_t columns = std::min(block_width, width - left);
        const std::uint8_t* first = image.data() + (top * width + left) * bytes;
        // A row is constant when it equals itself one pixel further on.
        bool same = std::memcmp(first, first + bytes, static_cast<std::size_t>((columns - 1) * bytes)) == 0;
        for (std::int64_t y = top + 1; y < bottom && same; ++y) {
          same = std::memcmp(first, image.data() + (y * width + left) * bytes,
                             static_cast<std::size_t>(columns * bytes)) == 0;
        }
        uniform(row, column) = same ? 1 : 0;
      }
    }
  });
}

void hash_pixels(std::span<const ArrayView<const std::uint8_t, 3>> channels, int hash_bits,
                 ArrayView<std::uint32_t, 2> hashes, int threads) {
  require(hash_bits == 16 || hash_bits == 32, "hash_bits", "must be 16 or 32", hash_bits);
  const std::int64_t height = hashes.extent(0), width = hashes.extent(1);
  for (const auto& channel : channels) {
    require(channel.extent(0) == height && channel.extent(1) == width, "channels",
            "must have the extents of hashes", channel.extent(1));
  }
  parallel_for(height, 1, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t y = begin; y < end; ++y) {
      std::uint32_t* row = &hashes(y, 0);
      std::fill_n(row, width, kHashSeed);
      for (const auto& channel : channels) {
        const std::int64_t bytes = channel.extent(2);
        const std::uint8_t* pixels = channel.data() + y * width * bytes;
        for (std::int64_t first = 0; first < bytes; first += 4) {
          if (bytes - first >= 4) {
            for (std::int64_t x = 0; x < width; ++x) {
              std::uint32_t word;
              std::memcpy(&word, pixels + x * bytes + first, sizeof word);
              mix(row[x], word);
            }
          } else {
            for (std::int64_t x = 0; x < width; ++x) {
              std::uint32_t word = 0;
              std::memcpy(&word, pixels + x * bytes + first, static_cast<std::size_t>(bytes - first));
              mix(row[x], word);
            }
          }
        }
      }
      if (hash_bits == 16) {
        for (std::int64_t x = 0; x < width; ++x) row[x] = (row[x] ^ row[x] >> 16) & 0xFFFFu;
      }
    }
  });
}

}  // namespace tilelab::lighting
