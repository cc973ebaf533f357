"""What HLSL does to tessellation factors before the hardware sees them."""

import numpy as np
import numpy.typing as npt

from tilelab import _core
from tilelab._core.tessellation import Reduction
from tilelab._validation import (
    as_choice,
    as_enum,
    as_int,
    as_threads,
    describe,
    fail,
    unsupported,
)
from tilelab.tessellation.domain import Domain, Partitioning, as_real, as_rows

__all__ = ["condition_factors"]
__dir__ = __all__.copy

REDUCTIONS = {kind.name.lower(): kind for kind in Reduction}


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
        rule = "must be tri or quad: an isoline patch has no inside factor"
        raise unsupported("domain", rule, "'isoline'")
    kind = REDUCTIONS[as_choice("reduction", reduction, tuple(REDUCTIONS))]
    axes = as_int("axes", axes, low=1, high=2)
    if axes == 2 and domain is Domain.TRI:
        raise fail("axes", "must be 1 for domain tri", axes)
    edge_array = as_real("edges", edges, domain.edge_count, f"for domain {domain.name.lower()}")
    scale_array = as_real("scales", scales, axes, f"for axes={axes}")
    threads = as_threads(threads)
    try:
        shape = np.broadcast_shapes(edge_array.shape[:-1], scale_array.shape[:-1])
    except ValueError:
        rule = f"must broadcast against edges, {describe(edge_array)}"
        raise fail("scales", rule, describe(scale_array)) from None
    edge_rows = as_rows(np.broadcast_to(edge_array, (*shape, domain.edge_count)))
    scale_rows = as_rows(np.broadcast_to(scale_array, (*shape, axes)))
    rounded = np.empty((len(edge_rows), domain.factor_count), np.float32)
    unrounded = np.empty_like(rounded)
    _core.tessellation.condition_factors(
        domain, partitioning, kind, axes, edge_rows, scale_rows, rounded, unrounded, threads
    )
    made = (*shape, domain.factor_count)
    return rounded.reshape(made), unrounded.reshape(made)
