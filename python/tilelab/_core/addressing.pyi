"""
Texel addresses, layouts and bulk swizzling.
"""

from __future__ import annotations
import collections.abc
import numpy
import typing

__all__: list[str] = [
    "PlaneLayout",
    "SwizzlePlan",
    "block_shape",
    "check_gpu",
    "mode_row",
    "swizzle_equation",
]

class PlaneLayout:
    def __init__(
        self,
        *,
        swizzle_mode: typing.SupportsInt | typing.SupportsIndex,
        pipes: typing.SupportsInt | typing.SupportsIndex,
        packers: typing.SupportsInt | typing.SupportsIndex,
        dimension: typing.SupportsInt | typing.SupportsIndex,
        width: typing.SupportsInt | typing.SupportsIndex,
        height: typing.SupportsInt | typing.SupportsIndex,
        slices: typing.SupportsInt | typing.SupportsIndex,
        mip_levels: typing.SupportsInt | typing.SupportsIndex,
        bytes_per_element: typing.SupportsInt | typing.SupportsIndex,
        texels_x: typing.SupportsInt | typing.SupportsIndex,
        texels_y: typing.SupportsInt | typing.SupportsIndex,
        sample_count: typing.SupportsInt | typing.SupportsIndex,
        depth_stencil: bool,
        pipe_bank_xor: typing.SupportsInt | typing.SupportsIndex,
        pitch_bytes: typing.SupportsInt | typing.SupportsIndex,
        base_offset_bytes: typing.SupportsInt | typing.SupportsIndex,
    ) -> None: ...
    def offset_texel(
        self,
        offset_bytes: numpy.ndarray,
        out: numpy.ndarray,
        threads: typing.SupportsInt | typing.SupportsIndex,
    ) -> None: ...
    def texel_offset(
        self,
        x: numpy.ndarray,
        y: numpy.ndarray,
        z: numpy.ndarray,
        mip: numpy.ndarray,
        sample: numpy.ndarray,
        out: numpy.ndarray,
        threads: typing.SupportsInt | typing.SupportsIndex,
    ) -> None: ...
    @property
    def base_alignment_bytes(self) -> int: ...
    @property
    def block_shape(self) -> tuple: ...
    @property
    def element_bytes(self) -> int: ...
    @property
    def mips(self) -> list: ...
    @property
    def size_bytes(self) -> int: ...
    @property
    def slice_size_bytes(self) -> int: ...
    @property
    def standard_mip_count(self) -> int: ...
    @property
    def xor_term(self) -> int: ...

class SwizzlePlan:
    def __init__(self, layout: PlaneLayout, mip: typing.SupportsInt | typing.SupportsIndex) -> None: ...
    def deswizzle(
        self,
        tiled: numpy.ndarray,
        image: numpy.ndarray,
        row_bytes: typing.SupportsInt | typing.SupportsIndex,
        slice_bytes: typing.SupportsInt | typing.SupportsIndex,
        box: typing.Annotated[
            collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex], "FixedSize(6)"
        ],
        threads: typing.SupportsInt | typing.SupportsIndex,
    ) -> None: ...
    def swizzle(
        self,
        image: numpy.ndarray,
        row_bytes: typing.SupportsInt | typing.SupportsIndex,
        slice_bytes: typing.SupportsInt | typing.SupportsIndex,
        tiled: numpy.ndarray,
        box: typing.Annotated[
            collections.abc.Sequence[typing.SupportsInt | typing.SupportsIndex], "FixedSize(6)"
        ],
        threads: typing.SupportsInt | typing.SupportsIndex,
    ) -> None: ...

def block_shape(
    block_log2: typing.SupportsInt | typing.SupportsIndex,
    element_log2: typing.SupportsInt | typing.SupportsIndex,
    samples_log2: typing.SupportsInt | typing.SupportsIndex,
    thick: bool,
) -> tuple: ...
def check_gpu(
    pipes: typing.SupportsInt | typing.SupportsIndex, packers: typing.SupportsInt | typing.SupportsIndex
) -> None: ...
def mode_row(
    mode: typing.SupportsInt | typing.SupportsIndex,
) -> tuple[str, int, int, int, bool, bool, bool, bool, bool]: ...
def swizzle_equation(
    mode: typing.SupportsInt | typing.SupportsIndex,
    element_log2: typing.SupportsInt | typing.SupportsIndex,
    dimension: typing.SupportsInt | typing.SupportsIndex,
    samples_log2: typing.SupportsInt | typing.SupportsIndex,
    pipes: typing.SupportsInt | typing.SupportsIndex,
    packers: typing.SupportsInt | typing.SupportsIndex,
) -> list: ...
