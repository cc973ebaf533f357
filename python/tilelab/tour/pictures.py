"""Small helpers that turn arrays into pictures, pixel for pixel."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab._picture import unorm8

__all__ = ["display_image", "enlarge", "map_image", "side_by_side"]
__dir__ = __all__.copy

RGB8 = npt.NDArray[np.uint8]


def display_image(color: npt.NDArray[Any]) -> RGB8:
    """Round a display-encoded colour or grey image to 8 bits.

    Parameters
    ----------
    color : ndarray of float, shape (H, W) or (H, W, C)
        Values outside 0..1 are clipped and NaN becomes 0; alpha is dropped.

    Returns
    -------
    ndarray of uint8, shape (H, W, 3)
    """
    image = unorm8(color)
    if image.ndim == 2:
        image = np.repeat(image[..., None], 3, axis=2)
    return np.ascontiguousarray(image[..., :3])


def map_image(values: npt.NDArray[Any], low: float, high: float, *, colormap: str = "inferno") -> RGB8:
    """Show numbers as colours.

    Parameters
    ----------
    values : ndarray, shape (H, W)
        Numbers; NaN is shown as `low`.
    low, high : float
        Values of the first and the last colour.
    colormap : str, default "inferno"
        A matplotlib colour map.

    Returns
    -------
    ndarray of uint8, shape (H, W, 3)
    """
    import matplotlib

    table = (matplotlib.colormaps[colormap](np.arange(256))[:, :3] * 255.0).round().astype(np.uint8)
    unit = (np.nan_to_num(np.asarray(values, np.float64), nan=low) - low) / max(high - low, 1e-300)
    return table[(np.clip(unit, 0.0, 1.0) * 255.0).astype(np.intp)]


def enlarge(image: npt.NDArray[Any], factor: int) -> npt.NDArray[Any]:
    """Repeat every pixel, or every tile of a tile image, `factor` times along both axes."""
    return np.repeat(np.repeat(image, factor, axis=0), factor, axis=1)


def side_by_side(*images: RGB8, gap: int = 6) -> RGB8:
    """Put pictures of one height next to each other on white."""
    height = images[0].shape[0]
    space = np.full((height, gap, 3), 255, np.uint8)
    parts = [part for image in images for part in (space, image)][1:]
    return np.concatenate(parts, axis=1)
