"""The rate image of a picture: luminance, gradients, and a vote in every tile."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab import _core
from tilelab._core.vrs import Estimator, Motion, OffScreen, RateImageOptions
from tilelab._validation import (
    Array,
    as_array,
    as_choice,
    as_enum,
    as_out,
    as_threads,
    ceil_div,
    describe,
    fail,
    unsupported,
)
from tilelab.vrs.luminance import as_pixels, as_weights
from tilelab.vrs.motion import as_motion

__all__ = ["rate_image", "vote_counts"]
__dir__ = __all__.copy

ESTIMATORS = {"sobel": Estimator.SOBEL, "sobel+diff": Estimator.SOBEL_DIFF}
LATER_ESTIMATORS = ("ffx", "nas")


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
    motion_scale: float | Sequence[float] | None = None,
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
        ``p - rint(motion)``, halves to even. Motion too small to reach another pixel anywhere is told in
        a warning.
    motion_scale : float or (float, float), optional
        Factor of `motion`, in x and y, for vectors in other units: (W, H) for texture coordinates,
        (W / 2, H / 2) for normalised device coordinates (y down).
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
    picture = _as_color(color)
    options = _as_options(
        estimator=estimator,
        tile=tile,
        threshold=threshold,
        env_luma=env_luma,
        vote=vote,
        lum_lo=lum_lo,
        lum_hi=lum_hi,
        weights=weights,
    )
    arrays = _motion_arrays(picture, motion, motion_scale, disoccluded)
    history = _as_motion(arrays, off_screen)
    shape = _tiles(picture, options)
    if out is None:
        out = np.empty(shape, np.uint8)
    else:
        as_out("out", out, dtype=np.uint8, shape=shape, inputs=[("color", picture), *arrays.items()])
    _core.vrs.rate_image(picture, options, history, out, None, as_threads(threads))
    return out


def vote_counts(
    color: npt.ArrayLike,
    *,
    motion: npt.ArrayLike | None = None,
    motion_scale: float | Sequence[float] | None = None,
    off_screen: str = "fine",
    disoccluded: npt.ArrayLike | None = None,
    threads: int = 1,
    **options: Any,
) -> npt.NDArray[np.int32]:
    """Count the pixels of every tile that ask for detail, before any vote.

    Parameters
    ----------
    color : array_like of float32 or uint8, (H, W, 3 or 4) or (H, W)
        Colours, or luminance.
    motion, motion_scale, off_screen, disoccluded, threads
        As for :func:`rate_image`.
    **options
        `estimator`, `tile`, `threshold`, `env_luma`, `lum_lo`, `lum_hi` and `weights` as for
        :func:`rate_image`.

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
    unknown = [name for name in options if name not in RateImageOptions.FIELDS or name == "vote"]
    if unknown:
        raise TypeError(f"vote_counts() got an unexpected keyword argument {unknown[0]!r}")
    picture = _as_color(color)
    checked = _as_options(**options)
    history = _as_motion(_motion_arrays(picture, motion, motion_scale, disoccluded), off_screen)
    shape = _tiles(picture, checked)
    votes = np.empty((*shape, 2), np.int32)
    _core.vrs.rate_image(picture, checked, history, np.empty(shape, np.uint8), votes, as_threads(threads))
    return votes


def _as_options(**options: Any) -> RateImageOptions:
    """Give the options of the kernel, which checks every number; what is left out keeps its default."""
    if "estimator" in options:
        options["estimator"] = _as_estimator(options["estimator"])
    if "weights" in options:
        options["weights"] = as_weights(options["weights"])
    return RateImageOptions(**options)


def _as_estimator(estimator: object) -> Estimator:
    if isinstance(estimator, str) and estimator in LATER_ESTIMATORS:
        raise unsupported("estimator", "must be 'sobel' or 'sobel+diff' in this version", repr(estimator))
    return ESTIMATORS[as_choice("estimator", estimator, tuple(ESTIMATORS))]


def _as_color(color: npt.ArrayLike) -> Array:
    """Give the picture as (H, W, C)."""
    picture = as_pixels("color", color, ndim=(2, 3))
    if picture.size == 0:
        raise fail("color", "must not be empty", describe(picture))
    if picture.ndim == 2:
        return picture[..., None]
    if picture.shape[2] not in (3, 4):
        raise fail("color", "must have shape (H, W), (H, W, 3) or (H, W, 4)", describe(picture))
    return picture


def _motion_arrays(picture: Array, motion: Any, scale: Any, disoccluded: Any) -> dict[str, Array | None]:
    height, width = picture.shape[:2]
    pixels = hidden = None
    if motion is not None:
        pixels = as_motion(motion, (height, width), scale)
    elif scale is not None:
        raise fail("motion_scale", "needs motion", "motion=None")
    if disoccluded is not None:
        if pixels is None:
            raise fail("disoccluded", "needs motion", "motion=None")
        hidden = as_array("disoccluded", disoccluded, dtype=np.bool_, shape=(height, width)).view(np.uint8)
    return {"motion": pixels, "disoccluded": hidden}


def _as_motion(arrays: dict[str, Array | None], off_screen: str) -> Motion:
    where = as_enum("off_screen", off_screen, OffScreen)
    return Motion(pixels=arrays["motion"], disoccluded=arrays["disoccluded"], off_screen=where)


def _tiles(picture: Array, options: RateImageOptions) -> tuple[int, int]:
    return ceil_div(picture.shape[0], options.tile), ceil_div(picture.shape[1], options.tile)
