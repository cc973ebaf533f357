#include "tilelab/lighting/apply.hpp"

#include <cstring>
#include <string>

#include "lighting/extents_text.hpp"
#include "tilelab/core/bits.hpp"
#include "tilelab/core/error.hpp"
#include "tilelab/core/parallel.hpp"

namespace tilelab::lighting {
namespace {

struct Pixel {
  std::int64_t x, y;
  std::uint32_t copies;
};

/// Calls visit(index, pixel) for every record, rows of tiles spread over the threads.
template <typename Visit>
void for_each_record(const RecordList& list, int threads, Visit visit) {
  const std::int64_t tile_columns = ceil_div(list.width, kTile);
  parallel_for(ceil_div(list.height, kTile), 1, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t tile = begin * tile_columns; tile < end * tile_columns; ++tile) {
      const std::int64_t left = tile % tile_columns * kTile, top = tile / tile_columns * kTile;
      for (std::int64_t i = list.offsets(tile); i < list.offsets(tile + 1); ++i) {
        const std::uint32_t record = list.records(i);
        visit(i, Pixel{.x = left + (record & kCoordinateMask),
                       .y = top + (record >> kYShift & kCoordinateMask),
                       .copies = record >> kCopyShift & (kCopyX | kCopyY | kCopyXY)});
      }
    }
  });
}

/// Copies values of a size known at compile time, 0 for any size.
template <std::size_t kBytes>
struct Copier {
  std::size_t bytes;
  void operator()(std::uint8_t* to, const std::uint8_t* from) const {
    std::memcpy(to, from, kBytes == 0 ? bytes : kBytes);
  }
};

template <typename Apply>
void with_copier(std::int64_t bytes, Apply apply) {
  switch (bytes) {
    case 1:
      return apply(Copier<1>{1});
    case 2:
      return apply(Copier<2>{2});
    case 4:
      return apply(Copier<4>{4});
    case 8:
      return apply(Copier<8>{8});
    case 12:
      return apply(Copier<12>{12});
    case 16:
      return apply(Copier<16>{16});
    default:
      return apply(Copier<0>{static_cast<std::size_t>(bytes)});
  }
}

/// Checks that a value of each record and a pixel of the image are of the same size, and gives it in bytes.
std::int64_t check_moves(const RecordList& list, ArrayView<const std::uint8_t, 3> image,
                         ArrayView<const std::uint8_t, 2> values) {
  check_records(list);
  require(image.extent(0) == list.height && image.extent(1) == list.width, "image",
          "must have the extents of the scan", extents_text(image.extent(0), image.extent(1)));
  require(values.extent(0) == list.records.extent(0) && values.extent(1) == image.extent(2), "values",
          "must hold one pixel per record", extents_text(values.extent(0), values.extent(1)));
  return image.extent(2);
}

}  // namespace

void check_records(const RecordList& list) {
  const std::int64_t tiles = ceil_div(list.height, kTile) * ceil_div(list.width, kTile);
  require(list.offsets.extent(0) == tiles + 1, "offsets", "must have one entry more than tiles",
          list.offsets.extent(0));
  require(list.offsets(0) == 0, "offsets", "must begin with 0", list.offsets(0));
  require(list.offsets(tiles) == list.records.extent(0), "offsets", "must end with the number of records",
          list.offsets(tiles));
  for (std::int64_t tile = 0; tile < tiles; ++tile) {
    require(list.offsets(tile) <= list.offsets(tile + 1), "offsets", "must not descend",
            list.offsets(tile + 1));
  }
  // Coordinates and copies cannot leave their tile, so only tiles cut off by the border need a look.
  const std::int64_t tile_columns = ceil_div(list.width, kTile);
  for (std::int64_t tile = 0; tile < tiles; ++tile) {
    const std::int64_t columns = list.width - tile % tile_columns * kTile;
    const std::int64_t rows = list.height - tile / tile_columns * kTile;
    if (columns >= kTile && rows >= kTile) continue;
    for (std::int64_t i = list.offsets(tile); i < list.offsets(tile + 1); ++i) {
      const std::uint32_t record = list.records(i), copies = record >> kCopyShift;
      const std::uint32_t x = record & kCoordinateMask, y = record >> kYShift & kCoordinateMask;
      const std::uint32_t right = (copies & (kCopyX | kCopyXY)) != 0 ? x | 1 : x;
      const std::uint32_t bottom = (copies & (kCopyY | kCopyXY)) != 0 ? y | 1 : y;
      if (right >= columns || bottom >= rows) {
        throw ArgumentError("records", "must stay inside the image", "record " + std::to_string(i));
      }
    }
  }
}

void record_pixels(const RecordList& list, ArrayView<std::int32_t, 1> x, ArrayView<std::int32_t, 1> y,
                   int threads) {
  check_records(list);
  require(x.extent(0) == list.records.extent(0) && y.extent(0) == list.records.extent(0), "x",
          "must hold one entry per record", x.extent(0));
  for_each_record(list, threads, [&](std::int64_t i, const Pixel& pixel) {
    x(i) = static_cast<std::int32_t>(pixel.x);
    y(i) = static_cast<std::int32_t>(pixel.y);
  });
}

void gather_pixels(const RecordList& list, ArrayView<const std::uint8_t, 3> image,
                   ArrayView<std::uint8_t, 2> values, int threads) {
  const std::int64_t bytes = check_moves(list, image, values);
  with_copier(bytes, [&](auto copy) {
    for_each_record(list, threads, [&](std::int64_t i, const Pixel& pixel) {
      copy(values.data() + i * bytes, image.data() + (pixel.y * list.width + pixel.x) * bytes);
    });
  });
}

void fill_pixels(const RecordList& list, ArrayView<const std::uint8_t, 2> values,
                 ArrayView<std::uint8_t, 3> image, int threads) {
  const std::int64_t bytes = check_moves(list, image, values);
  with_copier(bytes, [&](auto copy) {
    for_each_record(list, threads, [&](std::int64_t i, const Pixel& pixel) {
      const std::uint8_t* from = values.data() + i * bytes;
      const auto write = [&](std::int64_t x, std::int64_t y) {
        copy(image.data() + (y * list.width + x) * bytes, from);
      };
      write(pixel.x, pixel.y);
      if ((pixel.copies & kCopyX) != 0) write(pixel.x ^ 1, pixel.y);
      if ((pixel.copies & kCopyY) != 0) write(pixel.x, pixel.y ^ 1);
      if ((pixel.copies & kCopyXY) != 0) write(pixel.x ^ 1, pixel.y ^ 1);
    });
  });
}

}  // namespace tilelab::lighting
