"""The lighting pass and the broadcast of its results."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from tilelab import _core
from tilelab._core.lighting import DepthEncoding
from tilelab._validation import (
    Array,
    as_enum,
    as_instance,
    as_out,
    as_regular,
    as_threads,
    fail,
    fail_type,
)
from tilelab.lighting.gbuffer import GBuffer, kernel_range, pixel_bytes
from tilelab.lighting.tiles import SparseTiles, gather_pixels, record_list

__all__ = ["fill", "light", "light_dense"]
__dir__ = __all__.copy

#: ``fn(channels, x, y, depth) -> values``.
LightFunction = Callable[
    [dict[str, Array], npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.float32]], npt.ArrayLike
]


def light(tiles: SparseTiles, gbuffer: GBuffer, fn: LightFunction, *, threads: int = 1) -> Array:
    """Light the listed pixels.

    Parameters
    ----------
    tiles : SparseTiles
        Records of a scan.
    gbuffer : GBuffer
        Where the channels of the lit pixels are taken from; usually the one that was scanned.
    fn : callable
        ``fn(channels, x, y, depth)``: a dict of arrays (N,) or (N, C) of the channels' own dtypes, int32
        pixel coordinates (N,), and float32 (N,) depth as the records hold it, normalised to 0..1. It returns
        (N,) or (N, C) values, is called once, and should treat every pixel by itself. The arrays are its
        own: it may write to them.
    threads : int
        For gathering the channels; 0 for all cores. `fn` runs on the calling thread.

    Returns
    -------
    ndarray, (N,) or (N, C)
        What `fn` returned, in record order.

    Raises
    ------
    TypeError
        An argument of the wrong kind, or `fn` returned no numbers.
    ValueError
        The sizes differ, or `fn` returned another shape.

    Examples
    --------
    >>> import numpy as np
    >>> from tilelab import lighting
    >>> gbuffer = lighting.GBuffer({"albedo": np.full((2, 2), 9, np.uint8)}, np.zeros((2, 2), np.float32))
    >>> tiles = lighting.scan(gbuffer)
    >>> values = lighting.light(tiles, gbuffer, lambda channels, x, y, depth: channels["albedo"] * 2.0)
    >>> values, lighting.fill(tiles, values)
    (array([18.]), array([[18., 18.], [18., 18.]]))
    """
    as_instance("tiles", tiles, SparseTiles)
    _check_call(gbuffer, fn)
    if gbuffer.shape != tiles.shape:
        raise fail("gbuffer", f"must have the size of the scan {tiles.shape}", gbuffer.shape)
    workers = as_threads(threads)
    channels = {name: gather_pixels(tiles, channel, workers) for name, channel in gbuffer.channels.items()}
    x, y = tiles.pixels(threads=workers)
    depth = np.empty(tiles.records.size, np.float32)
    encoding = as_enum("depth_encoding", tiles.depth_encoding, DepthEncoding)
    _core.lighting.decode_depths(tiles.records, encoding, depth, workers)
    return _values("the result of fn", fn(channels, x, y, depth), depth.size)


def light_dense(
    gbuffer: GBuffer, fn: LightFunction, *, depth_encoding: str = "unorm21", threads: int = 1
) -> Array:
    """Light every valid pixel: what the sparse result is held against.

    Parameters
    ----------
    gbuffer : GBuffer
        The frame.
    fn : callable
        As for :func:`light`. It gets all valid pixels, row by row, and the depth their records would hold.
    depth_encoding : {"unorm21", "float21"}
        See :func:`pack_records`.
    threads : int
        0 for all cores. `fn` runs on the calling thread.

    Returns
    -------
    ndarray, (H, W) or (H, W, C)
        Values of valid pixels, zero elsewhere.

    Raises
    ------
    TypeError, ValueError
        As for :func:`light`.

    Examples
    --------
    >>> import numpy as np
    >>> from tilelab import lighting
    >>> gbuffer = lighting.GBuffer({"albedo": np.full((2, 2), 9, np.uint8)}, np.zeros((2, 2), np.float32))
    >>> lighting.light_dense(gbuffer, lambda channels, x, y, depth: x + 10 * y)
    array([[ 0,  1],
           [10, 11]], dtype=int32)
    """
    _check_call(gbuffer, fn)
    encoding = as_enum("depth_encoding", depth_encoding, DepthEncoding)
    workers = as_threads(threads)
    height, width = gbuffer.shape
    depth = np.empty(height * width, np.float32)
    flat_depth = gbuffer.depth.reshape(-1)
    _core.lighting.requantise_depths(flat_depth, kernel_range(gbuffer), encoding, depth, workers)
    chosen = slice(None) if gbuffer.valid is None else np.flatnonzero(gbuffer.valid)
    channels = {}
    for name, channel in gbuffer.channels.items():
        flat = channel.reshape(height * width, *channel.shape[2:])
        channels[name] = flat.copy() if gbuffer.valid is None else flat[chosen]
    y, x = (axis.reshape(-1)[chosen] for axis in np.indices((height, width), np.int32))
    depth = depth[chosen]
    values = _values("the result of fn", fn(channels, x, y, depth), depth.size)
    image = np.zeros((height * width, *values.shape[1:]), values.dtype)
    image[chosen] = values
    return image.reshape(height, width, *values.shape[1:])


def fill(tiles: SparseTiles, values: npt.ArrayLike, *, out: Array | None = None, threads: int = 1) -> Array:
    """Write every value to its pixel and to the copies in its record.

    Parameters
    ----------
    tiles : SparseTiles
        Records of a scan.
    values : array_like, (N,) or (N, C)
        One value per record, of any dtype without Python objects.
    out : ndarray, (H, W) or (H, W, C), optional
        Where to write; pixels that are not valid keep what they hold. Default: zeros.
    threads : int
        0 for all cores.

    Returns
    -------
    ndarray, (H, W) or (H, W, C)
        `out`, or a new image.

    Raises
    ------
    TypeError, ValueError
        `values` or `out` have another shape or dtype, or `out` overlaps an input.

    Notes
    -----
    At most three copies, at coordinate XOR 1: no search and no filter, so the fill is exact. (documented)

    Examples
    --------
    >>> import numpy as np
    >>> from tilelab import lighting
    >>> gbuffer = lighting.GBuffer({"id": np.zeros((2, 3), np.uint32)}, np.zeros((2, 3), np.float32))
    >>> lighting.fill(lighting.scan(gbuffer), np.array([7, 8], np.uint8))
    array([[7, 7, 8],
           [7, 7, 8]], dtype=uint8)
    """
    as_instance("tiles", tiles, SparseTiles)
    workers = as_threads(threads)
    given = np.ascontiguousarray(_values("values", values, tiles.records.size, of_numbers=False))
    shape = (*tiles.shape, *given.shape[1:])
    if out is None:
        out = np.zeros(shape, given.dtype)
    else:
        inputs = [("values", given), ("records", tiles.records), ("offsets", tiles.offsets)]
        as_out("out", out, dtype=given.dtype, shape=shape, inputs=inputs)
    _core.lighting.fill_pixels(record_list(tiles), pixel_bytes(given, axes=1), pixel_bytes(out), workers)
    return out


def _check_call(gbuffer: object, fn: object) -> None:
    as_instance("gbuffer", gbuffer, GBuffer)
    if not callable(fn):
        raise fail_type("fn", "must be callable", type(fn).__name__)


def _values(name: str, values: npt.ArrayLike, count: int, *, of_numbers: bool = True) -> Array:
    array = as_regular(name, values)
    if of_numbers and array.dtype.kind not in "biufc":
        raise fail_type(name, "must be an array of numbers", f"dtype {array.dtype}")
    if array.dtype.hasobject or array.dtype.itemsize == 0:
        raise fail_type(name, "must be an array without Python objects", f"dtype {array.dtype}")
    if array.ndim not in (1, 2) or array.shape[0] != count or 0 in array.shape[1:]:
        raise fail(name, f"must have shape ({count},) or ({count}, C)".replace("'", ""), array.shape)
    return array
