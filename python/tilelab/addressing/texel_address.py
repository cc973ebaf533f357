"""From coordinates to bytes and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab import _core
from tilelab._validation import as_array, as_out, as_threads, fail
from tilelab.addressing.layout import ResourceLayout, as_layout

__all__ = ["offset_texel", "texel_offset"]
__dir__ = __all__.copy

_RECORD = _core.addressing.TEXEL_COORDINATES
# The record of the core, with NumPy's own mark that its fields are aligned.
TEXEL_DTYPE = np.dtype([(name, _RECORD[name]) for name in _RECORD.names or ()], align=True)


def texel_offset(
    layout: ResourceLayout,
    x: npt.ArrayLike,
    y: npt.ArrayLike = 0,
    z: npt.ArrayLike = 0,
    *,
    array_slice: npt.ArrayLike = 0,
    mip: npt.ArrayLike = 0,
    sample: npt.ArrayLike = 0,
    plane: int | str = 0,
    out: npt.NDArray[np.int64] | None = None,
    threads: int = 1,
) -> Any:
    """Give the byte offset of elements.

    Parameters
    ----------
    layout : ResourceLayout
        The layout.
    x, y, z : array_like of integers
        Element coordinates (one element is a texel, a 4x4 block of BC formats, a third of a 96-bit texel);
        z is the depth slice of a volume and 0 otherwise.
    array_slice : array_like of integers
        Slice of an array, ``6 * cube + face`` for cubes; 0 for a volume.
    mip, sample : array_like of integers
        Mip and sample.
    plane : int or str
        Number or usage of the plane.
    out : int64 array of the broadcast shape, optional
        Where to write; C-contiguous, apart from the inputs.
    threads : int
        Threads, 0 = all cores.

    Returns
    -------
    int64 array of the broadcast shape, or int64 scalar
        Offsets from the start of the resource.

    Raises
    ------
    TypeError, ValueError
        A coordinate is no integer, lies outside its mip, or the arguments do not broadcast. Nothing is
        written then.

    Notes
    -----
    ``unit * slice_size + mip offset + (block index << block log2) + (f(x, y, z, sample) ^ pipe_bank_xor)``;
    f is linear over GF(2), each bit of it is the parity of chosen coordinate bits (S and D modes: derived
    closed form; others: measured masks).

    Examples
    --------
    >>> from tilelab.addressing import TextureDesc, resource_layout
    >>> desc = TextureDesc(width=256, height=256, format="R8G8B8A8_UNORM")
    >>> texel_offset(resource_layout(desc, "64KB_S"), [0, 1, 4], 1)
    array([ 16,  20, 144])
    """
    index = as_layout(layout).plane_index(plane)
    threads = as_threads(threads)
    given = {"x": x, "y": y, "z": z, "array_slice": array_slice, "mip": mip, "sample": sample}
    arrays = {name: as_array(name, value, dtype=np.int64) for name, value in given.items()}
    try:
        shape = np.broadcast_shapes(*(array.shape for array in arrays.values()))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise fail("x, y, z, array_slice, mip and sample", "must broadcast together", shapes) from None
    volume = layout.dimension == "3d"
    unused, rule = (
        ("array_slice", "must be 0 for a volume")
        if volume
        else ("z", "must be 0 unless the resource is a volume")
    )
    if arrays[unused].any():
        raise fail(unused, rule, arrays[unused][arrays[unused] != 0].flat[0])
    if out is None:
        result = np.empty(shape, np.int64)
    else:
        result = as_out("out", out, dtype=np.int64, shape=shape, inputs=arrays.items())
    flat = {name: _flat(array, shape) for name, array in arrays.items()}
    layout.planes[index].core.texel_offset(
        x=flat["x"],
        y=flat["y"],
        z=flat["z" if volume else "array_slice"],
        mip=flat["mip"],
        sample=flat["sample"],
        out=result.reshape(-1),
        threads=threads,
    )
    return result if shape or out is not None else result[()]


def _flat(array: npt.NDArray[np.int64], shape: tuple[int, ...]) -> npt.NDArray[np.int64]:
    """One value, or one for every query."""
    if array.size == 1:
        return array.reshape(1)
    return np.ascontiguousarray(np.broadcast_to(array, shape)).reshape(-1)


def offset_texel(
    layout: ResourceLayout, offset_bytes: npt.ArrayLike, *, plane: int | str = 0, threads: int = 1
) -> Any:
    """Give the element that a byte belongs to: the exact inverse of `texel_offset`.

    Parameters
    ----------
    layout : ResourceLayout
        The layout.
    offset_bytes : array_like of integers
        Offsets from the start of the resource, inside the plane. A byte inside an element gives its element.
    plane : int or str
        Number or usage of the plane.
    threads : int
        Threads, 0 = all cores.

    Returns
    -------
    structured array of the shape of `offset_bytes`, or a scalar record
        Fields ``x, y, z, array_slice, mip, sample`` (int32) and ``valid`` (bool). Padding has valid False
        and -1 elsewhere.

    Raises
    ------
    TypeError, ValueError
        An offset is no integer or lies outside the plane.

    Notes
    -----
    Derived: the GF(2) system of the address equation is solved once, so that a byte costs two table lookups.

    Examples
    --------
    >>> from tilelab.addressing import TextureDesc, resource_layout
    >>> desc = TextureDesc(width=256, height=256, format="R8G8B8A8_UNORM")
    >>> texel = offset_texel(resource_layout(desc, "64KB_S"), 146)
    >>> int(texel["x"]), int(texel["y"]), bool(texel["valid"])
    (4, 1, True)
    """
    chosen = as_layout(layout).planes[layout.plane_index(plane)]
    threads = as_threads(threads)
    offsets = as_array("offset_bytes", offset_bytes, dtype=np.int64)
    result = np.empty(offsets.shape, TEXEL_DTYPE)
    chosen.core.offset_texel(offsets.reshape(-1), result.reshape(-1), threads)
    return result if offsets.ndim else result[()]
