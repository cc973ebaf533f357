"""Coarse shading of a picture: what it costs and what it shows."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab import _core
from tilelab._core.vrs import CoarseImage, CoarseRows, CoarseScene, Location
from tilelab._validation import (
    Array,
    as_array,
    as_bool,
    as_choice,
    as_enum,
    as_instance,
    as_int,
    as_regular,
    as_threads,
    ceil_div,
    describe,
    fail,
    fail_type,
    tell,
)
from tilelab.vrs.coarse_result import CoarseResult
from tilelab.vrs.shading_rate import (
    FULL_CAPS,
    RATE_CODES,
    Combiner,
    Rates,
    ShadingRate,
    VrsCaps,
    as_combiners,
    as_rates,
    as_tile,
    combine_table,
    tell_size,
)

__all__ = ["count_invocations", "shade_coarse"]
__dir__ = __all__.copy

IMAGE_FILTERS = ("nearest", "mean")
OFFSET_RATES = (ShadingRate.RATE_1X1, ShadingRate.RATE_1X2, ShadingRate.RATE_2X1, ShadingRate.RATE_2X2)
# Rows are counted in 32 bits.
LARGEST_PICTURE = 2**31 - 1

Shade = Callable[[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.int32]], npt.ArrayLike]


def _as_shape(shape: Any) -> tuple[int, int]:
    if not isinstance(shape, Sequence) or isinstance(shape, str):
        raise fail_type("shape", "must be (height, width)", repr(shape))
    if len(shape) not in (2, 3):
        raise fail("shape", "must be (height, width)", repr(shape))
    height, width = (as_int("shape", extent, low=1) for extent in shape[:2])
    if height * width > LARGEST_PICTURE:
        raise fail("shape", f"must hold at most {LARGEST_PICTURE} pixels", f"{height} x {width}")
    return height, width


def _make_scene(
    shape: tuple[int, int],
    rates: Any,
    tile: int,
    primitive_id: npt.ArrayLike | None,
    primitive_rates: Any,
    final_rates: Rates,
    *,
    any_size: bool,
    **placement: Any,
) -> CoarseScene:
    codes = None if rates is None else as_rates("rates", rates, ndim=2)
    if codes is not None and not as_bool("any_size", any_size):
        tell_size(codes, shape, as_tile(tile))
    ids = None
    if primitive_id is not None:
        ids = as_array("primitive_id", primitive_id, dtype=np.int32, shape=shape)
    own = None
    if primitive_rates is not None:
        own = as_rates("primitive_rates", primitive_rates, ndim=1)
        most = 0 if ids is None else int(ids.max())
        if most >= len(own):
            raise fail("primitive_rates", "must have a rate for every primitive", f"{len(own)} for id {most}")
        if len(own) == 0:
            own = None
    return CoarseScene(
        height=shape[0],
        width=shape[1],
        tile=tile,
        primitive_id=ids,
        rates=codes,
        primitive_rates=own,
        final_rates=np.ascontiguousarray(final_rates),
        **placement,
    )


def _count(scene: CoarseScene, threads: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    tiles = ceil_div(scene.height, scene.tile), ceil_div(scene.width, scene.tile)
    invocations, lanes = np.empty(tiles, np.int64), np.empty(tiles, np.int64)
    _core.vrs.count_coarse(scene, invocations, lanes, threads)
    return invocations, lanes


def count_invocations(
    rates: npt.ArrayLike,
    shape: Sequence[int],
    *,
    tile: int = 8,
    primitive_id: npt.ArrayLike | None = None,
    any_size: bool = False,
    threads: int = 1,
) -> npt.NDArray[np.int64]:
    """Count the shader invocations of every tile.

    Parameters
    ----------
    rates : array_like of uint8, (h, w)
        Rate image. Tiles outside it are 1x1, surplus ones are ignored; 1x4 and 4x1 count as 1x2 and 2x1.
    shape : (int, int)
        Height and width of the picture in pixels.
    tile : {8, 16, 32}
        Tile size in pixels.
    primitive_id : array_like of int32, (H, W), optional
        Primitive of each pixel, -1 for none. Default: one primitive everywhere.
    any_size : bool
        True: `rates` may have more or fewer elements than the picture has tiles, as in D3D12; without it
        that is told in a warning.
    threads : int
        0 for all cores.

    Returns
    -------
    ndarray of int64, (ceil(H / tile), ceil(W / tile))
        Distinct (primitive, coarse pixel) pairs with at least one covered pixel.

    Raises
    ------
    TypeError, ValueError
        An argument of the wrong dtype, shape or value.

    Notes
    -----
    One invocation per primitive and coarse pixel (documented). Coarse pixels are aligned to the picture's
    origin; at the right and bottom border they hang over and still cost one invocation (measured).

    Examples
    --------
    >>> from tilelab.vrs import count_invocations
    >>> count_invocations([[0, 5], [1, 4]], (16, 13))
    array([[64, 12],
           [32, 24]])
    """
    override = (Combiner.PASSTHROUGH, Combiner.OVERRIDE)
    table = combine_table(override, FULL_CAPS, 1, "each")[0]
    scene = _make_scene(_as_shape(shape), rates, tile, primitive_id, None, table, any_size=any_size)
    return _count(scene, as_threads(threads))[0]


def _as_offsets(offsets: Any) -> npt.NDArray[np.int8] | None:
    if offsets is None:
        return None
    table = np.zeros((16, 2), np.int8)
    if isinstance(offsets, Mapping):
        keys = [as_rates("offsets", key) for key in offsets]
        pairs = [as_array("offsets", pair, dtype=np.int64, shape=(2,)) for pair in offsets.values()]
    else:
        pairs = list(as_array("offsets", offsets, dtype=np.int64, shape=(4, 2)))
        keys = [as_rates("offsets", rate) for rate in OFFSET_RATES]
    for key, pair in zip(keys, pairs, strict=True):
        if key.ndim or int(key) not in OFFSET_RATES:
            raise fail("offsets", "exist for the rates 1x1, 1x2, 2x1 and 2x2", repr(key.tolist()))
        if pair.min() < -8 or pair.max() > 7:
            raise fail("offsets", "must be integers in [-8, 7]", pair.tolist())
        table[int(key)] = pair
    return table


def _picture_shape(shade: Any, shape: Any, primitive_id: Any) -> tuple[Array | None, tuple[int, int]]:
    """Tell an image from a callable and find the size of the picture."""
    image = None
    if not callable(shade):
        image = as_regular("shade", shade)
        if image.dtype.kind not in "biufc":
            raise fail_type("shade", "must be a callable or a numeric image", describe(image))
        if image.ndim not in (2, 3) or image.size == 0:
            raise fail("shade", "must have shape (H, W) or (H, W, C) and not be empty", describe(image))
        size = _as_shape(image.shape)
        if shape is not None and _as_shape(shape) != size:
            raise fail("shape", "must be that of the image", f"{tuple(shape)} for {describe(image)}")
        return image, size
    if shape is not None:
        return None, _as_shape(shape)
    if primitive_id is None:
        raise fail("shape", "must be given when shade is a callable and primitive_id is not", "shape=None")
    ids = as_regular("primitive_id", primitive_id)
    if ids.ndim != 2:
        raise fail("primitive_id", "must have 2 dimensions", describe(ids))
    return None, _as_shape(ids.shape)


def shade_coarse(
    shade: npt.ArrayLike | Shade,
    rates: npt.ArrayLike | None,
    *,
    shape: Sequence[int] | None = None,
    primitive_id: npt.ArrayLike | None = None,
    tile: int = 8,
    location: str = "center",
    offsets: Mapping[Any, Sequence[int]] | npt.ArrayLike | None = None,
    draw_rate: int | str | ShadingRate = "1x1",
    primitive_rates: npt.ArrayLike | None = None,
    combiners: Sequence[Combiner | str | int] = ("passthrough", "override"),
    caps: VrsCaps = FULL_CAPS,
    sanitize: str = "each",
    image_filter: str = "nearest",
    any_size: bool = False,
    threads: int = 1,
) -> CoarseResult:
    """Shade a picture once per primitive and coarse pixel, and broadcast each value to the covered pixels.

    Parameters
    ----------
    shade : array_like, (H, W[, C]), or callable
        An image, or ``shade(x, y, primitive)`` over 1-D float64 positions (pixel centres at +0.5) and int32
        primitives that returns (N,) or (N, C) values; it may be called in pieces, and is not called when
        nothing is covered. How an image is read is said by `image_filter`.
    rates : array_like of uint8, (h, w), or None
        Rate image. Tiles outside it are 1x1, surplus ones are ignored; None is 1x1 from this source.
    shape : (int, int), optional
        Height and width; needed only for a callable without `primitive_id`.
    primitive_id : array_like of int32, (H, W), optional
        Visible primitive of each pixel, -1 for none. Default: one primitive everywhere.
    tile : {8, 16, 32}
        Tile size in pixels.
    location : {"center", "centroid"}
        Where a partly covered coarse pixel is shaded: at its geometric centre even if that is not covered, or
        at its first covered pixel in the order of the coverage bits, which starts at the bottom right.
    offsets : mapping of rate to (x, y), or array_like of int, (4, 2), optional
        Shift of the centre in sixteenths of the coarse size, -8..7, for 1x1, 1x2, 2x1 and 2x2.
    draw_rate : int, str or ShadingRate
        Rate of the draw.
    primitive_rates : array_like of uint8, (P,), optional
        Rate of every primitive, indexed by `primitive_id`. Default: 1x1.
    combiners : pair of Combiner, str or int
        ``second(first(draw, primitive), image)``. The default takes the rate image; note that D3D12's own
        default, two passthroughs, ignores it.
    caps : VrsCaps
        What the device can do.
    sanitize : {"each", "final", "outputs"}
        As for :func:`combine_rates`.
    image_filter : {"nearest", "mean"}
        What an invocation takes of an image, from the covered pixels of its own primitive and coarse pixel:
        the one nearest to its position (of equals the lowest, then the rightmost), which is shading that
        aliases; or their mean in float64 (float images only), which is shading whose textures are filtered
        for the coarse size. Real shaders lie between the two.
    any_size : bool
        True: `rates` may have more or fewer elements than the picture has tiles, as in D3D12; without it
        that is told in a warning.
    threads : int
        0 for all cores. A callable is always called on the calling thread.

    Returns
    -------
    CoarseResult
        Picture, invocations and lanes per tile, and one row for each invocation.

    Raises
    ------
    TypeError, ValueError
        An argument of the wrong dtype, shape or value, or `shade` returned another number of values.
    UnsupportedError
        Combiners that `caps` does not have.

    Notes
    -----
    One sample per pixel, no overdraw. Coarse pixels are aligned to the picture's origin and may hang over its
    right and bottom border, where their centre stays that of the full area (measured). The centroid moves
    only when coverage is partial (measured). Offsets follow the public AMD register description (documented
    there; that they are the console's is derived). Both ways of reading an image are modelled.

    Examples
    --------
    >>> import numpy as np
    >>> from tilelab.vrs import shade_coarse
    >>> result = shade_coarse(lambda x, y, primitive: x, [["2x1"]], shape=(1, 4))
    >>> result.image
    array([[1., 1., 3., 3.]])
    >>> int(result.invocations.sum()), int(result.lanes.sum())
    (2, 4)
    """
    image, size = _picture_shape(shade, shape, primitive_id)
    pair = as_combiners(combiners, as_instance("caps", caps, VrsCaps))
    draw = as_rates("draw_rate", draw_rate, ndim=0)
    where = as_enum("location", location, Location)
    shifts = _as_offsets(offsets)
    table = combine_table(pair, caps, 1, sanitize)
    final_rates = table[int(draw)]
    _tell_idle(table, int(draw), pair, rates is not None, primitive_rates is not None)
    if as_choice("image_filter", image_filter, IMAGE_FILTERS) == "mean" and (
        image is None or image.dtype.kind != "f"
    ):
        got = "a callable" if image is None else describe(image)
        raise fail_type("shade", "must be a float image for image_filter 'mean'", got)
    scene = _make_scene(
        size,
        rates,
        tile,
        primitive_id,
        primitive_rates,
        final_rates,
        any_size=any_size,
        location=where,
        offsets=shifts,
    )
    count = as_threads(threads)

    invocations, lanes = _count(scene, count)
    total = int(invocations.sum())
    first = np.concatenate(([0], np.cumsum(invocations.ravel())[:-1])).astype(np.int64)
    positions = np.empty((total, 2), np.float64)
    masks, codes = np.empty(total, np.uint16), np.empty(total, np.uint8)
    primitives = np.empty(total, np.int32)
    pixel_invocation = np.empty(size, np.int32)
    rows = CoarseRows(
        positions=positions,
        masks=masks,
        rates=codes,
        primitives=primitives,
        pixel_invocation=pixel_invocation,
    )
    shown, copied = None, CoarseImage()
    if image is not None and image_filter == "nearest":
        shown = np.empty(image.shape, image.dtype)
        copied = CoarseImage(
            pixels=_as_bytes(np.ascontiguousarray(image), 2),
            nothing=_as_bytes(_nothing(image.shape[2:], image.dtype), 0)[0],
            out=_as_bytes(shown, 2),
        )
    _core.vrs.list_coarse(scene, first, rows, copied, count)
    if shown is None:
        if image is not None:
            values = _mean(image, pixel_invocation, masks, scene.tile, count)
        elif total:
            values = _call(shade, positions, primitives)
        else:
            values = np.empty(0, np.float64)
        shown = _broadcast(values, pixel_invocation, count)
    return CoarseResult(
        image=shown,
        invocations=invocations,
        lanes=lanes,
        positions=positions,
        masks=masks,
        rates=codes,
        primitives=primitives,
        pixel_invocation=pixel_invocation,
    )


def _tell_idle(
    table: Rates, draw: int, combiners: tuple[Combiner, Combiner], image: bool, primitives: bool
) -> None:
    """Say which sources of rates the combiners do not take."""
    codes = list(RATE_CODES.values())
    used = table[np.ix_(codes, codes if primitives else [0], codes if image else [0])]
    own = used[codes.index(draw)]
    idle = []
    if image and (own == own[:, :1]).all():
        idle.append("rates")
    if primitives and (own == own[:1]).all():
        idle.append("primitive_rates")
    if draw and (used == own).all():
        idle.append("draw_rate")
    if idle:
        shown = ", ".join(combiner.name.lower() for combiner in combiners)
        tell(f"{' and '.join(idle)}: no effect under the combiners ({shown})")


def _call(shade: Any, positions: npt.NDArray[np.float64], primitives: npt.NDArray[np.int32]) -> Array:
    x, y = np.ascontiguousarray(positions[:, 0]), np.ascontiguousarray(positions[:, 1])
    values = as_regular("the result of shade", shade(x, y, primitives.copy()))
    if values.dtype.kind not in "biufc":
        raise fail_type("shade", "must return numbers", describe(values))
    if values.ndim not in (1, 2) or len(values) != len(x):
        raise fail("shade", f"must return ({len(x)},) or ({len(x)}, C) values", describe(values))
    return values


def _mean(
    image: Array,
    pixel_invocation: npt.NDArray[np.int32],
    masks: npt.NDArray[np.uint16],
    tile: int,
    threads: int,
) -> Array:
    """Average the pixels of each invocation, added in row-major order."""
    pixels = np.ascontiguousarray(image, np.float32 if image.dtype == np.float32 else np.float64)
    channels = math.prod(image.shape[2:])
    means = np.empty((len(masks), channels), np.float64)
    _core.vrs.mean_coarse(pixels.reshape(-1, channels), pixel_invocation, masks, tile, means, threads)
    return means.reshape(len(masks), *image.shape[2:]).astype(image.dtype)


def _as_bytes(array: Array, lead: int) -> npt.NDArray[np.uint8]:
    """View an array as (elements, bytes), the first `lead` dimensions counting the elements."""
    elements, width = math.prod(array.shape[:lead]), math.prod(array.shape[lead:])
    return array.reshape(elements, width).view(np.uint8)


def _nothing(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """Give the value of pixels that nothing covers."""
    return np.full(shape, np.nan if dtype.kind in "fc" else 0, dtype)


def _broadcast(values: Array, pixel_invocation: npt.NDArray[np.int32], threads: int) -> Array:
    """Give every pixel the value of its invocation."""
    values = np.ascontiguousarray(values)
    out = np.empty((*pixel_invocation.shape, *values.shape[1:]), values.dtype)
    _core.vrs.broadcast_coarse(
        _as_bytes(values, 1),
        _as_bytes(_nothing(values.shape[1:], values.dtype), 0)[0],
        pixel_invocation.reshape(-1),
        _as_bytes(out, 2),
        threads,
    )
    return out
