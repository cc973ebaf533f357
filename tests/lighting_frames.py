"""G-buffers with duplicates for the tests of sparse lighting."""

from typing import Any

import numpy as np

from tilelab import lighting

SIZES = [(1, 1), (1, 40), (2, 2), (17, 1), (16, 16), (31, 33), (48, 130), (37, 70)]


def duplicate(image: np.ndarray[Any, Any], rng: np.random.Generator) -> np.ndarray[Any, Any]:
    """Repeat pixels inside quads: each 4x4 block is left alone, or made constant in x, in y or in both."""
    h, w = image.shape[:2]
    rate = rng.integers(0, 4, (h // 4 + 1, w // 4 + 1)).repeat(4, 0).repeat(4, 1)[:h, :w]
    y, x = np.indices((h, w))
    return image[np.where(rate & 2, y & ~1, y), np.where(rate & 1, x & ~1, x)]


def random_channel(
    dtype: Any, components: int, shape: tuple[int, int], rng: np.random.Generator, *, special: bool = True
) -> np.ndarray[Any, Any]:
    """Random pixels near each other, with NaN, infinities and both zeros among floats."""
    full = shape if components == 0 else (*shape, components)
    if np.dtype(dtype).kind == "u":
        top = int(np.iinfo(dtype).max)
        values = (rng.integers(0, 4, full) * (top // 50) + rng.integers(0, 3, full)).astype(dtype)
    else:
        values = (rng.integers(0, 5, full) * 0.0125 + rng.choice([0.0, 1e-4], full)).astype(dtype)
        if special:
            odd = np.array([np.nan, np.inf, -np.inf, -0.0, 0.0, np.finfo(dtype).tiny / 4], dtype)
            values = np.where(rng.random(full) < 0.08, rng.choice(odd, full), values)
    return duplicate(values.astype(dtype), rng)


def random_depth(shape: tuple[int, int], rng: np.random.Generator) -> np.ndarray[Any, Any]:
    """Depths in and around 0..1 whose neighbours differ by less and by more than the gate."""
    depth = (rng.random(shape) * 0.003 + rng.random((1, shape[1])) * 1.1 - 0.05).astype(np.float32)
    odd = np.array([np.nan, np.inf, -np.inf, -0.0, 1.0, 2.0], np.float32)
    return np.where(rng.random(shape) < 0.05, rng.choice(odd, shape), depth).astype(np.float32)


def ids_alone(ids: np.ndarray[Any, Any], valid: np.ndarray[Any, Any] | None = None) -> lighting.GBuffer:
    """A G-buffer of one channel at one depth."""
    return lighting.GBuffer({"id": ids}, np.zeros(ids.shape, np.float32), valid)


def duplicated_ids(
    shape: tuple[int, int], rng: np.random.Generator, *, most: int = 99
) -> np.ndarray[Any, Any]:
    """Random ids below `most`, repeated inside quads."""
    return duplicate(rng.integers(0, most, shape).astype(np.uint32), rng)


def spread(values: np.ndarray[Any, Any], shape: tuple[int, int], side: int = 16) -> np.ndarray[Any, Any]:
    """Enlarge one value per block to an image, or to one value per smaller block."""
    return values.repeat(side, 0).repeat(side, 1)[: shape[0], : shape[1]]


def blocks(shape: tuple[int, int], side: int) -> tuple[int, int]:
    """Number of blocks that cover an image."""
    return -(-shape[0] // side), -(-shape[1] // side)


def surface(channels: dict[str, Any], x: Any, y: Any, depth: Any) -> Any:
    """Light by the channels alone, with two values: sums, a root and a product."""
    parts = [c.reshape(c.shape[0], -1).astype(np.float32) for c in channels.values()]
    total = np.sqrt(np.abs(sum(part.sum(axis=1) for part in parts)))
    return np.stack([total, total * parts[0][:, 0]], axis=1)
