"""Twin of the HLSL pre-conditioning of factors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .tessellator import EDGE_COUNT, MAX_FACTOR

__all__ = ["condition_factors"]
__dir__ = __all__.copy


def condition_factors(
    domain: str,
    partitioning: str,
    edges: NDArray[np.float32],
    scales: NDArray[np.float32],
    *,
    reduction: str,
    axes: int,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Give rounded and unrounded factors, (N, 4|6) float32, of ``edges`` (N, 3|4) and ``scales`` (N, 1|2)."""
    rows = [
        _condition_patch(domain, partitioning, edge, scale, reduction, axes)
        for edge, scale in zip(edges, scales, strict=True)
    ]
    width = EDGE_COUNT[domain] + (1 if domain == "tri" else 2)
    rounded = np.array([r for r, _ in rows], np.float32).reshape(-1, width)
    unrounded = np.array([u for _, u in rows], np.float32).reshape(-1, width)
    return rounded, unrounded


Row = list[np.float32]


def _condition_patch(
    domain: str,
    partitioning: str,
    edges: NDArray[np.float32],
    scales: NDArray[np.float32],
    reduction: str,
    axes: int,
) -> tuple[Row, Row]:
    inside_count = 1 if domain == "tri" else 2
    zero = np.float32(0)
    if not all(e > 0 for e in edges):
        return [zero] * (len(edges) + inside_count), list(edges) + [zero] * inside_count

    raw = [e if e >= 1 else np.float32(1) for e in edges]
    rounded = [_clamp(_round_up(e, partitioning), partitioning) for e in raw]

    if domain == "tri":
        groups = [raw]
    elif axes == 1:
        groups = [[raw[1], raw[3], raw[0], raw[2]]]
    else:
        groups = [[raw[1], raw[3]], [raw[0], raw[2]]]
    inside = [
        _inside_factor(group, scale, partitioning, reduction)
        for group, scale in zip(groups, scales, strict=True)
    ]
    if axes == 2:
        inside = [
            _widen(*own, other[0], partitioning)
            for own, other in ((inside[0], inside[1]), (inside[1], inside[0]))
        ]
    inside *= inside_count // len(inside)
    return rounded + [r for r, _ in inside], raw + [u for _, u in inside]


def _inside_factor(
    group: Row, scale: np.float32, partitioning: str, reduction: str
) -> tuple[np.float32, np.float32]:
    """Give the rounded and unrounded inside factor of one axis."""
    with np.errstate(invalid="ignore", over="ignore"):
        value = _clamp(_reduce(group, reduction) * _saturate(scale), partitioning)
        if partitioning == "fractional_odd" and value < 3:
            value = min(np.float32(3), _reduce(group, "max" if reduction == "max" else "average"))
    return _clamp(_round_up(value, partitioning), partitioning), value


def _widen(
    rounded: np.float32, unrounded: np.float32, other: np.float32, partitioning: str
) -> tuple[np.float32, np.float32]:
    """Let an odd axis below 3 follow the larger other axis, so that the patch gets a ring of its own.

    Only fractional_odd has such an axis: an integer inside factor of 1 counts as even.
    """
    if partitioning == "fractional_odd" and rounded < 3 and rounded < other:
        widened = min(other, np.float32(3))
        return widened, widened
    return rounded, unrounded


def _reduce(group: Row, reduction: str) -> np.float32:
    if reduction == "min":
        return min(group)
    if reduction == "max":
        return max(group)
    total = group[0]
    for value in group[1:]:
        total = total + value
    return total / np.float32(len(group))


def _saturate(scale: np.float32) -> np.float32:
    """Scale limited to 0 .. 1; NaN gives 0."""
    return min(scale, np.float32(1)) if scale > 0 else np.float32(0)


def _clamp(value: np.float32, partitioning: str) -> np.float32:
    """NaN gives the lower bound."""
    low = np.float32(2 if partitioning == "fractional_even" else 1)
    return min(value, np.float32(MAX_FACTOR[partitioning])) if value > low else low


def _round_up(value: np.float32, partitioning: str) -> np.float32:
    if partitioning == "integer":
        return np.float32(np.ceil(value))
    if partitioning == "pow2":
        return _next_power_of_two(value)
    return value


def _next_power_of_two(value: np.float32) -> np.float32:
    """Smallest power of two not below ``value`` >= 1: the exponent goes up unless the mantissa is zero."""
    bits = int(value.view(np.uint32))
    if bits & 0x007FFFFF:
        bits = (bits & 0xFF800000) + 0x00800000
    return np.uint32(bits).view(np.float32)
