"""Layouts: how a texture lies in memory, in the fields of XG_RESOURCE_LAYOUT."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab import _core
from tilelab._validation import UnsupportedError, as_choice, as_int, fail
from tilelab.addressing.desc import DIMENSIONS, SAMPLE_COUNTS, TextureDesc
from tilelab.addressing.formats import Format, PlaneUsage
from tilelab.addressing.gpu import GpuModel, as_gpu
from tilelab.addressing.modes import SwizzleMode, as_swizzle_mode
from tilelab.addressing.picture import layout_html
from tilelab.addressing.text import layout_text

_AXES = {"1d": 1, "2d": 2, "cube": 2, "3d": 3}
_TILE_LOG2 = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class MipLayout:
    """Where one mip of a plane lies (XG_MIPLEVEL_LAYOUT in snake_case).

    Attributes
    ----------
    size_bytes : int
        ``pitch_bytes * padded_height_elements * samples`` of one slice, times the padded depth for a
        volume. For tail mips this is the reported pitch times height; whether the console reports the slot
        instead is UNCERTAIN.
    offset_bytes : int
        Offset in the chain; for tail mips the nominal slot offset (UNCERTAIN for thick volumes, whose
        texels lie elsewhere: always address through `texel_offset`).
    slice2d_size_bytes : int
        One depth slice of a volume; equal to `size_bytes` otherwise.
    pitch_pixels, pitch_bytes : int
        Row step.
    alignment_bytes : int
        256 for LINEAR, 256B modes and tail mips (UNCERTAIN for tail mips), the block otherwise.
    padded_width_elements, padded_height_elements : int
        Padded size in elements.
    padded_depth_or_array_size : int
        Array size, or the depth of mip 0 rounded up to the block depth (UNCERTAIN whether a mip's own depth
        is the base).
    width_elements, height_elements, depth_or_array_size : int
        Elements that exist.
    sample_count : int
        Samples of an element.
    swizzle_mode : SwizzleMode
        Mode of the mip.
    slice_depth_elements : int
        Block depth (1 unless blocks are thick).
    is_mip_tail : bool
        True where the mip shares the tail block at offset 0.
    tail_x_elements, tail_y_elements : int
        Element (0, 0) of a tail mip inside the tail block.
    """

    size_bytes: int
    offset_bytes: int
    slice2d_size_bytes: int
    pitch_pixels: int
    pitch_bytes: int
    alignment_bytes: int
    padded_width_elements: int
    padded_height_elements: int
    padded_depth_or_array_size: int
    width_elements: int
    height_elements: int
    depth_or_array_size: int
    sample_count: int
    swizzle_mode: SwizzleMode
    slice_depth_elements: int
    is_mip_tail: bool
    tail_x_elements: int
    tail_y_elements: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaneLayout:
    """Where one plane lies (XG_PLANE_LAYOUT in snake_case).

    Attributes
    ----------
    usage : PlaneUsage
        What the plane holds.
    size_bytes, base_offset_bytes, base_alignment_bytes : int
        Extent of the plane in the resource; the first plane begins at 0.
    bytes_per_element : int
        Bytes of an addressed element; 4 for 96-bit formats, whose texel is three elements.
    slice_size_bytes : int
        Bytes of one mip chain: the distance of array slices, or of block-deep units of a volume.
    standard_mip_count, mip_tail_mip_count : int
        Mips outside and inside the tail.
    block_shape : tuple of int
        Width, height and depth of a block in elements (1, 1, 1 for LINEAR).
    mips : tuple of MipLayout
        Mip 0 first, although the last mip lies first in memory.
    """

    usage: PlaneUsage
    size_bytes: int
    base_offset_bytes: int
    base_alignment_bytes: int
    bytes_per_element: int
    slice_size_bytes: int
    standard_mip_count: int
    mip_tail_mip_count: int
    block_shape: tuple[int, int, int]
    mips: tuple[MipLayout, ...]
    core: Any = field(repr=False, compare=False)  # the compiled layout that the kernels take


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceLayout:
    """How a texture lies in memory (XG_RESOURCE_LAYOUT in snake_case); made by `resource_layout`.

    Attributes
    ----------
    size_bytes, base_alignment_bytes : int
        Extent and alignment of all planes.
    mip_levels : int
        Mips of every plane.
    planes : tuple of PlaneLayout
        In the order of the format.
    gpu : GpuModel
        The chip.
    swizzle_mode : SwizzleMode
        Mode of every plane.
    desc : TextureDesc
        The texture.
    pipe_bank_xor : int
        Value that moves the XOR of T and X modes.
    pitch_bytes : int or None
        Custom row pitch of a LINEAR layout.
    """

    size_bytes: int
    base_alignment_bytes: int
    mip_levels: int
    planes: tuple[PlaneLayout, ...]
    gpu: GpuModel
    swizzle_mode: SwizzleMode
    desc: TextureDesc
    pipe_bank_xor: int = 0
    pitch_bytes: int | None = None

    @property
    def dimension(self) -> str:
        """Dimension of the texture."""
        return self.desc.dimension

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return _restore, (self.desc, self.swizzle_mode, self.gpu, self.pipe_bank_xor, self.pitch_bytes)

    @property
    def padding_share(self) -> float:
        """Share of the surface's bytes that hold no texel."""
        return 1.0 - self.desc.size_bytes / self.size_bytes

    def __str__(self) -> str:
        return layout_text(self)

    def _repr_html_(self) -> str:
        return layout_html(self)

    def plane_index(self, plane: int | str | PlaneUsage) -> int:
        """Give the number of a plane from its number or usage; metadata planes are not modelled.

        Parameters
        ----------
        plane : int or str
            Number, or usage such as "stencil".

        Raises
        ------
        UnsupportedError
            For HTILE, FMASK, CMASK and DELTA_COLOR_COMPRESSION.
        ValueError
            The layout has no such plane.
        """
        if not isinstance(plane, str):
            return as_int("plane", plane, low=0, high=len(self.planes) - 1)
        usage = as_choice("plane", plane.upper(), [str(usage) for usage in PlaneUsage])
        if PlaneUsage(usage).is_metadata:
            raise UnsupportedError(f"plane must hold texels, got {usage}: metadata planes are not modelled")
        names = [str(each.usage) for each in self.planes]
        if usage not in names:
            raise fail(
                "plane", f"must be one of {', '.join(names)} for format {self.desc.format}", repr(plane)
            )
        return names.index(usage)

    def place(self, plane: int | str, mip: int) -> tuple[PlaneLayout, MipLayout]:
        """Give the layouts of a plane and of one of its mips, checking both arguments."""
        chosen = self.planes[self.plane_index(plane)]
        return chosen, chosen.mips[as_int("mip", mip, low=0, high=self.mip_levels - 1)]

    def check_slice(self, array_slice: int) -> int:
        """Give an array slice inside the array (0 for volumes)."""
        return as_int("array_slice", array_slice, low=0, high=self.desc.array_size - 1)


def _restore(
    desc: TextureDesc, mode: SwizzleMode, gpu: GpuModel, pipe_bank_xor: int, pitch_bytes: int | None
) -> ResourceLayout:
    return resource_layout(desc, mode, gpu, pipe_bank_xor=pipe_bank_xor, pitch_bytes=pitch_bytes)


def resource_layout(
    desc: TextureDesc,
    swizzle_mode: SwizzleMode | str | int,
    gpu: GpuModel | str = "anaconda",
    *,
    pipe_bank_xor: int = 0,
    pitch_bytes: int | None = None,
) -> ResourceLayout:
    """Lay out a texture in a swizzle mode.

    Parameters
    ----------
    desc : TextureDesc
        The texture.
    swizzle_mode : SwizzleMode, str or int
        The mode, with or without ``SW_``.
    gpu : GpuModel or str
        The chip.
    pipe_bank_xor : int
        Value of the pipe/bank XOR of T and X modes; bits that the hardware does not take are dropped, and
        modes without XOR take none (measured).
    pitch_bytes : int, optional
        Row pitch of a LINEAR texture of one plane without mips: a multiple of 256.

    Returns
    -------
    ResourceLayout
        Sizes, offsets and paddings of every plane and mip.

    Raises
    ------
    TypeError, ValueError
        Naming the argument and the rule: modes that refuse the dimension, the samples, depth and stencil or
        the format; sizes of 2^63 bytes and more.
    UnsupportedError
        Modes that GFX10.3 refuses, and (pipes, packers) pairs whose Z, R, VAR and thick 64KB_D_X masks were
        not measured.

    Notes
    -----
    Measured on AMD's public address library: sizes are rounded up with ``ceil(size / 2**mip)`` of mip 0 in
    elements; the last mip lies at offset 0 of a chain and mip 0 at the highest offset; small mips share one
    tail block at offset 0; array slices and cube faces repeat the whole chain; a thick volume repeats the
    chain for every block depth. 256B modes refuse volumes. 96-bit formats are LINEAR only and are laid out
    as three 32-bit elements a texel. Plane order and padding between the planes of depth + stencil and of
    luma + chroma are UNCERTAIN: each plane is aligned to its block and follows the one before it.

    Examples
    --------
    >>> desc = TextureDesc(width=48, height=24, mip_levels=6, format="R8G8B8A8_UNORM")
    >>> layout = resource_layout(desc, "4KB_S")
    >>> [(mip.offset_bytes, mip.is_mip_tail) for mip in layout.planes[0].mips]
    [(8192, False), (4096, False), (2048, True), (1536, True), (1280, True), (1024, True)]
    """
    if not isinstance(desc, TextureDesc):
        raise TypeError(f"desc must be a TextureDesc, got {type(desc).__name__}")
    mode, model = as_swizzle_mode(swizzle_mode), as_gpu(gpu)
    xor = as_int("pipe_bank_xor", pipe_bank_xor, low=0, high=2**32 - 1)
    pitch = 0 if pitch_bytes is None else as_int("pitch_bytes", pitch_bytes, low=1, high=2**62)
    if pitch and len(desc.planes) > 1:
        raise fail("pitch_bytes", "must be None for formats of several planes", pitch)
    planes: list[PlaneLayout] = []
    end = 0
    for plane in desc.planes:
        alignment = mode.block_bytes(model)
        base = -(-end // alignment) * alignment
        core = _core.addressing.PlaneLayout(
            swizzle_mode=int(mode),
            pipes=model.pipes,
            packers=model.packers,
            dimension=_AXES[desc.dimension],
            width=desc.width,
            height=desc.height,
            slices=desc.depth_or_array_size,
            mip_levels=desc.mip_levels,
            bytes_per_element=plane.bytes_per_element,
            texels_x=plane.block_width,
            texels_y=plane.block_height,
            sample_count=desc.sample_count,
            depth_stencil=plane.usage in (PlaneUsage.DEPTH, PlaneUsage.STENCIL),
            pipe_bank_xor=xor,
            pitch_bytes=pitch,
            base_offset_bytes=base,
        )
        end = base + core.size_bytes
        mips = tuple(
            MipLayout(**each, sample_count=desc.sample_count, swizzle_mode=mode) for each in core.mips
        )
        planes.append(
            PlaneLayout(
                usage=plane.usage,
                size_bytes=core.size_bytes,
                base_offset_bytes=base,
                base_alignment_bytes=alignment,
                bytes_per_element=core.element_bytes,
                slice_size_bytes=core.slice_size_bytes,
                standard_mip_count=core.standard_mip_count,
                mip_tail_mip_count=desc.mip_levels - core.standard_mip_count,
                block_shape=core.block_shape,
                mips=mips,
                core=core,
            )
        )
    return ResourceLayout(
        size_bytes=end,
        base_alignment_bytes=max(plane.base_alignment_bytes for plane in planes),
        mip_levels=desc.mip_levels,
        planes=tuple(planes),
        gpu=model,
        swizzle_mode=mode,
        desc=desc,
        pipe_bank_xor=xor,
        pitch_bytes=pitch_bytes,
    )


def memory_ranges(
    layout: ResourceLayout, *, mip: int, array_slice: int = 0, plane: int | str = 0
) -> npt.NDArray[np.int64]:
    """Give the bytes that hold a mip: what a streaming tool has to load.

    Parameters
    ----------
    layout : ResourceLayout
        The layout.
    mip : int
        The mip.
    array_slice : int
        Slice of an array or face of a cube; 0 for a volume.
    plane : int or str
        Number or usage of the plane.

    Returns
    -------
    int64 array of shape (N, 2)
        Begin and end (exclusive) of every range in bytes from the start of the resource, ascending;
        touching ranges are joined.

    Notes
    -----
    Derived: the ranges are exactly the blocks (LINEAR: rows) that hold an existing element of the mip. A
    tail mip needs the whole tail block. A volume in a thick mode has one range for every block depth of the
    mip.

    Examples
    --------
    >>> desc = TextureDesc(width=48, height=24, mip_levels=6, format="R8G8B8A8_UNORM")
    >>> memory_ranges(resource_layout(desc, "4KB_S"), mip=0).tolist()
    [[8192, 16384]]
    """
    chosen, level = as_layout(layout).place(plane, mip)
    array_slice = layout.check_slice(array_slice)
    width, height, depth = chosen.block_shape
    base = chosen.base_offset_bytes
    units = (
        np.arange(-(-level.depth_or_array_size // depth))
        if layout.dimension == "3d"
        else np.array([array_slice])
    )
    starts = base + units.astype(np.int64) * chosen.slice_size_bytes
    if level.is_mip_tail:
        return _joined(starts, chosen.base_alignment_bytes)
    row_bytes = level.pitch_bytes * height * depth * level.sample_count
    rows = -(-level.height_elements // height)
    used = row_bytes
    if layout.swizzle_mode is not SwizzleMode.LINEAR:
        used = -(-level.width_elements // width) * (row_bytes // (level.padded_width_elements // width))
    starts = (starts[:, None] + level.offset_bytes + np.arange(rows) * row_bytes).reshape(-1)
    return _joined(starts, used)


def _joined(starts: npt.NDArray[np.int64], length: int) -> npt.NDArray[np.int64]:
    """Ranges of equal length, ascending, with those that touch made one."""
    begins = np.concatenate(([True], starts[1:] != starts[:-1] + length))
    ends = np.concatenate((begins[1:], [True]))
    return np.stack((starts[begins], starts[ends] + length), axis=1)


def tile_shape(
    format: Format | str | int,  # noqa: A002
    *,
    dimension: str = "2d",
    sample_count: int = 1,
) -> tuple[int, int, int]:
    """Give the size of a 64 KB tile in texels.

    Parameters
    ----------
    format : Format, str or int
        The format; the first plane counts.
    dimension : {"1d", "2d", "3d", "cube"}
        "3d" gives the thick tile of volumes.
    sample_count : {1, 2, 4, 8}
        Samples of a texel.

    Returns
    -------
    tuple of int
        Width, height and depth in texels.

    Raises
    ------
    UnsupportedError
        For 96-bit formats, which cannot be tiled.

    Notes
    -----
    Measured block sizes of the 64 KB modes; for S modes equal to the documented standard tile shapes of
    Direct3D 12.

    Examples
    --------
    >>> tile_shape("R8G8B8A8_UNORM"), tile_shape("BC1_UNORM"), tile_shape("R8G8B8A8_UNORM", dimension="3d")
    ((128, 128, 1), (512, 256, 1), (32, 32, 16))
    """
    plane = Format(format).planes[0]
    axes = _AXES[as_choice("dimension", dimension, DIMENSIONS)]
    samples = as_int("sample_count", sample_count, low=1)
    if samples not in SAMPLE_COUNTS:
        raise fail("sample_count", "must be one of 1, 2, 4, 8", samples)
    if samples > 1 and axes != 2:
        raise fail("sample_count", f'must be 1 for dimension "{dimension}"', samples)
    if samples > 1 and (plane.block_width, plane.block_height) != (1, 1):
        raise fail("sample_count", f"must be 1 for format {Format(format)}", samples)
    if plane.bytes_per_element == 12:
        raise UnsupportedError(
            f"format must be one that can be tiled, got {Format(format)}: 96-bit texels are linear only"
        )
    width, height, depth = _core.addressing.block_shape(
        _TILE_LOG2, plane.bytes_per_element.bit_length() - 1, samples.bit_length() - 1, axes == 3
    )
    return width * plane.block_width, height * plane.block_height, depth


def as_layout(layout: ResourceLayout) -> ResourceLayout:
    """Give the layout, or the TypeError that names the argument."""
    if not isinstance(layout, ResourceLayout):
        raise TypeError(f"layout must be a ResourceLayout, got {type(layout).__name__}")
    return layout
