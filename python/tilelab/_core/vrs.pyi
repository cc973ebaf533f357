"""
Variable rate shading.
"""

from __future__ import annotations
import collections.abc
import numpy
import typing

__all__: list[str] = [
    "broadcast_coarse",
    "combine_table",
    "count_coarse",
    "list_coarse",
    "luminance",
    "mean_coarse",
    "rate_image",
    "supported_rates",
]

def broadcast_coarse(
    values: numpy.ndarray,
    nothing: numpy.ndarray,
    pixel_invocation: numpy.ndarray,
    out: numpy.ndarray,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> None: ...
def combine_table(
    first: typing.SupportsInt | typing.SupportsIndex,
    second: typing.SupportsInt | typing.SupportsIndex,
    sanitize: typing.SupportsInt | typing.SupportsIndex,
    supported: typing.SupportsInt | typing.SupportsIndex,
    max_axis_log2: typing.SupportsInt | typing.SupportsIndex,
    table: numpy.ndarray,
) -> None: ...
def count_coarse(
    *,
    height: typing.SupportsInt | typing.SupportsIndex,
    width: typing.SupportsInt | typing.SupportsIndex,
    tile: typing.SupportsInt | typing.SupportsIndex,
    primitive_id: numpy.ndarray | None,
    rates: numpy.ndarray | None,
    primitive_rates: numpy.ndarray | None,
    final_rates: numpy.ndarray,
    invocations: numpy.ndarray,
    lanes: numpy.ndarray,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> None: ...
def list_coarse(
    *,
    height: typing.SupportsInt | typing.SupportsIndex,
    width: typing.SupportsInt | typing.SupportsIndex,
    tile: typing.SupportsInt | typing.SupportsIndex,
    primitive_id: numpy.ndarray | None,
    rates: numpy.ndarray | None,
    primitive_rates: numpy.ndarray | None,
    final_rates: numpy.ndarray,
    centroid: bool,
    offsets: numpy.ndarray,
    first: numpy.ndarray,
    positions: numpy.ndarray,
    masks: numpy.ndarray,
    invocation_rates: numpy.ndarray,
    primitives: numpy.ndarray,
    pixel_invocation: numpy.ndarray,
    image: numpy.ndarray | None,
    nothing: numpy.ndarray | None,
    out: numpy.ndarray | None,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> None: ...
def luminance(
    pixels: numpy.ndarray,
    weights: typing.Annotated[
        collections.abc.Sequence[typing.SupportsFloat | typing.SupportsIndex], "FixedSize(3)"
    ],
    out: numpy.ndarray,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> None: ...
def mean_coarse(
    pixels: numpy.ndarray,
    pixel_invocation: numpy.ndarray,
    masks: numpy.ndarray,
    tile: typing.SupportsInt | typing.SupportsIndex,
    means: numpy.ndarray,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> None: ...
def rate_image(
    color: numpy.ndarray,
    *,
    tile: typing.SupportsInt | typing.SupportsIndex,
    threshold: typing.SupportsFloat | typing.SupportsIndex,
    env_luma: typing.SupportsFloat | typing.SupportsIndex,
    lum_lo: typing.SupportsFloat | typing.SupportsIndex | None,
    lum_hi: typing.SupportsFloat | typing.SupportsIndex | None,
    differences: bool,
    vote: typing.SupportsFloat | typing.SupportsIndex,
    vote_is_fraction: bool,
    weights: typing.Annotated[
        collections.abc.Sequence[typing.SupportsFloat | typing.SupportsIndex], "FixedSize(3)"
    ],
    motion: numpy.ndarray | None,
    disoccluded: numpy.ndarray | None,
    clamp_off_screen: bool,
    rates: numpy.ndarray,
    votes: numpy.ndarray | None,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> None: ...
def supported_rates(
    profile: typing.SupportsInt | typing.SupportsIndex,
    additional_rates: bool,
    sample_count: typing.SupportsInt | typing.SupportsIndex,
) -> int: ...
