"""The fixed-function tessellator of Direct3D 11 and its scheduling on Xbox One."""

from tilelab.tessellation.factors import COUNTS_DTYPE, condition_factors, tessellation_counts
from tilelab.tessellation.kinds import Domain, Partitioning, Topology
from tilelab.tessellation.tessellator import Tessellation, tessellate

__all__ = [
    "COUNTS_DTYPE",
    "Domain",
    "Partitioning",
    "Tessellation",
    "Topology",
    "condition_factors",
    "tessellate",
    "tessellation_counts",
]
