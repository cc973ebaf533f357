#include "tilelab/addressing/swizzle_plan.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "addressing/patch_plan.hpp"
#include "addressing/strip_kernel.hpp"
#include "tilelab/core/bits.hpp"
#include "tilelab/core/error.hpp"
#include "tilelab/core/parallel.hpp"

namespace tilelab::addressing {
namespace {

// Walks (tuned on x86-64 server cores): a rectangle of so many slices, rows and bytes of a row is finished
// before the next one; `ahead_bytes` is the linear distance between a patch and the one fetched meanwhile.
struct Walk {
  std::int64_t slices, rows, bytes, ahead_bytes;
};
constexpr Walk kThinToTiled = {.slices = 1, .rows = 64, .bytes = 1 << 16, .ahead_bytes = 1024};
constexpr Walk kThickToTiled = {.slices = 32, .rows = 64, .bytes = 1 << 16, .ahead_bytes = 512};
constexpr Walk kLargeBlockToLinear = {.slices = 1, .rows = 64, .bytes = 512, .ahead_bytes = 1024};

// To linear, blocks up to this size are rectangles of their own (small ones in rows of this size, narrow ones
// in rows of this width): then tiled memory is read from end to end.
constexpr int kRectangleLog2 = 16;
constexpr int kRectangleWidthLog2 = 8;

// Boxes of this size do not stay in the caches: their lines are written without being read first.
constexpr std::int64_t kStreamBytes = std::int64_t{8} << 20;

const Walk& choose_walk(CopyDirection direction, const AddressEquation& equation) {
  if (direction == CopyDirection::kDeswizzle) return kLargeBlockToLinear;
  return equation.depth_log2 > 0 ? kThickToTiled : kThinToTiled;
}

// Everything that the strips of one copy share. Coordinates include the place in the tail.
class BoxCopy {
 public:
  BoxCopy(const PlaneLayout& layout, int mip, const AddressTables& tables, const PatchPlan& patch,
          CopyDirection direction, const LinearImage<std::uint8_t>& image, std::uint8_t* tiled,
          const Box& box)
      : equation_(layout.equation),
        tables_(tables),
        patch_(patch),
        walk_(choose_walk(direction, layout.equation)),
        direction_(direction),
        image_(image),
        tiled_(tiled),
        box_(box),
        chain_bytes_(layout.slice_size_bytes),
        xor_term_(layout.xor_term) {
    const MipLayout& place = layout.mips[static_cast<std::size_t>(mip)];
    base_ = layout.desc.base_offset_bytes + (place.is_mip_tail ? 0 : place.offset_bytes);
    block_row_bytes_ =
        place.is_mip_tail ? 0 : (place.padded_width_elements >> equation_.width_log2) << equation_.block_log2;
    box_.x += place.tail_x_elements;
    box_.y += place.tail_y_elements;
    patch_width_ = std::int64_t{1} << (patch.columns_log2 - equation_.samples_log2);
    patch_height_ = std::int64_t{1} << patch.rows_log2;
    patch_depth_ = std::int64_t{1} << patch.slices_log2;
    strip_height_ = std::max(patch_height_, walk_.rows);
    strip_depth_ = std::max(patch_depth_, std::min(walk_.slices, std::int64_t{1} << equation_.depth_log2));
    const std::int64_t patch_bytes = std::int64_t{1} << (patch.columns_log2 + equation_.element_log2);
    rectangle_columns_ = std::max<std::int64_t>(1, walk_.bytes / patch_bytes);
    if (direction == CopyDirection::kDeswizzle && equation_.block_log2 <= kRectangleLog2) {
      // A rectangle is a block, or a row of small ones: one run of tiled memory.
      strip_height_ = std::int64_t{1} << equation_.height_log2;
      strip_depth_ = std::int64_t{1} << equation_.depth_log2;
      const int width_bytes_log2 = equation_.width_log2 + equation_.samples_log2 + equation_.element_log2;
      const int blocks_log2 =
          std::max(kRectangleLog2 - equation_.block_log2, kRectangleWidthLog2 - width_bytes_log2);
      tiled_ahead_ = std::int64_t{1} << (equation_.block_log2 + blocks_log2);
      rectangle_columns_ = (std::int64_t{1} << (equation_.width_log2 + blocks_log2)) / patch_width_;
    }
    first_whole_ = std::min(round_up(box_.x, patch_width_), box_.x + box_.width);
    const std::int64_t last_whole =
        std::max((box_.x + box_.width) / patch_width_ * patch_width_, first_whole_);
    for (std::int64_t x = first_whole_; x < last_whole; x += patch_width_) columns_.push_back(column(x, 0));
    for (int p = 0; p < patch.pieces; ++p) {
      const auto i = static_cast<std::size_t>(p);
      piece_offsets_[i] = 16 * patch.piece_column[i] + patch.piece_row[i] * image.row_bytes +
                          patch.piece_slice[i] * image.slice_bytes;
    }
    for (std::int64_t z = 0; z < patch_depth_; ++z) {
      for (std::int64_t y = 0; y < patch_height_; ++y)
        line_offsets_.push_back(y * image.row_bytes + z * image.slice_bytes);
    }
    for (int p = 0; p < patch.pieces; ++p) {
      const std::uint32_t line = patch.tiled[static_cast<std::size_t>(p)] & ~63u;
      if (std::find(tiled_lines_.begin(), tiled_lines_.end(), line) == tiled_lines_.end())
        tiled_lines_.push_back(line);
    }
    const auto is_aligned = [](std::int64_t value) { return value % 16 == 0; };
    const std::int64_t bytes = (box.width * box.height * box.depth)
                               << (equation_.element_log2 + equation_.samples_log2);
    if (direction == CopyDirection::kSwizzle) {
      stream_ = bytes >= kStreamBytes && is_aligned(std::bit_cast<std::int64_t>(tiled));
    } else {
      stream_ = bytes >= kStreamBytes && is_aligned(image.row_bytes) && is_aligned(image.slice_bytes) &&
                is_aligned(std::bit_cast<std::int64_t>(linear_at(first_whole_, box_.y, box_.z)));
    }
  }

  void run(int threads) const {
    const std::int64_t first_strip = box_.y / strip_height_;
    const std::int64_t strips = ceil_div(box_.y + box_.height, strip_height_) - first_strip;
    const std::int64_t first_layer = box_.z / strip_depth_;
    const std::int64_t layers = ceil_div(box_.z + box_.depth, strip_depth_) - first_layer;
    // Strips begin at patch boundaries, so no two of them write to one line of tiled memory.
    parallel_for(strips * layers, 1, threads, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        copy_strip((first_layer + i / strips) * strip_depth_, (first_strip + i % strips) * strip_height_);
      }
    });
  }

 private:
  TiledPlace column(std::int64_t x, std::int64_t sample) const {
    return {.block = (x >> equation_.width_log2) << equation_.block_log2,
            .inside = tables_.of_x(x) ^ tables_.of_sample(sample)};
  }

  TiledPlace row(std::int64_t y, std::int64_t z) const {
    return {.block = base_ + (z >> equation_.depth_log2) * chain_bytes_ +
                     (y >> equation_.height_log2) * block_row_bytes_,
            .inside = tables_.of_y(y) ^ tables_.of_z(z) ^ xor_term_};
  }

  std::uint8_t* linear_at(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return image_.data + (z - box_.z) * image_.slice_bytes + (y - box_.y) * image_.row_bytes +
           ((x - box_.x) << (equation_.element_log2 + equation_.samples_log2));
  }

  // Rows [strip_y, strip_y + strip_height) and slices [strip_z, strip_z + strip_depth), cut to the box.
  void copy_strip(std::int64_t strip_z, std::int64_t strip_y) const {
    const Range z = cut(strip_z, strip_depth_, box_.z, box_.depth),
                y = cut(strip_y, strip_height_, box_.y, box_.height);
    Range whole_z = whole_patches(z, patch_depth_), whole_y = whole_patches(y, patch_height_);
    if (patch_.network < 0 || columns_.empty() || whole_z.begin == whole_z.end ||
        whole_y.begin == whole_y.end) {
      whole_z = {.begin = z.end, .end = z.end};
    } else {
      copy_patches(whole_z, whole_y);
    }
    const std::int64_t x_end = box_.x + box_.width;
    const std::int64_t last_whole = first_whole_ + static_cast<std::int64_t>(columns_.size()) * patch_width_;
    for (std::int64_t slice = z.begin; slice < z.end; ++slice) {
      if (slice < whole_z.begin || slice >= whole_z.end) {
        copy_elements(box_.x, x_end, y.begin, y.end, slice);
        continue;
      }
      copy_elements(box_.x, x_end, y.begin, whole_y.begin, slice);
      copy_elements(box_.x, first_whole_, whole_y.begin, whole_y.end, slice);
      copy_elements(last_whole, x_end, whole_y.begin, whole_y.end, slice);
      copy_elements(box_.x, x_end, whole_y.end, y.end, slice);
    }
  }

  struct Range {
    std::int64_t begin, end;
  };

  static Range cut(std::int64_t start, std::int64_t length, std::int64_t box_start, std::int64_t box_length) {
    return {.begin = std::max(start, box_start), .end = std::min(start + length, box_start + box_length)};
  }

  static Range whole_patches(const Range& range, std::int64_t patch) {
    const std::int64_t begin = std::min(round_up(range.begin, patch), range.end);
    return {.begin = begin, .end = std::max(range.end / patch * patch, begin)};
  }

  void copy_patches(const Range& z, const Range& y) const {
    std::vector<PatchRow> rows;
    rows.reserve(
        static_cast<std::size_t>((z.end - z.begin) / patch_depth_ * ((y.end - y.begin) / patch_height_)));
    for (std::int64_t slice = z.begin; slice < z.end; slice += patch_depth_) {
      for (std::int64_t line = y.begin; line < y.end; line += patch_height_)
        rows.push_back(
            {.place = row(line, slice),
             .linear_offset = (slice - z.begin) * image_.slice_bytes + (line - y.begin) * image_.row_bytes});
    }
    const std::int64_t patch_bytes = std::int64_t{1} << (patch_.columns_log2 + equation_.element_log2);
    std::uint8_t* linear = linear_at(first_whole_, y.begin, z.begin);
    // Windows of 16-byte patches begin where lines of linear memory do.
    const std::int64_t to_line = -std::bit_cast<std::int64_t>(linear) & 63;
    const auto patch_columns = static_cast<std::int64_t>(columns_.size());
    const Strip strip = {
        .patch = &patch_,
        .linear = linear,
        .patch_column_bytes = patch_bytes,
        .piece_offsets = piece_offsets_.data(),
        .line_offsets = line_offsets_.data(),
        .lines = static_cast<int>(line_offsets_.size()),
        .tiled_lines = tiled_lines_.data(),
        .tiled_line_count = static_cast<int>(tiled_lines_.size()),
        .tiled = tiled_,
        .columns = columns_.data(),
        .column_count = patch_columns,
        .rows = rows.data(),
        .row_count = static_cast<std::int64_t>(rows.size()),
        .rectangle_columns = rectangle_columns_,
        .ahead = std::clamp<std::int64_t>(walk_.ahead_bytes / patch_bytes, 1, patch_columns),
        .tiled_ahead = tiled_ahead_,
        .first_columns = patch_bytes == 16 ? to_line / 16 : 0,
        .stream = stream_,
    };
    direction_ == CopyDirection::kSwizzle ? copy_strip_to_tiled(strip) : copy_strip_to_linear(strip);
  }

  void copy_elements(std::int64_t x_begin, std::int64_t x_end, std::int64_t y_begin, std::int64_t y_end,
                     std::int64_t z) const {
    if (x_begin >= x_end) return;
    switch (equation_.element_log2) {
      case 0:
        return copy_sized<1>(x_begin, x_end, y_begin, y_end, z);
      case 1:
        return copy_sized<2>(x_begin, x_end, y_begin, y_end, z);
      case 2:
        return copy_sized<4>(x_begin, x_end, y_begin, y_end, z);
      case 3:
        return copy_sized<8>(x_begin, x_end, y_begin, y_end, z);
      default:
        return copy_sized<16>(x_begin, x_end, y_begin, y_end, z);
    }
  }

  template <std::size_t kBytes>
  void copy_sized(std::int64_t x_begin, std::int64_t x_end, std::int64_t y_begin, std::int64_t y_end,
                  std::int64_t z) const {
    const std::int64_t samples = std::int64_t{1} << equation_.samples_log2;
    for (std::int64_t y = y_begin; y < y_end; ++y) {
      const TiledPlace place = row(y, z);
      std::uint8_t* linear = linear_at(x_begin, y, z);
      for (std::int64_t x = x_begin; x < x_end; ++x) {
        for (std::int64_t sample = 0; sample < samples; ++sample, linear += kBytes) {
          const TiledPlace across = column(x, sample);
          std::uint8_t* tiled = tiled_ + place.block + across.block + (place.inside ^ across.inside);
          if (direction_ == CopyDirection::kSwizzle) {
            std::memcpy(tiled, linear, kBytes);
          } else {
            std::memcpy(linear, tiled, kBytes);
          }
        }
      }
    }
  }

  const AddressEquation& equation_;
  const AddressTables& tables_;
  const PatchPlan& patch_;
  const Walk& walk_;
  CopyDirection direction_;
  LinearImage<std::uint8_t> image_;
  std::uint8_t* tiled_;
  Box box_;
  std::int64_t chain_bytes_;
  std::uint32_t xor_term_;
  std::int64_t base_, block_row_bytes_;
  std::int64_t patch_width_, patch_height_, patch_depth_, strip_height_, strip_depth_, first_whole_;
  std::int64_t rectangle_columns_ = 1, tiled_ahead_ = 0;
  std::vector<TiledPlace> columns_;
  std::array<std::int64_t, PatchPlan::kMaxPieces> piece_offsets_{};
  std::vector<std::int64_t> line_offsets_;
  std::vector<std::uint32_t> tiled_lines_;
  bool stream_ = false;
};

void check_copy(const PlaneLayout& layout, int mip, const Box& box, ArrayView<const std::uint8_t, 1> tiled) {
  const MipLayout& place = layout.mips[static_cast<std::size_t>(mip)];
  const auto check = [](const char* name, std::int64_t start, std::int64_t length, std::int64_t size) {
    require(start >= 0 && length >= 0 && start <= size && length <= size - start, name,
            ("must lie in [0, " + std::to_string(size) + ")").c_str(),
            std::to_string(start) + " with a length of " + std::to_string(length));
  };
  check("x", box.x, box.width, place.width_elements);
  check("y", box.y, box.height, place.height_elements);
  check(layout.is_volume() ? "z" : "array_slice", box.z, box.depth, place.depth_or_array_size);
  require(tiled.size() >= layout.end_bytes(), "tiled", "must hold the plane", tiled.size());
}

// LINEAR planes: rows as they are.
void copy_rows(const PlaneLayout& layout, int mip, CopyDirection direction,
               const LinearImage<std::uint8_t>& image, std::uint8_t* tiled, const Box& box, int threads) {
  const MipLayout& place = layout.mips[static_cast<std::size_t>(mip)];
  const std::size_t bytes = static_cast<std::size_t>(box.width) << layout.element_log2;
  parallel_for(box.depth * box.height, 64, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t z = i / box.height, y = i % box.height;
      std::uint8_t* linear = image.data + z * image.slice_bytes + y * image.row_bytes;
      std::uint8_t* row = tiled + layout.desc.base_offset_bytes + (box.z + z) * layout.slice_size_bytes +
                          place.offset_bytes + (box.y + y) * place.pitch_bytes +
                          (box.x << layout.element_log2);
      if (direction == CopyDirection::kSwizzle) {
        std::memcpy(row, linear, bytes);
      } else {
        std::memcpy(linear, row, bytes);
      }
    }
  });
}

}  // namespace

SwizzlePlan::SwizzlePlan(const PlaneLayout& layout, int mip)
    : layout_(layout), mip_(mip), tables_(layout.equation) {
  require(mip >= 0 && mip < layout.desc.mip_levels, "mip",
          ("must be in [0, " + std::to_string(layout.desc.mip_levels - 1) + "]").c_str(), mip);
  if (layout.is_linear()) return;
  for (const auto direction : {CopyDirection::kSwizzle, CopyDirection::kDeswizzle}) {
    patches_[static_cast<std::size_t>(direction)] = plan_patch(layout.equation, direction);
  }
}

void SwizzlePlan::swizzle(const LinearImage<const std::uint8_t>& image, ArrayView<std::uint8_t, 1> tiled,
                          const Box& box, int threads) const {
  check_copy(layout_, mip_, box, tiled);
  // The walk is the same in both directions; the linear side is only read in this one.
  copy(CopyDirection::kSwizzle,
       {.data = const_cast<std::uint8_t*>(image.data),
        .row_bytes = image.row_bytes,
        .slice_bytes = image.slice_bytes},
       tiled.data(), box, threads);
}

void SwizzlePlan::deswizzle(ArrayView<const std::uint8_t, 1> tiled, const LinearImage<std::uint8_t>& image,
                            const Box& box, int threads) const {
  check_copy(layout_, mip_, box, tiled);
  // Only read in this direction.
  copy(CopyDirection::kDeswizzle, image, const_cast<std::uint8_t*>(tiled.data()), box, threads);
}

void SwizzlePlan::copy(CopyDirection direction, const LinearImage<std::uint8_t>& image, std::uint8_t* tiled,
                       const Box& box, int threads) const {
  if (box.width == 0 || box.height == 0 || box.depth == 0) return;
  if (layout_.is_linear()) {
    copy_rows(layout_, mip_, direction, image, tiled, box, threads);
    return;
  }
  const PatchPlan& patch = patches_[static_cast<std::size_t>(direction)];
  BoxCopy(layout_, mip_, tables_, patch, direction, image, tiled, box).run(threads);
}

}  // namespace tilelab::addressing
