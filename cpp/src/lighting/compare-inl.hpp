// Differences between the pixels of 2x2 quads, one channel at a time. Included once per instruction set.
// A channel is read as planes of 32-bit words (one word of each pixel per lane, zero-padded), whatever its
// type.
#if defined(TILELAB_LIGHTING_COMPARE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TILELAB_LIGHTING_COMPARE_INL
#undef TILELAB_LIGHTING_COMPARE_INL
#else
#define TILELAB_LIGHTING_COMPARE_INL
#endif

#include <hwy/highway.h>

#include <cstring>

#include "tilelab/lighting/scan.hpp"

HWY_BEFORE_NAMESPACE();
namespace tilelab::lighting {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Words = hn::CappedTag<std::uint32_t, 16>;
using Word = hn::Vec<Words>;

alignas(64) inline constexpr std::uint32_t kLanes[kTile] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                            8, 9, 10, 11, 12, 13, 14, 15};

/// Bytes beyond the last pixel of a piece that the reader of a channel may touch.
constexpr std::size_t overrun(std::size_t pixel_bytes) { return pixel_bytes == 3 ? 4 : 0; }

/// Non-zero where two pixels differ by more than allowed. `below`: from the pixel below; `across`: from the
/// diagonal pixel below; `beside`: even lanes from the x neighbour in the upper row, odd lanes in the lower.
struct Differences {
  Word below, beside, across;
};

/// The words of one plane in the arrangement that finds all six pairs of a quad with three subtractions.
struct Quads {
  Word upper, lower;  ///< the two rows: below
  Word swapped;       ///< lower row, x neighbours exchanged: across
  Word left, right;   ///< even lanes the upper pair, odd lanes the lower pair: beside
};

HWY_INLINE Quads arrange(Word upper, Word lower) {
  const Words d;
  const Word swapped = hn::Reverse2(d, lower);
  return {upper, lower, swapped, hn::OddEven(lower, upper), hn::OddEven(swapped, hn::Reverse2(d, upper))};
}

/// float32 bits of the IEEE half in the low 16 bits of every lane. Exact, infinities and NaN included.
HWY_INLINE Word half_to_float(Word half) {
  const Words d;
  const hn::RebindToFloat<Words> df;
  const hn::RebindToSigned<Words> di;
  const Word magnitude = hn::And(half, hn::Set(d, 0x7FFFu));
  const Word sign = hn::ShiftLeft<16>(hn::And(half, hn::Set(d, 0x8000u)));
  const auto scaled = hn::Mul(hn::BitCast(df, hn::ShiftLeft<13>(magnitude)), hn::Set(df, 0x1p112f));
  const auto special = hn::Gt(hn::BitCast(di, magnitude), hn::Set(di, 0x7BFF));
  const Word exponent = hn::IfThenElseZero(hn::RebindMask(d, special), hn::Set(d, 0x7F800000u));
  return hn::Or(hn::Or(hn::BitCast(d, scaled), exponent), sign);
}

/// All ones where not |a - b| <= allowance (so also where the difference is NaN). The bits of magnitudes are
/// ordered like integers, NaN above infinity.
HWY_INLINE Word float_difference(Word a, Word b, Word allowance) {
  const Words d;
  const hn::RebindToFloat<Words> df;
  const hn::RebindToSigned<Words> di;
  const auto difference = hn::Abs(hn::Sub(hn::BitCast(df, a), hn::BitCast(df, b)));
  const auto excess = hn::Sub(hn::BitCast(di, allowance), hn::BitCast(di, difference));
  return hn::BitCast(d, hn::ShiftRight<31>(excess));
}

template <typename Part>
HWY_INLINE Word unorm_difference(Word a, Word b, Word allowance) {
  const Words d;
  const hn::Repartition<Part, Words> dp;
  const auto pa = hn::BitCast(dp, a), pb = hn::BitCast(dp, b);
  const auto difference = hn::Or(hn::SaturatedSub(pa, pb), hn::SaturatedSub(pb, pa));
  return hn::BitCast(d, hn::SaturatedSub(difference, hn::BitCast(dp, allowance)));
}

template <Compare kCompare>
HWY_INLINE Word difference(Word a, Word b, Word allowance) {
  if constexpr (kCompare == Compare::kBits) return hn::Xor(a, b);
  if constexpr (kCompare == Compare::kUnorm8) return unorm_difference<std::uint8_t>(a, b, allowance);
  if constexpr (kCompare == Compare::kUnorm16) return unorm_difference<std::uint16_t>(a, b, allowance);
  if constexpr (kCompare == Compare::kFloat32) return float_difference(a, b, allowance);
}

template <Compare kCompare>
HWY_INLINE void add_plane(Word upper, Word lower, Word allowance, Differences& sum) {
  if constexpr (kCompare == Compare::kFloat16) {
    add_plane<Compare::kFloat32>(half_to_float(upper), half_to_float(lower), allowance, sum);
    add_plane<Compare::kFloat32>(half_to_float(hn::ShiftRight<16>(upper)),
                                 half_to_float(hn::ShiftRight<16>(lower)), allowance, sum);
  } else {
    const Quads q = arrange(upper, lower);
    sum.below = hn::Or(sum.below, difference<kCompare>(q.upper, q.lower, allowance));
    sum.across = hn::Or(sum.across, difference<kCompare>(q.upper, q.swapped, allowance));
    sum.beside = hn::Or(sum.beside, difference<kCompare>(q.left, q.right, allowance));
  }
}

/// One word per lane from `pixel_bytes` apart, at most four bytes of each pixel, beginning at byte `first`.
HWY_INLINE Word gather_words(const std::uint8_t* pixels, std::size_t pixel_bytes, std::size_t first) {
  const Words d;
  if (pixel_bytes % 4 == 0) {
    const hn::RebindToSigned<Words> di;
    const auto lanes = hn::BitCast(di, hn::LoadU(d, kLanes));
    const auto offsets = hn::Mul(lanes, hn::Set(di, static_cast<std::int32_t>(pixel_bytes / 4)));
    return hn::GatherIndex(d, reinterpret_cast<const std::uint32_t*>(pixels + first), offsets);
  }
  HWY_ALIGN std::uint32_t words[kTile] = {};
  const std::size_t bytes = pixel_bytes - first < 4 ? pixel_bytes - first : 4;
  for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) {
    std::memcpy(words + lane, pixels + lane * pixel_bytes + first, bytes);
  }
  return hn::Load(d, words);
}

/// Blocks of 16 bytes, one for every four lanes, `step` bytes apart.
template <class D>
HWY_INLINE hn::Vec<D> load_blocks(D d, const std::uint8_t* bytes, std::size_t step) {
  if constexpr (hn::MaxLanes(D()) <= 4) {
    return hn::LoadU(d, reinterpret_cast<const std::uint32_t*>(bytes));
  } else {
    const hn::Half<D> half;
    const auto low = load_blocks(half, bytes, step);
    return hn::Combine(d, load_blocks(half, bytes + step * (hn::MaxLanes(D()) / 8), step), low);
  }
}

/// Bytes of every block picked by `order`; 0x80 gives zero.
HWY_INLINE Word pick(Word blocks, const std::uint8_t (&order)[16]) {
  const Words d;
  const hn::Repartition<std::uint8_t, Words> db;
  return hn::BitCast(d, hn::TableLookupBytesOr0(hn::BitCast(db, blocks), hn::LoadDup128(db, order)));
}

constexpr std::uint8_t kNone = 0x80;

/// Pixels of three bytes. Reads four bytes beyond the last.
HWY_INLINE Word load_triples(const std::uint8_t* pixels) {
  alignas(16) static constexpr std::uint8_t kOrder[16] = {0, 1, 2, kNone, 3, 4,  5,  kNone,
                                                          6, 7, 8, kNone, 9, 10, 11, kNone};
  return pick(load_blocks(Words(), pixels, 12), kOrder);
}

/// Pixels of six bytes: their first four, and their last two.
HWY_INLINE void load_sextuples(const std::uint8_t* pixels, Word& first, Word& last) {
  alignas(16) static constexpr std::uint8_t kFirstLow[16] = {0,  1,  2,  3,  6,     7,     8,     9,
                                                             12, 13, 14, 15, kNone, kNone, kNone, kNone};
  alignas(16) static constexpr std::uint8_t kFirstHigh[16] = {
      kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, 10, 11, 12, 13};
  alignas(16) static constexpr std::uint8_t kLastLow[16] = {
      4, 5, kNone, kNone, 10, 11, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone};
  alignas(16) static constexpr std::uint8_t kLastHigh[16] = {
      kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, 8, 9, kNone, kNone, 14, 15, kNone, kNone};
  const Word low = load_blocks(Words(), pixels, 24), high = load_blocks(Words(), pixels + 8, 24);
  first = hn::Or(pick(low, kFirstLow), pick(high, kFirstHigh));
  last = hn::Or(pick(low, kLastLow), pick(high, kLastHigh));
}

template <typename Part>
HWY_INLINE Word load_parts(const std::uint8_t* pixels) {
  const Words d;
  const hn::Rebind<Part, Words> dp;
  return hn::PromoteTo(d, hn::LoadU(dp, reinterpret_cast<const Part*>(pixels)));
}

/// True where pixels of this size have a reader of their own: those with one to four components of the type.
/// What is left out takes the way of other sizes; it would be compiled for hardly anybody.
constexpr bool has_reader(Compare compare, std::size_t pixel_bytes) {
  switch (compare) {
    case Compare::kBits:
      return true;
    case Compare::kUnorm8:
      return pixel_bytes <= 4;
    case Compare::kUnorm16:
    case Compare::kFloat16:
      return pixel_bytes % 2 == 0 && pixel_bytes <= 8;
    case Compare::kFloat32:
      return pixel_bytes % 4 == 0;
  }
  return false;
}

/// Adds the differences of pixels of kBytes bytes, unless they have no reader of their own.
template <Compare kCompare, std::size_t kBytes>
HWY_INLINE bool add_pixels(const std::uint8_t* upper, const std::uint8_t* lower, Word allowance,
                           Differences& sum) {
  const Words d;
  const auto* words_u = reinterpret_cast<const std::uint32_t*>(upper);
  const auto* words_l = reinterpret_cast<const std::uint32_t*>(lower);
  Word u0, u1, u2, u3, l0, l1, l2, l3;
  if constexpr (!has_reader(kCompare, kBytes)) {
    return false;
  } else if constexpr (kBytes == 1) {
    u0 = load_parts<std::uint8_t>(upper);
    l0 = load_parts<std::uint8_t>(lower);
  } else if constexpr (kBytes == 2) {
    u0 = load_parts<std::uint16_t>(upper);
    l0 = load_parts<std::uint16_t>(lower);
  } else if constexpr (kBytes == 3) {
    u0 = load_triples(upper);
    l0 = load_triples(lower);
  } else if constexpr (kBytes == 4) {
    u0 = hn::LoadU(d, words_u);
    l0 = hn::LoadU(d, words_l);
  } else if constexpr (kBytes == 6) {
    load_sextuples(upper, u0, u1);
    load_sextuples(lower, l0, l1);
  } else if constexpr (kBytes == 8) {
    hn::LoadInterleaved2(d, words_u, u0, u1);
    hn::LoadInterleaved2(d, words_l, l0, l1);
  } else if constexpr (kBytes == 12) {
    hn::LoadInterleaved3(d, words_u, u0, u1, u2);
    hn::LoadInterleaved3(d, words_l, l0, l1, l2);
  } else {
    static_assert(kBytes == 16);
    hn::LoadInterleaved4(d, words_u, u0, u1, u2, u3);
    hn::LoadInterleaved4(d, words_l, l0, l1, l2, l3);
  }
  add_plane<kCompare>(u0, l0, allowance, sum);
  if constexpr (kBytes > 4) add_plane<kCompare>(u1, l1, allowance, sum);
  if constexpr (kBytes > 8) add_plane<kCompare>(u2, l2, allowance, sum);
  if constexpr (kBytes > 12) add_plane<kCompare>(u3, l3, allowance, sum);
  return true;
}

/// Adds the differences of one channel. `upper` and `lower` point at the first pixel of this vector in two
/// rows.
template <Compare kCompare>
HWY_INLINE void add_channel(const std::uint8_t* upper, const std::uint8_t* lower, std::size_t pixel_bytes,
                            Word allowance, Differences& sum) {
  switch (pixel_bytes) {
    case 1:
      if (add_pixels<kCompare, 1>(upper, lower, allowance, sum)) return;
      break;
    case 2:
      if (add_pixels<kCompare, 2>(upper, lower, allowance, sum)) return;
      break;
    case 3:
      if (add_pixels<kCompare, 3>(upper, lower, allowance, sum)) return;
      break;
    case 4:
      if (add_pixels<kCompare, 4>(upper, lower, allowance, sum)) return;
      break;
    case 6:
      if (add_pixels<kCompare, 6>(upper, lower, allowance, sum)) return;
      break;
    case 8:
      if (add_pixels<kCompare, 8>(upper, lower, allowance, sum)) return;
      break;
    case 12:
      if (add_pixels<kCompare, 12>(upper, lower, allowance, sum)) return;
      break;
    case 16:
      if (add_pixels<kCompare, 16>(upper, lower, allowance, sum)) return;
      break;
    default:
      break;
  }
  for (std::size_t first = 0; first < pixel_bytes; first += 4) {
    add_plane<kCompare>(gather_words(upper, pixel_bytes, first), gather_words(lower, pixel_bytes, first),
                        allowance, sum);
  }
}

HWY_INLINE void add_channel(Compare compare, const std::uint8_t* upper, const std::uint8_t* lower,
                            std::size_t pixel_bytes, std::uint32_t allowance, Differences& sum) {
  const Word allowed = hn::Set(Words(), allowance);
  switch (compare) {
    case Compare::kBits:
      return add_channel<Compare::kBits>(upper, lower, pixel_bytes, allowed, sum);
    case Compare::kUnorm8:
      return add_channel<Compare::kUnorm8>(upper, lower, pixel_bytes, allowed, sum);
    case Compare::kUnorm16:
      return add_channel<Compare::kUnorm16>(upper, lower, pixel_bytes, allowed, sum);
    case Compare::kFloat16:
      return add_channel<Compare::kFloat16>(upper, lower, pixel_bytes, allowed, sum);
    case Compare::kFloat32:
      return add_channel<Compare::kFloat32>(upper, lower, pixel_bytes, allowed, sum);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tilelab::lighting
HWY_AFTER_NAMESPACE();

#endif
