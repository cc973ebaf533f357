"""
Tessellator and its scheduler.
"""

from __future__ import annotations
import numpy
import typing

__all__: list[str] = ["condition_factors", "tessellation_counts"]

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
def tessellation_counts(
    domain: typing.SupportsInt | typing.SupportsIndex,
    partitioning: typing.SupportsInt | typing.SupportsIndex,
    factors: numpy.ndarray,
    counts: numpy.ndarray,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> None: ...
