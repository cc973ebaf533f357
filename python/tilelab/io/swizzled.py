"""Swizzled textures as files: the raw bytes as the hardware reads them, and a small JSON that undoes them."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilelab._validation import as_array, as_instance, fail
from tilelab.addressing import GpuModel, ResourceLayout, TextureDesc, resource_layout
from tilelab.io._atomic import replace_when_complete

__all__ = ["read", "sidecar_path", "write"]
__dir__ = __all__.copy

KIND = "tilelab swizzled texture"
VERSION = 1
_MAX_JSON_BYTES = 1 << 16
_FIELDS = (
    *("kind", "version", "data", "size_bytes", "sha256", "texture"),
    *("swizzle_mode", "gpu", "pipe_bank_xor", "pitch_bytes"),
)


def sidecar_path(path: str | os.PathLike[str]) -> Path:
    """Path of the JSON that belongs to a raw file: ``.json`` is added to its name."""
    return Path(f"{os.fspath(path)}.json")


def write(path: str | os.PathLike[str], layout: ResourceLayout, buffer: NDArray[np.uint8]) -> None:
    """Write a swizzled texture: `path` holds the bytes, ``path.json`` how to read them.

    Parameters
    ----------
    path : path_like
        The raw file to make or replace; both files are complete or left as they were.
    layout : ResourceLayout
        The layout that `buffer` has.
    buffer : uint8 array of shape (layout.size_bytes,)
        The bytes, as `swizzle_resource` returns them.

    Raises
    ------
    OSError
        A file cannot be written.
    TypeError, ValueError
        `buffer` does not fit `layout`.
    """
    as_instance("layout", layout, ResourceLayout)
    data = as_array("buffer", buffer, dtype=np.uint8, shape=(layout.size_bytes,))
    desc, gpu = layout.desc, layout.gpu
    sidecar = {
        "kind": KIND,
        "version": VERSION,
        "data": Path(path).name,
        "size_bytes": layout.size_bytes,
        "sha256": hashlib.sha256(data.data).hexdigest(),
        "swizzle_mode": layout.swizzle_mode.name,
        "pipe_bank_xor": layout.pipe_bank_xor,
        "pitch_bytes": layout.pitch_bytes,
        "gpu": {"name": gpu.name, "pipes": gpu.pipes, "packers": gpu.packers},
        "texture": {
            "dimension": desc.dimension,
            "width": desc.width,
            "height": desc.height,
            "depth_or_array_size": desc.depth_or_array_size,
            "mip_levels": desc.mip_levels,
            "format": desc.format.name,
            "sample_count": desc.sample_count,
            "usage": list(desc.usage),
        },
    }
    with (
        replace_when_complete(str(sidecar_path(path))) as fresh_text,
        replace_when_complete(os.fspath(path)) as fresh_data,
    ):
        with open(fresh_data, "xb") as file:
            file.write(data.data)
        with open(fresh_text, "x", encoding="utf-8") as text:
            json.dump(sidecar, text, indent=2)
            text.write("\n")


def read(path: str | os.PathLike[str]) -> tuple[ResourceLayout, NDArray[np.uint8]]:
    """Read a swizzled texture.

    Parameters
    ----------
    path : path_like
        The raw file, or its JSON, which names the raw file beside it.

    Returns
    -------
    layout : ResourceLayout
        What the bytes are.
    buffer : uint8 array of shape (layout.size_bytes,)
        The bytes: arguments for `deswizzle_resource` together with `layout`.

    Raises
    ------
    OSError
        One of the two files cannot be read.
    ValueError
        The JSON is damaged or does not fit the bytes (length or SHA-256).
    """
    by_json = Path(path).suffix == ".json"
    sidecar = Path(path) if by_json else sidecar_path(path)
    try:
        with open(sidecar, "rb") as text:
            fields = _parse(text.read(_MAX_JSON_BYTES + 1))
        layout = _layout(fields)
        named = sidecar.parent / _plain_name(fields["data"])
        raw = named if by_json else Path(path)
        if fields["size_bytes"] != layout.size_bytes:
            raise fail("size_bytes", f"must be {layout.size_bytes} for this layout", fields["size_bytes"])
        with open(raw, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size != layout.size_bytes:
                raise fail(raw.name, f"must have {layout.size_bytes} bytes", size)
            buffer = np.fromfile(file, np.uint8, layout.size_bytes)
    except (ValueError, TypeError) as error:
        kind = type(error) if isinstance(error, ValueError) else ValueError
        raise kind(f"{sidecar}: {error}") from None
    if hashlib.sha256(buffer.data).hexdigest() != fields["sha256"]:
        got = "another: one of the two was changed"
        raise fail(f"{sidecar}: sha256", f"must be that of {raw.name}", got)
    return layout, buffer


def _parse(text: bytes) -> Mapping[str, Any]:
    if len(text) > _MAX_JSON_BYTES:
        raise fail("the JSON", f"must have at most {_MAX_JSON_BYTES} bytes", "more")
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise fail("the file", "must hold JSON", f"text that fails: {error}") from None
    if not isinstance(fields, dict):
        raise fail("kind", f"must be {KIND!r}", repr(fields))
    if fields.get("kind") != KIND:
        raise fail("kind", f"must be {KIND!r}", fields.get("kind"))
    if fields.get("version") != VERSION:
        raise fail("version", f"must be {VERSION}", repr(fields.get("version")))
    missing = [name for name in _FIELDS if name not in fields]
    if missing:
        raise fail(missing[0], "must be given", f"only {', '.join(map(str, fields))}")
    return fields


def _layout(fields: Mapping[str, Any]) -> ResourceLayout:
    for name in ("texture", "gpu"):
        if not isinstance(fields[name], dict):
            raise fail(name, "must be an object", repr(fields[name]))
    return resource_layout(
        TextureDesc(**fields["texture"]),
        fields["swizzle_mode"],
        GpuModel(**fields["gpu"]),
        pipe_bank_xor=fields["pipe_bank_xor"],
        pitch_bytes=fields["pitch_bytes"],
    )


def _plain_name(name: object) -> str:
    if not isinstance(name, str) or not name or Path(name).name != name:
        raise fail("data", "must be the name of a file in the same folder", repr(name))
    return name
