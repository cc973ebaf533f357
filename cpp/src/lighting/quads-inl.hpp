// From differences to records: depth codes, grouping of quads, packing. Included once per instruction set.
#if defined(TILELAB_LIGHTING_QUADS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TILELAB_LIGHTING_QUADS_INL
#undef TILELAB_LIGHTING_QUADS_INL
#else
#define TILELAB_LIGHTING_QUADS_INL
#endif

#include <hwy/highway.h>

#include <array>
#include <bit>
#include <cstring>

#include "lighting/compare-inl.hpp"
#include "lighting/quad_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace tilelab::lighting {
namespace HWY_NAMESPACE {

using Floats = hn::RebindToFloat<Words>;
using FloatVec = hn::Vec<Floats>;

HWY_INLINE FloatVec clamp(FloatVec depth) {
  const Floats df;
  return hn::IfThenElseZero(hn::Gt(depth, hn::Zero(df)), hn::Min(depth, hn::Set(df, 1.0f)));
}

/// 21-bit code of a clamped depth, at its place in the record.
HWY_INLINE Word depth_field(FloatVec depth, DepthEncoding encoding) {
  const Words d;
  const Floats df;
  if (encoding == DepthEncoding::kFloat21) {
    const Word bits = hn::BitCast(d, depth);
    const Word odd = hn::And(hn::ShiftRight<10>(bits), hn::Set(d, 1u));
    const Word rounded = hn::ShiftRight<10>(hn::Add(hn::Add(bits, hn::Set(d, 0x1FFu)), odd));
    return hn::ShiftLeft<kDepthShift>(rounded);
  }
  // floor(depth * (2^21 - 1) + 0.5) = whole + floor(part + 0.5 - depth), where whole + part = depth * 2^21
  // and whole is the nearest integer: adding 2^23 leaves it in the low bits. All steps are exact in float32
  // (where the last sum is not, depth is far below it), and the second floor is 0 or -1.
  const hn::RebindToSigned<Words> di;
  const auto shifter = hn::Set(df, 8388608.0f);
  const auto scaled = hn::Mul(depth, hn::Set(df, 2097152.0f));
  const auto shifted = hn::Add(scaled, shifter);
  const auto part = hn::Sub(scaled, hn::Sub(shifted, shifter));
  const auto less = hn::VecFromMask(df, hn::Lt(hn::Add(part, hn::Set(df, 0.5f)), depth));
  return hn::BitCast(d, hn::ShiftLeft<kDepthShift>(hn::Add(hn::BitCast(di, shifted), hn::BitCast(di, less))));
}

/// The differences, replaced in lanes whose 8x8 block has a pattern. Rare, so kept away from the rest; and by
/// value, since what is referred to from elsewhere does not stay in registers.
HWY_INLINE Differences apply_patterns(const std::uint8_t* codes, std::size_t column, Differences sum) {
  const Words d;
  HWY_ALIGN std::uint32_t keep[kTile], below[kTile], beside[kTile], across[kTile];
  for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) {
    const unsigned code = codes[(column + lane) / kPatternBlock];
    const bool compare = code == kPatternCompare;
    keep[lane] = compare ? ~0u : 0u;
    below[lane] = compare || (code & kPatternEqualY) != 0 ? 0u : 1u;
    beside[lane] = compare || (code & kPatternEqualX) != 0 ? 0u : 1u;
    across[lane] = compare || code == (kPatternEqualX | kPatternEqualY) ? 0u : 1u;
  }
  sum.below = hn::Or(hn::And(sum.below, hn::Load(d, keep)), hn::Load(d, below));
  sum.beside = hn::Or(hn::And(sum.beside, hn::Load(d, keep)), hn::Load(d, beside));
  sum.across = hn::Or(hn::And(sum.across, hn::Load(d, keep)), hn::Load(d, across));
  return sum;
}

/// Lanes of valid pixels; null = all.
HWY_INLINE hn::Mask<Words> valid_lanes(const std::uint8_t* valid) {
  const Words d;
  if (valid == nullptr) return hn::Eq(hn::Zero(d), hn::Zero(d));
  const hn::Rebind<std::uint8_t, Words> db;
  return hn::Ne(hn::PromoteTo(d, hn::LoadU(db, valid)), hn::Zero(d));
}

/// Tiles side by side whose quads are grouped at once.
constexpr std::size_t kGroupTiles = 4;

/// Space of a tile's records. The last vector stored may hang over the 256 there can be.
constexpr std::size_t kSegmentWords = kTilePixels + kTile;

#if HWY_TARGET <= HWY_AVX3

// With mask registers: the quads of four tiles are grouped at once by bit logic, then 16 words at a time are
// packed.

/// Grouping of quads whose answers lie at the even bits of 64-bit words: four row pairs a word.
struct Groups {
  std::uint64_t upper_x, upper_y, upper_xy, lower_x, lower_y;  ///< copy flags of the pixels of both rows
  std::uint64_t first_leaders, last_leaders;  ///< even bits: visited first / third; odd bits: second / fourth
};

HWY_INLINE Groups group(Policy policy, std::uint64_t below, std::uint64_t beside, std::uint64_t across,
                        std::uint64_t upper_valid, std::uint64_t lower_valid) {
  constexpr std::uint64_t kEven = 0x5555555555555555u;
  const bool checker = policy == Policy::kChecker;
  const std::uint64_t below0 = below & kEven, below1 = below >> 1 & kEven;
  const std::uint64_t beside0 = beside & kEven, beside1 = beside >> 1 & kEven;
  const std::uint64_t across0 = across & kEven, across1 = across >> 1 & kEven;
  const std::uint64_t p00 = upper_valid & kEven, p10 = upper_valid >> 1 & kEven;
  const std::uint64_t p01 = lower_valid & kEven, p11 = lower_valid >> 1 & kEven;
  // The pixels a, b, c, d in visiting order, and which of them match.
  const std::uint64_t a = p00, b = checker ? p11 : p10, c = checker ? p10 : p01, d = checker ? p01 : p11;
  const std::uint64_t ab = checker ? across0 : beside0, ac = checker ? beside0 : below0;
  const std::uint64_t ad = checker ? below0 : across0, bc = checker ? below1 : across1;
  const std::uint64_t bd = checker ? beside1 : below1, cd = checker ? across1 : beside1;

  const std::uint64_t b_joins_a = b & a & ab;
  const std::uint64_t b_leads = b & ~b_joins_a;
  const std::uint64_t c_joins_a = c & a & ac;
  const std::uint64_t c_joins_b = c & b_leads & bc & ~c_joins_a;
  const std::uint64_t c_leads = c & ~(c_joins_a | c_joins_b);
  const std::uint64_t d_joins_a = d & a & ad;
  const std::uint64_t d_joins_b = d & b_leads & bd & ~d_joins_a;
  const std::uint64_t d_joins_c = d & c_leads & cd & ~(d_joins_a | d_joins_b);
  const std::uint64_t d_leads = d & ~(d_joins_a | d_joins_b | d_joins_c);

  Groups groups;
  groups.first_leaders = a | b_leads << 1;
  groups.last_leaders = c_leads | d_leads << 1;
  if (checker) {
    groups.upper_x = c_joins_a;
    groups.upper_y = d_joins_a;
    groups.upper_xy = b_joins_a | d_joins_c << 1;
    groups.lower_x = d_joins_b << 1;
    groups.lower_y = c_joins_b << 1;
  } else {
    groups.upper_x = b_joins_a;
    groups.upper_y = c_joins_a | d_joins_b << 1;
    groups.upper_xy = d_joins_a | c_joins_b << 1;
    groups.lower_x = d_joins_c;
    groups.lower_y = 0;
  }
  return groups;
}

/// One row of quads of up to four tiles.
class QuadGroup {
 public:
  explicit QuadGroup(Policy policy) : policy_(policy) {}

  HWY_INLINE void add(std::size_t slot, std::size_t /*column*/, const Differences& sum, Word upper,
                      Word lower, const std::array<const std::uint8_t*, 2>& valid) {
    const Words d;
    const Word zero = hn::Zero(d);
    const auto put = [slot](std::uint64_t& bits, std::uint16_t mask) HWY_ATTR {
      bits = (slot == 0 ? 0 : bits) | static_cast<std::uint64_t>(mask) << 16 * slot;
    };
    put(below_, hn::Eq(sum.below, zero).raw);
    put(beside_, hn::Eq(sum.beside, zero).raw);
    put(across_, hn::Eq(sum.across, zero).raw);
    put(upper_valid_, valid_mask(valid[0]));
    put(lower_valid_, valid_mask(valid[1]));
    hn::Store(upper, d, upper_[slot]);
    hn::Store(lower, d, lower_[slot]);
  }

  /// Appends the records of `tiles` tiles, whose row of quads begins at `row`, to their cursors.
  HWY_INLINE void emit(const QuadTable& /*table*/, std::uint32_t row, std::size_t tiles,
                       std::uint32_t** cursors) {
    const Words d;
    const auto flag = [&](std::uint32_t copy) HWY_ATTR { return hn::Set(d, copy << kCopyShift); };
    const Word copy_x = flag(kCopyX), copy_y = flag(kCopyY), copy_xy = flag(kCopyXY);
    const Word order0 = hn::Load(d, kOrder[policy_ == Policy::kChecker ? 0 : 1]);
    const Word order1 = hn::Add(order0, hn::Set(d, 8u));
    const Word upper_place = hn::Or(hn::Load(d, kLanes), hn::Set(d, row << kYShift));
    const Word lower_place = hn::Or(upper_place, hn::Set(d, 1u << kYShift));
    const Groups groups = group(policy_, below_, beside_, across_, upper_valid_, lower_valid_);
    for (std::size_t k = 0; k < tiles; ++k) {
      const auto bits = [&](std::uint64_t group_bits) {
        return static_cast<__mmask16>(group_bits >> 16 * k);
      };
      __m512i upper = hn::Or(hn::Load(d, upper_[k]), upper_place).raw;
      __m512i lower = hn::Or(hn::Load(d, lower_[k]), lower_place).raw;
      upper = _mm512_mask_or_epi32(upper, bits(groups.upper_x), upper, copy_x.raw);
      upper = _mm512_mask_or_epi32(upper, bits(groups.upper_y), upper, copy_y.raw);
      upper = _mm512_mask_or_epi32(upper, bits(groups.upper_xy), upper, copy_xy.raw);
      lower = _mm512_mask_or_epi32(lower, bits(groups.lower_x), lower, copy_x.raw);
      lower = _mm512_mask_or_epi32(lower, bits(groups.lower_y), lower, copy_y.raw);
      const std::uint32_t leaders = _pdep_u32(bits(groups.first_leaders), 0x33333333u) |
                                    _pdep_u32(bits(groups.last_leaders), 0xCCCCCCCCu);
      const auto pack = [&](const Word& order, std::uint32_t kept, std::uint32_t* to) HWY_ATTR {
        const __m512i quads = _mm512_permutex2var_epi32(upper, order.raw, lower);
        _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(static_cast<__mmask16>(kept), quads));
        return to + std::popcount(kept & 0xFFFFu);
      };
      cursors[k] = pack(order1, leaders >> 16, pack(order0, leaders, cursors[k]));
    }
  }

 private:
  static HWY_INLINE std::uint16_t valid_mask(const std::uint8_t* valid) {
    if (valid == nullptr) return 0xFFFF;
    const hn::Full128<std::uint8_t> d;
    return static_cast<std::uint16_t>(hn::Ne(hn::LoadU(d, valid), hn::Zero(d)).raw);
  }

  // Lanes of the upper (0-15) and lower row (16-31) in visiting order, for the first four quads.
  alignas(64) static constexpr std::uint32_t kOrder[2][kTile] = {
      {0, 17, 1, 16, 2, 19, 3, 18, 4, 21, 5, 20, 6, 23, 7, 22},
      {0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23}};

  Policy policy_;
  std::uint64_t below_ = 0, beside_ = 0, across_ = 0, upper_valid_ = 0, lower_valid_ = 0;  // 16 bits a tile
  alignas(64) std::uint32_t upper_[kGroupTiles][kTile];
  alignas(64) std::uint32_t lower_[kGroupTiles][kTile];
};

#else

// Without mask registers: every quad looks its grouping up in a table.

/// One row of quads of up to four tiles.
class QuadGroup {
 public:
  explicit QuadGroup(Policy policy) : policy_(policy) {}

  HWY_INLINE void add(std::size_t slot, std::size_t column, const Differences& sum, Word upper, Word lower,
                      const std::array<const std::uint8_t*, 2>& valid) {
    const Words d;
    const auto bit = [&](Word difference, unsigned position) HWY_ATTR {
      return hn::IfThenElseZero(hn::Eq(difference, hn::Zero(d)), hn::Set(d, 1u << position));
    };
    Word state = hn::Or(hn::Or(bit(sum.below, kMatchBelow), bit(sum.beside, kMatchBeside)),
                        bit(sum.across, kMatchAcross));
    state = hn::Or(state, hn::Or(hn::IfThenElseZero(valid_lanes(valid[0]), hn::Set(d, 1u << kUpperValid)),
                                 hn::IfThenElseZero(valid_lanes(valid[1]), hn::Set(d, 1u << kLowerValid))));
    state = hn::Or(state, hn::ShiftLeft<kOddColumn>(hn::Reverse2(d, state)));  // even lanes hold whole quads
    hn::Store(state, d, states_ + slot * kTile + column);

    const Word place = hn::LoadU(d, kLanes + column);
    upper = hn::Or(upper, place);
    lower = hn::Or(lower, hn::Or(place, hn::Set(d, 1u << kYShift)));
    // Whole quads in visiting order: even blocks of 128 bits first, then odd ones.
    std::uint32_t* words = words_ + 2 * (slot * kTile + column);
    if (policy_ == Policy::kChecker) {
      const Word swapped = hn::Reverse2(d, lower);
      hn::Store(hn::InterleaveLower(d, upper, swapped), d, words);
      hn::Store(hn::InterleaveUpper(d, upper, swapped), d, words + hn::Lanes(d));
    } else {
      const hn::Repartition<std::uint64_t, Words> dw;
      const auto u = hn::BitCast(dw, upper), l = hn::BitCast(dw, lower);
      hn::Store(hn::BitCast(d, hn::InterleaveLower(dw, u, l)), d, words);
      hn::Store(hn::BitCast(d, hn::InterleaveUpper(dw, u, l)), d, words + hn::Lanes(d));
    }
  }

  /// Appends the records of `tiles` tiles, whose row of quads begins at `row`, to their cursors.
  HWY_INLINE void emit(const QuadTable& table, std::uint32_t row, std::size_t tiles,
                       std::uint32_t** cursors) {
    static constexpr auto kCompress = make_compress_table();
    const hn::Full128<std::uint32_t> dq;
    const hn::Full128<std::uint8_t> db;
    const std::size_t lanes = hn::Lanes(Words());
    const auto place = hn::Set(dq, row << kYShift);
    for (std::size_t tile = 0; tile < tiles; ++tile) {
      std::uint32_t* HWY_RESTRICT cursor = cursors[tile];
      for (std::size_t column = 0; column < kTile; column += lanes) {
        const std::uint32_t* states = states_ + tile * kTile + column;
        const std::uint32_t* words = words_ + 2 * (tile * kTile + column);
        for (std::size_t quad = 0; quad < lanes / 2; ++quad) {
          const std::uint32_t index = states[2 * quad] & (kQuadStates - 1);
          const std::uint32_t leaders = table.leaders[index];
          const auto word = hn::Or(hn::Load(dq, words + (quad & 1) * lanes + (quad >> 1) * 4), place);
          const auto flagged = hn::Or(word, hn::Load(dq, table.flags[index].data()));
          const auto order = hn::LoadU(db, kCompress[leaders].data());
          hn::StoreU(hn::BitCast(dq, hn::TableLookupBytes(hn::BitCast(db, flagged), order)), dq, cursor);
          cursor += std::popcount(leaders);
        }
      }
      cursors[tile] = cursor;
    }
  }

 private:
  Policy policy_;
  alignas(64) std::uint32_t states_[kGroupTiles * kTile];
  alignas(64) std::uint32_t words_[2 * kGroupTiles * kTile];
};

#endif

}  // namespace HWY_NAMESPACE
}  // namespace tilelab::lighting
HWY_AFTER_NAMESPACE();

#endif
