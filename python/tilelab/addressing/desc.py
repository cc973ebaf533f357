"""What a texture is: its dimension, sizes, format and use, checked as Direct3D 12 would."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex, cast

from tilelab._core.addressing import Dimension
from tilelab._picture import result_html
from tilelab._validation import as_choice, as_instance, as_int, as_member, fail, fail_type
from tilelab.addressing.d3d12 import d3d12_arguments
from tilelab.addressing.formats import Format, FormatPlane, PlaneUsage

__all__ = ["Subresource", "TextureDesc"]
__dir__ = __all__.copy

DIMENSIONS = {
    "1d": Dimension.TEXTURE_1D,
    "2d": Dimension.TEXTURE_2D,
    "3d": Dimension.TEXTURE_3D,
    "cube": Dimension.TEXTURE_2D,
}
USAGES = ("render_target", "depth_stencil", "unordered_access")
SAMPLE_COUNTS = (1, 2, 4, 8)

# D3D12_REQ_TEXTURE*: 16384 texels a side, 2048 slices, 15 mips. Volumes are held to 16384 x 16384 x 2048
# (Direct3D says 2048 on every side) because the measured address equations cover that size.
MAX_SIZE = 16384
MAX_SLICES = 2048
MAX_MIPS = 15


class Subresource(NamedTuple):
    """Where a subresource lies in its texture and how large it is.

    Attributes
    ----------
    plane, array_slice, mip : int
        Its place.
    shape : tuple of int
        Shape of its elements as a uint8 array: ([d,] h, w, [samples,] bytes); d for volumes, samples where
        there are several.
    """

    plane: int
    array_slice: int
    mip: int
    shape: tuple[int, ...]

    @property
    def size_bytes(self) -> int:
        """Bytes of the tightly packed subresource."""
        return math.prod(self.shape)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextureDesc:
    """A texture: dimension, sizes in texels, mips, format, samples and intended use.

    Parameters
    ----------
    dimension : {"1d", "2d", "3d", "cube"}
        "1d", "2d" and "cube" may be arrays; a volume ("3d") never is.
    width, height : int
        Size of mip 0 in texels, 1..16384. BC sizes need not be multiples of 4. A cube is square; a 1D texture
        has height 1.
    depth_or_array_size : int, optional
        Depth of a volume, faces of a cube or cube array (a multiple of 6; the default is 6), slices otherwise
        (default 1). At most 2048.
    mip_levels : int
        0 means the full chain and is replaced by its length. At most 15.
    format : Format, str or int
        A DXGI format (see `Format`).
    sample_count : {1, 2, 4, 8}
        More than one sample: 2D textures (and their arrays) without mips.
    usage : iterable of str
        Any of "render_target", "depth_stencil", "unordered_access"; kept in this order without repeats.

    Raises
    ------
    TypeError, ValueError
        Naming the argument, the rule and the value.

    Notes
    -----
    Limits: documented (D3D12_REQ_TEXTURE2D_U_OR_V_DIMENSION 16384, ..._ARRAY_AXIS_DIMENSION 2048,
    D3D12_REQ_MIP_LEVELS 15). Volumes may be 16384 wide and high, which is more than Direct3D's 2048: the
    measured address equations reach that far.

    Examples
    --------
    >>> desc = TextureDesc(width=48, height=24, format="R8G8B8A8_UNORM", mip_levels=0)
    >>> desc.mip_levels, desc.mip_size(5)
    (6, (1, 1, 1))
    >>> TextureDesc(dimension="cube", width=64, height=64, format="BC7_UNORM").depth_or_array_size
    6
    """

    dimension: str = "2d"
    width: int
    height: int = 1
    depth_or_array_size: int = cast(int, None)
    mip_levels: int = 1
    format: Format
    sample_count: int = 1
    usage: tuple[str, ...] = ()

    if TYPE_CHECKING:  # what the arguments may be before they are converted to the fields above

        def __init__(
            self,
            *,
            width: int,
            format: Format | str | SupportsIndex,  # noqa: A002
            dimension: str = "2d",
            height: int = 1,
            depth_or_array_size: int | None = None,
            mip_levels: int = 1,
            sample_count: int = 1,
            usage: str | Iterable[str] = (),
        ) -> None: ...

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "dimension", as_choice("dimension", self.dimension, tuple(DIMENSIONS)))
        put(self, "width", as_int("width", self.width, low=1, high=MAX_SIZE))
        put(self, "height", as_int("height", self.height, low=1, high=MAX_SIZE))
        slices: int | None = self.depth_or_array_size
        if slices is None:
            slices = 6 if self.dimension == "cube" else 1
        put(self, "depth_or_array_size", as_int("depth_or_array_size", slices, low=1, high=MAX_SLICES))
        put(self, "format", Format(self.format))
        put(self, "sample_count", as_member("sample_count", self.sample_count, SAMPLE_COUNTS))
        put(self, "usage", _usages(self.usage))
        self._check_shape()
        levels = as_int("mip_levels", self.mip_levels, low=0)
        put(self, "mip_levels", levels or self.full_mip_levels)
        self._check_mips()
        self._check_samples()
        self._check_format()

    def _check_shape(self) -> None:
        if self.dimension == "1d" and self.height != 1:
            raise fail("height", 'must be 1 for dimension "1d"', self.height)
        if self.dimension == "cube":
            if self.height != self.width:
                raise fail("height", f'must equal width ({self.width}) for dimension "cube"', self.height)
            if self.depth_or_array_size % 6:
                rule = 'must be a multiple of 6 (it counts faces) for dimension "cube"'
                raise fail("depth_or_array_size", rule, self.depth_or_array_size)

    def _check_mips(self) -> None:
        full = min(self.full_mip_levels, MAX_MIPS)
        if self.mip_levels > full:
            size = " x ".join(map(str, self.mip_size(0)))
            raise fail("mip_levels", f"must be at most {full} for {size} texels", self.mip_levels)

    def _check_samples(self) -> None:
        count = self.sample_count
        if count == 1:
            return
        if self.dimension != "2d":
            raise fail("sample_count", f'must be 1 for dimension "{self.dimension}"', count)
        if self.mip_levels != 1:
            got = f"{self.mip_levels} with {count} samples"
            raise fail("mip_levels", "must be 1 for a multisampled texture", got)
        if self.format.is_block_compressed or self.format.is_packed_422 or self.format.is_video:
            raise fail("sample_count", f"must be 1 for format {self.format}", count)

    def _check_format(self) -> None:
        name = self.format.name
        if self.dimension == "1d" and (self.format.is_block_compressed or self.format.is_video):
            rule = 'must not be block-compressed or planar video for dimension "1d"'
            raise fail("format", rule, name)
        if self.dimension == "3d" and (self.format.is_depth_stencil or self.format.is_video):
            raise fail("format", 'must not be depth/stencil or planar video for dimension "3d"', name)
        if self.format.is_video:
            chroma = self.format.planes[1]
            if self.width % chroma.block_width or self.height % chroma.block_height:
                multiples = f"{chroma.block_width} and {chroma.block_height}"
                raise fail(
                    "width and height",
                    f"must be multiples of {multiples} for format {name}",
                    f"{self.width} x {self.height}",
                )
            if self.mip_levels != 1:
                raise fail("mip_levels", f"must be 1 for format {name}", self.mip_levels)
        if "depth_stencil" in self.usage:
            if len(self.usage) > 1:
                raise fail("usage", '"depth_stencil" must stand alone', self.usage)
            if not self.format.can_be_depth_stencil:
                raise fail("format", 'must hold depth or stencil for usage "depth_stencil"', name)
            if self.dimension == "3d":
                raise fail("usage", 'must not hold "depth_stencil" for dimension "3d"', self.usage)
        if "render_target" in self.usage and (
            self.format.is_block_compressed or self.format.is_depth_stencil
        ):
            rule = 'must not be block-compressed or depth/stencil for usage "render_target"'
            raise fail("format", rule, name)

    def __str__(self) -> str:
        size = " x ".join(str(side) for side in self.mip_size(0)[: DIMENSIONS[self.dimension]])
        mips = "1 mip" if self.mip_levels == 1 else f"{self.mip_levels} mips"
        parts = [self.dimension, size, self.format.name, mips]
        if self.array_size > 1:
            parts.append(f"{self.array_size} {'faces' if self.dimension == 'cube' else 'slices'}")
        if self.sample_count > 1:
            parts.append(f"{self.sample_count} samples")
        return ", ".join(parts)

    def _repr_html_(self) -> str:
        rows = [
            ("dimension", self.dimension),
            ("size (texels)", " x ".join(map(str, self.mip_size(0)))),
            ("array slices", self.array_size),
            ("mip levels", self.mip_levels),
            ("format", self.format),
            ("samples", self.sample_count),
            ("usage", ", ".join(self.usage) or "any"),
            ("subresources", self.subresource_count),
            ("texels (bytes)", self.size_bytes),
        ]
        return result_html("Texture", rows)

    @property
    def full_mip_levels(self) -> int:
        """Levels of the full chain: down to one texel."""
        return max(self.width, self.height, self.depth).bit_length()

    @property
    def depth(self) -> int:
        """Depth of mip 0: 1 unless the texture is a volume."""
        return self.depth_or_array_size if self.dimension == "3d" else 1

    @property
    def array_size(self) -> int:
        """Slices of the array (faces of cubes included); 1 for a volume."""
        return 1 if self.dimension == "3d" else self.depth_or_array_size

    @property
    def planes(self) -> tuple[FormatPlane, ...]:
        """The planes; a typeless parent of a depth format has a DEPTH plane under "depth_stencil"."""
        planes = self.format.planes
        if "depth_stencil" in self.usage and planes[0].usage is PlaneUsage.DEFAULT:
            return (FormatPlane(PlaneUsage.DEPTH, planes[0].bytes_per_element),)
        return planes

    @property
    def subresource_count(self) -> int:
        """Planes x slices x mips."""
        return len(self.planes) * self.array_size * self.mip_levels

    @property
    def size_bytes(self) -> int:
        """Bytes of all subresources, tightly packed (samples included)."""
        return self.array_size * sum(
            math.prod(self.subresource_shape(mip, plane=plane))
            for plane in range(len(self.planes))
            for mip in range(self.mip_levels)
        )

    def mip_size(self, mip: int) -> tuple[int, int, int]:
        """Width, height and depth of a mip in texels: max(1, size >> mip)."""
        return max(1, self.width >> mip), max(1, self.height >> mip), max(1, self.depth >> mip)

    def mip_elements(self, mip: int, *, plane: int = 0) -> tuple[int, int, int]:
        """Width, height and depth of a mip of a plane in elements."""
        width, height, depth = self.mip_size(mip)
        return (*self.planes[plane].elements(width, height), depth)

    def subresource_shape(self, mip: int, *, plane: int = 0) -> tuple[int, ...]:
        """Shape of a mip as a uint8 array: ([d,] h, w, [samples,] bytes)."""
        width, height, depth = self.mip_elements(mip, plane=plane)
        volume = (depth,) if self.dimension == "3d" else ()
        samples = (self.sample_count,) if self.sample_count > 1 else ()
        return (*volume, height, width, *samples, self.planes[plane].bytes_per_element)

    def subresources(self) -> Iterator[Subresource]:
        """List the subresources in the order of D3D12: mips inside slices inside planes.

        Examples
        --------
        >>> desc = TextureDesc(width=8, height=8, depth_or_array_size=2, mip_levels=2, format="BC1_UNORM")
        >>> [(sub.array_slice, sub.mip, sub.shape) for sub in desc.subresources()]
        [(0, 0, (2, 2, 8)), (0, 1, (1, 1, 8)), (1, 0, (2, 2, 8)), (1, 1, (1, 1, 8))]
        """
        for plane in range(len(self.planes)):
            for array_slice in range(self.array_size):
                for mip in range(self.mip_levels):
                    yield Subresource(plane, array_slice, mip, self.subresource_shape(mip, plane=plane))

    @classmethod
    def from_d3d12(
        cls,
        source: str | Mapping[str, Any] | Sequence[int] | None = None,
        /,
        *,
        cube: bool = False,
        **fields: Any,
    ) -> TextureDesc:
        """Build from a ``D3D12_RESOURCE_DESC``.

        Parameters
        ----------
        source : str, mapping or sequence of int
            JSON text of an object, a mapping with the struct's field names, or the struct's integers in
            order: Dimension, Alignment, Width, Height, DepthOrArraySize, MipLevels, Format, SampleDesc.Count,
            SampleDesc.Quality, Layout, Flags.
        cube : bool
            Direct3D keeps cubes in the view: True makes a 2D array of 6n slices a cube (array).
        **fields
            The struct's fields by name, instead of `source` or on top of it.

        Returns
        -------
        TextureDesc

        Raises
        ------
        TypeError, ValueError
            Naming the field, the rule and the value.

        Notes
        -----
        Enumerators may be integers or their names with or without prefix; flags may be joined by ``|``.
        Dimension, Width and Format are required. Alignment, Layout and SampleDesc.Quality are checked for
        kind only: where a texture lies and in which swizzle mode are arguments of `resource_layout`. Of the
        flags, those for render target, depth/stencil and unordered access become `usage`; the other
        documented flags do not change a layout.

        Examples
        --------
        >>> TextureDesc.from_d3d12({"Dimension": 3, "Width": 64, "Height": 32, "Format": 28, "Flags": 1})
        TextureDesc(dimension='2d', width=64, height=32, depth_or_array_size=1, mip_levels=1,
                    format=Format('R8G8B8A8_UNORM'), sample_count=1, usage=('render_target',))
        """
        return cls(**d3d12_arguments(source, fields, cube=cube))


def _usages(value: object) -> tuple[str, ...]:
    given = (value,) if isinstance(value, str) else value
    if not isinstance(given, Iterable):
        raise fail_type("usage", "must be an iterable of strings", type(value).__name__)
    chosen = {as_choice("usage", usage, USAGES) for usage in given}
    return tuple(usage for usage in USAGES if usage in chosen)


def as_dimension(dimension: object) -> Dimension:
    """Give the axes of a named dimension; the faces of a cube are slices."""
    return DIMENSIONS[as_choice("dimension", dimension, tuple(DIMENSIONS))]


def as_desc(desc: object) -> TextureDesc:
    """Give the texture, or the TypeError that names the argument."""
    return as_instance("desc", desc, TextureDesc)
