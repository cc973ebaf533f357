"""
Tessellator and its scheduler.
"""

from __future__ import annotations
import enum
import numpy
import numpy.dtypes
import typing

__all__: list[str] = [
    "Domain",
    "PATCH_COUNTS",
    "Partitioning",
    "Reduction",
    "THREADGROUP_STALL",
    "THREADGROUP_WORK",
    "Topology",
    "WAVE_RECORD",
    "condition_factors",
    "simulate_threadgroups",
    "tessellate",
    "tessellation_counts",
    "tessellation_offsets",
]

class Domain(enum.IntEnum):
    """
    Shape of a patch.

    =========  ==========================================================================
    member     factors of a patch, in hardware order
    =========  ==========================================================================
    ISOLINE    density (number of lines, along V), detail (segments of a line, along U)
    TRI        edges U==0, V==0, W==0, then inside
    QUAD       edges U==0, V==0, U==1, V==1, then inside U, inside V
    =========  ==========================================================================
    """

    ISOLINE = 0
    QUAD = 2
    TRI = 1
    @property
    def edge_count(self) -> int:
        """
        Factors among them that cull the patch when they are not positive.
        """
    @property
    def factor_count(self) -> int:
        """
        Factors of one patch.
        """

class Partitioning(enum.IntEnum):
    """
    How a factor becomes segments. The hardware treats POW2 as INTEGER: the shader rounds it before.
    """

    FRACTIONAL_EVEN = 3
    FRACTIONAL_ODD = 2
    INTEGER = 0
    POW2 = 1

class Topology(enum.IntEnum):
    """
    What the tessellator makes: points of any domain, lines of isolines, triangles of tri and quad.
    """

    LINE = 1
    POINT = 0
    TRIANGLE_CCW = 3
    TRIANGLE_CW = 2
    @property
    def corners(self) -> int:
        """
        Indices of one primitive.
        """

class Reduction(enum.IntEnum):
    """
    How edge factors become an inside factor.
    """

    AVERAGE = 2
    MAX = 1
    MIN = 0

def condition_factors(
    domain: Domain,
    partitioning: Partitioning,
    reduction: Reduction,
    axes: typing.SupportsInt | typing.SupportsIndex,
    edges: numpy.ndarray,
    scales: numpy.ndarray,
    rounded: numpy.ndarray,
    unrounded: numpy.ndarray,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> None: ...
def simulate_threadgroups(
    machine: dict,
    groups: numpy.ndarray,
    lanes: numpy.ndarray,
    read_bytes: numpy.ndarray,
    waves: numpy.ndarray,
    stalls: numpy.ndarray,
) -> tuple[int, int]: ...
def tessellate(
    domain: Domain,
    partitioning: Partitioning,
    topology: Topology,
    factors: numpy.ndarray,
    point_offsets: numpy.ndarray,
    index_offsets: numpy.ndarray,
    points: numpy.ndarray,
    indices: numpy.ndarray,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> None: ...
def tessellation_counts(
    domain: Domain,
    partitioning: Partitioning,
    factors: numpy.ndarray,
    counts: numpy.ndarray,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> None: ...
def tessellation_offsets(
    domain: Domain,
    partitioning: Partitioning,
    topology: Topology,
    factors: numpy.ndarray,
    point_offsets: numpy.ndarray,
    index_offsets: numpy.ndarray,
) -> None: ...

PATCH_COUNTS: numpy.dtypes.VoidDType
THREADGROUP_STALL: numpy.dtypes.VoidDType
THREADGROUP_WORK: numpy.dtypes.VoidDType
WAVE_RECORD: numpy.dtypes.VoidDType
