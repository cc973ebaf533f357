"""Texel offsets and their inverse, one formula at a time (NumPy only, slow on purpose)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab.reference.addressing.layout import Layout

__all__ = ["mip_extent", "offset_texel", "texel_grid", "texel_offset"]
__dir__ = __all__.copy


def mip_extent(
    pixels: tuple[int, int, int], mip: int, block: tuple[int, int], volume: bool
) -> tuple[int, int, int]:
    """Texels that exist in a mip, in elements: ``max(1, size >> mip)``, then over the format's block."""
    width, height = (-(-max(1, pixels[i] >> mip) // block[i]) for i in range(2))
    return width, height, max(1, pixels[2] >> mip) if volume else pixels[2]


def texel_offset(
    layout: Layout,
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    z: npt.ArrayLike,
    sample: npt.ArrayLike = 0,
    *,
    mip: int = 0,
) -> Any:
    """Byte offset of elements; `z` is the array slice or the depth slice."""
    plane = layout.plane
    values = [np.asarray(value, dtype=np.int64) for value in (x, y, z, sample)]
    x, y, z, sample = np.broadcast_arrays(*values)
    place = layout.mips[mip]
    if not layout.equation:
        return z * layout.slice_bytes + place.offset + ((y * place.pitch + x) << plane.element_log2)
    width, height, depth = layout.block
    x, y = x + place.tail_x, y + place.tail_y
    inside = np.zeros(x.shape, np.int64)
    for bit, masks in enumerate(layout.equation):
        parity = np.zeros(x.shape, np.int64)
        for coordinate, mask in zip((x, y, z, sample), masks, strict=True):
            for k in range(16):
                if mask >> k & 1:
                    parity ^= coordinate >> k & 1
        inside |= parity << bit
    block_index = np.int64(0) if place.in_tail else (y // height) * (place.pitch // width) + x // width
    base = 0 if place.in_tail else place.offset
    return (
        (z // depth) * layout.slice_bytes
        + base
        + (block_index << layout.block_log2)
        + (inside ^ layout.xor_term)
    )


def texel_grid(layout: Layout, extent: tuple[int, int, int], *, mip: int = 0, first_z: int = 0) -> Any:
    """Offsets of a whole box of texels, shape (depth, height, width, samples)."""
    width, height, depth = extent
    z, y, x, sample = np.ix_(
        np.arange(first_z, first_z + depth),
        np.arange(height),
        np.arange(width),
        np.arange(1 << layout.plane.samples_log2),
    )
    return texel_offset(layout, x, y, z, sample, mip=mip)


def offset_texel(layout: Layout, extents: Sequence[tuple[int, int, int]], offset_bytes: npt.ArrayLike) -> Any:
    """Element that holds each byte, (..., 5): x, y, z, mip, sample, or -1 in padding.

    Every element of every mip is placed, so `extents` names the (width, height, depth) of each mip.
    """
    size = layout.plane.element_log2
    found = np.full((layout.size_bytes >> size, 5), -1)
    for mip, extent in enumerate(extents):
        offsets = texel_grid(layout, extent, mip=mip)
        z, y, x, sample = np.indices(offsets.shape)
        found[offsets >> size] = np.stack([x, y, z, np.full_like(x, mip), sample], axis=-1)
    return found[np.asarray(offset_bytes) >> size]
