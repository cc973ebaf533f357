"""Image errors, the slow twin: NumPy only, sums in the order that the kernel promises."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["image_error", "tile_error"]
__dir__ = __all__.copy

LANES = 8
"""Partial sums of a tile; value i of each of its rows belongs to sum i % 8."""
ROWS = 16
"""Rows added up together where there are no tiles."""


def _tree(lanes: NDArray[np.float64]) -> float:
    return float(
        ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))
    )


def tile_error(image: NDArray[Any], reference: NDArray[Any], counts: NDArray[np.bool_]) -> dict[str, float]:
    """Add up one tile (h, w, C): squared, absolute and largest difference, values counted and left out."""
    if image.dtype == np.uint8:
        kept = counts[..., None]
        difference = np.where(kept, np.abs(image.astype(np.int64) - reference.astype(np.int64)), 0)
        return {
            "square": int(np.square(difference).sum()) / 255.0**2,
            "absolute": int(difference.sum()) / 255.0,
            "largest": int(difference.max(initial=0)) / 255.0,
            "counted": int(counts.sum()) * image.shape[2],
            "not_finite": 0,
            "differing": 0,
        }
    with np.errstate(all="ignore"):
        difference = np.abs(image.astype(np.float64) - reference.astype(np.float64))
    difference = np.where(counts[..., None], difference, 0.0)
    finite = np.isfinite(difference)
    error = np.where(finite, difference, 0.0).reshape(len(image), -1)
    square, absolute = np.zeros(LANES), np.zeros(LANES)
    for row in error:
        padded = np.zeros(-(-row.size // LANES) * LANES)
        padded[: row.size] = row
        for values in padded.reshape(-1, LANES):
            square += values * values
            absolute += values
    left_out = int(np.count_nonzero(~finite))
    equal = (image == reference) | (np.isnan(image) & np.isnan(reference))
    return {
        "square": _tree(square),
        "absolute": _tree(absolute),
        "largest": float(error.max(initial=0.0)),
        "counted": int(counts.sum()) * image.shape[2] - left_out,
        "not_finite": left_out,
        "differing": int(np.count_nonzero(~finite & ~equal)),
    }


def image_error(
    image: NDArray[Any], reference: NDArray[Any], counts: NDArray[np.bool_], tile: int = 0
) -> tuple[dict[str, float], list[list[dict[str, float]]]]:
    """Add up the whole image (H, W, C), and its tiles, or of bands of 16 rows where `tile` is 0."""
    height, width = image.shape[:2]
    down, across = (tile, tile) if tile else (ROWS, max(width, 1))
    tiles = [
        [
            tile_error(
                image[y : y + down, x : x + across],
                reference[y : y + down, x : x + across],
                counts[y : y + down, x : x + across],
            )
            for x in range(0, width, across)
        ]
        for y in range(0, height, down)
    ]
    total = {"square": 0.0, "absolute": 0.0, "largest": 0.0, "counted": 0, "not_finite": 0, "differing": 0}
    for row in tiles:
        for sums in row:
            for name, value in sums.items():
                total[name] = max(total[name], value) if name == "largest" else total[name] + value
    return total, tiles
