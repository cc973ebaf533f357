"""The header of a DDS file, from bytes to `TextureDesc` and back."""

from __future__ import annotations

import struct
from typing import NamedTuple

from tilelab._validation import fail, unsupported
from tilelab.addressing.desc import TextureDesc
from tilelab.addressing.formats import LEGACY_NAMES, Format

# DDS_HEADER and DDS_HEADER_DXT10 of the Direct3D documentation ("Programming Guide for DDS").
MAGIC = b"DDS "
_HEADER = struct.Struct("<4s 7I 44x 2I 4s 5I 4I 4x")
_DX10 = struct.Struct("<5I")
LEGACY_BYTES = _HEADER.size
DX10_BYTES = _HEADER.size + _DX10.size

_DDSD_CAPS, _DDSD_HEIGHT, _DDSD_WIDTH, _DDSD_PITCH = 0x1, 0x2, 0x4, 0x8
_DDSD_PIXELFORMAT, _DDSD_MIPMAPCOUNT, _DDSD_LINEARSIZE, _DDSD_DEPTH = 0x1000, 0x20000, 0x80000, 0x800000
_DDSCAPS_COMPLEX, _DDSCAPS_TEXTURE, _DDSCAPS_MIPMAP = 0x8, 0x1000, 0x400000
_DDSCAPS2_CUBEMAP, _DDSCAPS2_ALL_FACES, _DDSCAPS2_VOLUME = 0x200, 0xFC00, 0x200000
_DDPF_ALPHAPIXELS, _DDPF_ALPHA, _DDPF_FOURCC, _DDPF_RGB = 0x1, 0x2, 0x4, 0x40
_DDPF_LUMINANCE, _DDPF_BUMPDUDV = 0x20000, 0x80000
_MISC_TEXTURECUBE = 0x4
_DIMENSION_OF_DX10 = {2: "1d", 3: "2d", 4: "3d"}
_DX10_OF_DIMENSION = {"1d": 2, "2d": 3, "cube": 3, "3d": 4}

_FOURCC = {name.encode(): dxgi for name, dxgi in LEGACY_NAMES.items()} | {
    b"BC6H": "BC6H_UF16",
    b"BC7L": "BC7_UNORM",
    b"BC7\0": "BC7_UNORM",
    b"RGBG": "R8G8_B8G8_UNORM",
    b"GRGB": "G8R8_G8B8_UNORM",
    b"YUY2": "YUY2",
}
# D3DFORMAT numbers that older writers put in place of a FourCC.
_D3DFMT = {
    36: "R16G16B16A16_UNORM",
    110: "R16G16B16A16_SNORM",
    111: "R16_FLOAT",
    112: "R16G16_FLOAT",
    113: "R16G16B16A16_FLOAT",
    114: "R32_FLOAT",
    115: "R32G32_FLOAT",
    116: "R32G32B32A32_FLOAT",
}
# Kind, bits and the masks of red, green, blue, alpha.
_MASKS = {
    ("RGB", 32, 0xFF, 0xFF00, 0xFF0000, 0xFF000000): "R8G8B8A8_UNORM",
    ("RGB", 32, 0xFF0000, 0xFF00, 0xFF, 0xFF000000): "B8G8R8A8_UNORM",
    ("RGB", 32, 0xFF0000, 0xFF00, 0xFF, 0): "B8G8R8X8_UNORM",
    ("RGB", 32, 0x3FF, 0xFFC00, 0x3FF00000, 0xC0000000): "R10G10B10A2_UNORM",
    ("RGB", 32, 0xFFFF, 0xFFFF0000, 0, 0): "R16G16_UNORM",
    ("RGB", 32, 0xFFFFFFFF, 0, 0, 0): "R32_FLOAT",  # Direct3D 9 had no other 32-bit channel
    ("RGB", 16, 0xF800, 0x7E0, 0x1F, 0): "B5G6R5_UNORM",
    ("RGB", 16, 0x7C00, 0x3E0, 0x1F, 0x8000): "B5G5R5A1_UNORM",
    ("RGB", 16, 0xF00, 0xF0, 0xF, 0xF000): "B4G4R4A4_UNORM",
    ("RGB", 16, 0xFF, 0xFF00, 0, 0): "R8G8_UNORM",
    ("RGB", 16, 0xFFFF, 0, 0, 0): "R16_UNORM",
    ("RGB", 8, 0xFF, 0, 0, 0): "R8_UNORM",
    ("LUMINANCE", 16, 0xFFFF, 0, 0, 0): "R16_UNORM",
    ("LUMINANCE", 16, 0xFF, 0, 0, 0xFF00): "R8G8_UNORM",
    ("LUMINANCE", 8, 0xFF, 0, 0, 0): "R8_UNORM",
    ("BUMPDUDV", 32, 0xFF, 0xFF00, 0xFF0000, 0xFF000000): "R8G8B8A8_SNORM",
    ("BUMPDUDV", 32, 0xFFFF, 0xFFFF0000, 0, 0): "R16G16_SNORM",
    ("BUMPDUDV", 16, 0xFF, 0xFF00, 0, 0): "R8G8_SNORM",
}
# Layouts of Direct3D 9 that have a name but no DXGI equal (bits, red, green, blue, alpha).
_NO_DXGI = {
    (24, 0xFF0000, 0xFF00, 0xFF, 0): "B8G8R8 (24 bits)",
    (24, 0xFF, 0xFF00, 0xFF0000, 0): "R8G8B8 (24 bits)",
    (32, 0xFF, 0xFF00, 0xFF0000, 0): "R8G8B8X8",
    (32, 0x3FF00000, 0xFFC00, 0x3FF, 0xC0000000): "B10G10R10A2",
    (16, 0x7C00, 0x3E0, 0x1F, 0): "B5G5R5X1",
    (16, 0xF00, 0xF0, 0xF, 0): "B4G4R4X4",
    (16, 0xE0, 0x1C, 0x3, 0xFF00): "B2G3R3A8",
    (8, 0xE0, 0x1C, 0x3, 0): "B2G3R3",
    (8, 0xF, 0, 0, 0xF0): "L4A4",
}


class _Header(NamedTuple):
    magic: bytes
    size: int
    flags: int
    height: int
    width: int
    pitch: int
    depth: int
    mip_count: int
    format_size: int
    format_flags: int
    fourcc: bytes
    bits: int
    red: int
    green: int
    blue: int
    alpha: int
    caps: int
    caps2: int
    caps3: int
    caps4: int


def parse(head: bytes) -> tuple[TextureDesc, int]:
    """Read a header.

    Parameters
    ----------
    head : bytes
        The first `DX10_BYTES` bytes of the file, or fewer where the file is shorter.

    Returns
    -------
    desc : TextureDesc
        What the header describes.
    offset : int
        Where the texels start.

    Raises
    ------
    ValueError
        The header is truncated, contradicts itself or breaks a limit of `TextureDesc`.
    UnsupportedError
        The format or variant is known and not supported.
    """
    if head[:4] != MAGIC:
        raise fail("the file", "must start with 'DDS '", repr(head[:4]))
    if len(head) < LEGACY_BYTES:
        raise fail("the header", f"must have {LEGACY_BYTES} bytes", len(head))
    header = _Header(*_HEADER.unpack_from(head))
    if header.size != 124 or header.format_size != 32:
        raise fail("header sizes", "must be 124 and 32", f"{header.size} and {header.format_size}")
    if header.format_flags & _DDPF_FOURCC and header.fourcc == b"DX10":
        if len(head) < DX10_BYTES:
            raise fail("a DX10 header", f"must have {DX10_BYTES} bytes", len(head))
        return _describe_dx10(header, *_DX10.unpack_from(head, LEGACY_BYTES)[:4]), DX10_BYTES
    return _describe_legacy(header), LEGACY_BYTES


def _describe_dx10(header: _Header, dxgi: int, dimension: int, misc: int, slices: int) -> TextureDesc:
    if dimension not in _DIMENSION_OF_DX10:
        raise fail("resourceDimension", "must be 2 (1D), 3 (2D) or 4 (3D)", dimension)
    if slices == 0:
        raise fail("arraySize", "must be at least 1", slices)
    kind = _DIMENSION_OF_DX10[dimension]
    height, depth_or_slices = header.height, slices
    if kind == "1d":
        height = max(1, height)  # some writers leave the height of 1D textures at 0
    if kind == "3d":
        if slices != 1:
            raise fail("arraySize", "must be 1 for a volume", slices)
        depth_or_slices = header.depth
    if misc & _MISC_TEXTURECUBE:
        if kind != "2d":
            raise fail("resourceDimension", "must be 3 for a cube map", dimension)
        kind, depth_or_slices = "cube", 6 * slices
    return TextureDesc(
        dimension=kind,
        width=header.width,
        height=height,
        depth_or_array_size=depth_or_slices,
        mip_levels=header.mip_count or 1,
        format=Format(dxgi),
    )


def _describe_legacy(header: _Header) -> TextureDesc:
    kind, depth_or_slices = "2d", 1
    if header.caps2 & _DDSCAPS2_VOLUME:
        kind, depth_or_slices = "3d", header.depth
    if header.caps2 & _DDSCAPS2_CUBEMAP:
        if kind == "3d":
            raise fail("dwCaps2", "must not hold both a cube map and a volume", f"{header.caps2:#x}")
        if header.caps2 & _DDSCAPS2_ALL_FACES != _DDSCAPS2_ALL_FACES:
            raise unsupported("a cube map", "must have all six faces", f"dwCaps2 {header.caps2:#x}")
        kind, depth_or_slices = "cube", 6
    return TextureDesc(
        dimension=kind,
        width=header.width,
        height=header.height,
        depth_or_array_size=depth_or_slices,
        mip_levels=header.mip_count or 1,
        format=_legacy_format(header),
    )


def _legacy_format(header: _Header) -> Format:
    flags = header.format_flags
    if flags & _DDPF_FOURCC:
        number = int.from_bytes(header.fourcc, "little")
        name = _FOURCC.get(header.fourcc) or _D3DFMT.get(number)
        if name is None:
            if header.fourcc == b"XBOX":
                raise unsupported("the file", "must hold linear texels", "the tiled variant 'XBOX'")
            what = repr(header.fourcc.decode("latin-1")) if number > 0xFFFF else f"D3DFORMAT {number}"
            raise unsupported("the pixel format", "must have a DXGI equal", what)
        return Format(name)
    alpha = header.alpha if flags & (_DDPF_ALPHAPIXELS | _DDPF_ALPHA) else 0
    masks = (header.bits, header.red, header.green, header.blue, alpha)
    if flags & _DDPF_RGB:
        name = _MASKS.get(("RGB", *masks))
    elif flags & _DDPF_LUMINANCE:
        name = _MASKS.get(("LUMINANCE", *masks))
    elif flags & _DDPF_BUMPDUDV:
        name = _MASKS.get(("BUMPDUDV", header.bits, header.red, header.green, header.blue, header.alpha))
    elif flags & _DDPF_ALPHA and header.bits == 8:
        name = "A8_UNORM"
    else:
        name = None
    if name is None:
        what = _NO_DXGI.get(masks, f"flags {flags:#x}")
        text = ", ".join(f"{mask:#010x}" for mask in masks[1:])
        got = f"{what} with {header.bits} bits and masks {text}"
        raise unsupported("the pixel format", "must have a DXGI equal", got)
    return Format(name)


def pack(desc: TextureDesc) -> bytes:
    """Make the header of a file with the DX10 extension.

    Parameters
    ----------
    desc : TextureDesc
        One sample per texel and a format with a DXGI number.
    """
    width, height, _ = desc.mip_size(0)
    columns, rows, _ = desc.mip_elements(0)
    row_bytes = columns * desc.format.bytes_per_element
    flags = _DDSD_CAPS | _DDSD_HEIGHT | _DDSD_WIDTH | _DDSD_PIXELFORMAT
    flags |= _DDSD_LINEARSIZE if desc.format.is_block_compressed else _DDSD_PITCH
    caps, caps2, misc, array_size = _DDSCAPS_TEXTURE, 0, 0, desc.array_size
    if desc.mip_levels > 1:
        flags |= _DDSD_MIPMAPCOUNT
        caps |= _DDSCAPS_COMPLEX | _DDSCAPS_MIPMAP
    if desc.array_size > 1 or desc.dimension == "3d":
        caps |= _DDSCAPS_COMPLEX
    if desc.dimension == "3d":
        flags |= _DDSD_DEPTH
        caps2 |= _DDSCAPS2_VOLUME
    if desc.dimension == "cube":
        caps2 |= _DDSCAPS2_CUBEMAP | _DDSCAPS2_ALL_FACES
        misc, array_size = _MISC_TEXTURECUBE, desc.array_size // 6
    header = _Header(
        magic=MAGIC,
        size=124,
        flags=flags,
        height=height,
        width=width,
        pitch=row_bytes * rows if desc.format.is_block_compressed else row_bytes,
        depth=desc.depth,
        mip_count=desc.mip_levels,
        format_size=32,
        format_flags=_DDPF_FOURCC,
        fourcc=b"DX10",
        bits=0,
        red=0,
        green=0,
        blue=0,
        alpha=0,
        caps=caps,
        caps2=caps2,
        caps3=0,
        caps4=0,
    )
    dx10 = _DX10.pack(desc.format.dxgi, _DX10_OF_DIMENSION[desc.dimension], misc, array_size, 0)
    return _HEADER.pack(*header) + dx10
