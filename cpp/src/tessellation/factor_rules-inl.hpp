// Rules of single factors, one factor a lane. Included once per instruction set.
#if defined(TILELAB_TESSELLATION_FACTOR_RULES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TILELAB_TESSELLATION_FACTOR_RULES_INL
#undef TILELAB_TESSELLATION_FACTOR_RULES_INL
#else
#define TILELAB_TESSELLATION_FACTOR_RULES_INL
#endif

#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace tilelab::tessellation {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

inline constexpr float kPictureFrameTest = 1.0f + 0x1.0p-17f;  // any factor above asks for an inner ring ...
inline constexpr float kPictureFrameLowest =
    1.0f + 0x1.0p-16f;  // ... which the inside factors then must have

/// factor > 0 as an integer test, so that it holds for denormals whatever the CPU's flush mode.
template <class D>
HWY_INLINE hn::Mask<hn::RebindToSigned<D>> is_positive(D /*d*/, hn::Vec<D> factor) {
  const hn::RebindToSigned<D> di;
  constexpr std::int32_t kInfinityBits = 0x7F800000;
  const auto bits = hn::BitCast(di, factor);
  return hn::And(hn::Gt(bits, hn::Zero(di)), hn::Lt(bits, hn::Set(di, kInfinityBits + 1)));
}

/// NaN gives `low`.
template <class V>
HWY_INLINE V clamp(V factor, V low, V high) {
  const V raised = hn::IfThenElse(hn::Gt(factor, low), factor, low);
  return hn::IfThenElse(hn::Lt(raised, high), raised, high);
}

}  // namespace HWY_NAMESPACE
}  // namespace tilelab::tessellation
HWY_AFTER_NAMESPACE();

#endif  // per target
