"""
Tessellator and its scheduler.
"""

from __future__ import annotations
import numpy
import numpy.dtypes
import typing

__all__: list[str] = [
    "THREADGROUP_STALL",
    "THREADGROUP_WORK",
    "WAVE_RECORD",
    "condition_factors",
    "simulate_threadgroups",
    "tessellate",
    "tessellation_counts",
    "tessellation_offsets",
]

def condition_factors(
    domain: typing.SupportsInt | typing.SupportsIndex,
    partitioning: typing.SupportsInt | typing.SupportsIndex,
    reduction: typing.SupportsInt | typing.SupportsIndex,
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
    domain: typing.SupportsInt | typing.SupportsIndex,
    partitioning: typing.SupportsInt | typing.SupportsIndex,
    topology: typing.SupportsInt | typing.SupportsIndex,
    factors: numpy.ndarray,
    point_offsets: numpy.ndarray,
    index_offsets: numpy.ndarray,
    points: numpy.ndarray,
    indices: numpy.ndarray,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> None: ...
def tessellation_counts(
    domain: typing.SupportsInt | typing.SupportsIndex,
    partitioning: typing.SupportsInt | typing.SupportsIndex,
    factors: numpy.ndarray,
    counts: numpy.ndarray,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> None: ...
def tessellation_offsets(
    domain: typing.SupportsInt | typing.SupportsIndex,
    partitioning: typing.SupportsInt | typing.SupportsIndex,
    topology: typing.SupportsInt | typing.SupportsIndex,
    factors: numpy.ndarray,
    point_offsets: numpy.ndarray,
    index_offsets: numpy.ndarray,
) -> None: ...

THREADGROUP_STALL: numpy.dtypes.VoidDType
THREADGROUP_WORK: numpy.dtypes.VoidDType
WAVE_RECORD: numpy.dtypes.VoidDType
