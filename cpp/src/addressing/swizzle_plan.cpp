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

// Walks (tuned on x86-64 server cores): a rectangle of so many rows x bytes is finished before the next one.
struct Walk {
  std::int64_t rows;
  std::int64_t bytes;
  std::int64_t ahead_bytes;  // linear distance between a patch and the one prefetched meanwhile
};
constexpr std::array<Walk, 2> kWalks = {{{16, 512, 512}, {32, 256, 512}}};  // by CopyDirection

// Boxes of this size do not stay in the caches: their lines are written without being read first.
constexpr std::int64_t kStreamBytes = std::int64_t{8} << 20;

// Everything that the strips of one copy share. Coordinates include the place in the tail.
class BoxCopy {
 public:
  BoxCopy(const PlaneLayout& layout, int mip, const AddressTables& tables, const PatchPlan& patch,
          CopyDirection direction, std::uint8_t* linear, std::int64_t row_bytes, std::int64_t slice_bytes,
          std::uint8_t* tiled, const Box& box)
      : equation_(layout.equation),
        tables_(tables),
        patch_(patch),
        walk_(kWalks[static_cast<std::size_t>(direction)]),
        direction_(direction),
        linear_(linear),
        row_bytes_(row_bytes),
        slice_bytes_(slice_bytes),
        tiled_(tiled),
        box_(box),
        chain_bytes_(layout.slice_size_bytes),
        xor_term_(layout.xor_term) {
    const MipLayout& place = layout.mips[static_cast<std::size_t>(mip)];
    base_ = layout.desc.base_offset_bytes + (place.is_mip_tail ? 0 : place.offset_bytes);
    block_row_bytes_ =
        place.is_mip_tail ? 0 : (place.padded_width_elements >> equation_.width_log2) << equation_.block_log2;
    box_.x += place.tail_x;
    box_.y += place.tail_y;
    patch_width_ = std::int64_t{1} << (patch.columns_log2 - equation_.samples_log2);
    patch_height_ = std::int64_t{1} << patch.rows_log2;
    patch_depth_ = std::int64_t{1} << patch.slices_log2;
    strip_height_ = std::max(patch_height_, walk_.rows);
    first_whole_ = std::min(round_up(box_.x, patch_width_), box_.x + box_.width);
    const std::int64_t last_whole =
        std::max((box_.x + box_.width) / patch_width_ * patch_width_, first_whole_);
    for (std::int64_t x = first_whole_; x < last_whole; x += patch_width_) columns_.push_back(column(x, 0));
    for (int p = 0; p < patch.pieces; ++p) {
      const auto i = static_cast<std::size_t>(p);
      piece_offsets_[i] =
          16 * patch.piece_column[i] + patch.piece_row[i] * row_bytes + patch.piece_slice[i] * slice_bytes;
    }
    for (std::int64_t z = 0; z < patch_depth_; ++z) {
      for (std::int64_t y = 0; y < patch_height_; ++y)
        line_offsets_.push_back(y * row_bytes + z * slice_bytes);
    }
    for (int p = 0; p < patch.pieces; ++p) {
      const std::uint32_t line = patch.tiled[static_cast<std::size_t>(p)] & ~63u;
      if (std::find(tiled_lines_.begin(), tiled_lines_.end(), line) == tiled_lines_.end())
        tiled_lines_.push_back(line);
    }
    const auto is_aligned = [](std::int64_t value) { return value % 16 == 0; };
    const std::int64_t bytes = (box.width * box.height * box.depth)
                               << (equation_.element_log2 + equation_.samples_log2);
    if (direction == CopyDirection::kToTiled) {
      stream_ = bytes >= kStreamBytes && is_aligned(std::bit_cast<std::int64_t>(tiled));
    } else {
      stream_ = bytes >= kStreamBytes && is_aligned(row_bytes) && is_aligned(slice_bytes) &&
                is_aligned(std::bit_cast<std::int64_t>(linear_at(first_whole_, box_.y, box_.z)));
    }
  }

  void run(int threads) const {
    const std::int64_t first_strip = box_.y / strip_height_;
    const std::int64_t strips = ceil_div(box_.y + box_.height, strip_height_) - first_strip;
    const std::int64_t first_group = box_.z / patch_depth_;
    const std::int64_t groups = ceil_div(box_.z + box_.depth, patch_depth_) - first_group;
    // Strips begin at patch boundaries, so no two of them write to one line of tiled memory.
    parallel_for(strips * groups, 1, threads, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        copy_strip((first_group + i / strips) * patch_depth_, (first_strip + i % strips) * strip_height_);
      }
    });
  }

 private:
  TiledPlace column(std::int64_t x, std::int64_t sample) const {
    return {(x >> equation_.width_log2) << equation_.block_log2, tables_.of_x(x) ^ tables_.of_sample(sample)};
  }

  TiledPlace row(std::int64_t y, std::int64_t z) const {
    return {
        base_ + (z >> equation_.depth_log2) * chain_bytes_ + (y >> equation_.height_log2) * block_row_bytes_,
        tables_.of_y(y) ^ tables_.of_z(z) ^ xor_term_};
  }

  std::uint8_t* linear_at(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return linear_ + (z - box_.z) * slice_bytes_ + (y - box_.y) * row_bytes_ +
           ((x - box_.x) << (equation_.element_log2 + equation_.samples_log2));
  }

  // Rows [strip_y, strip_y + strip_height) and slices [group_z, group_z + patch_depth), cut to the box.
  void copy_strip(std::int64_t group_z, std::int64_t strip_y) const {
    const std::int64_t z_begin = std::max(group_z, box_.z),
                       z_end = std::min(group_z + patch_depth_, box_.z + box_.depth);
    const std::int64_t y_begin = std::max(strip_y, box_.y),
                       y_end = std::min(strip_y + strip_height_, box_.y + box_.height);
    const bool whole_depth = z_end - z_begin == patch_depth_;
    std::int64_t y_first = y_end, y_last = y_end;
    if (whole_depth && patch_.network >= 0 && !columns_.empty()) {
      y_first = std::min(round_up(y_begin, patch_height_), y_end);
      y_last = std::max(y_end / patch_height_ * patch_height_, y_first);
    }
    if (y_first < y_last) copy_patches(group_z, y_first, y_last);
    const std::int64_t x_end = box_.x + box_.width;
    const std::int64_t last_whole = first_whole_ + static_cast<std::int64_t>(columns_.size()) * patch_width_;
    for (std::int64_t z = z_begin; z < z_end; ++z) {
      copy_elements(box_.x, x_end, y_begin, y_first, z);
      copy_elements(box_.x, first_whole_, y_first, y_last, z);
      copy_elements(last_whole, x_end, y_first, y_last, z);
      copy_elements(box_.x, x_end, y_last, y_end, z);
    }
  }

  void copy_patches(std::int64_t z, std::int64_t y_first, std::int64_t y_last) const {
    std::array<TiledPlace, 64> rows;
    const std::int64_t row_count = (y_last - y_first) / patch_height_;
    for (std::int64_t i = 0; i < row_count; ++i)
      rows[static_cast<std::size_t>(i)] = row(y_first + i * patch_height_, z);
    const std::int64_t patch_bytes = std::int64_t{1} << (patch_.columns_log2 + equation_.element_log2);
    std::uint8_t* linear = linear_at(first_whole_, y_first, z);
    // Windows of 16-byte patches begin where lines of linear memory do.
    const std::int64_t to_line = -std::bit_cast<std::int64_t>(linear) & 63;
    const Strip strip = {&patch_,
                         linear,
                         patch_height_ * row_bytes_,
                         patch_bytes,
                         piece_offsets_.data(),
                         line_offsets_.data(),
                         static_cast<int>(line_offsets_.size()),
                         tiled_lines_.data(),
                         static_cast<int>(tiled_lines_.size()),
                         tiled_,
                         columns_.data(),
                         static_cast<std::int64_t>(columns_.size()),
                         rows.data(),
                         row_count,
                         std::max<std::int64_t>(1, walk_.bytes / patch_bytes),
                         std::max<std::int64_t>(1, walk_.ahead_bytes / patch_bytes),
                         patch_bytes == 16 ? to_line / 16 : 0,
                         stream_};
    direction_ == CopyDirection::kToTiled ? copy_strip_to_tiled(strip) : copy_strip_to_linear(strip);
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
          if (direction_ == CopyDirection::kToTiled) {
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
  std::uint8_t* linear_;
  std::int64_t row_bytes_, slice_bytes_;
  std::uint8_t* tiled_;
  Box box_;
  std::int64_t chain_bytes_;
  std::uint32_t xor_term_;
  std::int64_t base_, block_row_bytes_;
  std::int64_t patch_width_, patch_height_, patch_depth_, strip_height_, first_whole_;
  std::vector<TiledPlace> columns_;
  std::array<std::int64_t, PatchPlan::kMaxPieces> piece_offsets_{};
  std::vector<std::int64_t> line_offsets_;
  std::vector<std::uint32_t> tiled_lines_;
  bool stream_ = false;
};

void check_box(const PlaneLayout& layout, int mip, const Box& box) {
  const MipLayout& place = layout.mips[static_cast<std::size_t>(mip)];
  const auto check = [](const char* name, std::int64_t start, std::int64_t length, std::int64_t size) {
    require(start >= 0 && length >= 0 && start <= size && length <= size - start, name,
            ("must lie in [0, " + std::to_string(size) + ")").c_str(),
            std::to_string(start) + " with a length of " + std::to_string(length));
  };
  check("x", box.x, box.width, place.width_elements);
  check("y", box.y, box.height, place.height_elements);
  check(layout.is_volume() ? "z" : "array_slice", box.z, box.depth, place.depth_or_array_size);
}

// LINEAR planes: rows as they are.
template <typename CopyRow>
void copy_rows(const PlaneLayout& layout, int mip, const Box& box, int threads, CopyRow copy_row) {
  const MipLayout& place = layout.mips[static_cast<std::size_t>(mip)];
  parallel_for(box.depth * box.height, 64, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t z = i / box.height, y = i % box.height;
      const std::int64_t offset = layout.desc.base_offset_bytes + (box.z + z) * layout.slice_size_bytes +
                                  place.offset_bytes + (box.y + y) * place.pitch_bytes +
                                  (box.x << layout.element_log2);
      copy_row(z, y, offset, static_cast<std::size_t>(box.width) << layout.element_log2);
    }
  });
}

}  // namespace

SwizzlePlan::SwizzlePlan(const PlaneLayout& layout, int mip)
    : layout_(layout), mip_(mip), tables_(layout.equation) {
  require(mip >= 0 && mip < layout.desc.mip_levels, "mip",
          ("must be in [0, " + std::to_string(layout.desc.mip_levels - 1) + "]").c_str(), mip);
  if (layout.is_linear()) return;
  for (const auto direction : {CopyDirection::kToTiled, CopyDirection::kToLinear}) {
    patches_[static_cast<std::size_t>(direction)] = plan_patch(layout.equation, direction);
  }
}

void SwizzlePlan::swizzle(const LinearImage<const std::uint8_t>& image, std::uint8_t* tiled, const Box& box,
                          int threads) const {
  check_box(layout_, mip_, box);
  if (box.width == 0 || box.height == 0 || box.depth == 0) return;
  if (layout_.is_linear()) {
    copy_rows(layout_, mip_, box, threads,
              [&](std::int64_t z, std::int64_t y, std::int64_t offset, std::size_t bytes) {
                std::memcpy(tiled + offset, image.data + z * image.slice_bytes + y * image.row_bytes, bytes);
              });
    return;
  }
  // The walk is the same in both directions; the linear side is only read in this one.
  auto* linear = const_cast<std::uint8_t*>(image.data);
  BoxCopy(layout_, mip_, tables_, patches_[0], CopyDirection::kToTiled, linear, image.row_bytes,
          image.slice_bytes, tiled, box)
      .run(threads);
}

void SwizzlePlan::deswizzle(const std::uint8_t* tiled, const LinearImage<std::uint8_t>& image, const Box& box,
                            int threads) const {
  check_box(layout_, mip_, box);
  if (box.width == 0 || box.height == 0 || box.depth == 0) return;
  if (layout_.is_linear()) {
    copy_rows(layout_, mip_, box, threads,
              [&](std::int64_t z, std::int64_t y, std::int64_t offset, std::size_t bytes) {
                std::memcpy(image.data + z * image.slice_bytes + y * image.row_bytes, tiled + offset, bytes);
              });
    return;
  }
  auto* source = const_cast<std::uint8_t*>(tiled);  // only read in this direction
  BoxCopy(layout_, mip_, tables_, patches_[1], CopyDirection::kToLinear, image.data, image.row_bytes,
          image.slice_bytes, source, box)
      .run(threads);
}

}  // namespace tilelab::addressing
