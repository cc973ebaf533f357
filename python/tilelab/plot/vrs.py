"""Rate images in the colours of the source."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab import _extras
from tilelab._validation import as_array, as_float, ceil_div, describe, fail
from tilelab.plot._axes import image_axes
from tilelab.vrs import ShadingRate
from tilelab.vrs.shading_rate import as_rates, as_tile

__all__ = ["RATE_COLORS", "rate_image", "rate_overlay"]
__dir__ = __all__.copy

RATE_COLORS = np.full((16, 3), 255, np.uint8)
"""RGB of every rate code: 1x1 red, 1x2 yellow, 2x1 cyan, 2x2 black; the 4x rates, which the source does not
show, blue to violet; white for the axis pairs 1x4 and 4x1, which nothing delivers."""
RATE_COLORS[[0, 1, 4, 5, 6, 9, 10]] = [
    [255, 0, 0],
    [255, 255, 0],
    [0, 255, 255],
    [0, 0, 0],
    [0, 0, 110],
    [0, 0, 190],
    [110, 0, 190],
]


def rate_overlay(
    rates: npt.ArrayLike,
    image: npt.ArrayLike | None = None,
    *,
    tile: int = 8,
    opacity: float = 0.5,
) -> npt.NDArray[np.uint8]:
    """Colour every tile by its rate, over a grey version of a picture.

    Parameters
    ----------
    rates : array_like of uint8, (TH, TW)
        Rate codes.
    image : array_like of float32 or uint8, (H, W) or (H, W, 3 or 4), optional
        Display-encoded picture; floats are clipped to 0..1. Default: the colours alone, one tile enlarged to
        `tile` pixels.
    tile : {8, 16, 32}
        Tile size in pixels.
    opacity : float
        Share of the rate colour, 0..1.

    Returns
    -------
    ndarray of uint8, (H, W, 3)

    Raises
    ------
    TypeError, ValueError
        Wrong dtype, shape or value, or another number of tiles than the picture has.

    Examples
    --------
    >>> import numpy as np
    >>> from tilelab.plot import rate_overlay
    >>> picture = np.full((8, 12), 255, np.uint8)
    >>> rate_overlay([["1x1", "2x1"]], picture)[0, [0, 11]].tolist()
    [[255, 128, 128], [128, 255, 255]]
    """
    codes = as_rates("rates", rates, ndim=2)
    size = as_tile(tile)
    share = as_float("opacity", opacity, low=0.0, high=1.0)
    colors = np.repeat(np.repeat(RATE_COLORS[codes], size, axis=0), size, axis=1)
    if image is None:
        return colors
    grey = _grey(image)
    height, width = grey.shape
    if codes.shape != (ceil_div(height, size), ceil_div(width, size)):
        raise fail(
            "rates", f"must have one element for each tile of a {width}x{height} image", describe(codes)
        )
    mixed = grey[..., None] * (1.0 - share) + colors[:height, :width] * share
    return np.rint(mixed).astype(np.uint8)


def _grey(image: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Mean of the colour channels, 0..255."""
    picture = as_array("image", image, dtype=(np.float32, np.uint8), ndim=(2, 3), allow_empty=False)
    if picture.dtype == np.float32:
        picture = np.clip(np.nan_to_num(picture, nan=0.0, posinf=1.0, neginf=0.0), 0.0, 1.0) * 255.0
    if picture.ndim == 3:
        if picture.shape[2] not in (3, 4):
            raise fail("image", "must have shape (H, W), (H, W, 3) or (H, W, 4)", describe(picture))
        return np.asarray(picture[..., :3].mean(axis=2, dtype=np.float64))
    return picture.astype(np.float64)


def rate_image(
    rates: npt.ArrayLike, image: npt.ArrayLike | None = None, *, tile: int = 8, ax: Any = None
) -> Any:
    """Draw a rate image, over its picture if given, with a legend that says how common each rate is.

    Parameters
    ----------
    rates : array_like of uint8, (TH, TW)
        Rate codes.
    image : array_like of float32 or uint8, (H, W) or (H, W, 3 or 4), optional
        Picture below the colours.
    tile : {8, 16, 32}
        Tile size in pixels.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Default: a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ImportError
        matplotlib is not installed.
    TypeError, ValueError
        As for :func:`rate_overlay`.

    Examples
    --------
    >>> from tilelab import plot
    >>> ax = plot.rate_image([["1x1", "2x1"], ["1x2", "2x2"]])
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['1x1  25.0 %', '1x2  25.0 %', '2x1  25.0 %', '2x2  25.0 %']
    """
    codes = as_rates("rates", rates, ndim=2)
    picture = rate_overlay(codes, image, tile=tile, opacity=1.0 if image is None else 0.5)
    height, width = picture.shape[:2]
    patches = _extras.require("matplotlib.patches", "plot")
    ax = image_axes(ax, shape=(height, width), title=f"shading rate of {tile}x{tile} tiles")
    ax.imshow(picture, interpolation="nearest")
    handles = []
    for rate in ShadingRate:
        share = float(np.mean(codes == rate))
        if share > 0.0:
            label = f"{rate.width}x{rate.height}  {100.0 * share:.1f} %"
            handles.append(patches.Patch(facecolor=RATE_COLORS[rate] / 255.0, edgecolor="grey", label=label))
    ax.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
    return ax
