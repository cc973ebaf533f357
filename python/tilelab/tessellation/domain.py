"""What a patch is and how it is cut, and its factors as the kernels take them."""

import numpy as np
import numpy.typing as npt

from tilelab._core.tessellation import Domain as Domain
from tilelab._core.tessellation import Partitioning as Partitioning
from tilelab._core.tessellation import Topology as Topology
from tilelab._validation import Array, as_choice, as_regular, describe, fail, fail_type

__all__ = ["Domain", "Partitioning", "Topology"]
__dir__ = __all__.copy

ISOLINE_ORDERS = ("d3d", "gl", "vulkan", "amd")


def as_factors(domain: Domain, factors: npt.ArrayLike, isoline_order: str = "d3d") -> Array:
    """Check factors against the width of their domain, and give them in hardware order."""
    order = as_choice("isoline_order", isoline_order, ISOLINE_ORDERS)
    if order == "amd" and domain is not Domain.ISOLINE:
        raise fail("isoline_order", f"must be 'd3d' for domain {domain.name.lower()}", repr(order))
    array = as_real("factors", factors, domain.factor_count, f"for domain {domain.name.lower()}")
    return array[..., ::-1] if order == "amd" else array


def as_real(name: str, value: npt.ArrayLike, width: int, reason: str) -> Array:
    """Check that `value` holds real numbers, `width` of them in a row; `reason` says why as many."""
    array = as_regular(name, value)
    if array.dtype.kind not in "fiu":
        raise fail_type(name, "must be an array of float32 (or other real numbers)", describe(array))
    if array.ndim == 0 or array.shape[-1] != width:
        raise fail(name, f"must have shape (..., {width}) {reason}", describe(array))
    return array


def as_rows(array: Array, *, own: bool = False) -> npt.NDArray[np.float32]:
    """Give checked numbers as the kernels take them, (rows, width), copied once at the most.

    Factors saturate at 64, so integers and wider floats lose nothing that counts by becoming float32. With
    `own` the rows share no memory with `array`.
    """
    with np.errstate(all="ignore"):
        if own:
            rows: npt.NDArray[np.float32] = np.array(array, np.float32, order="C")
        else:
            rows = np.ascontiguousarray(array, np.float32)  # np.require costs more than a small kernel
    return (rows if rows.flags.aligned else rows.copy()).reshape(-1, array.shape[-1])
