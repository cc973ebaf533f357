#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tessellation/tessellator_rows.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <bit>

#include "tessellation/tessellator_rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace tilelab::tessellation {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::uint32_t kUnit = kFixedOne;

// 65536 / n rounded half up.
constexpr auto kReciprocals = [] {
  std::array<std::uint32_t, kMaxSegments + 1> table{};
  for (std::uint32_t n = 1; n <= kMaxSegments; ++n) table[n] = (2 * kUnit + n) / (2 * n);
  return table;
}();

constexpr std::uint32_t clear_highest_bit(std::uint32_t x) { return x & ~std::bit_floor(x); }

// Where the growing factor inserts the next point: the one after it is born out of this one.
constexpr std::uint32_t split_position(std::uint32_t half_segments, std::uint32_t odd) {
  if (odd == 0) return 2 * clear_highest_bit(half_segments) + 1;
  return half_segments == 1 ? 0 : 2 * clear_highest_bit(half_segments - 1) + 1;
}

void fill_row(Axis axis, std::int32_t* HWY_RESTRICT up, std::int32_t* HWY_RESTRICT down) {
  const auto segments = static_cast<std::uint32_t>(axis.segments);
  const std::uint32_t odd = segments % 2;
  std::uint32_t half = (static_cast<std::uint32_t>(axis.factor) + 1) >> 1;
  if (odd != 0 || half == kUnit / 2) half += kUnit / 2;
  const std::uint32_t floor = half / kUnit, fraction = half % kUnit;
  const std::uint32_t split = fraction != 0 ? split_position(floor, odd) : segments;
  const std::uint32_t floor_step = kReciprocals[2 * floor - odd] * (kUnit - fraction);
  const std::uint32_t ceiling_step = fraction != 0 ? kReciprocals[2 * floor + 2 - odd] * fraction : 0;

  // Points behind the middle mirror those before it, so each lane looks at the nearer end.
  const hn::CappedTag<std::uint32_t, Row::kSlack + 1> d;
  const hn::RebindToSigned<decltype(d)> di;
  const auto lanes = [d](std::uint32_t value) { return hn::Set(d, value); };
  const auto one = lanes(1), unit = lanes(kUnit), middle = lanes(kUnit / 2);
  auto p = hn::Iota(d, 0);
  for (std::size_t k = 0; k <= segments; k += hn::Lanes(d)) {
    const auto from_end = hn::Sub(lanes(segments), p);
    const auto near = hn::Min(p, from_end);
    const auto before = hn::IfThenElse(hn::Gt(near, lanes(split)), hn::Sub(near, one), near);
    const auto sum = hn::Add(hn::Mul(before, lanes(floor_step)), hn::Mul(near, lanes(ceiling_step)));
    const auto x = hn::ShiftRight<16>(hn::Add(sum, middle));
    const auto mirrored = hn::IfThenElse(hn::Gt(p, from_end), hn::Sub(unit, x), x);
    const auto position = hn::IfThenElse(hn::Eq(p, from_end), middle, mirrored);
    hn::StoreU(hn::BitCast(di, position), di, up + k);
    hn::StoreU(hn::BitCast(di, hn::Sub(unit, position)), di, down + k);
    p = hn::Add(p, lanes(static_cast<std::uint32_t>(hn::Lanes(d))));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tilelab::tessellation
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tilelab::tessellation {

HWY_EXPORT(fill_row);

void RowCache::fill(Axis axis, Row& row) {
  HWY_DYNAMIC_DISPATCH(fill_row)(axis, row.up.data(), row.down.data());
  row.axis = axis;
}

}  // namespace tilelab::tessellation
#endif  // HWY_ONCE
