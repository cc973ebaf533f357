"""Short ways around the comparison: which tiles take which, and what every path reads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab import _core
from tilelab._validation import UnsupportedError, as_array, as_choice, as_names, fail
from tilelab.lighting.gbuffer import GBuffer, pixel_bytes
from tilelab.lighting.tiles import TILE

Array = npt.NDArray[Any]

#: In the order of preference of a tile.
FAST_PATHS = ("full_rate", "single_triangle", "dcc_key", "hash", "fused_read")

# Side of a block that has one rate and one pattern.
BLOCK = 8
COMPARE = 255
# Legal rate codes; bits of a pattern: x neighbours equal, y neighbours equal.
RATES = (0, 1, 4, 5, 6, 9, 10)

# A DCC key stands for 256 bytes of a surface; pixel bytes -> width and height of that block.
DCC_BLOCKS = {1: (16, 16), 2: (16, 8), 4: (8, 8), 8: (8, 4), 16: (4, 4)}
DEPTH_BYTES = 4
VALID_BYTES = 1
RATE_BYTES = 1
KEY_BYTES = 1


@dataclass(frozen=True)
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
    enabled = _names(fast_paths)
    height, width = gbuffer.shape
    blocks = (-(-height // BLOCK), -(-width // BLOCK))
    rate_codes = None if rates is None else _rate_codes(rates, blocks)
    ids = None
    if primitive_id is not None:
        ids = as_array("primitive_id", primitive_id, dtype=np.int32, shape=gbuffer.shape)
    for path in ("full_rate", "single_triangle"):
        if path in enabled and rate_codes is None:
            raise fail("rates", f"must be given for the fast path {path!r}", None)
    if "single_triangle" in enabled and ids is None:
        raise fail("primitive_id", "must be given for the fast path 'single_triangle'", None)
    if "hash" in enabled and not exact:
        raise UnsupportedError("fast_paths must not hold 'hash' in tolerance mode, got 'hash'")
    if "dcc_key" in enabled:
        for name, size in gbuffer.channel_bytes.items():
            if size not in DCC_BLOCKS:
                raise UnsupportedError(
                    f"channels[{name!r}] must have 1, 2, 4, 8 or 16 bytes per pixel for 'dcc_key', got {size}"
                )

    rest = "fused_read" if "fused_read" in enabled else "hash" if "hash" in enabled else "full_scan"
    tile_rows, tile_columns = -(-height // TILE), -(-width // TILE)
    paths = np.full((tile_rows, tile_columns), _code(rest), np.uint8)
    patterns = None
    undecided = np.ones(paths.shape, np.bool_)

    def take(path: str, tiles: npt.NDArray[np.bool_], codes: Array | int) -> None:
        nonlocal patterns
        if patterns is None:
            patterns = np.full(blocks, COMPARE, np.uint8)
        chosen = tiles & undecided
        paths[chosen] = _code(path)
        undecided[chosen] = False
        inside = chosen.repeat(2, axis=0).repeat(2, axis=1)[: blocks[0], : blocks[1]]
        np.copyto(patterns, np.broadcast_to(np.uint8(codes), blocks), where=inside)

    if "full_rate" in enabled:
        assert rate_codes is not None
        take("full_rate", _all_blocks(rate_codes == 0, paths.shape), 0)
    if "single_triangle" in enabled:
        assert rate_codes is not None
        assert ids is not None
        covered = _uniform(ids, (TILE, TILE), threads) & (ids[::TILE, ::TILE] >= 0)
        wide, tall = rate_codes >> 2 != 0, rate_codes & 3 != 0
        take(
            "single_triangle", covered & _all_blocks(rate_codes != 0, paths.shape), wide | tall << np.uint8(1)
        )
    key_tests = undecided.copy()
    if "dcc_key" in enabled:
        constant = np.ones(paths.shape, np.bool_)
        for name, channel in gbuffer.channels.items():
            block = DCC_BLOCKS[gbuffer.channel_bytes[name]]
            constant &= _all_blocks(_uniform(channel, block, threads), paths.shape)
        take("dcc_key", constant, 3)

    tiles, read = _costs(gbuffer, enabled, rest, paths, key_tests, hash_bits)
    return PathPlan(paths, patterns, "hash" in enabled, tiles, read)


def _names(fast_paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(as_choice("fast_paths", name, FAST_PATHS) for name in as_names("fast_paths", fast_paths))


def _code(path: str) -> int:
    return 0 if path == "full_scan" else 1 + FAST_PATHS.index(path)


def _rate_codes(rates: npt.ArrayLike, blocks: tuple[int, int]) -> npt.NDArray[np.uint8]:
    codes = as_array("rates", rates, dtype=np.uint8, shape=blocks)
    bad = codes[~np.isin(codes, RATES)]
    if bad.size:
        raise fail("rates", f"must hold codes of {', '.join(map(str, RATES))}", int(bad[0]))
    return codes


def _uniform(image: Array, block: tuple[int, int], threads: int) -> npt.NDArray[np.bool_]:
    width, height = block
    uniform = np.empty((-(-image.shape[0] // height), -(-image.shape[1] // width)), np.uint8)
    _core.lighting.uniform_blocks(pixel_bytes(image), width, height, uniform, threads)
    return uniform.view(np.bool_)


def _all_blocks(flags: npt.NDArray[np.bool_], tiles: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """Mark tiles whose blocks (one to sixteen, cut at the border) are all flagged."""
    down, across = -(-flags.shape[0] // tiles[0]), -(-flags.shape[1] // tiles[1])
    down, across = 1 << (down - 1).bit_length(), 1 << (across - 1).bit_length()
    padding = ((0, tiles[0] * down - flags.shape[0]), (0, tiles[1] * across - flags.shape[1]))
    padded = np.pad(flags, padding, constant_values=True)
    return np.asarray(padded.reshape(tiles[0], down, tiles[1], across).all(axis=(1, 3)))


def _covered(size: int, step: int, tiles: int) -> Array:
    """Count the pieces of `step` pixels that each tile holds along one axis."""
    inside = np.minimum(TILE, size - TILE * np.arange(tiles))
    return -(-inside // step)


def _costs(
    gbuffer: GBuffer,
    enabled: tuple[str, ...],
    rest: str,
    paths: Array,
    key_tests: Array,
    hash_bits: int,
) -> tuple[dict[str, int], dict[str, int]]:
    def pieces(width: int, height: int) -> Array:
        rows = _covered(gbuffer.shape[0], height, paths.shape[0])
        return np.outer(rows, _covered(gbuffer.shape[1], width, paths.shape[1]))

    pixels = pieces(1, 1)
    read = pixels * (DEPTH_BYTES + (0 if gbuffer.valid is None else VALID_BYTES))
    if "full_rate" in enabled or "single_triangle" in enabled:
        read += pieces(BLOCK, BLOCK) * RATE_BYTES
    if "dcc_key" in enabled:
        for size in gbuffer.channel_bytes.values():
            read += key_tests * pieces(*DCC_BLOCKS[size]) * KEY_BYTES
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
