"""The DXGI formats: what one element is, how many bytes it has, and which planes a texture owns."""

from __future__ import annotations

import difflib
import enum
import operator
from dataclasses import dataclass
from typing import Any, SupportsIndex

from tilelab._picture import table_html
from tilelab._validation import ceil_div, fail, fail_type, unsupported

__all__ = ["Format", "FormatPlane", "PlaneUsage"]
__dir__ = __all__.copy


class PlaneUsage(enum.StrEnum):
    """What a plane of a surface holds (the names of the console's layout structures).

    Only the texel planes (`DEFAULT`, `DEPTH`, `STENCIL`, `LUMA`, `CHROMA`) are modelled; the metadata planes
    exist as names.
    """

    DEFAULT = "DEFAULT"
    DEPTH = "DEPTH"
    STENCIL = "STENCIL"
    LUMA = "LUMA"
    CHROMA = "CHROMA"
    HTILE = "HTILE"
    FMASK = "FMASK"
    CMASK = "CMASK"
    DELTA_COLOR_COMPRESSION = "DELTA_COLOR_COMPRESSION"

    @property
    def is_metadata(self) -> bool:
        """True for planes that hold compression or mask data instead of texels."""
        return self in _METADATA


_METADATA = frozenset(
    {PlaneUsage.HTILE, PlaneUsage.FMASK, PlaneUsage.CMASK, PlaneUsage.DELTA_COLOR_COMPRESSION}
)


@dataclass(frozen=True, slots=True)
class FormatPlane:
    """One plane of a format.

    Attributes
    ----------
    usage : PlaneUsage
        What the plane holds.
    bytes_per_element : int
        Bytes of one element of the plane.
    block_width, block_height : int
        Texels of the TEXTURE that one element of the plane covers (4 x 4 for BC, 2 x 2 for the chroma of
        NV12).
    """

    usage: PlaneUsage
    bytes_per_element: int
    block_width: int = 1
    block_height: int = 1

    def elements(self, width: int, height: int) -> tuple[int, int]:
        """Columns and rows of elements that cover `width` x `height` texels (rounded up)."""
        return ceil_div(width, self.block_width), ceil_div(height, self.block_height)


# First DXGI number, bytes of an element, family and the suffixes whose numbers follow each other
# (dxgiformat.h).
_FAMILIES = """
1 16 R32G32B32A32 TYPELESS FLOAT UINT SINT
5 12 R32G32B32 TYPELESS FLOAT UINT SINT
9 8 R16G16B16A16 TYPELESS FLOAT UNORM UINT SNORM SINT
15 8 R32G32 TYPELESS FLOAT UINT SINT
23 4 R10G10B10A2 TYPELESS UNORM UINT
26 4 R11G11B10 FLOAT
27 4 R8G8B8A8 TYPELESS UNORM UNORM_SRGB UINT SNORM SINT
33 4 R16G16 TYPELESS FLOAT UNORM UINT SNORM SINT
39 4 R32 TYPELESS
41 4 R32 FLOAT UINT SINT
48 2 R8G8 TYPELESS UNORM UINT SNORM SINT
53 2 R16 TYPELESS FLOAT
56 2 R16 UNORM UINT SNORM SINT
60 1 R8 TYPELESS UNORM UINT SNORM SINT
65 1 A8 UNORM
67 4 R9G9B9E5 SHAREDEXP
70 8 BC1 TYPELESS UNORM UNORM_SRGB
73 16 BC2 TYPELESS UNORM UNORM_SRGB
76 16 BC3 TYPELESS UNORM UNORM_SRGB
79 8 BC4 TYPELESS UNORM SNORM
82 16 BC5 TYPELESS UNORM SNORM
85 2 B5G6R5 UNORM
86 2 B5G5R5A1 UNORM
87 4 B8G8R8A8 UNORM
88 4 B8G8R8X8 UNORM
89 4 R10G10B10 XR_BIAS_A2_UNORM
90 4 B8G8R8A8 TYPELESS UNORM_SRGB
92 4 B8G8R8X8 TYPELESS UNORM_SRGB
94 16 BC6H TYPELESS UF16 SF16
97 16 BC7 TYPELESS UNORM UNORM_SRGB
100 4 AYUV
101 4 Y410
102 8 Y416
111 1 AI44
112 1 IA44
113 1 P8
114 2 A8P8
115 2 B4G4R4A4 UNORM
116 4 R10G10B10 7E3_A2_FLOAT 6E4_A2_FLOAT
191 2 A4B4G4R4 UNORM
"""
# Numbers 116..120 and the two below belong to the console's list; 189 and 190 mean feedback maps on a PC.
_CONSOLE_ONLY = {"R10G10B10_SNORM_A2_UNORM": (189, 4), "R4G4_UNORM": (190, 1)}

# Packed 4:2:2: one element holds two neighbouring texels.
_PACKED = {
    "R8G8_B8G8_UNORM": (68, 4),
    "G8R8_G8B8_UNORM": (69, 4),
    "YUY2": (107, 4),
    "Y210": (108, 8),
    "Y216": (109, 8),
}

# Depth and stencil: bytes of the depth plane (0 = none) and of the stencil plane.
_DEPTH = {
    "R32G8X24_TYPELESS": (19, 4, 1),
    "D32_FLOAT_S8X24_UINT": (20, 4, 1),
    "R32_FLOAT_X8X24_TYPELESS": (21, 4, 1),
    "X32_TYPELESS_G8X24_UINT": (22, 4, 1),
    "D32_FLOAT": (40, 4, 0),
    "R24G8_TYPELESS": (44, 4, 1),
    "D24_UNORM_S8_UINT": (45, 4, 1),
    "R24_UNORM_X8_TYPELESS": (46, 4, 1),
    "X24_TYPELESS_G8_UINT": (47, 4, 1),
    "D16_UNORM": (55, 2, 0),
    "D16_UNORM_S8_UINT": (118, 2, 1),
    "R16_UNORM_X8_TYPELESS": (119, 2, 1),
    "X16_TYPELESS_G8_UINT": (120, 2, 1),
    "S8_UINT": (None, 0, 1),
}

# Two-plane video: bytes of a luma element and how many columns and rows share one chroma pair (of twice the
# bytes).
_VIDEO = {
    "NV12": (103, 1, 2, 2),
    "P010": (104, 2, 2, 2),
    "P016": (105, 2, 2, 2),
    "420_OPAQUE": (106, 1, 2, 2),
    "NV11": (110, 1, 4, 1),
    "P208": (130, 1, 2, 1),
}

# Known names without a texel layout here: DXGI number and why.
_UNMODELLED = {
    "R1_UNORM": (66, "has less than one byte per texel"),
    "V208": (131, "has three planes"),
    "V408": (132, "has three planes"),
    "SAMPLER_FEEDBACK_MIN_MIP_OPAQUE": (None, "is opaque: use tilelab.FeedbackMap"),
    "SAMPLER_FEEDBACK_MIP_REGION_USED_OPAQUE": (None, "is opaque: use tilelab.FeedbackMap"),
}


def _build_registry() -> dict[str, tuple[int | None, tuple[FormatPlane, ...]]]:
    registry: dict[str, tuple[int | None, tuple[FormatPlane, ...]]] = {}
    for line in _FAMILIES.strip().splitlines():
        first, width, family, *suffixes = line.split()
        side = 4 if family.startswith("BC") else 1
        plane = FormatPlane(PlaneUsage.DEFAULT, int(width), side, side)
        for number, suffix in enumerate(suffixes or [""], int(first)):
            registry[f"{family}_{suffix}".rstrip("_")] = number, (plane,)
    for name, (number, size) in _CONSOLE_ONLY.items():
        registry[name] = number, (FormatPlane(PlaneUsage.DEFAULT, size),)
    for name, (number, size) in _PACKED.items():
        registry[name] = number, (FormatPlane(PlaneUsage.DEFAULT, size, 2),)
    for name, (number, size, columns, rows) in _VIDEO.items():
        luma = FormatPlane(PlaneUsage.LUMA, size)
        registry[name] = number, (luma, FormatPlane(PlaneUsage.CHROMA, 2 * size, columns, rows))
    for name, (dxgi, depth, stencil) in _DEPTH.items():
        planes = [FormatPlane(PlaneUsage.DEPTH, depth)] if depth else []
        planes += [FormatPlane(PlaneUsage.STENCIL, stencil)] if stencil else []
        registry[name] = dxgi, tuple(planes)
    return registry


_REGISTRY = _build_registry()
_NAME_OF_NUMBER = {number: name for name, (number, _) in _REGISTRY.items() if name not in _CONSOLE_ONLY}
_TYPELESS_DEPTH = frozenset({"R32_TYPELESS", "R16_TYPELESS"})
_PREFIX = "DXGI_FORMAT_"
# Names from before DXGI, which are also the FourCCs of DDS files.
LEGACY_NAMES = {
    "DXT1": "BC1_UNORM",
    "DXT2": "BC2_UNORM",  # DXT2 and DXT4 mean premultiplied alpha; the blocks are the same
    "DXT3": "BC2_UNORM",
    "DXT4": "BC3_UNORM",
    "DXT5": "BC3_UNORM",
    "ATI1": "BC4_UNORM",
    "BC4U": "BC4_UNORM",
    "BC4S": "BC4_SNORM",
    "ATI2": "BC5_UNORM",
    "BC5U": "BC5_UNORM",
    "BC5S": "BC5_SNORM",
}


class Format:
    """A DXGI format: the name, its number and the elements it is made of.

    Parameters
    ----------
    value : Format, str or int
        A DXGI name, with or without ``DXGI_FORMAT_``, upper or lower case (``"BC7_UNORM"``); a DXGI number
        (98); or a Format. ``"S8_UINT"`` is a stencil plane alone, which has no DXGI number. The older names
        of block compression map to DXGI ones (``"DXT1"`` to ``"BC1_UNORM"``).

    Attributes
    ----------
    name : str
        The DXGI name without ``DXGI_FORMAT_``.
    dxgi : int or None
        The DXGI number, None for ``S8_UINT``.
    planes : tuple of FormatPlane
        The planes, in the order of D3D12: depth then stencil, luma then chroma, else one.

    Raises
    ------
    ValueError
        For an unknown name (the message lists the nearest ones) or number.
    UnsupportedError
        For formats that have no texel layout here (1 bit per texel, three planes, opaque feedback maps).

    Notes
    -----
    Names and numbers: documented (DXGI_FORMAT; 116..120 and ``R10G10B10_SNORM_A2_UNORM``, ``R4G4_UNORM`` from
    the console's public list). The two-plane split of depth + stencil into a 4- or 2-byte and a 1-byte plane:
    documented for D3D12's subresource planes; that D24 occupies 4 bytes is derived from them. Numbers 189 and
    190 mean different formats on PC and console and are refused as numbers: give the name.

    Examples
    --------
    >>> Format("BC7_UNORM").bytes_per_element, Format("BC7_UNORM").block_width
    (16, 4)
    >>> Format(28) == Format("DXGI_FORMAT_R8G8B8A8_UNORM")
    True
    >>> [str(plane.usage) for plane in Format("NV12").planes]
    ['LUMA', 'CHROMA']
    """

    __slots__ = ("dxgi", "name", "planes")

    name: str
    dxgi: int | None
    planes: tuple[FormatPlane, ...]

    def __new__(cls, value: Format | str | SupportsIndex) -> Format:
        """Give the one Format of that name."""
        if isinstance(value, Format):
            return value
        return _INTERNED[_resolve(value)]

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Format is read-only, {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Format is read-only, {name} cannot be deleted")

    def __reduce__(self) -> tuple[type[Format], tuple[str]]:
        return Format, (self.name,)

    def __copy__(self) -> Format:
        return self

    def __deepcopy__(self, memo: Any) -> Format:
        return self

    def __eq__(self, other: object) -> bool:
        return self.name == other.name if isinstance(other, Format) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"Format({self.name!r})"

    def __str__(self) -> str:
        return self.name

    def _repr_html_(self) -> str:
        number = "no DXGI number" if self.dxgi is None else f"DXGI {self.dxgi}"
        rows = [
            (str(plane.usage), plane.bytes_per_element, f"{plane.block_width} x {plane.block_height}")
            for plane in self.planes
        ]
        table = table_html(("plane", "bytes per element", "texels per element"), rows)
        return f"<div><b>{self.name} ({number})</b>{table}</div>"

    @classmethod
    def names(cls) -> list[str]:
        """Every known name, sorted by DXGI number (``S8_UINT`` last)."""
        return sorted(_REGISTRY, key=lambda name: (_REGISTRY[name][0] or 1 << 16, name))

    @property
    def bytes_per_element(self) -> int:
        """Bytes of one element of the first plane."""
        return self.planes[0].bytes_per_element

    @property
    def block_width(self) -> int:
        """Texels across one element of the first plane (4 for BC, 2 for packed 4:2:2, else 1)."""
        return self.planes[0].block_width

    @property
    def block_height(self) -> int:
        """Texels down one element of the first plane (4 for BC, else 1)."""
        return self.planes[0].block_height

    @property
    def is_block_compressed(self) -> bool:
        """True for BC1..BC7."""
        return self.name.startswith("BC")

    @property
    def is_packed_422(self) -> bool:
        """True for formats whose element holds two neighbouring texels."""
        return self.name in _PACKED

    @property
    def is_video(self) -> bool:
        """True for the two-plane (luma + chroma) formats."""
        return self.name in _VIDEO

    @property
    def is_depth_stencil(self) -> bool:
        """True for formats that hold depth, stencil or both, and for the views of their planes."""
        return self.name in _DEPTH

    @property
    def can_be_depth_stencil(self) -> bool:
        """True where a depth/stencil resource may have this format (the typeless parents included)."""
        return self.name in _DEPTH or self.name in _TYPELESS_DEPTH

    @property
    def is_srgb(self) -> bool:
        """True for formats decoded with the sRGB curve."""
        return self.name.endswith("_SRGB")


def _resolve(value: object) -> str:
    if isinstance(value, str):
        name = value.strip().upper()
        name = LEGACY_NAMES.get(name, name.removeprefix(_PREFIX))
        if name in _REGISTRY:
            return name
        if name in _UNMODELLED:
            raise unsupported("format", "must have a texel layout", f"{name}, which {_UNMODELLED[name][1]}")
        near = [known for known in _REGISTRY if name and known.split("_")[0] == name]
        near += [
            known
            for known in difflib.get_close_matches(name, _REGISTRY, n=4, cutoff=0.4)
            if known not in near
        ]
        hint = f"; nearest: {', '.join(near[:6])}" if near else ""
        raise fail("format", "must be a DXGI format name", f"{value!r}{hint}")
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise fail_type("format", "must be a Format, a DXGI name or a DXGI number", type(value).__name__)
    number = operator.index(value)
    if number in _NAME_OF_NUMBER:
        return _NAME_OF_NUMBER[number]
    for name, (unmodelled, reason) in _UNMODELLED.items():
        if number == unmodelled:
            raise unsupported("format", "must have a texel layout", f"{number} ({name}), which {reason}")
    if any(number == console for console, _ in _CONSOLE_ONLY.values()):
        got = f"number {number}, which differs on PC and console: give the name"
        raise fail("format", "must be unambiguous", got)
    raise fail("format", "must be a DXGI format number that describes texels", number)


def _intern(name: str) -> Format:
    number, planes = _REGISTRY[name]
    new = object.__new__(Format)
    for attribute, value in (("name", name), ("dxgi", number), ("planes", planes)):
        object.__setattr__(new, attribute, value)
    return new


_INTERNED = {name: _intern(name) for name in _REGISTRY}
