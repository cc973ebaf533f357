"""Slow, obvious texel addressing in NumPy: the twin of the C++ core."""

from tilelab.reference.addressing.access import (
    deswizzle,
    mip_extent,
    offset_texel,
    swizzle,
    texel_grid,
    texel_offset,
)
from tilelab.reference.addressing.equations import (
    MODES,
    block_dimensions,
    block_log2,
    equation,
    is_thick,
    pipe_bank_xor_term,
    read_measured_masks,
)
from tilelab.reference.addressing.layout import Layout, Mip, Plane, plane_layout

__all__ = [
    "MODES",
    "Layout",
    "Mip",
    "Plane",
    "block_dimensions",
    "block_log2",
    "deswizzle",
    "equation",
    "is_thick",
    "mip_extent",
    "offset_texel",
    "pipe_bank_xor_term",
    "plane_layout",
    "read_measured_masks",
    "swizzle",
    "texel_grid",
    "texel_offset",
]
__dir__ = __all__.copy
