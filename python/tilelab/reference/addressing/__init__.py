"""Slow, obvious texel addressing in NumPy: the twin of the C++ core."""

from tilelab.reference.addressing.equation import (
    block_dimensions,
    equation,
    pipe_bank_xor_term,
    read_measured_masks,
)
from tilelab.reference.addressing.layout import Layout, Mip, Plane, plane_layout
from tilelab.reference.addressing.swizzle_mode import MODES, block_log2, is_thick
from tilelab.reference.addressing.swizzle_plan import deswizzle, swizzle
from tilelab.reference.addressing.texel_address import mip_extent, offset_texel, texel_grid, texel_offset

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
