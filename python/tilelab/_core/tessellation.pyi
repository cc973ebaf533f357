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
    "PipelineMode",
    "Reduction",
    "SchedulerMachine",
    "SchedulerTotals",
    "Stage",
    "THREADGROUP_STALL",
    "THREADGROUP_WORK",
    "Topology",
    "WAVE_RECORD",
    "WaveOrder",
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

class Stage(enum.IntEnum):
    """
    Shader stage of a wave, as field ``stage`` of the wave table holds it.
    """

    DOMAIN = 2
    HULL = 1
    VERTEX = 0

class PipelineMode(enum.IntEnum):
    """
    Whether hull-shader output always stays in LDS, or every group decides.
    """

    OFF_CHIP = 1
    ON_CHIP = 0

class WaveOrder(enum.IntEnum):
    """
    Whether a group whose next wave cannot start lets younger groups pass.
    """

    OLDEST_FIRST_SKIP = 0
    STRICT_FIFO = 1

class SchedulerMachine:
    """
    What the engine needs of a scheduler configuration.
    """

    FIELDS: typing.ClassVar[tuple] = (
        "mode",
        "ds_order",
        "cu_count",
        "simd_per_cu",
        "wave_slots_per_simd",
        "available_lds_bytes",
        "vs_issue",
        "vs_latency",
        "hs_issue",
        "hs_latency",
        "ds_issue",
        "ds_latency",
        "hs_decide_issue",
        "tg_launch_gap",
        "tess_points_per_clock",
        "shader_engines",
        "count_tf_ring",
        "memory_bytes_per_clock",
        "memory_latency",
    )
    def __init__(
        self,
        *,
        mode: PipelineMode = ...,
        ds_order: WaveOrder = ...,
        cu_count: typing.SupportsInt | typing.SupportsIndex = 12,
        simd_per_cu: typing.SupportsInt | typing.SupportsIndex = 4,
        wave_slots_per_simd: typing.SupportsInt | typing.SupportsIndex = 10,
        available_lds_bytes: typing.SupportsInt | typing.SupportsIndex = 65536,
        vs_issue: typing.SupportsInt | typing.SupportsIndex = 400,
        vs_latency: typing.SupportsInt | typing.SupportsIndex = 400,
        hs_issue: typing.SupportsInt | typing.SupportsIndex = 400,
        hs_latency: typing.SupportsInt | typing.SupportsIndex = 300,
        ds_issue: typing.SupportsInt | typing.SupportsIndex = 600,
        ds_latency: typing.SupportsInt | typing.SupportsIndex = 800,
        hs_decide_issue: typing.SupportsInt | typing.SupportsIndex = 0,
        tg_launch_gap: typing.SupportsInt | typing.SupportsIndex = 0,
        tess_points_per_clock: typing.SupportsInt | typing.SupportsIndex = 0,
        shader_engines: typing.SupportsInt | typing.SupportsIndex = 2,
        count_tf_ring: bool = False,
        memory_bytes_per_clock: typing.SupportsInt | typing.SupportsIndex = 64,
        memory_latency: typing.SupportsInt | typing.SupportsIndex = 350,
    ) -> None: ...
    def __repr__(self) -> str: ...
    @property
    def available_lds_bytes(self) -> int: ...
    @property
    def count_tf_ring(self) -> bool: ...
    @property
    def cu_count(self) -> int: ...
    @property
    def ds_issue(self) -> int: ...
    @property
    def ds_latency(self) -> int: ...
    @property
    def ds_order(self) -> WaveOrder: ...
    @property
    def hs_decide_issue(self) -> int: ...
    @property
    def hs_issue(self) -> int: ...
    @property
    def hs_latency(self) -> int: ...
    @property
    def memory_bytes_per_clock(self) -> int: ...
    @property
    def memory_latency(self) -> int: ...
    @property
    def mode(self) -> PipelineMode: ...
    @property
    def shader_engines(self) -> int: ...
    @property
    def simd_per_cu(self) -> int: ...
    @property
    def tess_points_per_clock(self) -> int: ...
    @property
    def tg_launch_gap(self) -> int: ...
    @property
    def vs_issue(self) -> int: ...
    @property
    def vs_latency(self) -> int: ...
    @property
    def wave_slots_per_simd(self) -> int: ...

class SchedulerTotals:
    """
    What a simulation counted besides its log.
    """
    @property
    def events(self) -> int: ...
    @property
    def makespan_cycles(self) -> int: ...

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
    machine: SchedulerMachine,
    groups: numpy.ndarray,
    lanes: numpy.ndarray,
    read_bytes: numpy.ndarray,
    waves: numpy.ndarray,
    stalls: numpy.ndarray,
) -> SchedulerTotals: ...
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
