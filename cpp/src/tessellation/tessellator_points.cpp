#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tessellation/tessellator_points.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "tessellation/tessellator_points.hpp"

HWY_BEFORE_NAMESPACE();
namespace tilelab::tessellation {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A point is one 64-bit lane with u in the low half; shifts are added to both halves at once, which is exact
// because the sums are not negative.
using Points = hn::CappedTag<std::uint64_t, kPointSlack + 1>;
using Coordinates = hn::Rebind<std::uint32_t, Points>;
static_assert(Row::kSlack >= kPointSlack);

struct Point {
  std::int32_t u;
  std::int32_t v;
};

inline std::uint64_t pack(Point shift) {
  return static_cast<std::uint64_t>(std::int64_t{shift.u}) +
         (static_cast<std::uint64_t>(std::int64_t{shift.v}) << 32);
}

inline auto load(const std::int32_t* row, std::int32_t k) {
  return hn::PromoteTo(Points(), hn::LoadU(Coordinates(), reinterpret_cast<const std::uint32_t*>(row) + k));
}

// Appends `count` points in whole vectors; make(k) gives the lanes of point k and following.
template <typename Make>
inline std::int32_t* append(std::int32_t* out, std::int32_t count, Point shift, const Make& make) {
  const Points d;
  const auto step = static_cast<std::int32_t>(hn::Lanes(d));
  const auto shifts = hn::Set(d, pack(shift));
  for (std::int32_t k = 0; k < count; k += step) {
    const auto lanes = hn::Add(make(k), shifts);
    hn::StoreU(hn::BitCast(hn::Repartition<std::int32_t, Points>(), lanes),
               hn::Repartition<std::int32_t, Points>(), out + 2 * k);
  }
  return out + 2 * count;
}

inline std::int32_t* append_along_u(std::int32_t* out, std::int32_t count, const std::int32_t* u,
                                    Point shift) {
  return append(out, count, shift, [u](std::int32_t k) { return load(u, k); });
}

inline std::int32_t* append_along_v(std::int32_t* out, std::int32_t count, const std::int32_t* v,
                                    Point shift) {
  return append(out, count, shift, [v](std::int32_t k) { return hn::ShiftLeft<32>(load(v, k)); });
}

inline std::int32_t* append_along_w(std::int32_t* out, std::int32_t count, const std::int32_t* u,
                                    const std::int32_t* v, Point shift) {
  return append(out, count, shift,
                [u, v](std::int32_t k) { return hn::Or(load(u, k), hn::ShiftLeft<32>(load(v, k))); });
}

void isoline(const Patch& patch, PointRows& rows, std::int32_t* out) {
  const Row& lines = rows.v(patch.axis(0));
  const Row& detail = rows.any(patch.axis(1));
  for (std::int32_t line = 0; line < patch.segments[0]; ++line) {
    const std::int32_t v = lines.up[static_cast<std::size_t>(line)];
    out = append_along_u(out, patch.segments[1] + 1, detail.up.data(), {0, v});
  }
}

void tri(const Patch& patch, PointRows& rows, std::int32_t* out) {
  out = append_along_v(out, patch.segments[0], rows.any(patch.axis(0)).down.data(), {0, 0});
  out = append_along_u(out, patch.segments[1], rows.any(patch.axis(1)).up.data(), {0, 0});
  const Row& third = rows.any(patch.axis(2));
  out = append_along_w(out, patch.segments[2], third.down.data(), third.up.data(), {0, 0});  // up is 1 - down

  const Row& inside = rows.any(patch.axis(3));
  const std::int32_t points = patch.segments[3] + 1;
  for (std::int32_t ring = 1; ring < points / 2; ++ring) {
    const std::int32_t* up = inside.up.data() + ring;
    const std::int32_t* down = inside.down.data() + ring;
    const std::int32_t count = points - 1 - 2 * ring;
    // Two thirds of the way, so that the rings meet in the centroid.
    const auto d = static_cast<std::int32_t>((static_cast<std::uint32_t>(*up) * 0xAAAAu + 0x8000u) >> 16);
    const std::int32_t shift = (d + 1) / 2;
    out = append_along_v(out, count, down, {d, -shift});
    out = append_along_u(out, count, up, {-shift, d});
    out = append_along_w(out, count, down, up, {-shift, shift - d});  // v = 1 - u - d
  }
  if (points % 2 == 1) out[0] = out[1] = 0x5555;
}

void quad(const Patch& patch, PointRows& rows, std::int32_t* out) {
  out = append_along_v(out, patch.segments[0], rows.any(patch.axis(0)).down.data(), {0, 0});
  out = append_along_u(out, patch.segments[1], rows.any(patch.axis(1)).up.data(), {0, 0});
  out = append_along_v(out, patch.segments[2], rows.any(patch.axis(2)).up.data(), {kFixedOne, 0});
  out = append_along_u(out, patch.segments[3], rows.any(patch.axis(3)).down.data(), {0, kFixedOne});

  const Row& u = rows.any(patch.axis(4));
  const Row& v = rows.v(patch.axis(5));
  const std::int32_t nu = patch.segments[4] + 1, nv = patch.segments[5] + 1;
  const std::int32_t rings = std::min(nu, nv) / 2;
  for (std::int32_t ring = 1; ring < rings; ++ring) {
    const auto r = static_cast<std::size_t>(ring);
    const std::int32_t u_count = nu - 1 - 2 * ring, v_count = nv - 1 - 2 * ring;
    out = append_along_v(out, v_count, v.down.data() + r, {u.up[r], 0});
    out = append_along_u(out, u_count, u.up.data() + r, {0, v.up[r]});
    out = append_along_v(out, v_count, v.up.data() + r, {u.down[r], 0});
    out = append_along_u(out, u_count, u.down.data() + r, {0, v.down[r]});
  }
  if (nu > nv) {
    if (nv % 2 == 1) append_along_u(out, nu - 2 * rings, u.up.data() + rings, {0, kFixedOne / 2});
  } else if (nu % 2 == 1) {
    append_along_v(out, nv - 2 * rings, v.down.data() + rings, {kFixedOne / 2, 0});
  }
}

void write_points_any(Domain domain, const Patch& patch, PointRows& rows, std::int32_t* out) {
  constexpr std::array<std::int32_t, 6> kTriCorners{0, kFixedOne, 0, 0, kFixedOne, 0};
  constexpr std::array<std::int32_t, 8> kQuadCorners{0, 0, kFixedOne, 0, kFixedOne, kFixedOne, 0, kFixedOne};
  if (domain == Domain::kIsoline) {
    isoline(patch, rows, out);
  } else if (domain == Domain::kTri) {
    patch.minimum ? void(std::memcpy(out, kTriCorners.data(), sizeof kTriCorners)) : tri(patch, rows, out);
  } else {
    patch.minimum ? void(std::memcpy(out, kQuadCorners.data(), sizeof kQuadCorners)) : quad(patch, rows, out);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tilelab::tessellation
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tilelab::tessellation {

HWY_EXPORT(write_points_any);

void write_points(Domain domain, const Patch& patch, PointRows& rows, std::int32_t* out) {
  HWY_DYNAMIC_DISPATCH(write_points_any)(domain, patch, rows, out);
}

}  // namespace tilelab::tessellation
#endif  // HWY_ONCE
