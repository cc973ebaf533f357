"""Short ways around the comparison: which tiles take which, and what every path reads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tilelab import _core
from tilelab._core.lighting import PATTERN_BLOCK, PATTERN_COMPARE, PATTERN_EQUAL_X, PATTERN_EQUAL_Y
from tilelab._validation import Array, as_array, as_choice, as_names, ceil_div, describe, fail, unsupported
from tilelab.lighting.gbuffer import GBuffer, pixel_bytes
from tilelab.lighting.tiles import TILE
from tilelab.vrs.shading_rate import Rates, as_rates

__all__ = ["FAST_PATHS"]
__dir__ = __all__.copy

#: In the order of preference of a tile.
FAST_PATHS = ("full_rate", "single_triangle", "dcc_key", "hash", "fused_read")

HASH_BITS = (16, 32)

# A DCC key stands for 256 bytes of a surface; pixel bytes -> width and height of that block.
_DCC_BLOCKS = {1: (16, 16), 2: (16, 8), 4: (8, 8), 8: (8, 4), 16: (4, 4)}
_DEPTH_BYTES = 4
_VALID_BYTES = 1
_RATE_BYTES = 1
_KEY_BYTES = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PathPlan:
    """Paths of all tiles, the patterns they imply, and their cost in bytes."""

    paths: npt.NDArray[np.uint8]
    patterns: npt.NDArray[np.uint8] | None
    hashed: bool
    tiles: dict[str, int]
    bytes: dict[str, int]


def plan_paths(
    gbuffer: GBuffer,
    rates: npt.ArrayLike | None,
    primitive_id: npt.ArrayLike | None,
    fast_paths: Iterable[str],
    hash_bits: int,
    *,
    exact: bool,
    threads: int,
) -> PathPlan:
    """Check the arguments of the fast paths and choose one for every tile."""
    enabled = tuple(as_choice("fast_paths", name, FAST_PATHS) for name in as_names("fast_paths", fast_paths))
    blocks = (ceil_div(gbuffer.shape[0], PATTERN_BLOCK), ceil_div(gbuffer.shape[1], PATTERN_BLOCK))
    codes = None if rates is None else _block_rates(rates, blocks)
    ids = None
    if primitive_id is not None:
        ids = as_array("primitive_id", primitive_id, dtype=np.int32, shape=gbuffer.shape)
    for path in ("full_rate", "single_triangle"):
        if path in enabled and codes is None:
            raise fail("rates", f"must be given for the fast path {path!r}", None)
    if "single_triangle" in enabled and ids is None:
        raise fail("primitive_id", "must be given for the fast path 'single_triangle'", None)
    if "hash" in enabled and not exact:
        raise unsupported("fast_paths", "must not hold 'hash' in tolerance mode", "'hash'")
    if "dcc_key" in enabled:
        for name, size in gbuffer.channel_bytes.items():
            if size not in _DCC_BLOCKS:
                rule = "must have 1, 2, 4, 8 or 16 bytes per pixel for 'dcc_key'"
                raise unsupported(f"channels[{name!r}]", rule, size)

    rest = "fused_read" if "fused_read" in enabled else "hash" if "hash" in enabled else "full_scan"
    tiles = (ceil_div(gbuffer.shape[0], TILE), ceil_div(gbuffer.shape[1], TILE))
    paths = np.full(tiles, _code(rest), np.uint8)
    patterns = None
    undecided = np.ones(paths.shape, np.bool_)

    def take(path: str, fitting: npt.NDArray[np.bool_], codes: Array | int) -> None:
        nonlocal patterns
        if patterns is None:
            patterns = np.full(blocks, PATTERN_COMPARE, np.uint8)
        chosen = fitting & undecided
        paths[chosen] = _code(path)
        undecided[chosen] = False
        inside = chosen.repeat(2, axis=0).repeat(2, axis=1)[: blocks[0], : blocks[1]]
        np.copyto(patterns, np.broadcast_to(np.uint8(codes), blocks), where=inside)

    if "full_rate" in enabled and codes is not None:
        take("full_rate", _all_blocks(codes == 0, tiles), 0)
    if "single_triangle" in enabled and codes is not None and ids is not None:
        covered = _uniform(ids, (TILE, TILE), threads) & (ids[::TILE, ::TILE] >= 0)
        wide, tall = codes >> 2 != 0, codes & 3 != 0
        equal = wide * np.uint8(PATTERN_EQUAL_X) | tall * np.uint8(PATTERN_EQUAL_Y)
        take("single_triangle", covered & _all_blocks(codes != 0, tiles), equal)
    key_tests = undecided.copy()
    if "dcc_key" in enabled:
        constant = np.ones(tiles, np.bool_)
        for name, channel in gbuffer.channels.items():
            block = _DCC_BLOCKS[gbuffer.channel_bytes[name]]
            constant &= _all_blocks(_uniform(channel, block, threads), tiles)
        take("dcc_key", constant, PATTERN_EQUAL_X | PATTERN_EQUAL_Y)

    counts, read = _costs(gbuffer, enabled, rest, paths, key_tests, hash_bits)
    return PathPlan(paths=paths, patterns=patterns, hashed="hash" in enabled, tiles=counts, bytes=read)


def _code(path: str) -> int:
    return 0 if path == "full_scan" else 1 + FAST_PATHS.index(path)


def _block_rates(rates: npt.ArrayLike, blocks: tuple[int, int]) -> Rates:
    codes = as_rates("rates", rates, ndim=2)
    if codes.shape != blocks:
        raise fail("rates", f"must have shape {blocks}", describe(codes))
    return codes


def _uniform(image: Array, block: tuple[int, int], threads: int) -> npt.NDArray[np.bool_]:
    """Mark blocks (width, height) of one value."""
    width, height = block
    uniform = np.empty((ceil_div(image.shape[0], height), ceil_div(image.shape[1], width)), np.uint8)
    _core.lighting.uniform_blocks(pixel_bytes(image), width, height, uniform, threads)
    return uniform.view(np.bool_)


def _all_blocks(flags: npt.NDArray[np.bool_], tiles: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """Mark tiles whose blocks (one to sixteen, cut at the border) are all flagged."""
    down, across = ceil_div(flags.shape[0], tiles[0]), ceil_div(flags.shape[1], tiles[1])
    down, across = 1 << (down - 1).bit_length(), 1 << (across - 1).bit_length()
    padding = ((0, tiles[0] * down - flags.shape[0]), (0, tiles[1] * across - flags.shape[1]))
    padded = np.pad(flags, padding, constant_values=True)
    return np.asarray(padded.reshape(tiles[0], down, tiles[1], across).all(axis=(1, 3)))


def _covered(size: int, step: int, tiles: int) -> Array:
    """Count the pieces of `step` pixels that each tile holds along one axis."""
    inside = np.minimum(TILE, size - TILE * np.arange(tiles))
    return inside // step + (inside % step > 0)


def _costs(
    gbuffer: GBuffer,
    enabled: tuple[str, ...],
    rest: str,
    paths: Array,
    key_tests: Array,
    hash_bits: int,
) -> tuple[dict[str, int], dict[str, int]]:
    """Count the tiles of every path, and the bytes they read."""

    def pieces(width: int, height: int) -> Array:
        rows = _covered(gbuffer.shape[0], height, paths.shape[0])
        return np.outer(rows, _covered(gbuffer.shape[1], width, paths.shape[1]))

    pixels = pieces(1, 1)
    read = pixels * (_DEPTH_BYTES + (0 if gbuffer.valid is None else _VALID_BYTES))
    if "full_rate" in enabled or "single_triangle" in enabled:
        read += pieces(PATTERN_BLOCK, PATTERN_BLOCK) * _RATE_BYTES
    if "dcc_key" in enabled:
        for size in gbuffer.channel_bytes.values():
            read += key_tests * pieces(*_DCC_BLOCKS[size]) * _KEY_BYTES
    compared = sum(gbuffer.channel_bytes.values())
    if "hash" in enabled:
        compared = hash_bits // 8
    if rest == "fused_read":
        read[paths == _code(rest)] = 0
    else:
        read += np.where(paths == _code(rest), pixels * compared, 0)
    names = dict.fromkeys(("full_scan", *(path for path in FAST_PATHS if path in enabled)))
    tiles = {path: int(np.count_nonzero(paths == _code(path))) for path in names}
    return tiles, {path: int(read[paths == _code(path)].sum()) for path in names}
