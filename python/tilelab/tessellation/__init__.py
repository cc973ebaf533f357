"""The fixed-function tessellator of Direct3D 11 and its scheduling on Xbox One."""

from tilelab.tessellation.advise import Advice, advise
from tilelab.tessellation.condition_factors import condition_factors
from tilelab.tessellation.counts import COUNTS_DTYPE, tessellation_counts
from tilelab.tessellation.domain import Domain, Partitioning, Topology
from tilelab.tessellation.draw_call import DrawCall, patch_count
from tilelab.tessellation.schedule import Schedule, Stage
from tilelab.tessellation.scheduler import simulate
from tilelab.tessellation.scheduler_config import SchedulerConfig
from tilelab.tessellation.terrain import load_factors, terrain_draw_call, terrain_factors
from tilelab.tessellation.tessellation_parameters import TessellationParameters
from tilelab.tessellation.tessellator import Tessellation, tessellate
from tilelab.tessellation.threadgroup import (
    ThreadgroupSize,
    pixel_interpolant_bytes,
    threadgroup_size,
)

__all__ = [
    "COUNTS_DTYPE",
    "Advice",
    "Domain",
    "DrawCall",
    "Partitioning",
    "Schedule",
    "SchedulerConfig",
    "Stage",
    "Tessellation",
    "TessellationParameters",
    "ThreadgroupSize",
    "Topology",
    "advise",
    "condition_factors",
    "load_factors",
    "patch_count",
    "pixel_interpolant_bytes",
    "simulate",
    "terrain_draw_call",
    "terrain_factors",
    "tessellate",
    "tessellation_counts",
    "threadgroup_size",
]
__dir__ = __all__.copy
