"""From a picture to its rate image: luminance, gradients, votes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab import _core
from tilelab._core import UnsupportedError
from tilelab._validation import (
    Array,
    as_array,
    as_choice,
    as_float,
    as_int,
    as_out,
    as_regular,
    as_threads,
    describe,
    fail,
    fail_type,
)

COLOR_WEIGHTS = {
    "bt709": (0.2126, 0.7152, 0.0722),  # Rec. ITU-R BT.709
    "nvidia": (0.299, 0.587, 0.114),  # NVIDIA adaptive shading sample
    "fidelityfx": (0.30, 0.59, 0.11),  # AMD FidelityFX Variable Shading
}
ESTIMATORS = ("sobel", "sobel+diff", "ffx", "nas")
OFF_SCREEN = ("fine", "clamp")
TILES = (8, 16, 32)


def as_tile(tile: object) -> int:
    """Check a tile size."""
    size = as_int("tile", tile)
    if size not in TILES:
        raise fail("tile", "must be one of 8, 16, 32", size)
    return size


def _as_weights(weights: Any) -> tuple[float, float, float]:
    if isinstance(weights, str):
        return COLOR_WEIGHTS[as_choice("weights", weights, tuple(COLOR_WEIGHTS))]
    values = as_array("weights", weights, dtype=(np.float64, np.int64), shape=(3,))
    if not np.isfinite(values).all():
        raise fail("weights", "must be finite", values.tolist())
    return float(values[0]), float(values[1]), float(values[2])


def _as_pixels(name: str, value: npt.ArrayLike, ndim: tuple[int, ...] | None = None) -> Array:
    """Give float32 or uint8 pixels; wider integers have no agreed scale and are refused."""
    pixels = as_regular(name, value)
    if pixels.dtype.kind in "iu" and pixels.dtype != np.uint8:
        raise fail_type(name, "must be an array of float32 or uint8", describe(pixels))
    return as_array(name, pixels, dtype=(np.float32, np.uint8), ndim=ndim)


def luminance(
    rgb: npt.ArrayLike,
    weights: str | Sequence[float] = "bt709",
    *,
    out: npt.NDArray[np.float32] | None = None,
    threads: int = 1,
) -> npt.NDArray[np.float32]:
    """Weighted sum of red, green and blue.

    Parameters
    ----------
    rgb : array_like of float32 or uint8, (..., 3 or 4)
        Colours. float16 and float64 are converted to float32; uint8 is UNORM; alpha is ignored.
    weights : {"bt709", "nvidia", "fidelityfx"} or three floats
        Factors of red, green and blue.
    out : ndarray of float32, (...), optional
        Receives the result.
    threads : int
        0 for all cores.

    Returns
    -------
    ndarray of float32, (...)
        Luminance, `out` if given.

    Raises
    ------
    TypeError, ValueError
        Wrong dtype, no 3 or 4 channels, unknown weights, or `out` unfit.

    Notes
    -----
    ``(wr * R + wg * G) + wb * B`` in float32, uint8 as ``float32(v) / 255``. Whether the colours are linear
    or display-encoded is the caller's choice: nothing is decoded and nothing is clamped.

    Examples
    --------
    >>> import numpy as np
    >>> from tilelab.vrs import luminance
    >>> float(luminance(np.array([0, 255, 0], np.uint8)))
    0.7152000069618225
    """
    color = _as_pixels("rgb", rgb)
    if color.ndim < 1 or color.shape[-1] not in (3, 4):
        raise fail("rgb", "must have shape (..., 3) or (..., 4)", describe(color))
    factors = _as_weights(weights)
    count = as_threads(threads)
    shape = color.shape[:-1]
    if out is None:
        out = np.empty(shape, np.float32)
    else:
        as_out("out", out, dtype=np.float32, shape=shape, inputs=[("rgb", color)])
    _core.vrs.luminance(color.reshape(-1, color.shape[-1]), factors, out.reshape(-1), count)
    return out


def rate_image(
    color: npt.ArrayLike,
    *,
    estimator: str = "sobel",
    tile: int = 8,
    threshold: float = 0.1,
    env_luma: float = 0.05,
    vote: int | float = 0,
    lum_lo: float | None = None,
    lum_hi: float | None = None,
    motion: npt.ArrayLike | None = None,
    off_screen: str = "fine",
    disoccluded: npt.ArrayLike | None = None,
    weights: str | Sequence[float] = "bt709",
    out: npt.NDArray[np.uint8] | None = None,
    threads: int = 1,
) -> npt.NDArray[np.uint8]:
    """Shading rate of every tile, from the detail of a picture (usually the previous frame).

    Parameters
    ----------
    color : array_like of float32 or uint8, (H, W, 3 or 4) or (H, W)
        Colours, or luminance. float16 and float64 are converted to float32; uint8 is UNORM; alpha is ignored.
    estimator : {"sobel", "sobel+diff"}
        Gradient: Sobel, or its maximum with the difference to the right (lower) neighbour, which also sees
        stripes and checkers of period 2. ("ffx" and "nas" are names of further estimators, not here yet.)
    tile : {8, 16, 32}
        Tile size in pixels.
    threshold : float
        Relative threshold, at least 0.
    env_luma : float
        Luminance added before the comparison, so that dark areas become coarse; at least 0.
    vote : int or float
        How many pixels of a tile may ask for detail while its axis is still halved: an integer is a count, a
        float a fraction (0..1) of the tile's pixels inside the picture.
    lum_lo, lum_hi : float, optional
        Pixels darker than `lum_lo`, or at least as bright as `lum_hi`, never ask for detail.
    motion : array_like of float32, (H, W, 2), optional
        Motion in pixels (x, y) from the previous frame to this one. `color` is then read at
        ``p - rint(motion)``, halves to even.
    off_screen : {"fine", "clamp"}
        What happens where that position lies outside: the pixel asks for detail, or the nearest pixel inside
        is taken. NaN motion asks for detail in either case.
    disoccluded : array_like of bool, (H, W), optional
        With `motion`: pixels whose history shows something else; they ask for detail.
    weights : {"bt709", "nvidia", "fidelityfx"} or three floats
        Luminance weights.
    out : ndarray of uint8, (ceil(H / tile), ceil(W / tile)), optional
        Receives the rates.
    threads : int
        0 for all cores.

    Returns
    -------
    ndarray of uint8, (ceil(H / tile), ceil(W / tile))
        Rate codes 0 (1x1), 1 (1x2), 4 (2x1) and 5 (2x2), `out` if given.

    Raises
    ------
    TypeError, ValueError
        An argument of the wrong dtype, shape or value; an empty picture.
    UnsupportedError
        An estimator that does not exist yet.

    Notes
    -----
    In float32, borders repeated, L the luminance (modelled: the source names the method, not the details)::

        column(d) = (L[y-1, x+d] + 2 L[y, x+d]) + L[y+1, x+d]    gx = (column(+1) - column(-1)) / 8
        row(d)    = (L[y+d, x-1] + 2 L[y+d, x]) + L[y+d, x+1]    gy = (row(+1) - row(-1)) / 8
        fine_x    = not (|gx| <= threshold * (L + env_luma))     fine_y likewise

    so NaN asks for detail. An axis of a tile is halved when at most `vote` of its pixels are fine. A strong
    horizontal gradient needs every column: the reduced rate is then 1x2, not 2x1. Pure Sobel is blind to
    signals of period 2 inside flat surroundings.

    Examples
    --------
    >>> import numpy as np
    >>> from tilelab.vrs import rate_image
    >>> picture = np.full((8, 16), 0.5, np.float32)
    >>> picture[:, 12:] = 1.0
    >>> rate_image(picture)
    array([[5, 1]], dtype=uint8)
    """
    return _estimate(
        color,
        estimator=estimator,
        tile=tile,
        threshold=threshold,
        env_luma=env_luma,
        vote=vote,
        lum_lo=lum_lo,
        lum_hi=lum_hi,
        motion=motion,
        off_screen=off_screen,
        disoccluded=disoccluded,
        weights=weights,
        out=out,
        threads=threads,
    )[0]


def vote_counts(
    color: npt.ArrayLike,
    *,
    estimator: str = "sobel",
    tile: int = 8,
    threshold: float = 0.1,
    env_luma: float = 0.05,
    lum_lo: float | None = None,
    lum_hi: float | None = None,
    motion: npt.ArrayLike | None = None,
    off_screen: str = "fine",
    disoccluded: npt.ArrayLike | None = None,
    weights: str | Sequence[float] = "bt709",
    threads: int = 1,
) -> npt.NDArray[np.int32]:
    """Count the pixels of every tile that ask for detail, before any vote.

    Parameters
    ----------
    color : array_like of float32 or uint8, (H, W, 3 or 4) or (H, W)
        Colours, or luminance.
    estimator, tile, threshold, env_luma, lum_lo, lum_hi, motion, off_screen, disoccluded, weights, threads
        As for :func:`rate_image`.

    Returns
    -------
    ndarray of int32, (ceil(H / tile), ceil(W / tile), 2)
        Fine pixels in x and in y.

    Raises
    ------
    TypeError, ValueError, UnsupportedError
        As for :func:`rate_image`.

    Examples
    --------
    >>> import numpy as np
    >>> from tilelab.vrs import vote_counts
    >>> picture = np.full((8, 8), 0.5, np.float32)
    >>> picture[:, 4:] = 1.0
    >>> vote_counts(picture)[0, 0]
    array([16,  0], dtype=int32)
    """
    votes = _estimate(
        color,
        estimator=estimator,
        tile=tile,
        threshold=threshold,
        env_luma=env_luma,
        vote=0,
        lum_lo=lum_lo,
        lum_hi=lum_hi,
        motion=motion,
        off_screen=off_screen,
        disoccluded=disoccluded,
        weights=weights,
        out=None,
        threads=threads,
        count=True,
    )[1]
    assert votes is not None
    return votes


def _as_color(color: npt.ArrayLike) -> Array:
    """Give the picture as (H, W, C); a luminance image of bytes becomes float32 here."""
    picture = _as_pixels("color", color, ndim=(2, 3))
    if picture.size == 0:
        raise fail("color", "must not be empty", describe(picture))
    if picture.ndim == 2:
        if picture.dtype == np.uint8:
            picture = picture.astype(np.float32) / np.float32(255)
        return picture[..., None]
    if picture.shape[2] not in (3, 4):
        raise fail("color", "must have shape (H, W), (H, W, 3) or (H, W, 4)", describe(picture))
    return picture


def _as_vote(vote: Any, tile: int) -> tuple[float, bool]:
    if isinstance(vote, bool | np.bool_):
        raise fail_type("vote", "must be a count (int) or a fraction (float)", repr(vote))
    if isinstance(vote, float | np.floating):
        return as_float("vote", vote, low=0.0, high=1.0), True
    return float(min(as_int("vote", vote, low=0), tile * tile)), False


def _as_mask(name: str, mask: npt.ArrayLike, shape: tuple[int, ...]) -> npt.NDArray[np.uint8]:
    return as_array(name, mask, dtype=np.bool_, shape=shape).view(np.uint8)


def _estimate(
    color: npt.ArrayLike,
    *,
    estimator: str,
    tile: int,
    threshold: float,
    env_luma: float,
    vote: Any,
    lum_lo: float | None,
    lum_hi: float | None,
    motion: npt.ArrayLike | None,
    off_screen: str,
    disoccluded: npt.ArrayLike | None,
    weights: str | Sequence[float],
    out: npt.NDArray[np.uint8] | None,
    threads: int,
    count: bool = False,
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int32] | None]:
    picture = _as_color(color)
    height, width = picture.shape[:2]
    if as_choice("estimator", estimator, ESTIMATORS) not in ("sobel", "sobel+diff"):
        raise UnsupportedError(
            f"estimator must be 'sobel' or 'sobel+diff' in this version, got {estimator!r}"
        )
    size = as_tile(tile)
    limit, is_fraction = _as_vote(vote, size)
    options: dict[str, Any] = {
        "tile": size,
        "threshold": as_float("threshold", threshold, low=0.0),
        "env_luma": as_float("env_luma", env_luma, low=0.0),
        "lum_lo": None if lum_lo is None else as_float("lum_lo", lum_lo, finite=False),
        "lum_hi": None if lum_hi is None else as_float("lum_hi", lum_hi, finite=False),
        "differences": estimator == "sobel+diff",
        "vote": limit,
        "vote_is_fraction": is_fraction,
        "weights": _as_weights(weights),
        "threads": as_threads(threads),
    }
    clamp = as_choice("off_screen", off_screen, OFF_SCREEN) == "clamp"
    shift = hidden = None
    if motion is not None:
        shift = as_array("motion", motion, dtype=np.float32, shape=(height, width, 2))
    if disoccluded is not None:
        if shift is None:
            raise fail("disoccluded", "needs motion", "motion=None")
        hidden = _as_mask("disoccluded", disoccluded, (height, width))
    rows, columns = -(-height // size), -(-width // size)
    if out is None:
        out = np.empty((rows, columns), np.uint8)
    else:
        inputs = [("color", picture), ("motion", shift), ("disoccluded", hidden)]
        as_out("out", out, dtype=np.uint8, shape=(rows, columns), inputs=inputs)
    votes = np.empty((rows, columns, 2), np.int32) if count else None
    _core.vrs.rate_image(
        picture,
        **options,
        motion=shift,
        disoccluded=hidden,
        clamp_off_screen=clamp,
        rates=out,
        votes=votes,
    )
    return out, votes
