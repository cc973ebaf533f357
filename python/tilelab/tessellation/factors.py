"""Tessellation factors: what they make, and what HLSL does to them before the hardware."""

from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab import _core
from tilelab._validation import (
    UnsupportedError,
    as_choice,
    as_enum,
    as_int,
    as_out,
    as_regular,
    as_threads,
    describe,
    fail,
    fail_type,
)
from tilelab.tessellation.kinds import Domain, Partitioning

__all__ = ["COUNTS_DTYPE", "condition_factors", "tessellation_counts"]

COUNTS_DTYPE = np.dtype([("points", np.int32), ("primitives", np.int32), ("culled", np.bool_)], align=True)
"""One row of :func:`tessellation_counts`."""

ISOLINE_ORDERS = ("d3d", "gl", "vulkan", "amd")
REDUCTIONS = ("min", "max", "average")


def tessellation_counts(
    domain: Domain | str,
    partitioning: Partitioning | str,
    factors: npt.ArrayLike,
    *,
    isoline_order: str = "d3d",
    out: npt.NDArray[Any] | None = None,
    threads: int = 1,
) -> npt.NDArray[Any]:
    """Count the points and primitives of each patch, without making them.

    Parameters
    ----------
    domain : Domain or str
        "isoline", "tri" or "quad".
    partitioning : Partitioning or str
        "integer", "pow2", "fractional_odd" or "fractional_even".
    factors : array_like of float32, shape (..., 2|4|6)
        Factors in the hardware order of :class:`Domain`. float64, float16 and integers become float32.
    isoline_order : {"d3d", "gl", "vulkan", "amd"}
        Order of the two isoline factors; see Notes of :func:`tessellate`.
    out : ndarray of COUNTS_DTYPE, shape (...), optional
        Where to write the result.
    threads : int
        Threads to use, 0 for all cores.

    Returns
    -------
    ndarray of COUNTS_DTYPE, shape (...)
        ``points`` int32; ``primitives`` int32 (lines or triangles); ``culled`` bool.

    Raises
    ------
    TypeError
        `factors` is not an array of real numbers, or `out` has another dtype.
    ValueError
        `factors` has the wrong width for the domain, or a name is unknown.

    Notes
    -----
    Measured: equal to the public Direct3D 11 reference tessellator for every factor, NaN, infinities and
    denormals included. A patch is culled when an edge factor (isoline: either factor) fails ``f > 0``.
    Otherwise let s be the segments of an axis: the smallest integer of the axis' parity that is not below the
    clamped factor. With o the sum over the edges (documented rules, derived forms):

    - isoline, n lines: ``n (s + 1)`` points, ``n s`` lines;
    - quad: ``o + (su - 1)(sv - 1)`` points, ``o + 2 (su - 1)(sv - 1) - 2`` triangles;
    - tri: ``o + I(s)`` points with I = 3 h^2 for s = 2 h + 1 and 3 h (h - 1) + 1 for s = 2 h;
      ``o + 3 m + floor(3 m^2 / 2)`` triangles with m = s - 2;
    - a tri or quad whose factors all equal 1 (not fractional_even): its corners, one or two triangles.

    Examples
    --------
    >>> from tilelab.tessellation import tessellation_counts
    >>> counts = tessellation_counts("tri", "integer", [[4, 4, 4, 4], [64, 64, 64, 1], [0, 8, 8, 8]])
    >>> counts["points"], counts["primitives"], counts["culled"]
    (array([ 19, 193,   0], dtype=int32), array([ 24, 192,   0], dtype=int32), array([False, False,  True]))
    """
    domain = as_enum("domain", domain, Domain)
    partitioning = as_enum("partitioning", partitioning, Partitioning)
    array = as_factors(domain, factors, isoline_order)
    threads = as_threads(threads)
    shape = array.shape[:-1]
    if out is None:
        out = np.empty(shape, COUNTS_DTYPE)
    else:
        as_out("out", out, dtype=COUNTS_DTYPE, shape=shape, inputs=[("factors", array)])
    rows = array.reshape(-1, domain.factor_count)
    _core.tessellation.tessellation_counts(domain, partitioning, rows, out.reshape(-1), threads)
    return out


def condition_factors(
    domain: Domain | str,
    partitioning: Partitioning | str,
    edges: npt.ArrayLike,
    scales: npt.ArrayLike,
    *,
    reduction: str = "min",
    axes: int = 1,
    threads: int = 1,
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Round edge factors and derive inside factors from them, as compiled HLSL does.

    Parameters
    ----------
    domain : Domain or str
        "tri" or "quad".
    partitioning : Partitioning or str
        "integer", "pow2", "fractional_odd" or "fractional_even".
    edges : array_like of float32, shape (..., 3) for tri, (..., 4) for quad
        Raw edge factors in the hardware order of :class:`Domain`.
    scales : array_like of float32, shape (..., 1) or, for ``axes=2``, (..., 2)
        Scale of the inside factors, limited to 0 .. 1 (NaN gives 0). Leading axes broadcast against `edges`.
    reduction : {"min", "max", "average"}
        How edges become the inside factor.
    axes : {1, 2}
        2 (quad only): inside U from the edges V==0 and V==1, inside V from U==0 and U==1.
    threads : int
        Threads to use, 0 for all cores.

    Returns
    -------
    rounded, unrounded : ndarray of float32, shape (..., 4|6)
        Edges, then inside factors, after and before rounding. `rounded` is what the hardware gets.

    Raises
    ------
    TypeError
        `edges` or `scales` is not an array of real numbers.
    ValueError
        A shape or a name is wrong.
    UnsupportedError
        `domain` is isoline: it has no inside factor.

    Notes
    -----
    Documented (the HLSL functions ProcessTriTessFactors, ProcessQuadTessFactors and
    Process2DQuadTessFactors), details measured from the public reference implementation:

    - an edge that fails ``f > 0`` culls: everything is 0, but the unrounded edges stay as they came;
    - edges below 1 become 1, then round (integer: up; pow2: to the next power of two), then clamp;
    - inside = reduction(unrounded edges) * scale, clamped, rounded. An odd inside factor below 3 (only
      fractional_odd has one) becomes min(3, average of the edges), for "max" min(3, largest edge);
    - with two axes, an odd axis below 3 and below the other axis becomes min(3, other axis).

    Examples
    --------
    >>> from tilelab.tessellation import condition_factors
    >>> rounded, unrounded = condition_factors("tri", "pow2", [3.0, 5.0, 9.0], [0.5], reduction="max")
    >>> rounded
    array([ 4.,  8., 16.,  8.], dtype=float32)
    >>> unrounded
    array([3. , 5. , 9. , 4.5], dtype=float32)
    """
    domain = as_enum("domain", domain, Domain)
    partitioning = as_enum("partitioning", partitioning, Partitioning)
    if domain is Domain.ISOLINE:
        raise UnsupportedError(
            "domain must be tri or quad: an isoline patch has no inside factor, got 'isoline'"
        )
    reduction = as_choice("reduction", reduction, REDUCTIONS)
    axes = as_int("axes", axes, low=1, high=2)
    if axes == 2 and domain is Domain.TRI:
        raise fail("axes", "must be 1 for domain tri", axes)
    edge_array = _as_float32("edges", edges, domain.edge_count, f"for domain {domain.name.lower()}")
    scale_array = _as_float32("scales", scales, axes, f"for axes={axes}")
    threads = as_threads(threads)
    try:
        shape = np.broadcast_shapes(edge_array.shape[:-1], scale_array.shape[:-1])
    except ValueError:
        raise fail(
            "scales", f"must broadcast against edges, {describe(edge_array)}", describe(scale_array)
        ) from None
    edge_rows = np.ascontiguousarray(np.broadcast_to(edge_array, (*shape, domain.edge_count)))
    scale_rows = np.ascontiguousarray(np.broadcast_to(scale_array, (*shape, axes)))
    rounded = np.empty((*shape, domain.factor_count), np.float32)
    unrounded = np.empty_like(rounded)
    _core.tessellation.condition_factors(
        domain,
        partitioning,
        REDUCTIONS.index(reduction),
        axes,
        edge_rows.reshape(-1, domain.edge_count),
        scale_rows.reshape(-1, axes),
        rounded.reshape(-1, domain.factor_count),
        unrounded.reshape(-1, domain.factor_count),
        threads,
    )
    return rounded, unrounded


def as_factors(domain: Domain, factors: npt.ArrayLike, isoline_order: str) -> npt.NDArray[np.float32]:
    """Give `factors` as float32 in C order and hardware order, checked against the domain's width."""
    order = as_choice("isoline_order", isoline_order, ISOLINE_ORDERS)
    if order == "amd" and domain is not Domain.ISOLINE:
        raise fail("isoline_order", f"must be 'd3d' for domain {domain.name.lower()}", repr(order))
    array = _as_float32("factors", factors, domain.factor_count, f"for domain {domain.name.lower()}")
    return np.ascontiguousarray(array[..., ::-1]) if order == "amd" else array


def _as_float32(name: str, value: npt.ArrayLike, width: int, reason: str) -> npt.NDArray[np.float32]:
    """Factors saturate at 64, so integers and wider floats lose nothing that counts by becoming float32."""
    array = as_regular(name, value)
    if array.dtype.kind not in "fiu":
        raise fail_type(name, "must be an array of float32 (or other real numbers)", describe(array))
    if array.ndim == 0 or array.shape[-1] != width:
        raise fail(name, f"must have shape (..., {width}) {reason}", describe(array))
    with np.errstate(all="ignore"):
        return np.ascontiguousarray(array, np.float32)
