"""Variable rate shading, the slow twin: NumPy only, one line per rule, no attention to speed.

Rates are the D3D12 codes ``(log2(width) << 2) | log2(height)``. Floats are float32, in the written order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "RATE_CODES",
    "apply_hints",
    "broadcast_coarse",
    "coarse_invocations",
    "combine",
    "combine_rates",
    "fine_votes",
    "luminance",
    "mean_coarse",
    "rate_image",
    "rate_size",
    "reproject",
    "sanitize_rate",
    "supported_rates",
    "tile_sums",
    "vote_counts",
]
__dir__ = __all__.copy

F32 = np.float32
RATE_CODES = (0, 1, 2, 4, 5, 6, 8, 9, 10)
"""All nine axis pairs; 2 (1x4) and 8 (4x1) can be asked for but are never delivered."""

COLOR_WEIGHTS = {
    "bt709": (0.2126, 0.7152, 0.0722),
    "nvidia": (0.299, 0.587, 0.114),
    "fidelityfx": (0.30, 0.59, 0.11),
}


def rate_size(code: int) -> tuple[int, int]:
    """Width and height in pixels of the coarse pixel of a rate code."""
    return 1 << (code >> 2), 1 << (code & 3)


def supported_rates(profile: str, additional_rates: bool, sample_count: int) -> set[int]:
    """Rates that may be delivered: the D3D12 table, what one NVIDIA GPU reports, or the console's four."""
    if profile == "xbox_series":
        return {0, 1, 4, 5}
    rates = {0}
    if sample_count <= 4:
        rates |= {1, 4, 5}
    if sample_count == 8 and profile == "nvidia":
        rates |= {1}
    if additional_rates:
        rates |= {1: {6, 9, 10}, 2: {6}}.get(sample_count, set())
    return rates


def sanitize_rate(code: int, supported: set[int]) -> int:
    """Largest supported rate no wider and no taller; of equal areas the one with the smaller w + h."""
    width, height = rate_size(code)
    fitting = [c for c in supported if rate_size(c)[0] <= width and rate_size(c)[1] <= height]
    return min(fitting, key=lambda c: (-rate_size(c)[0] * rate_size(c)[1], sum(rate_size(c))))


def combine(operation: int, a: int, b: int, max_axis: int) -> int:
    """One combiner, per axis in log2 space: passthrough, override, min, max, sum."""

    def axis(p: int, q: int) -> int:
        return (p, q, min(p, q), max(p, q), min(max_axis, p + q))[operation]

    return (axis(a >> 2, b >> 2) << 2) | axis(a & 3, b & 3)


def combine_rates(
    draw: int,
    primitive: int,
    image: int,
    operations: tuple[int, int],
    supported: set[int],
    max_axis: int,
    sanitize: str = "each",
) -> int:
    """Run the chain ``C1(C0(draw, primitive), image)`` with one of the three ways of sanitising."""

    def legal(code: int) -> int:
        return sanitize_rate(code, supported)

    if sanitize == "each":
        first = legal(combine(operations[0], legal(draw), legal(primitive), max_axis))
        return legal(combine(operations[1], first, legal(image), max_axis))
    if sanitize == "outputs":
        first = legal(combine(operations[0], draw, primitive, max_axis))
        return legal(combine(operations[1], first, image, max_axis))
    return legal(combine(operations[1], combine(operations[0], draw, primitive, max_axis), image, max_axis))


def luminance(rgb: NDArray[Any], weights: Sequence[float] = COLOR_WEIGHTS["bt709"]) -> NDArray[np.float32]:
    """``(wr * R + wg * G) + wb * B`` in float32; uint8 is UNORM (divided by 255 first); alpha is ignored."""
    color = rgb.astype(F32) / F32(255) if rgb.dtype == np.uint8 else rgb.astype(F32)
    wr, wg, wb = (F32(w) for w in weights)
    with np.errstate(all="ignore"):
        result: NDArray[np.float32] = (wr * color[..., 0] + wg * color[..., 1]) + wb * color[..., 2]
    return result


def reproject(
    lum: NDArray[np.float32],
    motion: NDArray[np.float32],
    off_screen: str = "fine",
    disoccluded: NDArray[np.bool_] | None = None,
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """History read at ``p - rint(v)``, clamped to the screen, and the mask of pixels that have no history."""
    height, width = lum.shape
    unknown: NDArray[np.bool_] = np.isnan(motion[..., 0]) | np.isnan(motion[..., 1])
    velocity = np.where(np.isnan(motion), F32(0), motion)
    x = np.arange(width, dtype=F32)[None, :] - np.rint(velocity[..., 0])
    y = np.arange(height, dtype=F32)[:, None] - np.rint(velocity[..., 1])
    if off_screen == "fine":
        unknown = unknown | (x < 0) | (x > width - 1) | (y < 0) | (y > height - 1)
    if disoccluded is not None:
        unknown = unknown | disoccluded
    column = np.clip(x, 0, width - 1).astype(np.int64)
    row = np.clip(y, 0, height - 1).astype(np.int64)
    return lum[row, column], unknown


def fine_votes(
    lum: NDArray[np.float32],
    *,
    threshold: float = 0.1,
    env_luma: float = 0.05,
    lum_lo: float | None = None,
    lum_hi: float | None = None,
    differences: bool = False,
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Pixels that ask for detail in x and in y: ``not (|g| <= threshold * (L + env_luma))``, so NaN does."""
    padded = np.pad(lum, 1, mode="edge")
    two, eighth = F32(2), F32(0.125)
    with np.errstate(all="ignore"):
        column = (padded[:-2] + two * padded[1:-1]) + padded[2:]
        row = (padded[:, :-2] + two * padded[:, 1:-1]) + padded[:, 2:]
        gx = np.abs((column[:, 2:] - column[:, :-2]) * eighth)
        gy = np.abs((row[2:] - row[:-2]) * eighth)
        limit = F32(threshold) * (lum + F32(env_luma))
        fine_x, fine_y = ~(gx <= limit), ~(gy <= limit)
        if differences:
            fine_x |= ~(np.abs(padded[1:-1, 2:] - lum) <= limit)
            fine_y |= ~(np.abs(padded[2:, 1:-1] - lum) <= limit)
        if lum_hi is not None:
            fine_x, fine_y = fine_x & ~(lum >= F32(lum_hi)), fine_y & ~(lum >= F32(lum_hi))
        if lum_lo is not None:
            fine_x, fine_y = fine_x & ~(lum < F32(lum_lo)), fine_y & ~(lum < F32(lum_lo))
    return fine_x, fine_y


def tile_sums(mask: NDArray[Any], tile: int) -> NDArray[np.int32]:
    """Sum of an (H, W) array over the in-image pixels of each tile."""
    values = mask.astype(np.int32)
    rows = np.add.reduceat(values, np.arange(0, mask.shape[0], tile), axis=0)
    return np.add.reduceat(rows, np.arange(0, mask.shape[1], tile), axis=1).astype(np.int32)


def vote_counts(
    lum: NDArray[np.float32], *, tile: int = 8, no_history: NDArray[np.bool_] | None = None, **options: Any
) -> NDArray[np.int32]:
    """Fine votes per tile and axis, (TH, TW, 2). Pixels without history vote fine in both axes."""
    fine_x, fine_y = fine_votes(lum, **options)
    if no_history is not None:
        fine_x, fine_y = fine_x | no_history, fine_y | no_history
    return np.stack([tile_sums(fine_x, tile), tile_sums(fine_y, tile)], axis=-1)


def rate_image(
    lum: NDArray[np.float32],
    *,
    tile: int = 8,
    vote: int | float = 0,
    no_history: NDArray[np.bool_] | None = None,
    **options: Any,
) -> NDArray[np.uint8]:
    """Halve an axis where at most ``vote`` pixels (or that fraction of the tile's pixels) ask for detail."""
    counts = vote_counts(lum, tile=tile, no_history=no_history, **options)
    limit: Any = vote * tile_sums(np.ones(lum.shape, bool), tile) if isinstance(vote, float) else vote
    half_x, half_y = counts[..., 0] <= limit, counts[..., 1] <= limit
    return np.where(half_x, 4, 0).astype(np.uint8) | np.where(half_y, 1, 0).astype(np.uint8)


def apply_hints(
    rates: NDArray[np.uint8],
    tile: int,
    *,
    blur: NDArray[np.float32] | None = None,
    blur_threshold: float = 2.0,
    motion: NDArray[np.float32] | None = None,
    motion_threshold: float = 8.0,
    fine_mask: NDArray[np.bool_] | None = None,
) -> NDArray[np.uint8]:
    """Coarsen an axis whose tile is blurred throughout, then make tiles with a masked pixel fine."""
    result = rates.copy()
    for ty, tx in np.ndindex(*rates.shape):
        pixels = np.s_[ty * tile : (ty + 1) * tile, tx * tile : (tx + 1) * tile]
        x, y = int(rates[ty, tx]) >> 2, int(rates[ty, tx]) & 3
        if blur is not None and (blur[pixels] >= F32(blur_threshold)).all():
            x, y = max(x, 1), max(y, 1)
        if motion is not None and (np.abs(motion[pixels][..., 0]) >= F32(motion_threshold)).all():
            x = max(x, 1)
        if motion is not None and (np.abs(motion[pixels][..., 1]) >= F32(motion_threshold)).all():
            y = max(y, 1)
        if fine_mask is not None and fine_mask[pixels].any():
            x, y = 0, 0
        result[ty, tx] = (x << 2) | y
    return result


def coarse_invocations(
    primitive_id: NDArray[np.int32],
    final_rate: Mapping[tuple[int, int, int], int],
    tile: int,
    location: str = "center",
    offsets: Mapping[int, tuple[int, int]] | None = None,
) -> dict[str, NDArray[Any]]:
    """One invocation per (primitive, coarse pixel) with a covered pixel.

    ``final_rate`` maps (tile row, tile column, primitive) to the rate after the combiners. Order: tiles row
    by row; inside a tile by coarse-pixel row, coarse-pixel column, primitive.
    """
    height, width = primitive_id.shape
    tile_rows, tile_columns = -(-height // tile), -(-width // tile)
    invocations = np.zeros((tile_rows, tile_columns), np.int64)
    lanes = np.zeros_like(invocations)
    pixel_invocation = np.full((height, width), -1, np.int32)
    positions: list[tuple[float, float]] = []
    masks: list[int] = []
    rates: list[int] = []
    primitives: list[int] = []
    sources: list[int] = []
    for ty in range(tile_rows):
        for tx in range(tile_columns):
            covered: dict[tuple[int, int, int], list[tuple[int, int]]] = {}
            for y in range(ty * tile, min(height, (ty + 1) * tile)):
                for x in range(tx * tile, min(width, (tx + 1) * tile)):
                    primitive = int(primitive_id[y, x])
                    if primitive >= 0:
                        w, h = rate_size(final_rate[ty, tx, primitive])
                        covered.setdefault((y // h * h, x // w * w, primitive), []).append((y, x))
            groups = set()
            for (y0, x0, primitive), pixels in sorted(covered.items()):
                rate = final_rate[ty, tx, primitive]
                w, h = rate_size(rate)
                groups.add((primitive, y0 // (2 * h), x0 // (2 * w)))
                mask = sum(1 << (w * h - 1 - ((y - y0) * w + (x - x0))) for y, x in pixels)
                ox, oy = (offsets or {}).get(rate, (0, 0))
                position = (x0 + w / 2 + ox / 16 * w, y0 + h / 2 + oy / 16 * h)
                if location == "centroid" and len(pixels) < w * h:
                    y, x = max(pixels)
                    position = (x + 0.5, y + 0.5)
                nearest = min(
                    pixels,
                    key=lambda p: (
                        (p[1] + 0.5 - position[0]) ** 2 + (p[0] + 0.5 - position[1]) ** 2,
                        -p[0],
                        -p[1],
                    ),
                )
                for y, x in pixels:
                    pixel_invocation[y, x] = len(rates)
                positions.append(position)
                masks.append(mask)
                rates.append(rate)
                primitives.append(primitive)
                sources.append(nearest[0] * width + nearest[1])
            invocations[ty, tx] = len(covered)
            lanes[ty, tx] = 4 * len(groups)
    return {
        "invocations": invocations,
        "lanes": lanes,
        "positions": np.array(positions, np.float64).reshape(-1, 2),
        "masks": np.array(masks, np.uint16),
        "rates": np.array(rates, np.uint8),
        "primitives": np.array(primitives, np.int32),
        "sources": np.array(sources, np.int64),
        "pixel_invocation": pixel_invocation,
    }


def broadcast_coarse(values: NDArray[Any], nothing: Any, pixel_invocation: NDArray[np.int32]) -> NDArray[Any]:
    """Give every pixel the value of its invocation, and ``nothing`` to pixels that have none."""
    padded = np.concatenate([values, np.broadcast_to(nothing, (1, *values.shape[1:])).astype(values.dtype)])
    return padded[pixel_invocation]


def mean_coarse(
    image: NDArray[Any], pixel_invocation: NDArray[np.int32], invocations: int
) -> NDArray[np.float64]:
    """Mean of an (H, W, C) image over the pixels of each invocation, added up in float64, row by row."""
    covered = pixel_invocation >= 0
    numbers = pixel_invocation[covered]
    sums = [np.bincount(numbers, channel[covered], invocations) for channel in np.moveaxis(image, 2, 0)]
    return np.stack(sums, axis=1) / np.bincount(numbers, minlength=invocations)[:, None]
