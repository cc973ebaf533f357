// What several vector kernels need beyond Highway, and the only place with compiler-specific code. Included
// once per instruction set; kernels name it by: namespace simd = tilelab::HWY_NAMESPACE;
#if defined(TILELAB_CORE_SIMD_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TILELAB_CORE_SIMD_INL
#undef TILELAB_CORE_SIMD_INL
#else
#define TILELAB_CORE_SIMD_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace tilelab {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Announces that the cache lines of kBytes bytes at `p` will be read; any address is allowed.
template <std::int64_t kBytes>
HWY_INLINE void prefetch(const void* p) {
  const auto* bytes = static_cast<const std::uint8_t*>(p);
  for (std::int64_t i = 0; i < kBytes; i += 64) hwy::Prefetch(bytes + i);
}

/// Lane i of the result is lane i - 1 of `current`; lane 0 is the last lane of `previous`. Loads displaced by
/// one element would cross a cache line every time. Precondition: D has 32-bit lanes and a fixed size of 128
/// bits or that of the target.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V left_neighbour(D d, V previous, V current) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  const hn::RebindToSigned<D> di;
  return hn::BitCast(d, hn::Vec<decltype(di)>{_mm512_alignr_epi32(hn::BitCast(di, current).raw,
                                                                  hn::BitCast(di, previous).raw, 15)});
#elif HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  const hn::RebindToSigned<D> di;
  const __m256i p = hn::BitCast(di, previous).raw, c = hn::BitCast(di, current).raw;
  return hn::BitCast(d,
                     hn::Vec<decltype(di)>{_mm256_alignr_epi8(c, _mm256_permute2x128_si256(p, c, 0x21), 12)});
#else
  return hn::CombineShiftRightBytes<12>(d, current, previous);
#endif
}

/// Lane i of the result is lane i + 1 of `current`; the last lane is lane 0 of `next`.
/// Precondition: as for left_neighbour.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V right_neighbour(D d, V current, V next) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  const hn::RebindToSigned<D> di;
  return hn::BitCast(d, hn::Vec<decltype(di)>{
                            _mm512_alignr_epi32(hn::BitCast(di, next).raw, hn::BitCast(di, current).raw, 1)});
#elif HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  const hn::RebindToSigned<D> di;
  const __m256i c = hn::BitCast(di, current).raw, n = hn::BitCast(di, next).raw;
  return hn::BitCast(d,
                     hn::Vec<decltype(di)>{_mm256_alignr_epi8(_mm256_permute2x128_si256(c, n, 0x21), c, 4)});
#else
  return hn::CombineShiftRightBytes<4>(d, next, current);
#endif
}

/// True where the lane is a number, false for NaN. (Not every version of Highway's Ne is true for NaN, so
/// compares that must hold for NaN are the inverse of an ordered one: not (a <= b), by Not or by counting the
/// bits that are 0.)
template <class V>
HWY_INLINE auto is_number(V v) {
  return hn::Eq(v, v);
}

/// Keeps the compiler from reading memory again at every use: with AVX-512 it turns each blend into a masked
/// load, and three loads that straddle cache lines become nine.
template <class V>
HWY_INLINE void load_once([[maybe_unused]] V& vector) {
#if HWY_ARCH_X86 && (HWY_COMPILER_GCC || HWY_COMPILER_CLANG)
  asm("" : "+v"(vector.raw));
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace tilelab
HWY_AFTER_NAMESPACE();

#endif  // per target
