"""What a renderer knows beyond the picture: blur that hides detail, and places that must stay fine."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tilelab._validation import Array, as_array, as_float, ceil_div, describe, fail
from tilelab.vrs.motion import as_motion
from tilelab.vrs.shading_rate import Rates, as_rates, as_tile, sanitize_rate

__all__ = ["apply_hints"]
__dir__ = __all__.copy


def apply_hints(
    rates: npt.ArrayLike,
    *,
    tile: int = 8,
    blur: npt.ArrayLike | None = None,
    blur_threshold: float = 2.0,
    motion: npt.ArrayLike | None = None,
    motion_scale: float | Sequence[float] | None = None,
    motion_threshold: float = 8.0,
    fine_mask: npt.ArrayLike | None = None,
) -> Rates:
    """Coarsen tiles that will be blurred and refine tiles that must not be coarse.

    Parameters
    ----------
    rates : array_like of uint8, (TH, TW)
        Rate image; 1x4 and 4x1, which nothing delivers, count as 1x2 and 2x1.
    tile : {8, 16, 32}
        Tile size in pixels.
    blur : array_like of float32, (H, W), optional
        Circle of confusion in pixels. Where all of a tile reaches `blur_threshold`, both axes are at least
        halved. NaN is no blur.
    blur_threshold : float
        In pixels.
    motion : array_like of float32, (H, W, 2), optional
        Motion in pixels (x, y). An axis along which all of a tile moves at least `motion_threshold` is at
        least halved. NaN is no motion.
    motion_scale : float or (float, float), optional
        As for :func:`rate_image`.
    motion_threshold : float
        In pixels per frame.
    fine_mask : array_like of bool, (H, W), optional
        Pixels that must be fine (text, eyes): a tile that holds one is 1x1. It wins over the other hints.

    Returns
    -------
    ndarray of uint8, (TH, TW)
        New rate image.

    Raises
    ------
    TypeError, ValueError
        Wrong dtype or shape, or hints of another number of tiles than `rates`.

    Notes
    -----
    Per axis the maximum of the rate and the blur hints, then the minimum with the mask (modelled).

    Examples
    --------
    >>> import numpy as np
    >>> from tilelab.vrs import apply_hints
    >>> motion = np.zeros((8, 16, 2), np.float32)
    >>> motion[:, :8, 0] = 12.0
    >>> apply_hints([["1x1", "2x2"]], motion=motion)
    array([[4, 5]], dtype=uint8)
    """
    codes = np.asarray(sanitize_rate(as_rates("rates", rates, ndim=2)))
    size = as_tile(tile)
    radius = None if blur is None else as_array("blur", blur, dtype=np.float32, ndim=2)
    velocity = None if motion is None else as_motion(motion, (None, None), motion_scale)
    mask = None if fine_mask is None else as_array("fine_mask", fine_mask, dtype=np.bool_, ndim=2)
    least_blur = np.float32(as_float("blur_threshold", blur_threshold, low=0.0))
    least_motion = np.float32(as_float("motion_threshold", motion_threshold, low=0.0))
    hints: dict[str, Array | None] = {"blur": radius, "motion": velocity, "fine_mask": mask}
    for name, hint in hints.items():
        if hint is not None and tuple(ceil_div(n, size) for n in hint.shape[:2]) != codes.shape:
            raise fail(name, f"must have {codes.shape} tiles like rates", describe(hint))
    sizes = {name: hint.shape[:2] for name, hint in hints.items() if hint is not None}
    if len(set(sizes.values())) > 1:
        raise fail(" and ".join(sizes), "must have one size of picture", ", ".join(map(str, sizes.values())))
    x, y = codes >> 2, codes & 3
    if radius is not None:
        blurred = _tile_minimum(radius >= least_blur, size)
        x, y = np.maximum(x, blurred), np.maximum(y, blurred)
    if velocity is not None:
        fast = np.abs(velocity) >= least_motion
        x = np.maximum(x, _tile_minimum(fast[..., 0], size))
        y = np.maximum(y, _tile_minimum(fast[..., 1], size))
    if mask is not None:
        free = _tile_minimum(~mask, size)
        x, y = x * free, y * free
    return ((x << 2) | y).astype(np.uint8)


def _tile_minimum(flags: Array, tile: int) -> Rates:
    """Give 1 where the flag holds at every pixel of a tile that lies inside the picture."""
    rows = np.minimum.reduceat(flags.view(np.uint8), np.arange(0, flags.shape[0], tile), axis=0)
    tiles: Rates = np.minimum.reduceat(rows, np.arange(0, flags.shape[1], tile), axis=1)
    return tiles
