"""
Sparse deferred lighting.
"""

from __future__ import annotations
import collections.abc
import numpy
import typing

__all__: list[str] = [
    "check_records",
    "decode_depths",
    "fill_pixels",
    "gather_pixels",
    "hash_pixels",
    "pack_records",
    "record_pixels",
    "requantise_depths",
    "scan",
    "uniform_blocks",
]

def check_records(
    records: numpy.ndarray,
    offsets: numpy.ndarray,
    height: typing.SupportsInt | typing.SupportsIndex,
    width: typing.SupportsInt | typing.SupportsIndex,
) -> None: ...
def decode_depths(
    records: numpy.ndarray,
    encoding: typing.SupportsInt | typing.SupportsIndex,
    depth: numpy.ndarray,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> None: ...
def fill_pixels(
    records: numpy.ndarray,
    offsets: numpy.ndarray,
    values: numpy.ndarray,
    image: numpy.ndarray,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> None: ...
def gather_pixels(
    records: numpy.ndarray,
    offsets: numpy.ndarray,
    image: numpy.ndarray,
    values: numpy.ndarray,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> None: ...
def hash_pixels(
    channels: collections.abc.Sequence[numpy.ndarray],
    hash_bits: typing.SupportsInt | typing.SupportsIndex,
    hashes: numpy.ndarray,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> None: ...
def pack_records(
    x: numpy.ndarray,
    y: numpy.ndarray,
    copies: numpy.ndarray,
    depth: numpy.ndarray,
    encoding: typing.SupportsInt | typing.SupportsIndex,
    records: numpy.ndarray,
) -> None: ...
def record_pixels(
    records: numpy.ndarray,
    offsets: numpy.ndarray,
    height: typing.SupportsInt | typing.SupportsIndex,
    width: typing.SupportsInt | typing.SupportsIndex,
    x: numpy.ndarray,
    y: numpy.ndarray,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> None: ...
def requantise_depths(
    depth: numpy.ndarray,
    depth_near: typing.SupportsFloat | typing.SupportsIndex,
    depth_span: typing.SupportsFloat | typing.SupportsIndex,
    encoding: typing.SupportsInt | typing.SupportsIndex,
    decoded: numpy.ndarray,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> None: ...
def scan(
    channels: collections.abc.Sequence[
        tuple[
            numpy.ndarray,
            typing.SupportsInt | typing.SupportsIndex,
            typing.SupportsFloat | typing.SupportsIndex,
        ]
    ],
    depth: numpy.ndarray,
    valid: numpy.ndarray | None,
    patterns: numpy.ndarray | None,
    depth_near: typing.SupportsFloat | typing.SupportsIndex,
    depth_span: typing.SupportsFloat | typing.SupportsIndex,
    depth_delta: typing.SupportsFloat | typing.SupportsIndex | None,
    policy: typing.SupportsInt | typing.SupportsIndex,
    encoding: typing.SupportsInt | typing.SupportsIndex,
    records: numpy.ndarray,
    offsets: numpy.ndarray,
    counts: numpy.ndarray,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> tuple: ...
def uniform_blocks(
    image: numpy.ndarray,
    block_width: typing.SupportsInt | typing.SupportsIndex,
    block_height: typing.SupportsInt | typing.SupportsIndex,
    uniform: numpy.ndarray,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> None: ...
