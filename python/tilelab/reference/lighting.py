"""Slow, obvious twin of :mod:`tilelab.lighting` (NumPy only)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Scan",
    "clamp_depth",
    "decode_depth",
    "encode_depth",
    "fill",
    "gather",
    "hash_pixels",
    "normalise_depth",
    "pack_records",
    "record_pixels",
    "requantise_depth",
    "scan",
    "uniform_blocks",
    "unpack_records",
    "wave_loops",
]
__dir__ = __all__.copy

Array = NDArray[Any]

TILE = 16
UNORM21_MAX = 2097151
COMPARE = 255  # pattern code: compare the pixels of the quads of this 8x8 block

# (x, y) inside the quad, in visiting order
VISIT = {
    "checker": ((0, 0), (1, 1), (1, 0), (0, 1)),
    "first": ((0, 0), (1, 0), (0, 1), (1, 1)),
}
# pattern code of an 8x8 block -> the pixel differences (dx, dy) that are known to be equal
PATTERN_EQUAL = {0: (), 1: ((1, 0),), 2: ((0, 1),), 3: ((1, 0), (0, 1), (1, 1))}


class Scan(NamedTuple):
    """Result of :func:`scan`."""

    records: NDArray[np.uint32]
    offsets: NDArray[np.int64]
    counts: NDArray[np.uint32]
    depth_clamped: int
    depth_nan: int


def normalise_depth(depth: Array, depth_range: tuple[float, float]) -> NDArray[np.float32]:
    """(depth - near) / (far - near) in float32, not yet clamped."""
    near, far = depth_range
    with np.errstate(invalid="ignore", over="ignore"):
        return (np.asarray(depth, np.float32) - np.float32(near)) / np.float32(far - near)


def clamp_depth(depth: Array) -> NDArray[np.float32]:
    """Limit to [0, 1]; NaN and -0.0 become +0.0."""
    d = np.asarray(depth, np.float32)
    with np.errstate(invalid="ignore"):
        return np.where(d > 0, np.minimum(d, np.float32(1)), np.float32(0))


def encode_depth(depth: Array, depth_encoding: str) -> NDArray[np.uint32]:
    """21-bit code of a depth in [0, 1]."""
    d = clamp_depth(depth)
    if depth_encoding == "unorm21":
        return np.floor(d.astype(np.float64) * UNORM21_MAX + 0.5).astype(np.uint32)
    bits = d.view(np.uint32)
    return (bits + np.uint32(0x1FF) + ((bits >> np.uint32(10)) & np.uint32(1))) >> np.uint32(10)


def decode_depth(code: Array, depth_encoding: str) -> NDArray[np.float32]:
    """Depth of a 21-bit code, in float32."""
    code = np.asarray(code, np.uint32)
    if depth_encoding == "unorm21":
        return (code.astype(np.float64) / UNORM21_MAX).astype(np.float32)
    return (code << np.uint32(10)).view(np.float32)


def requantise_depth(
    depth: Array, depth_range: tuple[float, float], depth_encoding: str
) -> NDArray[np.float32]:
    """Depth that a record would give back."""
    return decode_depth(encode_depth(normalise_depth(depth, depth_range), depth_encoding), depth_encoding)


def pack_records(
    x: Array, y: Array, copy_x: Array, copy_y: Array, copy_xy: Array, depth: Array, depth_encoding: str
) -> NDArray[np.uint32]:
    """Pack records of 32 bits: x 0-3, y 4-7, copies 8-10, depth 11-31."""
    word = np.asarray(x).astype(np.uint32) | np.asarray(y).astype(np.uint32) << np.uint32(4)
    for bit, flag in ((8, copy_x), (9, copy_y), (10, copy_xy)):
        word = word | np.asarray(flag).astype(np.uint32) << np.uint32(bit)
    return np.asarray(word | encode_depth(depth, depth_encoding) << np.uint32(11))


def unpack_records(records: Array, depth_encoding: str) -> tuple[Array, Array, Array, Array, Array, Array]:
    """Fields (x, y, copy_x, copy_y, copy_xy, depth) of records."""
    word = np.asarray(records, np.uint32)
    x, y = word & np.uint32(15), word >> np.uint32(4) & np.uint32(15)
    flags = [(word >> np.uint32(bit) & np.uint32(1)).astype(bool) for bit in (8, 9, 10)]
    return x, y, flags[0], flags[1], flags[2], decode_depth(word >> np.uint32(11), depth_encoding)


def _bits(channel: Array) -> Array:
    """View the bytes of every pixel, (H, W, bytes)."""
    height, width = channel.shape[:2]
    return np.ascontiguousarray(channel).view(np.uint8).reshape(height, width, -1)


def _pad(image: Array, height: int, width: int) -> Array:
    extra = [(0, height - image.shape[0]), (0, width - image.shape[1])]
    return np.pad(image, extra + [(0, 0)] * (image.ndim - 2))


def _corners(image: Array) -> dict[tuple[int, int], Array]:
    return {(x, y): image[y::2, x::2] for y in (0, 1) for x in (0, 1)}


def _within(a: Array, b: Array, delta: float) -> NDArray[np.bool_]:
    """Test |a - b| <= delta for every component; UNORM codes for uint8/uint16, bitwise for uint32."""
    if a.dtype == np.uint32:
        near = a == b
    elif a.dtype in (np.uint8, np.uint16):
        allowance = int(np.floor(delta * int(np.iinfo(a.dtype).max)))
        near = np.abs(a.astype(np.int32) - b.astype(np.int32)) <= allowance
    else:
        with np.errstate(invalid="ignore", over="ignore"):
            near = np.abs(a.astype(np.float32) - b.astype(np.float32)) <= np.float32(delta)
    return np.asarray(near.reshape(*near.shape[:2], -1).all(axis=2))


def scan(
    channels: Mapping[str, Array],
    depth: Array,
    valid: Array | None = None,
    *,
    depth_range: tuple[float, float] = (0.0, 1.0),
    mode: str = "exact",
    delta: float | Mapping[str, float] = 0.025,
    depth_delta: float | None = 0.001,
    policy: str = "checker",
    depth_encoding: str = "unorm21",
    patterns: Array | None = None,
) -> Scan:
    """List the distinct pixels of every 2x2 quad, tile by tile.

    ``patterns`` holds one code per 8x8 block: 0, 1, 2, 3 = nothing, x neighbours, y neighbours, whole quads
    are known to be equal; 255 = compare.
    """
    h, w = depth.shape
    rows, columns = -(-h // TILE), -(-w // TILE)
    height, width = rows * TILE, columns * TILE

    inside = np.ones((h, w), bool) if valid is None else np.asarray(valid, bool)
    raw = normalise_depth(depth, depth_range)
    nan = np.isnan(raw)
    with np.errstate(invalid="ignore"):
        outside = ((raw < 0) | (raw > 1)) & ~nan

    ok = _corners(_pad(inside, height, width))
    d = _corners(_pad(clamp_depth(raw), height, width))
    exact = mode == "exact"
    pixels = {
        name: _corners(_pad(_bits(channel) if exact else channel, height, width))
        for name, channel in channels.items()
    }
    if patterns is None:
        pattern = np.full((rows * 2, columns * 2), COMPARE, np.uint8)
    else:
        pattern = _pad(np.asarray(patterns, np.uint8), rows * 2, columns * 2)
    pattern = pattern.repeat(4, axis=0).repeat(4, axis=1)  # one per quad

    def match(a: tuple[int, int], b: tuple[int, int]) -> Array:
        same = np.ones((height // 2, width // 2), bool)
        for name, corner in pixels.items():
            if exact:
                same &= (corner[a] == corner[b]).all(axis=2)
            else:
                same &= _within(corner[a], corner[b], delta[name] if isinstance(delta, Mapping) else delta)
        step = (a[0] ^ b[0], a[1] ^ b[1])
        for code, known in PATTERN_EQUAL.items():
            same[pattern == code] = step in known
        if depth_delta is not None:
            same &= np.abs(d[a] - d[b]) <= np.float32(depth_delta)
        return same

    visit = VISIT[policy]
    leader: list[Array] = []
    flags = [np.zeros((height // 2, width // 2), np.uint32) for _ in visit]
    for k, here in enumerate(visit):
        joined = np.zeros_like(ok[here])
        for j in range(k):
            join = ok[here] & ~joined & leader[j] & match(visit[j], here)
            dx, dy = visit[j][0] ^ here[0], visit[j][1] ^ here[1]
            flags[j] |= np.where(join, np.uint32(4 if dx and dy else 1 if dx else 2), np.uint32(0))
            joined |= join
        leader.append(ok[here] & ~joined)

    words = []
    for (x, y), flag in zip(visit, flags, strict=True):
        column = (np.arange(width // 2, dtype=np.uint32) * 2 + x) % TILE
        row = (np.arange(height // 2, dtype=np.uint32)[:, None] * 2 + y) % TILE
        code = encode_depth(d[(x, y)], depth_encoding)
        words.append(code << np.uint32(11) | flag << np.uint32(8) | row << np.uint32(4) | column)

    def tile_major(slots: list[Array]) -> Array:
        quads = np.stack(slots, axis=-1).reshape(rows, TILE // 2, columns, TILE // 2, 4)
        return quads.transpose(0, 2, 1, 3, 4).reshape(rows, columns, TILE * TILE)

    kept = tile_major(leader)
    counts = kept.sum(axis=2).astype(np.uint32)
    offsets = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
    return Scan(
        tile_major(words)[kept], offsets, counts, int((outside & inside).sum()), int((nan & inside).sum())
    )


def record_pixels(records: Array, offsets: Array, tile_columns: int) -> tuple[Array, Array]:
    """Image coordinates of every record."""
    tile = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    x = (tile % tile_columns) * TILE + (records & np.uint32(15))
    y = (tile // tile_columns) * TILE + (records >> np.uint32(4) & np.uint32(15))
    return x.astype(np.int32), y.astype(np.int32)


def fill(records: Array, offsets: Array, tile_columns: int, values: Array, out: Array) -> Array:
    """Write every value to its pixel and to its up to three copies (coordinate XOR 1)."""
    x, y = record_pixels(records, offsets, tile_columns)
    out[y, x] = values
    for bit, dx, dy in ((8, 1, 0), (9, 0, 1), (10, 1, 1)):
        copied = (records >> np.uint32(bit) & np.uint32(1)).astype(bool)
        out[y[copied] ^ dy, x[copied] ^ dx] = values[copied]
    return out


def gather(records: Array, offsets: Array, tile_columns: int, image: Array) -> Array:
    """Read the pixel of every record."""
    x, y = record_pixels(records, offsets, tile_columns)
    return image[y, x]


def uniform_blocks(image: Array, block: tuple[int, int]) -> NDArray[np.bool_]:
    """Mark blocks where all pixels (width, height) hold the same bytes."""
    bits = _bits(image)
    block_width, block_height = block
    rows, columns = -(-bits.shape[0] // block_height), -(-bits.shape[1] // block_width)
    uniform = np.zeros((rows, columns), bool)
    for row in range(rows):
        for column in range(columns):
            part = bits[
                row * block_height : (row + 1) * block_height,
                column * block_width : (column + 1) * block_width,
            ]
            uniform[row, column] = (part == part[0, 0]).all()
    return uniform


def hash_pixels(channels: Mapping[str, Array], hash_bits: int = 32) -> NDArray[np.uint32]:
    """Hash of all channel bytes of a pixel, taken as little-endian words with a zero-padded tail."""
    height, width = next(iter(channels.values())).shape[:2]
    value = np.full((height, width), 0x811C9DC5, np.uint32)
    for channel in channels.values():
        bits = _bits(channel)
        bits = np.pad(bits, ((0, 0), (0, 0), (0, -bits.shape[2] % 4)))
        for word in np.moveaxis(np.ascontiguousarray(bits).view("<u4"), 2, 0):
            value = (value ^ word) * np.uint32(0x9E3779B1)
            value ^= value >> np.uint32(15)
    return value if hash_bits == 32 else (value ^ value >> np.uint32(16)) & np.uint32(0xFFFF)


def wave_loops(counts: Array, wave_size: int) -> NDArray[np.int64]:
    """ceil(count / wave_size)."""
    return -(-np.asarray(counts).astype(np.int64) // wave_size)
