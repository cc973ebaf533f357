"""DDS textures: every mip, slice, face, depth slice and plane, as arrays of elements."""

from __future__ import annotations

import contextlib
import os
import stat
import warnings
from collections.abc import Iterator, Sequence
from typing import BinaryIO

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tilelab._validation import as_path, as_regular, fail, fail_type, unsupported
from tilelab._validation import describe as array_text
from tilelab.addressing.desc import Subresource, TextureDesc, as_desc
from tilelab.io import _dds_header
from tilelab.io._atomic import replace_when_complete

__all__ = ["describe", "read", "write"]
__dir__ = __all__.copy

Elements = NDArray[np.uint8]

# A file keeps depth and stencil in one element of 8 or 4 bytes: the bytes of the depth and the stencil byte.
_DEPTH_BYTES = {8: slice(0, 4), 4: slice(0, 3)}
_STENCIL_BYTE = {8: 4, 4: 3}


def describe(path: str | os.PathLike[str]) -> TextureDesc:
    """Read only the header of a DDS file and check that the file is long enough for it.

    Parameters
    ----------
    path : path_like
        The file.

    Returns
    -------
    TextureDesc

    Raises
    ------
    OSError, ValueError
        As for `read`.
    """
    with _opened(path) as (_, desc, _, _):
        return desc


def read(path: str | os.PathLike[str]) -> tuple[TextureDesc, list[Elements]]:
    """Read a DDS file.

    Parameters
    ----------
    path : path_like
        The file. Its header may be the DX10 one or the older one with a FourCC, a D3DFORMAT number or masks.

    Returns
    -------
    desc : TextureDesc
        What the file holds; `usage` is empty, since files do not tell.
    subresources : list of uint8 arrays
        One array ([d,] h, w, bytes per element) for every subresource in Direct3D 12's order (mips inside
        slices inside planes); d for volumes. Depth + stencil are split into their planes.

    Raises
    ------
    OSError
        The file cannot be opened or read, or is no regular file.
    ValueError
        The file is not DDS, is truncated, or its header contradicts itself or breaks a limit of
        `TextureDesc`. All sizes are checked against the length of the file before memory is taken for them.
    UnsupportedError
        A pixel format without a DXGI equal (24-bit colour and others are named), an incomplete cube map, or
        the tiled variant of the console tools.

    Warns
    -----
    UserWarning
        Bytes follow the last subresource; they are ignored.

    Notes
    -----
    Legacy names map to DXGI ones: DXT1 to BC1, DXT2/DXT3 to BC2, DXT4/DXT5 to BC3 (the difference is only
    whether colours are premultiplied), ATI1/BC4U to BC4, ATI2/BC5U to BC5. Masks of 10:10:10:2 with red on
    top are refused: writers disagree about what they mean. Pitch fields are ignored, rows are taken as
    tightly packed. Source: documented (Direct3D "Programming Guide for DDS").

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from tilelab.addressing import TextureDesc
    >>> desc = TextureDesc(width=8, height=8, format="BC1_UNORM", mip_levels=2)
    >>> blocks = [np.zeros(sub.shape, np.uint8) for sub in desc.subresources()]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write(pathlib.Path(folder) / "a.dds", desc, blocks)
    ...     again, subresources = read(pathlib.Path(folder) / "a.dds")
    >>> again == desc, [elements.shape for elements in subresources]
    (True, [(2, 2, 8), (1, 1, 8)])
    """
    with _opened(path) as (file, desc, offset, extra):
        file.seek(offset)
        wanted = _payload_bytes(desc)
        payload = np.fromfile(file, np.uint8, wanted)
    if payload.size != wanted:
        raise fail(f"{os.fspath(path)}: {wanted} bytes of texels", "must be readable", payload.size)
    if extra:
        warnings.warn(
            f"{os.fspath(path)}: {extra} bytes after the last subresource are ignored", stacklevel=2
        )
    return desc, _split(payload, desc)


def write(path: str | os.PathLike[str], desc: TextureDesc, subresources: Sequence[ArrayLike]) -> None:
    """Write a DDS file with the DX10 header.

    Parameters
    ----------
    path : path_like
        The file to make or replace; it is either complete or left as it was.
    desc : TextureDesc
        What the texture is. `usage` is not stored.
    subresources : sequence of array_like
        One array for every subresource in Direct3D 12's order: ([d,] h, w[, ...]) of any dtype, whose
        trailing axes and item size make the bytes of one element.

    Raises
    ------
    OSError
        The file cannot be written.
    TypeError, ValueError
        An array does not fit `desc`, which the message names by its index.
    UnsupportedError
        DDS has no place for the texture: several samples per texel, a stencil plane alone, 16-bit depth with
        stencil.
    """
    as_desc(desc)
    name = as_path("path", path)
    if desc.sample_count != 1:
        raise unsupported("sample_count", "must be 1 in a DDS file", desc.sample_count)
    if desc.format.dxgi is None:
        raise unsupported("format", "must have a DXGI number in a DDS file", desc.format)
    _packed_bytes(desc)
    payload = _join(_checked(desc, subresources), desc)
    with replace_when_complete(name) as fresh, open(fresh, "xb") as file:
        file.write(_dds_header.pack(desc))
        for piece in payload:
            file.write(piece.data)


@contextlib.contextmanager
def _opened(path: str | os.PathLike[str]) -> Iterator[tuple[BinaryIO, TextureDesc, int, int]]:
    """Yield the open file, what it holds, where its texels start and how many bytes follow them."""
    name = as_path("path", path)
    if not stat.S_ISREG(os.stat(name).st_mode) and not os.path.isdir(name):
        raise OSError(f"path must name a regular file, got {name}")
    with open(name, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        try:
            desc, offset = _dds_header.parse(file.read(_dds_header.DX10_BYTES))
            wanted = _payload_bytes(desc)
            if wanted > size - offset:
                raise fail("the header", f"asks for {wanted} bytes of texels", size - offset)
        except ValueError as error:
            raise type(error)(f"{name}: {error}") from None
        yield file, desc, offset, size - offset - wanted


def _packed_bytes(desc: TextureDesc) -> int:
    """Bytes of an element that holds depth and stencil in the file; 0 for all other formats."""
    if not desc.format.is_depth_stencil or len(desc.planes) == 1:
        return 0
    if desc.planes[0].bytes_per_element == 2:
        raise unsupported("format", "must not be 16-bit depth with stencil in a DDS file", desc.format)
    return 8 if "8X24" in desc.format.name else 4  # R32G8X24 and its views, or R24G8 and its views


def _payload_bytes(desc: TextureDesc) -> int:
    packed = _packed_bytes(desc)
    return desc.size_bytes // 5 * packed if packed else desc.size_bytes


def _in_file_order(desc: TextureDesc) -> list[tuple[int, Subresource]]:
    """Index and place of every subresource as they follow in a file: planes inside mips inside slices."""
    numbered = enumerate(desc.subresources())
    return sorted(numbered, key=lambda item: (item[1].array_slice, item[1].mip, item[1].plane))


def _split(payload: Elements, desc: TextureDesc) -> list[Elements]:
    packed = _packed_bytes(desc)
    subresources: list[Elements] = [payload] * desc.subresource_count
    at = 0
    for index, sub in _in_file_order(desc):
        if not packed:
            subresources[index] = payload[at : at + sub.size_bytes].reshape(sub.shape)
            at += sub.size_bytes
            continue
        texels = payload[at : at + sub.size_bytes // sub.shape[-1] * packed].reshape(*sub.shape[:-1], packed)
        elements = np.zeros(sub.shape, np.uint8)
        if sub.plane == 0:
            elements[..., _DEPTH_BYTES[packed]] = texels[..., _DEPTH_BYTES[packed]]
        else:
            elements[..., 0] = texels[..., _STENCIL_BYTE[packed]]
            at += texels.size
        subresources[index] = elements
    return subresources


def _join(subresources: list[Elements], desc: TextureDesc) -> list[Elements]:
    """Pieces of the payload in file order."""
    packed = _packed_bytes(desc)
    ordered = [subresources[index] for index, _ in _in_file_order(desc)]
    if not packed:
        return ordered
    pieces = []
    for depth, stencil in zip(ordered[::2], ordered[1::2], strict=True):
        if packed == 4 and depth[..., 3].any():
            rule = f"must leave the top byte of 24-bit depth zero for {desc.format}"
            raise fail("subresources", rule, depth[..., 3].max())
        texels = np.zeros((*depth.shape[:-1], packed), np.uint8)
        texels[..., _DEPTH_BYTES[packed]] = depth[..., _DEPTH_BYTES[packed]]
        texels[..., _STENCIL_BYTE[packed]] = stencil[..., 0]
        pieces.append(texels)
    return pieces


def _checked(desc: TextureDesc, subresources: Sequence[ArrayLike]) -> list[Elements]:
    if not isinstance(subresources, Sequence):
        raise fail_type("subresources", "must be a list of arrays", type(subresources).__name__)
    if len(subresources) != desc.subresource_count:
        raise fail("subresources", f"must hold {desc.subresource_count} arrays", len(subresources))
    return [
        _as_elements(f"subresources[{index}]", value, sub.shape)
        for index, (value, sub) in enumerate(zip(subresources, desc.subresources(), strict=True))
    ]


def _as_elements(name: str, value: ArrayLike, shape: tuple[int, ...]) -> Elements:
    array = as_regular(name, value)
    if array.dtype.kind not in "uif":
        raise fail_type(name, "must hold integers or floats", array.dtype)
    *grid, element_bytes = shape
    if list(array.shape[: len(grid)]) != grid or array.nbytes != int(np.prod(shape)):
        rule = f"must have shape {tuple(grid)} and {element_bytes} bytes per element"
        raise fail(name, rule, array_text(array))
    little = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    return little.view(np.uint8).reshape(shape)
