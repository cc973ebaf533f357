"""Frames as single-part multi-channel OpenEXR files, through the OpenEXR library."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilelab._channels import CHANNELS, MAX_SIDE
from tilelab._extras import require
from tilelab._validation import fail
from tilelab.io._atomic import replace_when_complete

__all__ = ["read", "write"]
__dir__ = __all__.copy

# File channel names of each frame channel, in component order; one name = a channel without component axis.
_NAMES: Mapping[str, tuple[str, ...]] = {
    "color": ("color.R", "color.G", "color.B", "color.A"),
    "albedo": ("albedo.R", "albedo.G", "albedo.B", "albedo.A"),
    "sh_normal": ("N.X", "N.Y", "N.Z"),
    "depth": ("Z",),
    "uv": ("uv.U", "uv.V"),
    "duv_dx": ("duv_dx.U", "duv_dx.V"),
    "duv_dy": ("duv_dy.U", "duv_dy.V"),
    "motion": ("motion.X", "motion.Y"),
    "material": ("material",),
    "primitive_id": ("primitive_id",),
}
_PLAIN_COLOR = ("R", "G", "B", "A")
# No compression of the format packs whole pictures tighter than this; a header that asks for more is a lie.
_MAX_RATIO = 4096
_SMALL_BYTES = 1 << 26


def write(path: str, channels: Mapping[str, NDArray[Any]], origin: str) -> None:
    """Write ZIP compressed: floats as FLOAT, ids (the int32 bits, so -1 is 0xFFFFFFFF) and bytes as UINT."""
    exr = require("OpenEXR", "scene")
    planes: dict[str, NDArray[Any]] = {}
    for name, array in channels.items():
        bits = array.view(np.uint32) if array.dtype == np.int32 else array
        bits = bits.astype(np.uint32) if bits.dtype == np.uint8 else bits
        for index, plane_name in enumerate(_NAMES[name][: bits.shape[2]] if bits.ndim == 3 else _NAMES[name]):
            planes[plane_name] = np.ascontiguousarray(bits[..., index] if bits.ndim == 3 else bits)
    header: dict[str, Any] = {"compression": exr.ZIP_COMPRESSION, "type": exr.scanlineimage}
    if origin:
        header["comments"] = origin
    with replace_when_complete(path) as fresh:
        try:
            exr.File(header, planes).write(fresh)
        except RuntimeError as error:
            raise OSError(f"path must be writeable, got {path}: {error}") from error


def read(path: str, wanted: tuple[str, ...] | None, max_bytes: int) -> tuple[dict[str, NDArray[Any]], str]:
    """Read the wanted channels (None = all) and the origin; the header is checked before pixels are read."""
    exr = require("OpenEXR", "scene")
    with open(path, "rb"):  # a missing or forbidden file is an OSError, not the library's RuntimeError
        pass
    header, height, width = _checked_header(exr, path, max_bytes)
    names = [channel.name for channel in header["channels"]]
    groups = _group(path, names, wanted)
    file = _open(exr, path, header_only=False)
    pixels = file.channels()
    arrays: dict[str, NDArray[Any]] = {}
    for name, parts in groups.items():
        planes = []
        for part in parts:
            plane = pixels[part].pixels if part in pixels else None
            if plane is None or plane.shape != (height, width):
                raise ValueError(
                    f"path must hold the pixels its header declares, got none of {part!r}: {path}"
                )
            planes.append(_plane(path, name, part, plane))
        if len({plane.dtype for plane in planes}) > 1:
            raise fail(name, "must have components of one kind", f"several in {path}")
        arrays[name] = planes[0] if CHANNELS[name].components == (0,) else np.stack(planes, axis=2)
    return arrays, str(header.get("comments", ""))


def _plane(path: str, name: str, part: str, plane: NDArray[Any]) -> NDArray[Any]:
    """Give the pixels of a component as the frame keeps them."""
    rule = CHANNELS[name]
    if rule.dtype is np.int32:
        if plane.dtype != np.uint32:
            raise fail(part, "must be UINT", f"{plane.dtype} in {path}")
        return plane.view(np.int32)
    if plane.dtype != np.uint32:
        return plane.astype(np.float32, copy=False)
    if not rule.unorm:
        raise fail(part, "must be FLOAT or HALF", f"{plane.dtype} in {path}")
    if int(plane.max()) > 255:
        raise fail(part, "must hold codes of 8 bits where it is UINT", f"{plane.max()} in {path}")
    return plane.astype(np.uint8)


def _open(exr: Any, path: str, *, header_only: bool) -> Any:
    try:
        file = exr.File(path, separate_channels=True, header_only=header_only)
        parts = len(file.parts)
    except Exception as error:  # the library raises RuntimeError, UnicodeDecodeError and others
        raise ValueError(f"path must be a complete .exr file, got {path}: {error}") from error
    if parts != 1:  # the library drops a part whose pixels it cannot read, with a message on stderr
        found = "none that can be read" if parts == 0 else str(parts)
        raise ValueError(f"path must be a complete single-part .exr file, got {found} in {path}")
    return file


def _checked_header(exr: Any, path: str, max_bytes: int) -> tuple[dict[str, Any], int, int]:
    header = _open(exr, path, header_only=True).header()
    if header["type"] not in (exr.scanlineimage, exr.tiledimage):
        raise ValueError(f"path must be a flat .exr image, got {header['type']} in {path}")
    (left, top), (right, bottom) = ([int(v) for v in corner] for corner in header["dataWindow"])
    width, height = right - left + 1, bottom - top + 1
    if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
        raise ValueError(f"path must have sides of 1..{MAX_SIDE}, got {width} x {height} in {path}")
    if any((channel.xSampling, channel.ySampling) != (1, 1) for channel in header["channels"]):
        raise ValueError(f"path must not have subsampled channels, got some in {path}")
    total = 4 * width * height * len(header["channels"])
    if total > max_bytes:
        raise ValueError(f"path must need at most max_bytes = {max_bytes} bytes, got {total} in {path}")
    file_bytes = os.path.getsize(path)
    if total > max(_SMALL_BYTES, _MAX_RATIO * file_bytes):
        raise ValueError(
            f"path must be able to hold what it declares, got {total} bytes "
            f"from a file of {file_bytes}: {path}"
        )
    return header, height, width


def _group(path: str, names: list[str], wanted: tuple[str, ...] | None) -> dict[str, tuple[str, ...]]:
    """Return the file channels of each frame channel; every group must be complete."""
    groups: dict[str, tuple[str, ...]] = {}
    used: set[str] = set()
    for name, parts in _NAMES.items():
        if wanted is not None and name not in wanted:
            continue
        if name == "color" and not set(parts) & set(names):
            parts = _PLAIN_COLOR
        present = tuple(part for part in parts if part in names)
        if not present:
            continue
        components = CHANNELS[name].components
        if present != parts[: len(present)] or len(present) not in [max(count, 1) for count in components]:
            raise ValueError(f"{name} must have the channels {', '.join(parts)}, got {present} in {path}")
        groups[name] = present
        used |= set(present)
    unknown = [name for name in names if name not in used]
    if wanted is None and unknown:
        raise ValueError(f"path must hold only frame channels, got {', '.join(unknown)} in {path}")
    missing = [name for name in wanted or () if name not in groups]
    if missing:
        raise ValueError(f"path must hold the channel {missing[0]!r}, got {', '.join(names)} in {path}")
    return groups
