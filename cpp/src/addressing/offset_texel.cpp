// The inverse of the address equation: a GF(2) system solved once, then two table lookups a byte.
#include <algorithm>
#include <bit>
#include <string>

#include "tilelab/addressing/texel_address.hpp"
#include "tilelab/core/error.hpp"
#include "tilelab/core/parallel.hpp"

namespace tilelab::addressing {
namespace {

constexpr std::int64_t kGrain = 1 << 14;

// Coordinates inside a block, packed: x, y, z, sample in 16 bits each.
constexpr int kFieldBits = 16;

std::uint64_t pack(int axis, int bit) { return std::uint64_t{1} << (kFieldBits * axis + bit); }

// Inverse of "coordinates inside the block -> offset bits": images of single offset bits, from which tables
// are made.
class BlockInverse {
 public:
  explicit BlockInverse(const AddressEquation& equation) : element_log2_(equation.element_log2) {
    struct Row {
      std::uint32_t offset;       // image of a set of coordinate bits
      std::uint64_t coordinates;  // that set
    };
    std::vector<Row> rows;
    const std::array<int, 4> counts = {equation.width_log2, equation.height_log2, equation.depth_log2,
                                       equation.samples_log2};
    constexpr std::array<std::uint32_t AxisMasks::*, 4> kAxes = {&AxisMasks::x, &AxisMasks::y, &AxisMasks::z,
                                                                 &AxisMasks::sample};
    for (int axis = 0; axis < 4; ++axis) {
      for (int bit = 0; bit < counts[static_cast<std::size_t>(axis)]; ++bit) {
        std::uint32_t image = 0;
        for (std::size_t b = 0; b < equation.bits.size(); ++b) {
          if ((equation.bits[b].*kAxes[static_cast<std::size_t>(axis)] >> bit & 1) != 0) image |= 1u << b;
        }
        rows.push_back({.offset = image >> element_log2_, .coordinates = pack(axis, bit)});
      }
    }
    // Gauss-Jordan: row k becomes the set of coordinates whose image is offset bit k alone.
    for (std::size_t column = 0; column < rows.size(); ++column) {
      const auto pivot = std::find_if(rows.begin() + static_cast<std::ptrdiff_t>(column), rows.end(),
                                      [column](const Row& row) { return (row.offset >> column & 1) != 0; });
      if (pivot == rows.end()) throw std::logic_error("address equation is not invertible");
      std::iter_swap(rows.begin() + static_cast<std::ptrdiff_t>(column), pivot);
      for (std::size_t other = 0; other < rows.size(); ++other) {
        if (other == column || (rows[other].offset >> column & 1) == 0) continue;
        rows[other].offset ^= rows[column].offset;
        rows[other].coordinates ^= rows[column].coordinates;
      }
    }
    for (std::size_t half = 0; half < 2; ++half) {
      for (std::size_t i = 1; i < kHalf; ++i) {
        const std::size_t bit = half * kHalfBits + static_cast<std::size_t>(std::countr_zero(i));
        tables_[half][i] = tables_[half][i & (i - 1)] ^ (bit < rows.size() ? rows[bit].coordinates : 0);
      }
    }
  }

  std::uint64_t solve(std::uint32_t offset) const {
    const std::uint32_t value = offset >> element_log2_;
    return tables_[0][value & (kHalf - 1)] ^ tables_[1][value >> kHalfBits];
  }

 private:
  static constexpr std::size_t kHalfBits = 10;
  static constexpr std::size_t kHalf = 1 << kHalfBits;

  int element_log2_;
  std::array<std::array<std::uint64_t, kHalf>, 2> tables_{};
};

constexpr TexelCoordinates kPadding = {
    .x = -1, .y = -1, .z = -1, .array_slice = -1, .mip = -1, .sample = -1, .valid = false};

class InverseAddress {
 public:
  explicit InverseAddress(const PlaneLayout& layout)
      : layout_(layout), tables_(layout.equation), inverse_(layout.equation), mips_(layout.desc.mip_levels) {}

  TexelCoordinates at(std::int64_t offset) const {
    offset -= layout_.desc.base_offset_bytes;
    const std::int64_t unit =
        layout_.slice_size_bytes == layout_.size_bytes ? 0 : offset / layout_.slice_size_bytes;
    std::int64_t rest = offset - unit * layout_.slice_size_bytes;
    const AddressEquation& equation = layout_.equation;
    if (layout_.standard_mip_count < mips_ && rest < layout_.base_alignment_bytes) return in_tail(unit, rest);
    int mip = 0;
    while (rest < layout_.mips[static_cast<std::size_t>(mip)].offset_bytes) ++mip;
    const MipLayout& place = layout_.mips[static_cast<std::size_t>(mip)];
    rest -= place.offset_bytes;
    if (layout_.is_linear()) {
      const std::int64_t y = rest / place.pitch_bytes;
      return checked(mip, (rest - y * place.pitch_bytes) >> layout_.element_log2, y, unit, 0);
    }
    const std::int64_t block = rest >> equation.block_log2;
    const std::int64_t row = block / (place.padded_width_elements >> equation.width_log2);
    const std::int64_t column = block - row * (place.padded_width_elements >> equation.width_log2);
    const std::int64_t x = column << equation.width_log2, y = row << equation.height_log2;
    const std::uint64_t inside = solve(rest, x, y, unit);
    return checked(mip, x + field(inside, 0), y + field(inside, 1),
                   (unit << equation.depth_log2) + field(inside, 2), field(inside, 3));
  }

 private:
  static std::int64_t field(std::uint64_t packed, int axis) {
    return static_cast<std::int64_t>(packed >> (kFieldBits * axis) & ((1u << kFieldBits) - 1));
  }

  // Coordinates inside the block at (x, y, unit), whose own coordinates take part in the XOR.
  std::uint64_t solve(std::int64_t rest, std::int64_t x, std::int64_t y, std::int64_t unit) const {
    const auto inside = static_cast<std::uint32_t>(rest & (layout_.base_alignment_bytes - 1));
    return inverse_.solve(inside ^ layout_.xor_term ^ tables_.of_x(x) ^ tables_.of_y(y) ^
                          tables_.of_z(unit << layout_.equation.depth_log2));
  }

  TexelCoordinates in_tail(std::int64_t unit, std::int64_t rest) const {
    const std::uint64_t inside = solve(rest, 0, 0, unit);
    const std::int64_t z = (unit << layout_.equation.depth_log2) + field(inside, 2);
    for (int mip = layout_.standard_mip_count; mip < mips_; ++mip) {
      const MipLayout& place = layout_.mips[static_cast<std::size_t>(mip)];
      const TexelCoordinates texel = checked(mip, field(inside, 0) - place.tail_x_elements,
                                             field(inside, 1) - place.tail_y_elements, z, field(inside, 3));
      if (texel.valid) return texel;
    }
    return kPadding;
  }

  TexelCoordinates checked(int mip, std::int64_t x, std::int64_t y, std::int64_t z,
                           std::int64_t sample) const {
    const MipLayout& place = layout_.mips[static_cast<std::size_t>(mip)];
    const bool valid = x >= 0 && x < place.width_elements && y >= 0 && y < place.height_elements &&
                       z < place.depth_or_array_size;
    if (!valid) return kPadding;
    const bool volume = layout_.is_volume();
    return {.x = static_cast<std::int32_t>(x),
            .y = static_cast<std::int32_t>(y),
            .z = static_cast<std::int32_t>(volume ? z : 0),
            .array_slice = static_cast<std::int32_t>(volume ? 0 : z),
            .mip = mip,
            .sample = static_cast<std::int32_t>(sample),
            .valid = true};
  }

  const PlaneLayout& layout_;
  AddressTables tables_;
  BlockInverse inverse_;
  int mips_;
};

}  // namespace

void offset_texel(const PlaneLayout& layout, ArrayView<const std::int64_t, 1> offset_bytes,
                  ArrayView<TexelCoordinates, 1> out, int threads) {
  const std::int64_t count = offset_bytes.size();
  require(out.size() == count, "out", "must have one record for each offset", out.size());
  const std::int64_t first = layout.desc.base_offset_bytes, past = layout.end_bytes();
  const std::int64_t* offsets = offset_bytes.data();
  const auto* outside = std::find_if(offsets, offsets + count,
                                     [&](std::int64_t offset) { return offset < first || offset >= past; });
  if (outside != offsets + count) {
    const std::string rule = "must be in [" + std::to_string(first) + ", " + std::to_string(past - 1) +
                             "], the bytes of the plane";
    require(false, "offset_bytes", rule.c_str(), *outside);
  }
  const InverseAddress inverse(layout);
  parallel_for(count, kGrain, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) out.data()[i] = inverse.at(offsets[i]);
  });
}

}  // namespace tilelab::addressing
