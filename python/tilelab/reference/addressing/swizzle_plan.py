"""Bulk copies, element by element (NumPy only, slow on purpose)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab.reference.addressing.layout import Layout
from tilelab.reference.addressing.texel_address import texel_grid

__all__ = ["deswizzle", "swizzle"]
__dir__ = __all__.copy


def swizzle(
    elements: npt.NDArray[np.uint8],
    layout: Layout,
    out: npt.NDArray[np.uint8],
    *,
    mip: int = 0,
    first_z: int = 0,
) -> Any:
    """Write elements of shape (depth, height, width, samples, bytes) uint8 into the tiled bytes `out`."""
    depth, height, width, _, size = elements.shape
    offsets = texel_grid(layout, (width, height, depth), mip=mip, first_z=first_z)
    out[offsets[..., None] + np.arange(size)] = elements
    return out


def deswizzle(
    tiled: npt.NDArray[np.uint8],
    layout: Layout,
    extent: tuple[int, int, int],
    *,
    mip: int = 0,
    first_z: int = 0,
) -> Any:
    """Read a box of elements, shape (depth, height, width, samples, bytes) uint8, from tiled bytes."""
    offsets = texel_grid(layout, extent, mip=mip, first_z=first_z)
    return tiled[offsets[..., None] + np.arange(1 << layout.plane.element_log2)]
