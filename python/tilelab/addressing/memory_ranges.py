"""Which bytes of a surface hold a mip."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tilelab._validation import ceil_div
from tilelab.addressing.layout import ResourceLayout, as_layout
from tilelab.addressing.swizzle_mode import SwizzleMode

__all__ = ["memory_ranges"]
__dir__ = __all__.copy


def memory_ranges(
    layout: ResourceLayout, *, mip: int, array_slice: int = 0, plane: int | str = 0
) -> npt.NDArray[np.int64]:
    """Give the bytes that hold a mip: what a streaming tool has to load.

    Parameters
    ----------
    layout : ResourceLayout
        The layout.
    mip : int
        The mip.
    array_slice : int
        Slice of an array or face of a cube; 0 for a volume.
    plane : int or str
        Number or usage of the plane.

    Returns
    -------
    int64 array of shape (N, 2)
        Begin and end (exclusive) of every range in bytes from the start of the resource, ascending;
        touching ranges are joined.

    Notes
    -----
    Derived: the ranges are exactly the blocks (LINEAR: rows) that hold an existing element of the mip. A
    tail mip needs the whole tail block. A volume in a thick mode has one range for every block depth of the
    mip.

    Examples
    --------
    >>> from tilelab.addressing import TextureDesc, resource_layout
    >>> desc = TextureDesc(width=48, height=24, mip_levels=6, format="R8G8B8A8_UNORM")
    >>> memory_ranges(resource_layout(desc, "4KB_S"), mip=0).tolist()
    [[8192, 16384]]
    """
    chosen, level = as_layout(layout).place(plane, mip)
    array_slice = layout.check_slice(array_slice)
    width, height, depth = chosen.block_shape
    base = chosen.base_offset_bytes
    units = (
        np.arange(ceil_div(level.depth_or_array_size, depth))
        if layout.dimension == "3d"
        else np.array([array_slice])
    )
    starts = base + units.astype(np.int64) * chosen.slice_size_bytes
    if level.is_mip_tail:
        return _joined(starts, chosen.base_alignment_bytes)
    row_bytes = level.pitch_bytes * height * depth * level.sample_count
    rows = ceil_div(level.height_elements, height)
    used = row_bytes
    if layout.swizzle_mode is not SwizzleMode.LINEAR:
        used = ceil_div(level.width_elements, width) * (row_bytes // (level.padded_width_elements // width))
    starts = (starts[:, None] + level.offset_bytes + np.arange(rows) * row_bytes).reshape(-1)
    return _joined(starts, used)


def _joined(starts: npt.NDArray[np.int64], length: int) -> npt.NDArray[np.int64]:
    """Ranges of equal length, ascending, with those that touch made one."""
    begins = np.concatenate(([True], starts[1:] != starts[:-1] + length))
    ends = np.concatenate((begins[1:], [True]))
    return np.stack((starts[begins], starts[ends] + length), axis=1)
