"""
Sparse deferred lighting.
"""

from __future__ import annotations
import collections.abc
import enum
import numpy
import typing

__all__: list[str] = [
    "Channel",
    "Compare",
    "DepthEncoding",
    "DepthRange",
    "PATTERN_BLOCK",
    "PATTERN_COMPARE",
    "PATTERN_EQUAL_X",
    "PATTERN_EQUAL_Y",
    "Policy",
    "RecordFields",
    "RecordList",
    "ScanCounts",
    "ScanInput",
    "ScanOptions",
    "ScanOutput",
    "TILE",
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

class DepthEncoding(enum.IntEnum):
    """
    How 21 bits of a record hold a depth.
    """

    FLOAT21 = 1
    UNORM21 = 0

class DepthRange:
    """
    The stored depths that become 0..1.
    """

    FIELDS: typing.ClassVar[tuple] = ("near", "span")
    def __init__(
        self,
        *,
        near: typing.SupportsFloat | typing.SupportsIndex = 0.0,
        span: typing.SupportsFloat | typing.SupportsIndex = 1.0,
    ) -> None: ...
    def __repr__(self) -> str: ...
    @property
    def near(self) -> float: ...
    @property
    def span(self) -> float: ...

class RecordFields:
    """
    Fields of records, one entry for each.
    """

    FIELDS: typing.ClassVar[tuple] = ("x", "y", "copies", "depth")
    def __init__(
        self,
        *,
        x: numpy.ndarray | None = None,
        y: numpy.ndarray | None = None,
        copies: numpy.ndarray | None = None,
        depth: numpy.ndarray | None = None,
    ) -> None: ...
    def __repr__(self) -> str: ...

class Compare(enum.IntEnum):
    """
    How the bytes of a pixel are compared.
    """

    BITS = 0
    FLOAT16 = 3
    FLOAT32 = 4
    UNORM16 = 2
    UNORM8 = 1

class Policy(enum.IntEnum):
    """
    Order of visits in a quad.
    """

    CHECKER = 0
    FIRST = 1

class Channel:
    """
    One channel of a G-buffer as bytes, and how it is compared.
    """

    FIELDS: typing.ClassVar[tuple] = ("pixels", "compare", "allowance")
    def __init__(
        self,
        *,
        pixels: numpy.ndarray | None = None,
        compare: Compare = ...,
        allowance: typing.SupportsFloat | typing.SupportsIndex = 0.0,
    ) -> None: ...
    def __repr__(self) -> str: ...
    @property
    def allowance(self) -> float: ...
    @property
    def compare(self) -> Compare: ...

class ScanInput:
    """
    What a scan reads besides the channels.
    """

    FIELDS: typing.ClassVar[tuple] = ("depth", "valid", "patterns")
    def __init__(
        self,
        *,
        depth: numpy.ndarray | None = None,
        valid: numpy.ndarray | None = None,
        patterns: numpy.ndarray | None = None,
    ) -> None: ...
    def __repr__(self) -> str: ...

class ScanOptions:
    """
    How pixels are compared and listed.
    """

    FIELDS: typing.ClassVar[tuple] = ("depth_range", "depth_delta", "policy", "depth_encoding")
    def __init__(
        self,
        *,
        depth_range: DepthRange = ...,
        depth_delta: typing.SupportsFloat | typing.SupportsIndex | None = 0.0010000000474974513,
        policy: Policy = ...,
        depth_encoding: DepthEncoding = ...,
    ) -> None: ...
    def __repr__(self) -> str: ...
    @property
    def depth_delta(self) -> float | None: ...
    @property
    def depth_encoding(self) -> DepthEncoding: ...
    @property
    def depth_range(self) -> DepthRange: ...
    @property
    def policy(self) -> Policy: ...

class ScanOutput:
    """
    Where the records of a scan go.
    """

    FIELDS: typing.ClassVar[tuple] = ("records", "offsets", "counts")
    def __init__(
        self,
        *,
        records: numpy.ndarray | None = None,
        offsets: numpy.ndarray | None = None,
        counts: numpy.ndarray | None = None,
    ) -> None: ...
    def __repr__(self) -> str: ...

class ScanCounts:
    """
    What a scan met.
    """
    @property
    def depth_clamped(self) -> int: ...
    @property
    def depth_nan(self) -> int: ...
    @property
    def records(self) -> int: ...

class RecordList:
    """
    Records of all tiles of an image.
    """

    FIELDS: typing.ClassVar[tuple] = ("records", "offsets", "height", "width")
    def __init__(
        self,
        *,
        records: numpy.ndarray | None = None,
        offsets: numpy.ndarray | None = None,
        height: typing.SupportsInt | typing.SupportsIndex = 0,
        width: typing.SupportsInt | typing.SupportsIndex = 0,
    ) -> None: ...
    def __repr__(self) -> str: ...
    @property
    def height(self) -> int: ...
    @property
    def width(self) -> int: ...

def check_records(list: RecordList) -> None: ...
def decode_depths(
    records: numpy.ndarray,
    encoding: DepthEncoding,
    depth: numpy.ndarray,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> None: ...
def fill_pixels(
    list: RecordList,
    values: numpy.ndarray,
    image: numpy.ndarray,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> None: ...
def gather_pixels(
    list: RecordList,
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
def pack_records(fields: RecordFields, encoding: DepthEncoding, records: numpy.ndarray) -> None: ...
def record_pixels(
    list: RecordList, x: numpy.ndarray, y: numpy.ndarray, threads: typing.SupportsInt | typing.SupportsIndex
) -> None: ...
def requantise_depths(
    depth: numpy.ndarray,
    range: DepthRange,
    encoding: DepthEncoding,
    decoded: numpy.ndarray,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> None: ...
def scan(
    channels: collections.abc.Sequence[Channel],
    input: ScanInput,
    options: ScanOptions,
    output: ScanOutput,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> ScanCounts: ...
def uniform_blocks(
    image: numpy.ndarray,
    block_width: typing.SupportsInt | typing.SupportsIndex,
    block_height: typing.SupportsInt | typing.SupportsIndex,
    uniform: numpy.ndarray,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> None: ...

PATTERN_BLOCK: int = 8
PATTERN_COMPARE: int = 255
PATTERN_EQUAL_X: int = 1
PATTERN_EQUAL_Y: int = 2
TILE: int = 16
