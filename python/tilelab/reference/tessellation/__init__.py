"""Slow twins of the tessellation kernels."""

from .condition_factors import condition_factors
from .counts import tessellation_counts
from .tessellator import tessellate

__all__ = ["condition_factors", "tessellate", "tessellation_counts"]
__dir__ = __all__.copy
