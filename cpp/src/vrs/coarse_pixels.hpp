// Moves pixels of any type as bytes, with code of its own for the usual sizes.
#pragma once

#include <hwy/cache_control.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "tilelab/vrs/coarse.hpp"
#include "vrs/coarse_tile.hpp"

namespace tilelab::vrs {

// Moves pixels of kBytes bytes; 0: there is no image, -1: a size known only at run time.
template <int kBytes>
class Pixels {
 public:
  static constexpr bool kExist = kBytes != 0;

  explicit Pixels(const CoarseImage& image)
      : bytes_(image.pixels.extent(1)),
        source_(image.pixels.data()),
        nothing_(image.nothing.data()),
        out_(image.out.data()) {}

  void copy(std::int64_t to, std::int64_t from) const { move(to, source_ + from * size(), size()); }
  // A block in which every 2^kW pixels are the same one.
  template <int kW>
  void spread(std::int64_t to, std::int64_t from) const {
    if constexpr (kW == 0) {
      move(to, source_ + from * size(), kBlock * size());
    } else {
      for (int i = 0; i < kBlock; ++i) copy(to + i, from + (i >> kW << kW));
    }
  }
  // Writes a block again.
  void repeat(std::int64_t to, std::int64_t from) const { move(to, out_ + from * size(), kBlock * size()); }
  void clear(std::int64_t to) const { move(to, nothing_, size()); }
  // Announces the pixels of a block, to be read and to be written.
  void prefetch(std::int64_t first) const {
    for (std::int64_t i = 0; i < kBlock * size(); i += 64) {
      hwy::Prefetch(source_ + first * size() + i);
      hwy::Prefetch(out_ + first * size() + i);
    }
  }

 private:
  std::int64_t size() const { return kBytes >= 0 ? kBytes : bytes_; }
  void move(std::int64_t to, const std::uint8_t* from, std::int64_t bytes) const {
    if constexpr (kExist) std::memcpy(out_ + to * size(), from, static_cast<std::size_t>(bytes));
  }

  std::int64_t bytes_;
  const std::uint8_t* source_;
  const std::uint8_t* nothing_;
  std::uint8_t* out_;
};

// Calls function(Pixels<kBytes>) for the size of a pixel.
template <int... kBytes, typename Function>
void with_pixels(const CoarseImage& image, Function function) {
  const std::int64_t bytes = image.out.size() != 0 ? image.out.extent(1) : 0;
  if (!((bytes == kBytes ? (function(Pixels<kBytes>(image)), true) : false) || ...))
    function(Pixels<-1>(image));
}

}  // namespace tilelab::vrs
