"""
Texel addresses, layouts and bulk swizzling.
"""

from __future__ import annotations
import enum
import numpy
import numpy.dtypes
import typing

__all__: list[str] = [
    "AddressEquation",
    "AxisMasks",
    "Box",
    "CopyDirection",
    "Dimension",
    "EquationDesc",
    "GpuModel",
    "MicroTile",
    "MipLayout",
    "ModeInfo",
    "PlaneDesc",
    "PlaneLayout",
    "SwizzlePlan",
    "TEXEL_COORDINATES",
    "VAR_BLOCK",
    "XorKind",
    "block_shape",
    "block_size_log2",
    "build_equation",
    "check_gpu",
    "is_thick",
    "lay_out_plane",
    "mode_info",
]

class MicroTile(enum.IntEnum):
    """
    Order of the texels inside 256 bytes.
    """

    D = 3
    NONE = 0
    R = 4
    S = 2
    Z = 1

class XorKind(enum.IntEnum):
    """
    Pipe/bank XOR: none, inside the block (T) or across blocks (X).
    """

    NONE = 0
    T = 1
    X = 2

class Dimension(enum.IntEnum):
    """
    Axes of a resource; cubes are 2D.
    """

    TEXTURE_1D = 1
    TEXTURE_2D = 2
    TEXTURE_3D = 3

class ModeInfo:
    """
    What a swizzle mode is made of and which resources it takes.
    """

    FIELDS: typing.ClassVar[tuple] = (
        "block_log2",
        "micro_tile",
        "xor_kind",
        "takes_1d",
        "takes_2d",
        "takes_3d",
        "takes_depth_stencil",
        "takes_msaa",
    )
    @property
    def block_log2(self) -> int: ...
    @property
    def is_supported(self) -> bool: ...
    @property
    def micro_tile(self) -> MicroTile: ...
    @property
    def takes_1d(self) -> bool: ...
    @property
    def takes_2d(self) -> bool: ...
    @property
    def takes_3d(self) -> bool: ...
    @property
    def takes_depth_stencil(self) -> bool: ...
    @property
    def takes_msaa(self) -> bool: ...
    @property
    def xor_kind(self) -> XorKind: ...

class GpuModel:
    """
    What of a chip takes part in addressing.
    """

    FIELDS: typing.ClassVar[tuple] = ("pipes", "packers")
    def __init__(
        self,
        *,
        pipes: typing.SupportsInt | typing.SupportsIndex = 32,
        packers: typing.SupportsInt | typing.SupportsIndex = 8,
    ) -> None: ...
    def __repr__(self) -> str: ...
    @property
    def packers(self) -> int: ...
    @property
    def pipes(self) -> int: ...

class EquationDesc:
    """
    What an address equation is made for.
    """

    FIELDS: typing.ClassVar[tuple] = ("swizzle_mode", "bytes_per_element", "dimension", "sample_count", "gpu")
    def __init__(
        self,
        *,
        swizzle_mode: typing.SupportsInt | typing.SupportsIndex = 0,
        bytes_per_element: typing.SupportsInt | typing.SupportsIndex = 4,
        dimension: Dimension = ...,
        sample_count: typing.SupportsInt | typing.SupportsIndex = 1,
        gpu: GpuModel = ...,
    ) -> None: ...
    def __repr__(self) -> str: ...
    @property
    def bytes_per_element(self) -> int: ...
    @property
    def dimension(self) -> Dimension: ...
    @property
    def gpu(self) -> GpuModel: ...
    @property
    def sample_count(self) -> int: ...
    @property
    def swizzle_mode(self) -> int: ...

class AxisMasks:
    """
    Coordinate bits whose parity makes one address bit.
    """

    FIELDS: typing.ClassVar[tuple] = ("x", "y", "z", "sample")
    @property
    def sample(self) -> int: ...
    @property
    def x(self) -> int: ...
    @property
    def y(self) -> int: ...
    @property
    def z(self) -> int: ...

class AddressEquation:
    """
    Which coordinate bits make each address bit.
    """

    FIELDS: typing.ClassVar[tuple] = ("element_log2", "samples_log2", "block_log2")
    @property
    def bits(self) -> list[AxisMasks]: ...
    @property
    def block_log2(self) -> int: ...
    @property
    def block_shape(self) -> tuple[int, int, int]: ...
    @property
    def element_log2(self) -> int: ...
    @property
    def samples_log2(self) -> int: ...

class PlaneDesc:
    """
    One plane to lay out.
    """

    FIELDS: typing.ClassVar[tuple] = (
        "swizzle_mode",
        "gpu",
        "dimension",
        "width",
        "height",
        "depth_or_array_size",
        "mip_levels",
        "bytes_per_element",
        "texels_x",
        "texels_y",
        "sample_count",
        "depth_stencil",
        "pipe_bank_xor",
        "pitch_bytes",
        "base_offset_bytes",
    )
    def __init__(
        self,
        *,
        swizzle_mode: typing.SupportsInt | typing.SupportsIndex = 0,
        gpu: GpuModel = ...,
        dimension: Dimension = ...,
        width: typing.SupportsInt | typing.SupportsIndex = 1,
        height: typing.SupportsInt | typing.SupportsIndex = 1,
        depth_or_array_size: typing.SupportsInt | typing.SupportsIndex = 1,
        mip_levels: typing.SupportsInt | typing.SupportsIndex = 1,
        bytes_per_element: typing.SupportsInt | typing.SupportsIndex = 4,
        texels_x: typing.SupportsInt | typing.SupportsIndex = 1,
        texels_y: typing.SupportsInt | typing.SupportsIndex = 1,
        sample_count: typing.SupportsInt | typing.SupportsIndex = 1,
        depth_stencil: bool = False,
        pipe_bank_xor: typing.SupportsInt | typing.SupportsIndex = 0,
        pitch_bytes: typing.SupportsInt | typing.SupportsIndex | None = None,
        base_offset_bytes: typing.SupportsInt | typing.SupportsIndex = 0,
    ) -> None: ...
    def __repr__(self) -> str: ...
    @property
    def base_offset_bytes(self) -> int: ...
    @property
    def bytes_per_element(self) -> int: ...
    @property
    def depth_or_array_size(self) -> int: ...
    @property
    def depth_stencil(self) -> bool: ...
    @property
    def dimension(self) -> Dimension: ...
    @property
    def gpu(self) -> GpuModel: ...
    @property
    def height(self) -> int: ...
    @property
    def mip_levels(self) -> int: ...
    @property
    def pipe_bank_xor(self) -> int: ...
    @property
    def pitch_bytes(self) -> int | None: ...
    @property
    def sample_count(self) -> int: ...
    @property
    def swizzle_mode(self) -> int: ...
    @property
    def texels_x(self) -> int: ...
    @property
    def texels_y(self) -> int: ...
    @property
    def width(self) -> int: ...

class MipLayout:
    """
    Where one mip of a plane lies.
    """

    FIELDS: typing.ClassVar[tuple] = (
        "size_bytes",
        "offset_bytes",
        "slice2d_size_bytes",
        "pitch_pixels",
        "pitch_bytes",
        "alignment_bytes",
        "padded_width_elements",
        "padded_height_elements",
        "padded_depth_or_array_size",
        "width_elements",
        "height_elements",
        "depth_or_array_size",
        "slice_depth_elements",
        "is_mip_tail",
        "tail_x_elements",
        "tail_y_elements",
    )
    @property
    def alignment_bytes(self) -> int: ...
    @property
    def depth_or_array_size(self) -> int: ...
    @property
    def height_elements(self) -> int: ...
    @property
    def is_mip_tail(self) -> bool: ...
    @property
    def offset_bytes(self) -> int: ...
    @property
    def padded_depth_or_array_size(self) -> int: ...
    @property
    def padded_height_elements(self) -> int: ...
    @property
    def padded_width_elements(self) -> int: ...
    @property
    def pitch_bytes(self) -> int: ...
    @property
    def pitch_pixels(self) -> int: ...
    @property
    def size_bytes(self) -> int: ...
    @property
    def slice2d_size_bytes(self) -> int: ...
    @property
    def slice_depth_elements(self) -> int: ...
    @property
    def tail_x_elements(self) -> int: ...
    @property
    def tail_y_elements(self) -> int: ...
    @property
    def width_elements(self) -> int: ...

class PlaneLayout:
    """
    Where one plane lies; what the kernels take.
    """
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
    def block_shape(self) -> tuple[int, int, int]: ...
    @property
    def desc(self) -> PlaneDesc: ...
    @property
    def element_bytes(self) -> int: ...
    @property
    def mips(self) -> list[MipLayout]: ...
    @property
    def size_bytes(self) -> int: ...
    @property
    def slice_size_bytes(self) -> int: ...
    @property
    def standard_mip_count(self) -> int: ...
    @property
    def xor_term(self) -> int: ...

class CopyDirection(enum.IntEnum):
    """
    To tiled bytes, or back to rows.
    """

    DESWIZZLE = 1
    SWIZZLE = 0

class Box:
    """
    Box of elements; z counts depth slices of a volume, else array slices.
    """

    FIELDS: typing.ClassVar[tuple] = ("x", "y", "z", "width", "height", "depth")
    def __init__(
        self,
        *,
        x: typing.SupportsInt | typing.SupportsIndex = 0,
        y: typing.SupportsInt | typing.SupportsIndex = 0,
        z: typing.SupportsInt | typing.SupportsIndex = 0,
        width: typing.SupportsInt | typing.SupportsIndex = 0,
        height: typing.SupportsInt | typing.SupportsIndex = 0,
        depth: typing.SupportsInt | typing.SupportsIndex = 0,
    ) -> None: ...
    def __repr__(self) -> str: ...
    @property
    def depth(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def width(self) -> int: ...
    @property
    def x(self) -> int: ...
    @property
    def y(self) -> int: ...
    @property
    def z(self) -> int: ...

class SwizzlePlan:
    """
    The copies between linear images and one mip.
    """
    def __init__(self, layout: PlaneLayout, mip: typing.SupportsInt | typing.SupportsIndex) -> None: ...
    def deswizzle(
        self,
        image: numpy.ndarray,
        row_bytes: typing.SupportsInt | typing.SupportsIndex,
        slice_bytes: typing.SupportsInt | typing.SupportsIndex,
        tiled: numpy.ndarray,
        box: Box,
        threads: typing.SupportsInt | typing.SupportsIndex,
    ) -> None: ...
    def swizzle(
        self,
        image: numpy.ndarray,
        row_bytes: typing.SupportsInt | typing.SupportsIndex,
        slice_bytes: typing.SupportsInt | typing.SupportsIndex,
        tiled: numpy.ndarray,
        box: Box,
        threads: typing.SupportsInt | typing.SupportsIndex,
    ) -> None: ...

def block_shape(
    *,
    block_log2: typing.SupportsInt | typing.SupportsIndex,
    element_log2: typing.SupportsInt | typing.SupportsIndex,
    samples_log2: typing.SupportsInt | typing.SupportsIndex,
    thick: bool,
) -> tuple[int, int, int]: ...
def block_size_log2(mode: typing.SupportsInt | typing.SupportsIndex, gpu: GpuModel) -> int: ...
def build_equation(desc: EquationDesc) -> AddressEquation: ...
def check_gpu(gpu: GpuModel) -> None: ...
def is_thick(mode: typing.SupportsInt | typing.SupportsIndex, dimension: Dimension) -> bool: ...
def lay_out_plane(desc: PlaneDesc) -> PlaneLayout: ...
def mode_info(mode: typing.SupportsInt | typing.SupportsIndex) -> ModeInfo: ...

TEXEL_COORDINATES: numpy.dtypes.VoidDType
VAR_BLOCK: int = -1
