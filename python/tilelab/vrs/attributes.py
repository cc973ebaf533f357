"""What a coarse pixel does to the inputs of its shader: derivatives and snapped evaluation."""

from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab._validation import as_array, as_bool, ceil_div, describe, fail
from tilelab.vrs.shading_rate import as_rates, as_tile, sanitize_rate, tell_size

__all__ = ["coarse_gradients", "snapped_position"]
__dir__ = __all__.copy

# EvaluateAttributeSnapped works on a grid of 1/16 pixel; each halving of the resolution adds a bit to its 4.
SNAP_BITS = 4
SNAP_STEP = 1.0 / 16.0


def coarse_gradients(
    duv_dx: npt.ArrayLike,
    duv_dy: npt.ArrayLike,
    rates: npt.ArrayLike,
    *,
    tile: int = 8,
    any_size: bool = False,
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Scale per-pixel derivatives to what a coarse pixel's shader sees.

    Parameters
    ----------
    duv_dx, duv_dy : array_like of float32, (H, W) or (H, W, C)
        Derivatives for one pixel in x and in y.
    rates : array_like of uint8, (h, w), or one rate
        Rate image (tiles outside it are 1x1, surplus ones are ignored), or the rate of the whole picture. 1x4
        and 4x1 count as 1x2 and 2x1.
    tile : {8, 16, 32}
        Tile size in pixels.
    any_size : bool
        True: `rates` may have more or fewer elements than the picture has tiles, as in D3D12; without it
        that is told in a warning.

    Returns
    -------
    tuple of ndarray of float32, the shape of the inputs
        ``w * duv_dx`` and ``h * duv_dy`` with w x h the coarse size of the pixel's tile.

    Raises
    ------
    TypeError, ValueError
        Wrong dtype or shape, or a rate that is none.

    Notes
    -----
    Differences are taken between neighbouring coarse pixels (measured), so the level of detail
    ``log2(max(w |duv_dx|, h |duv_dy|))`` rises by 1 at 2x2 and by 0 to 1 at 2x1 (derived).

    Examples
    --------
    >>> import numpy as np
    >>> from tilelab.vrs import coarse_gradients
    >>> dx, dy = coarse_gradients(np.ones((1, 1)), np.ones((1, 1)), "2x1")
    >>> float(dx[0, 0]), float(dy[0, 0])
    (2.0, 1.0)
    """
    dx = as_array("duv_dx", duv_dx, dtype=np.float32, ndim=(2, 3))
    dy = as_array("duv_dy", duv_dy, dtype=np.float32, shape=dx.shape)
    codes, size = np.asarray(sanitize_rate(as_rates("rates", rates))), as_tile(tile)
    if codes.ndim == 2:
        if not as_bool("any_size", any_size):
            tell_size(codes, (dx.shape[0], dx.shape[1]), size)
        tiles = tuple(ceil_div(extent, size) for extent in dx.shape[:2])
        known = np.zeros(tiles, np.uint8)
        inside = codes[: tiles[0], : tiles[1]]
        known[: inside.shape[0], : inside.shape[1]] = inside
        codes = np.repeat(np.repeat(known, size, axis=0), size, axis=1)[: dx.shape[0], : dx.shape[1]]
        codes = codes.reshape(codes.shape + (1,) * (dx.ndim - 2))
    elif codes.ndim:
        raise fail("rates", "must be one rate or have 2 dimensions", describe(codes))
    width = np.left_shift(1, codes >> 2).astype(np.float32)
    height = np.left_shift(1, codes & 3).astype(np.float32)
    return dx * width, dy * height


def snapped_position(offset: npt.ArrayLike, rate: npt.ArrayLike | str) -> npt.NDArray[np.float64]:
    """Give where EvaluateAttributeSnapped evaluates, relative to the centre of the coarse pixel.

    Parameters
    ----------
    offset : array_like of int32, (..., 2)
        Offset x and y on the grid of 1/16 pixel, as the shader passes it.
    rate : int, str, ShadingRate or array_like of uint8, broadcasting with (...)
        Shading rate.

    Returns
    -------
    ndarray of float64, (..., 2)
        Pixels to the right of and below the centre.

    Raises
    ------
    TypeError, ValueError
        Wrong dtype or shape, or a rate that is none.

    Notes
    -----
    An axis of 1, 2 or 4 pixels takes the low 4, 5 or 6 bits of the offset, sign-extended: -8..7, -16..15 and
    -32..31 (documented: DirectX specification, variable rate shading).

    Examples
    --------
    >>> from tilelab.vrs import snapped_position
    >>> snapped_position([-16, 8], "2x1").tolist()
    [-1.0, -0.5]
    """
    steps = as_array("offset", offset, dtype=np.int32)
    if steps.ndim < 1 or steps.shape[-1] != 2:
        raise fail("offset", "must have shape (..., 2)", describe(steps))
    codes = as_rates("rate", rate)
    axes: Any = np.stack([codes >> 2, codes & 3], axis=-1).astype(np.int32)
    try:
        np.broadcast_shapes(steps.shape, axes.shape)
    except ValueError:
        raise fail("rate", "must broadcast with offset", f"shapes {codes.shape} and {steps.shape}") from None
    sign = np.left_shift(np.int32(1), SNAP_BITS - 1 + axes)
    extended = ((steps & (2 * sign - 1)) ^ sign) - sign
    return np.asarray(extended * SNAP_STEP, np.float64)
