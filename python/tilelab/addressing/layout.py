"""Layouts: how a texture lies in memory, in the fields of XG_RESOURCE_LAYOUT."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tilelab import _core
from tilelab._core.addressing import PlaneDesc
from tilelab._validation import as_choice, as_instance, as_int, ceil_div, fail, unsupported
from tilelab.addressing.desc import TextureDesc, as_desc, as_dimension
from tilelab.addressing.formats import FormatPlane, PlaneUsage
from tilelab.addressing.gpu_model import GpuModel, as_gpu
from tilelab.addressing.layout_html import layout_html, mip_html, plane_html
from tilelab.addressing.layout_table import layout_dataset, plane_dataset
from tilelab.addressing.layout_text import layout_text
from tilelab.addressing.swizzle_mode import SwizzleMode, as_swizzle_mode

__all__ = ["MipLayout", "PlaneLayout", "ResourceLayout", "resource_layout"]
__dir__ = __all__.copy


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

    def __repr__(self) -> str:
        place = "in the tail block, slot" if self.is_mip_tail else "at"
        size = f"{self.width_elements} x {self.height_elements}"
        return f"MipLayout({size} elements {place} {self.offset_bytes}, pitch {self.pitch_bytes} bytes)"

    def _repr_html_(self) -> str:
        return mip_html(self)


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
    core: _core.addressing.PlaneLayout = field(repr=False, compare=False)  # what the kernels take

    def __repr__(self) -> str:
        place = f"{self.size_bytes} bytes at {self.base_offset_bytes}"
        return f"PlaneLayout({self.usage}: {len(self.mips)} mips, {place})"

    def _repr_html_(self) -> str:
        return plane_html(self)

    def to_xarray(self) -> Any:
        """Give the mips as an xarray.Dataset; needs xarray.

        Returns
        -------
        xarray.Dataset
            The numbers of `MipLayout` over ``mip``; those of the plane are attributes.
        """
        return plane_dataset(self)


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

    def __repr__(self) -> str:
        mode = f"{self.swizzle_mode.name} on {self.gpu.name}"
        return f"ResourceLayout({mode}: {self.desc}; {self.size_bytes} bytes)"

    def __str__(self) -> str:
        return layout_text(self)

    def _repr_html_(self) -> str:
        return layout_html(self)

    def to_xarray(self) -> Any:
        """Give all mips as an xarray.Dataset; needs xarray.

        Returns
        -------
        xarray.Dataset
            The numbers of `MipLayout` over ``plane`` (its usage) and ``mip``.
        """
        return layout_dataset(self)

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
            raise unsupported("plane", "must hold texels", f"{usage}: metadata planes are not modelled")
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
    as_desc(desc)
    mode, model = as_swizzle_mode(swizzle_mode), as_gpu(gpu)
    if pitch_bytes is not None and len(desc.planes) > 1:
        raise fail("pitch_bytes", "must be None for formats of several planes", pitch_bytes)
    planes: list[PlaneLayout] = []
    end = 0
    for plane in desc.planes:
        alignment = mode.block_bytes(model)
        core = _core.addressing.lay_out_plane(
            PlaneDesc(
                swizzle_mode=mode,
                gpu=model.core,
                dimension=as_dimension(desc.dimension),
                width=desc.width,
                height=desc.height,
                depth_or_array_size=desc.depth_or_array_size,
                mip_levels=desc.mip_levels,
                bytes_per_element=plane.bytes_per_element,
                texels_x=plane.block_width,
                texels_y=plane.block_height,
                sample_count=desc.sample_count,
                depth_stencil=plane.usage in (PlaneUsage.DEPTH, PlaneUsage.STENCIL),
                pipe_bank_xor=pipe_bank_xor,
                pitch_bytes=pitch_bytes,
                base_offset_bytes=ceil_div(end, alignment) * alignment,
            )
        )
        planes.append(_plane_layout(plane, core, mode))
        end = planes[-1].base_offset_bytes + core.size_bytes
    return ResourceLayout(
        size_bytes=end,
        base_alignment_bytes=max(plane.base_alignment_bytes for plane in planes),
        mip_levels=desc.mip_levels,
        planes=tuple(planes),
        gpu=model,
        swizzle_mode=mode,
        desc=desc,
        pipe_bank_xor=planes[0].core.desc.pipe_bank_xor,
        pitch_bytes=planes[0].core.desc.pitch_bytes,
    )


def _plane_layout(plane: FormatPlane, core: _core.addressing.PlaneLayout, mode: SwizzleMode) -> PlaneLayout:
    desc = core.desc
    return PlaneLayout(
        usage=plane.usage,
        size_bytes=core.size_bytes,
        base_offset_bytes=desc.base_offset_bytes,
        base_alignment_bytes=core.base_alignment_bytes,
        bytes_per_element=core.element_bytes,
        slice_size_bytes=core.slice_size_bytes,
        standard_mip_count=core.standard_mip_count,
        mip_tail_mip_count=desc.mip_levels - core.standard_mip_count,
        block_shape=core.block_shape,
        mips=tuple(
            MipLayout(
                **{name: getattr(mip, name) for name in mip.FIELDS},
                sample_count=desc.sample_count,
                swizzle_mode=mode,
            )
            for mip in core.mips
        ),
        core=core,
    )


def as_layout(layout: object) -> ResourceLayout:
    """Give the layout, or the TypeError that names the argument."""
    return as_instance("layout", layout, ResourceLayout)
