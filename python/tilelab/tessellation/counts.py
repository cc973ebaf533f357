"""How many points and primitives the tessellator makes of each patch."""

from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab import _core
from tilelab._validation import as_enum, as_out, as_threads
from tilelab.tessellation.domain import Domain, Partitioning, as_factors, as_rows

__all__ = ["COUNTS_DTYPE", "tessellation_counts"]
__dir__ = __all__.copy

COUNTS_DTYPE: np.dtype[Any] = _core.tessellation.PATCH_COUNTS
"""One row of :func:`tessellation_counts`."""


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
    if out is None:
        out = np.empty(array.shape[:-1], COUNTS_DTYPE)
    else:
        as_out("out", out, dtype=COUNTS_DTYPE, shape=array.shape[:-1], inputs=[("factors", array)])
    rows = as_rows(array)
    _core.tessellation.tessellation_counts(domain, partitioning, rows, out.reshape(-1), threads)
    return out
