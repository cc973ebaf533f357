"""Twin of the counting kernel: makes every patch and counts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .tessellator import patch_indices, patch_points, process_factors

__all__ = ["tessellation_counts"]
__dir__ = __all__.copy


def tessellation_counts(
    domain: str, partitioning: str, factors: NDArray[np.float32]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_]]:
    """Points, primitives (lines or triangles) and culled flag of each row, by making them and counting."""
    topology, corners = ("line", 2) if domain == "isoline" else ("triangle_cw", 3)
    patches = [process_factors(domain, partitioning, row) for row in factors]
    return (
        np.array([len(patch_points(domain, p)) for p in patches], np.int32),
        np.array([len(patch_indices(domain, topology, p)) // corners for p in patches], np.int32),
        np.array([p.culled for p in patches], np.bool_),
    )
