// Loads pixels of each supported format as a vector of luminances. Included once per instruction set.
#if defined(TILELAB_VRS_COLOR_LOAD_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TILELAB_VRS_COLOR_LOAD_INL
#undef TILELAB_VRS_COLOR_LOAD_INL
#else
#define TILELAB_VRS_COLOR_LOAD_INL
#endif

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include <hwy/highway.h>

#include "core/simd-inl.hpp"
#include "tilelab/vrs/luminance.hpp"
#include "vrs/rate_image_band.hpp"

HWY_BEFORE_NAMESPACE();
namespace tilelab::vrs {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace simd = tilelab::HWY_NAMESPACE;

// Sixteen pixels at most, so that a vector never spans more than two 8-pixel tiles; fixed, so that bits can
// be handled as bytes. Targets with vectors of unknown length use 128 bits.
#if HWY_ARCH_X86
inline constexpr std::int64_t kLanes = std::min<std::int64_t>(16, HWY_LANES(float));
#else
inline constexpr std::int64_t kLanes = 4;
#endif
using FloatTag = hn::FixedTag<float, kLanes>;
using Float = hn::Vec<FloatTag>;
using IntTag = hn::Rebind<std::int32_t, FloatTag>;

// Stores the bits of pixels k * kLanes and up. With four lanes two calls fill a byte, the even one first.
HWY_INLINE void store_bits(hn::Mask<FloatTag> mask, std::int64_t k, std::uint8_t* bits) {
  if constexpr (kLanes == 4) {
    std::uint8_t four[8];
    hn::StoreMaskBits(FloatTag(), mask, four);
    std::uint8_t* byte = bits + k / 2;
    *byte = static_cast<std::uint8_t>((k & 1) != 0 ? *byte | (four[0] << 4) : four[0]);
  } else {
    hn::StoreMaskBits(FloatTag(), mask, bits + k * (kLanes / 8));
  }
}

struct Weights {
  explicit Weights(const ColorWeights& w)
      : r(hn::Set(FloatTag(), w[0])), g(hn::Set(FloatTag(), w[1])), b(hn::Set(FloatTag(), w[2])) {}
  Float r, g, b;
};

HWY_INLINE Float weigh(const Weights& weights, Float r, Float g, Float b) {
  return hn::Add(hn::Add(hn::Mul(weights.r, r), hn::Mul(weights.g, g)), hn::Mul(weights.b, b));
}

// float(v) / 255 without a division. kHigh has 15 significant bits, so v * high is exact; what the rounding
// of v * low loses is far below the distance of v / 255 from a rounding boundary. Tested for all 256 values.
HWY_INLINE Float unorm8(hn::Vec<IntTag> bytes) {
  const FloatTag d;
  constexpr double kInverse = 1.0 / 255.0;
  constexpr float kHigh = 16448.0f / 4194304.0f;  // 2^22 / 255, cut to an integer, scaled back
  constexpr float kLow = static_cast<float>(kInverse - static_cast<double>(kHigh));
  const Float v = hn::ConvertTo(d, bytes);
  return hn::Add(hn::Mul(v, hn::Set(d, kHigh)), hn::Mul(v, hn::Set(d, kLow)));
}

// A format has an Element, kChannels, and load(): kLanes luminances from kLanes * kChannels elements.
struct LuminanceFloat {
  using Element = float;
  static constexpr std::int64_t kChannels = 1;
  explicit LuminanceFloat(const ColorWeights& /*weights*/) {}
  HWY_INLINE Float load(const float* p) const { return hn::LoadU(FloatTag(), p); }
};

// kLanes and 3 have no common divisor: over three vectors each channel visits every lane exactly once. So two
// blends gather a channel and one permutation puts it in order.
struct RgbFloat {
  using Element = float;
  static constexpr std::int64_t kChannels = 3;

  explicit RgbFloat(const ColorWeights& w) : weights(w) {
    const FloatTag d;
    const IntTag di;
    alignas(64) std::int32_t lanes[kLanes];
    for (int channel = 0; channel < 3; ++channel) {
      for (std::int64_t i = 0; i < kLanes; ++i)
        lanes[i] = static_cast<std::int32_t>((3 * i + channel) % kLanes);
      order[channel] = hn::SetTableIndices(d, lanes);
      for (std::int64_t i = 0; i < kLanes; ++i) lanes[i] = i % 3 == channel ? -1 : 0;
      residue[channel] = hn::RebindMask(d, hn::MaskFromVec(hn::Load(di, lanes)));
    }
  }

  template <int kChannel>
  HWY_INLINE Float channel(Float v0, Float v1, Float v2) const {
    constexpr int kSecond = static_cast<int>((kChannel + 2 * kLanes) % 3);  // lanes of v1 have index + kLanes
    return hn::TableLookupLanes(blend<kChannel>(v0, blend<kSecond>(v1, v2)), order[kChannel]);
  }

  // Lanes i with i % 3 == kResidue from the first vector.
  template <int kResidue>
  HWY_INLINE Float blend(Float first, Float second) const {
#if HWY_ARCH_X86 && HWY_TARGET == HWY_AVX2
    // Cheaper than a mask in a register, of which the compiler cannot keep all.
    constexpr int kMask = 0x49 << kResidue & 0xFF;
    return Float{_mm256_blend_ps(second.raw, first.raw, kMask)};
#else
    return hn::IfThenElse(residue[kResidue], first, second);
#endif
  }

  HWY_INLINE Float load(const float* p) const {
    const FloatTag d;
    Float v0 = hn::LoadU(d, p), v1 = hn::LoadU(d, p + kLanes), v2 = hn::LoadU(d, p + 2 * kLanes);
    simd::load_once(v0);
    simd::load_once(v1);
    simd::load_once(v2);
    return weigh(weights, channel<0>(v0, v1, v2), channel<1>(v0, v1, v2), channel<2>(v0, v1, v2));
  }

  Weights weights;
  hn::Mask<FloatTag> residue[3];
  decltype(hn::SetTableIndices(FloatTag(), static_cast<const std::int32_t*>(nullptr))) order[3];
};

struct RgbaFloat {
  using Element = float;
  static constexpr std::int64_t kChannels = 4;
  explicit RgbaFloat(const ColorWeights& w) : weights(w) {}
  HWY_INLINE Float load(const float* p) const {
    Float r, g, b, a;
    hn::LoadInterleaved4(FloatTag(), p, r, g, b, a);
    return weigh(weights, r, g, b);
  }
  Weights weights;
};

struct LuminanceByte {
  using Element = std::uint8_t;
  static constexpr std::int64_t kChannels = 1;
  explicit LuminanceByte(const ColorWeights& /*weights*/) {}
  HWY_INLINE Float load(const std::uint8_t* p) const {
    const hn::Rebind<std::uint8_t, FloatTag> d;
    return unorm8(hn::PromoteTo(IntTag(), hn::LoadU(d, p)));
  }
};

struct RgbByte {
  using Element = std::uint8_t;
  static constexpr std::int64_t kChannels = 3;
  explicit RgbByte(const ColorWeights& w) : weights(w) {}
  HWY_INLINE Float load(const std::uint8_t* p) const {
    const hn::Rebind<std::uint8_t, FloatTag> d;
    const IntTag di;
    hn::Vec<decltype(d)> r, g, b;
    hn::LoadInterleaved3(d, p, r, g, b);
    return weigh(weights, unorm8(hn::PromoteTo(di, r)), unorm8(hn::PromoteTo(di, g)),
                 unorm8(hn::PromoteTo(di, b)));
  }
  Weights weights;
};

struct RgbaByte {
  using Element = std::uint8_t;
  static constexpr std::int64_t kChannels = 4;
  explicit RgbaByte(const ColorWeights& w) : weights(w) {}
  HWY_INLINE Float load(const std::uint8_t* p) const {
    const IntTag di;
    const auto bytes = hn::BitCast(di, hn::LoadU(hn::Repartition<std::uint8_t, IntTag>(), p));
    const auto low = hn::Set(di, 255);
    return weigh(weights, unorm8(hn::And(bytes, low)), unorm8(hn::And(hn::ShiftRight<8>(bytes), low)),
                 unorm8(hn::And(hn::ShiftRight<16>(bytes), low)));
  }
  Weights weights;
};

// Calls function(std::type_identity<Format>).
template <typename Function>
void with_format(PixelFormat format, Function function) {
  switch (format) {
    case PixelFormat::kLuminanceFloat:
      return function(std::type_identity<LuminanceFloat>());
    case PixelFormat::kRgbFloat:
      return function(std::type_identity<RgbFloat>());
    case PixelFormat::kRgbaFloat:
      return function(std::type_identity<RgbaFloat>());
    case PixelFormat::kLuminanceByte:
      return function(std::type_identity<LuminanceByte>());
    case PixelFormat::kRgbByte:
      return function(std::type_identity<RgbByte>());
    case PixelFormat::kRgbaByte:
      return function(std::type_identity<RgbaByte>());
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tilelab::vrs
HWY_AFTER_NAMESPACE();

#endif  // per target
