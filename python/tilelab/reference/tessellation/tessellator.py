"""Slow, obvious twin of the fixed-function tessellator: one patch at a time, plain integers.

The rules are those of the Direct3D 11.3 functional specification (chapters 10.10 to 10.13 and 11); where it
leaves an order or a rounding open, both are those measured from the public "D3D11 Fixed Function Tessellator
Reference" of May 7, 2012.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Patch", "patch_indices", "patch_points", "patch_triangles", "process_factors", "tessellate"]
__dir__ = __all__.copy

ONE = 0x10000
"""1.0 in 16.16 fixed point."""

MAX_FACTOR = {"integer": 64, "pow2": 64, "fractional_odd": 63, "fractional_even": 64}
FACTOR_COUNT = {"isoline": 2, "tri": 4, "quad": 6}
EDGE_COUNT = {"isoline": 2, "tri": 3, "quad": 4}

_PICTURE_FRAME_STEP = np.float32(2.0**-16)


@dataclass(frozen=True)
class Axis:
    """One tessellated edge or inside axis: its factor in 16.16 fixed point and its parity.

    Half the edge holds ``half_points`` points (the exact middle not counted when the parity is odd);
    the other half mirrors it.
    """

    factor: int
    odd: bool

    @property
    def _half_factor(self) -> int:
        half = (self.factor + 1) >> 1
        return half + 0x8000 if self.odd or half == 0x8000 else half

    @property
    def half_points(self) -> int:
        """Points of half the edge."""
        return -(-self._half_factor // ONE)

    @property
    def segments(self) -> int:
        """Pieces that the edge is cut into."""
        return 2 * self.half_points - self.odd

    @property
    def points(self) -> int:
        """Points of the whole edge, both ends included."""
        return self.segments + 1

    def at(self, p: int) -> int:
        """Position of point ``p`` (0 .. segments) in 16.16 fixed point."""
        half = self._half_factor
        floor, ceiling, fraction = half // ONE, self.half_points, half % ONE
        flip = p >= ceiling
        if flip:
            p = 2 * ceiling - p - self.odd
        if p == ceiling:
            return 0x8000
        if floor == ceiling:
            split = ceiling  # beyond every p: no point is being born
        elif self.odd:
            split = 0 if floor == 1 else 2 * _clear_highest_bit(floor - 1) + 1
        else:
            split = 2 * _clear_highest_bit(floor) + 1
        p_floor = p - (p > split)
        x = p_floor * _reciprocal(2 * floor - self.odd) * (ONE - fraction)
        x += p * _reciprocal(2 * ceiling - self.odd) * fraction
        x = (x + 0x8000) >> 16
        return ONE - x if flip else x


def _clear_highest_bit(x: int) -> int:
    return x - (1 << (x.bit_length() - 1))


def _reciprocal(n: int) -> int:
    """65536 / n rounded half up."""
    return (2 * ONE + n) // (2 * n)


@dataclass(frozen=True)
class Patch:
    """A patch after culling, clamping and rounding; ``axes`` is in factor order."""

    culled: bool
    minimum: bool
    axes: tuple[Axis, ...]


def process_factors(domain: str, partitioning: str, factors: NDArray[np.float32]) -> Patch:
    """Cull, clamp, round and convert the factors of one patch."""
    edges = EDGE_COUNT[domain]
    if not all(f > 0 for f in factors[:edges]):
        return Patch(culled=True, minimum=False, axes=())
    rounds = partitioning in ("integer", "pow2")
    low = np.float32(2 if partitioning == "fractional_even" else 1)
    high = np.float32(MAX_FACTOR[partitioning])
    if domain == "isoline":
        density = _axis(np.ceil(_clamp(factors[0], np.float32(1), np.float32(64))), "integer")
        detail = _clamp(factors[1], low, high)
        return Patch(False, False, (density, _axis(np.ceil(detail) if rounds else detail, partitioning)))

    values = [_clamp(f, low, high) for f in factors[:edges]]
    inside_low = low
    if partitioning == "fractional_odd":
        tested = values + (list(factors[edges:]) if domain == "quad" else [])
        if any(f > 1 + _PICTURE_FRAME_STEP / 2 for f in tested):
            inside_low = 1 + _PICTURE_FRAME_STEP
    values += [_clamp(f, inside_low, high) for f in factors[edges:]]
    if rounds:
        values = [np.ceil(f) for f in values]
    axes = [_axis(f, partitioning) for f in values[:edges]]
    axes += [_axis(f, partitioning, inside=True) for f in values[edges:]]
    minimum = partitioning != "fractional_even" and all(a.factor == ONE for a in axes)
    return Patch(False, minimum, tuple(axes))


def _clamp(f: np.float32, low: np.float32, high: np.float32) -> np.float32:
    """NaN gives ``low``."""
    raised = f if f > low else low
    return raised if raised < high else high


def _axis(f: np.float32, partitioning: str, *, inside: bool = False) -> Axis:
    factor = int(np.rint(f * np.float32(ONE)))
    if partitioning in ("fractional_odd", "fractional_even"):
        return Axis(factor, odd=partitioning == "fractional_odd")
    odd = (factor // ONE) % 2 == 1
    return Axis(factor, odd=odd and not (inside and factor == ONE))


def patch_points(domain: str, patch: Patch) -> list[tuple[int, int]]:
    """Domain points (u, v) of one patch in 16.16 fixed point, in output order."""
    if patch.culled:
        return []
    if domain == "isoline":
        density, detail = patch.axes
        return [
            (detail.at(k), density.at(line)) for line in range(density.segments) for k in range(detail.points)
        ]
    if domain == "tri":
        return _tri_points(patch)
    return _quad_points(patch)


def _tri_points(patch: Patch) -> list[tuple[int, int]]:
    if patch.minimum:
        return [(0, ONE), (0, 0), (ONE, 0)]
    edge_u, edge_v, edge_w, inside = patch.axes
    points = [(0, edge_u.at(k)) for k in range(edge_u.segments, 0, -1)]
    points += [(edge_v.at(k), 0) for k in range(edge_v.segments)]
    points += [(edge_w.at(k), ONE - edge_w.at(k)) for k in range(edge_w.segments, 0, -1)]
    n = inside.points
    for ring in range(1, n // 2):
        d = (inside.at(ring) * 0xAAAA + 0x8000) >> 16  # two thirds, so that the rings meet in the centroid
        shift = (d + 1) // 2
        ascending = [inside.at(k) - shift for k in range(ring, n - ring)]
        descending = ascending[::-1]
        points += [(d, x) for x in descending[:-1]]
        points += [(x, d) for x in ascending[:-1]]
        points += [(x, ONE - x - d) for x in descending[:-1]]
    if not inside.odd:
        points.append((0x5555, 0x5555))
    return points


def _quad_points(patch: Patch) -> list[tuple[int, int]]:
    if patch.minimum:
        return [(0, 0), (ONE, 0), (ONE, ONE), (0, ONE)]
    edge_u0, edge_v0, edge_u1, edge_v1, inside_u, inside_v = patch.axes
    points = [(0, edge_u0.at(k)) for k in range(edge_u0.segments, 0, -1)]
    points += [(edge_v0.at(k), 0) for k in range(edge_v0.segments)]
    points += [(ONE, edge_u1.at(k)) for k in range(edge_u1.segments)]
    points += [(edge_v1.at(k), ONE) for k in range(edge_v1.segments, 0, -1)]
    u = [inside_u.at(k) for k in range(inside_u.points)]
    v = [inside_v.at(k) for k in range(inside_v.points)]
    rings = min(len(u), len(v)) // 2
    for ring in range(1, rings):
        ring_u, ring_v = u[ring : len(u) - ring], v[ring : len(v) - ring]
        points += [(ring_u[0], y) for y in ring_v[:0:-1]]
        points += [(x, ring_v[0]) for x in ring_u[:-1]]
        points += [(ring_u[-1], y) for y in ring_v[:-1]]
        points += [(x, ring_v[-1]) for x in ring_u[:0:-1]]
    if len(u) > len(v):
        if not inside_v.odd:
            points += [(x, 0x8000) for x in u[rings : len(u) - rings]]
    elif not inside_u.odd:
        points += [(0x8000, y) for y in v[rings : len(v) - rings][::-1]]
    return points


Triangle = tuple[int, int, int]


def patch_triangles(domain: str, patch: Patch) -> list[Triangle]:
    """Clockwise triangles of one tri or quad patch, in output order."""
    if patch.culled:
        return []
    if domain == "tri":
        return [(0, 1, 2)] if patch.minimum else _tri_triangles(patch)
    return [(0, 1, 3), (1, 2, 3)] if patch.minimum else _quad_triangles(patch)


def _ring_sides(base: int, side_segments: list[int]) -> list[list[int]]:
    """Index rows of a ring's sides, both corners included; the last one closes at ``base``."""
    sides, start = [], base
    for segments in side_segments:
        sides.append(list(range(start, start + segments + 1)))
        start += segments
    sides[-1][-1] = base
    return sides


def _tri_triangles(patch: Patch) -> list[Triangle]:
    *edges, inside = patch.axes
    outer = _ring_sides(0, [e.segments for e in edges])
    base = sum(e.segments for e in edges)
    triangles: list[Triangle] = []
    for ring in range(1, (inside.points + 1) // 2):
        segments = inside.segments - 2 * ring
        inner = _ring_sides(base, [segments] * 3) if segments else [[base]] * 3
        triangles += _stitch_ring(ring, outer, inner, edges, [inside] * 3)
        outer, base = inner, base + 3 * segments
    if inside.odd:
        triangles.append((outer[0][0], outer[1][0], outer[2][0]))
    return triangles


def _quad_triangles(patch: Patch) -> list[Triangle]:
    *edges, inside_u, inside_v = patch.axes
    along = [inside_v, inside_u, inside_v, inside_u]
    nu, nv = inside_u.points, inside_v.points
    outer = _ring_sides(0, [e.segments for e in edges])
    base = sum(e.segments for e in edges)
    triangles: list[Triangle] = []
    for ring in range(1, (min(nu, nv) + 1) // 2):
        su, sv = nu - 1 - 2 * ring, nv - 1 - 2 * ring
        if min(su, sv) > 0:
            inner = _ring_sides(base, [sv, su, sv, su])
        elif nu > nv:
            row = list(range(base, base + su + 1))
            inner = [row[:1], row, row[-1:], row[::-1]]
        else:
            column = list(range(base, base + sv + 1))
            inner = [column, column[-1:], column[::-1], column[:1]]
        triangles += _stitch_ring(ring, outer, inner, edges, along)
        outer, base = inner, base + 2 * (su + sv)
    if nu > nv and inside_v.odd:
        triangles += _strip(outer[1], outer[3][::-1], mirrored=False)
    elif nv >= nu and inside_u.odd:
        triangles += _strip(outer[0], outer[2][::-1], mirrored=inside_v.odd)
    return triangles


def _stitch_ring(
    ring: int,
    outer: list[list[int]],
    inner: list[list[int]],
    edges: list[Axis],
    along: list[Axis],
) -> list[Triangle]:
    triangles: list[Triangle] = []
    for side, (row_out, row_in) in enumerate(zip(outer, inner, strict=True)):
        if ring == 1:
            triangles += _transition_stitch(row_out, row_in, edges[side], along[side])
        else:
            triangles += _regular_stitch(row_out, row_in)
    return triangles


def _ruler_position(k: int) -> int:
    """Rank of slot ``k`` (0 .. 32) of a half edge: points are born in this order as the factor grows."""
    if k < 2:
        return 32 * k
    j = k - 1
    zeros = (j & -j).bit_length() - 1
    return (1 << (4 - zeros)) + (j >> (zeros + 1))


def _transition_stitch(row_out: list[int], row_in: list[int], edge: Axis, inside: Axis) -> list[Triangle]:
    """Join an edge to the first inner ring, which may have any other number of points."""
    count_in, count_out = inside.half_points - inside.odd, edge.half_points - edge.odd
    triangles: list[Triangle] = []
    i = o = 0

    def advance_outer() -> None:
        nonlocal o
        triangles.append((row_out[o], row_out[o + 1], row_in[i]))
        o += 1

    def advance_inner() -> None:
        nonlocal i
        triangles.append((row_in[i], row_out[o], row_in[i + 1]))
        i += 1

    if count_out > 0:
        advance_outer()
    for k in range(1, 33):
        if _ruler_position(k) < count_in:
            advance_inner()
        if _ruler_position(k) < count_out:
            advance_outer()
    if inside.odd and edge.odd:
        triangles.append((row_in[i], row_out[o], row_in[i + 1]))
        triangles.append((row_in[i + 1], row_out[o], row_out[o + 1]))
        i, o = i + 1, o + 1
    elif edge.odd:
        triangles.append((row_in[i], row_out[o], row_out[o + 1]))
        o += 1
    elif inside.odd:
        advance_inner()
    for k in range(32, 0, -1):
        if _ruler_position(k) < count_out:
            advance_outer()
        if _ruler_position(k) < count_in:
            advance_inner()
    if count_out > 0:
        advance_outer()
    return triangles


def _regular_stitch(row_out: list[int], row_in: list[int]) -> Iterator[Triangle]:
    """Join two inner rings; the diagonals turn over in the middle of the row."""
    n = len(row_in)
    yield row_out[0], row_out[1], row_in[0]
    for p in range(n - 1):
        a, b = row_in[p], row_in[p + 1]
        c, d = row_out[p + 1], row_out[p + 2]
        if p < n // 2:
            yield c, b, a
            yield c, d, b
        else:
            yield a, c, d
            yield a, d, b
    yield row_out[-2], row_out[-1], row_in[-1]


def _strip(row_out: list[int], row_in: list[int], *, mirrored: bool) -> Iterator[Triangle]:
    """Fill the two-row centre of a quad whose shorter axis is odd."""
    n = len(row_out)
    for p in range(n - 1):
        a, b = row_in[p], row_in[p + 1]
        c, d = row_out[p], row_out[p + 1]
        if mirrored and p == n // 2 - 1:
            yield c, b, a
            yield c, d, b
        elif mirrored:
            yield c, d, a
            yield a, d, b
        else:
            yield a, c, d
            yield a, d, b


def patch_indices(domain: str, topology: str, patch: Patch) -> list[int]:
    """Give the indices of one patch in output order."""
    if topology == "point":
        return list(range(len(patch_points(domain, patch))))
    if topology == "line":
        if patch.culled:
            return []
        density, detail = patch.axes
        starts = [
            line * detail.points + k for line in range(density.segments) for k in range(detail.segments)
        ]
        return [index for start in starts for index in (start, start + 1)]
    triangles = patch_triangles(domain, patch)
    if topology == "triangle_ccw":
        triangles = [(a, c, b) for a, b, c in triangles]
    return [index for triangle in triangles for index in triangle]


def tessellate(
    domain: str, partitioning: str, factors: NDArray[np.float32], *, topology: str
) -> tuple[NDArray[np.int32], NDArray[np.uint16], NDArray[np.int64], NDArray[np.int64]]:
    """Points, indices and both offset arrays of many patches, ``factors`` being (N, 2|4|6) float32."""
    points: list[tuple[int, int]] = []
    indices: list[int] = []
    point_offsets, index_offsets = [0], [0]
    for row in factors:
        patch = process_factors(domain, partitioning, row)
        points += patch_points(domain, patch)
        indices += patch_indices(domain, topology, patch)
        point_offsets.append(len(points))
        index_offsets.append(len(indices))
    return (
        np.array(points, np.int32).reshape(-1, 2),
        np.array(indices, np.uint16),
        np.array(point_offsets, np.int64),
        np.array(index_offsets, np.int64),
    )
