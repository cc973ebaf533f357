"""The ways around the comparison: what each must give, what it reads, and which rates it takes."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from lighting_frames import (
    SIZES,
    blocks,
    duplicate,
    ids_alone,
    random_channel,
    random_depth,
    spread,
)

from tilelab import lighting, vrs
from tilelab.reference import lighting as twin

Loop = Callable[[], Iterator[Any]]


def mixed_rates(shape: tuple[int, int], rng: np.random.Generator) -> Any:
    """Rates of the 8x8 blocks: most tiles of one rate, some of several."""
    size = blocks(shape, 8)
    rates = spread(rng.choice([0, 1, 4, 5, 255], blocks(shape, 16)), size, 2)
    return np.where(rates == 255, rng.choice([0, 1, 4, 5, 10], size), rates).astype(np.uint8)


def test_full_rate_never_gives_fewer_records(every_target: Loop, rng: np.random.Generator) -> None:
    for shape in SIZES:
        rates = mixed_rates(shape, rng)
        ids = duplicate(rng.integers(0, 99, shape).astype(np.uint32), rng)
        gbuffer = lighting.GBuffer({"id": ids}, np.zeros(shape))
        tile_shape = (-(-shape[0] // 16), -(-shape[1] // 16))
        padded = np.zeros((tile_shape[0] * 2, tile_shape[1] * 2), int)
        padded[: rates.shape[0], : rates.shape[1]] = rates
        at_full_rate = padded.reshape(tile_shape[0], 2, tile_shape[1], 2).max((1, 3)) == 0
        slow = twin.scan({"id": ids}, np.zeros(shape), patterns=_patterns(at_full_rate, rates))
        for _ in every_target():
            fast = lighting.scan(gbuffer, rates=rates, fast_paths="full_rate")
            assert (fast.counts >= lighting.scan(gbuffer).counts).all()
            np.testing.assert_array_equal(fast.paths, at_full_rate)
            assert fast.stats.path_tiles == {
                "full_scan": int((~at_full_rate).sum()),
                "full_rate": int(at_full_rate.sum()),
            }
            np.testing.assert_array_equal(fast.records, slow.records)


def _patterns(not_compared: Any, rates: Any) -> Any:
    """Patterns of the twin: those of the rates in tiles that are not compared."""
    known = ((rates >> 2) > 0) | ((rates & 3) > 0) * 2
    patterned = spread(not_compared, rates.shape, 2) > 0
    return np.where(patterned, known, 255).astype(np.uint8)


@pytest.mark.parametrize("gate", [None, 0.001])
def test_a_single_triangle_needs_no_comparison(
    gate: float | None, target: str, rng: np.random.Generator
) -> None:
    for shape in SIZES:
        rates = mixed_rates(shape, rng)
        primitives = spread(rng.integers(0, 3, blocks(shape, 16)).astype(np.int32), shape).copy()
        primitives[:: max(shape[0] // 2, 1), ::20] = -1
        attributes = np.arange(shape[0] * shape[1], dtype=np.uint32).reshape(shape)
        valid = primitives >= 0
        gbuffer = lighting.GBuffer({"id": attributes}, random_depth(shape, rng), valid)
        coarse = lighting.coarse_gbuffer(gbuffer, rates, primitive_id=primitives)
        full = lighting.scan(coarse, depth_delta=gate)
        fast = lighting.scan(
            coarse,
            depth_delta=gate,
            rates=rates,
            primitive_id=primitives,
            fast_paths=("single_triangle", "full_rate"),
            threads=2,
        )
        np.testing.assert_array_equal(fast.counts, full.counts)
        if (rates < 6).all():
            np.testing.assert_array_equal(fast.records, full.records)


@pytest.mark.parametrize(("dtype", "components"), [("uint8", 0), ("uint16", 0), ("uint8", 4), ("float32", 4)])
def test_constant_blocks_need_no_comparison(
    dtype: str, components: int, every_target: Loop, rng: np.random.Generator
) -> None:
    for shape in SIZES:
        channel = random_channel(dtype, components, shape, rng, special=False)
        flat = rng.random((-(-shape[0] // 16), -(-shape[1] // 16))) < 0.5
        channel[flat.repeat(16, 0).repeat(16, 1)[: shape[0], : shape[1]]] = channel[0, 0]
        gbuffer = lighting.GBuffer({"c": channel}, random_depth(shape, rng))
        block = {1: (16, 16), 2: (16, 8), 4: (8, 8), 16: (4, 4)}[gbuffer.channel_bytes["c"]]
        uniform = twin.uniform_blocks(channel, block)
        keyed = sum(
            uniform[
                tile[0] * 16 // block[1] : (tile[0] + 1) * 16 // block[1],
                tile[1] * 16 // block[0] : (tile[1] + 1) * 16 // block[0],
            ].all()
            for tile in np.ndindex(flat.shape)
        )
        assert keyed >= flat.sum()
        for _ in every_target():
            full, fast = lighting.scan(gbuffer), lighting.scan(gbuffer, fast_paths=["dcc_key"])
            np.testing.assert_array_equal(fast.records, full.records)
            assert fast.stats.path_tiles["dcc_key"] == keyed


@pytest.mark.parametrize("hash_bits", [32, 16])
def test_hashes_stand_for_the_channels(hash_bits: int, every_target: Loop, rng: np.random.Generator) -> None:
    for shape in SIZES:
        channels = {
            "a": random_channel("uint8", 3, shape, rng),
            "b": random_channel("float16", 3, shape, rng),
            "c": random_channel("float32", 4, shape, rng),
        }
        depth = random_depth(shape, rng)
        gbuffer = lighting.GBuffer(channels, depth)
        slow = twin.scan({"hash": twin.hash_pixels(channels, hash_bits)}, depth)
        for _ in every_target():
            tiles = lighting.scan(gbuffer, fast_paths=("hash",), hash_bits=hash_bits)
            np.testing.assert_array_equal(tiles.records, slow.records)
            assert (tiles.counts <= lighting.scan(gbuffer).counts).all()


def test_bytes_read_by_every_path() -> None:
    shape = (40, 64)  # 3 x 4 tiles, the last row of tiles is half
    channels = {"a": np.zeros((*shape, 4), np.uint8), "b": np.zeros((*shape, 4), np.float32)}
    channels["a"][20, :48] = 1
    channels["a"][36, :] = 1
    gbuffer = lighting.GBuffer(channels, np.zeros(shape, np.float32))
    pixels = 40 * 64
    assert lighting.scan(gbuffer).stats.path_bytes == {"full_scan": pixels * (4 + 16 + 4)}
    assert lighting.scan(gbuffer, fast_paths="hash").stats.bytes_read == pixels * (4 + 4)
    assert lighting.scan(gbuffer, fast_paths="hash", hash_bits=16).stats.bytes_read == pixels * (2 + 4)
    fused = lighting.scan(gbuffer, fast_paths=("fused_read",)).stats
    assert (fused.bytes_read, fused.path_tiles) == (0, {"full_scan": 0, "fused_read": 12})
    keyed = lighting.scan(gbuffer, fast_paths=("dcc_key",)).stats
    assert keyed.path_tiles == {"full_scan": 7, "dcc_key": 5}
    keys = {"full": 3 * (4 + 16) + 4 * (2 + 8), "fast": 5 * (4 + 16)}
    assert keyed.path_bytes == {
        "full_scan": (3 * 256 + 4 * 128) * 24 + keys["full"],
        "dcc_key": 5 * 256 * 4 + keys["fast"],
    }
    rates = np.zeros((5, 8), np.uint8)
    rates[0, 0] = 5
    rated = lighting.scan(gbuffer, rates=rates, fast_paths=("full_rate",)).stats
    assert rated.path_bytes == {"full_scan": 256 * 24 + 4, "full_rate": (pixels - 256) * 4 + 36}


def tiles_of(rates: Any, **options: Any) -> lighting.SparseTiles:
    """Scan 32x48 different pixels of one triangle with both paths that read rates."""
    gbuffer = ids_alone(np.arange(32 * 48, dtype=np.uint32).reshape(32, 48))
    return lighting.scan(
        gbuffer,
        rates=rates,
        primitive_id=np.zeros((32, 48), np.int32),
        fast_paths=("full_rate", "single_triangle"),
        **options,
    )


def test_rates_are_codes_members_or_names() -> None:
    names = np.array([["1x1", "2x1", "RATE_2X2"], ["1X2", "4x4", "2x4"]]).repeat(2, 0).repeat(2, 1)
    members = [
        [vrs.ShadingRate[f"RATE_{name.upper().removeprefix('RATE_')}"] for name in row] for row in names
    ]
    codes = np.array([[0, 4, 5], [1, 10, 6]], np.uint8).repeat(2, 0).repeat(2, 1)
    wanted = tiles_of(codes)
    assert wanted.counts.tolist() == [[256, 128, 64], [128, 64, 64]]
    assert wanted.stats.path_tiles == {"full_scan": 0, "full_rate": 1, "single_triangle": 5}
    for same in (names, names.tolist(), members, codes.astype(np.int64)):
        np.testing.assert_array_equal(tiles_of(same).records, wanted.records)


def test_axis_pairs_that_nothing_delivers_count_as_they_are_shaded() -> None:
    """1x4 and 4x1 are shaded as 1x2 and 2x1, so one triangle needs as many records."""
    asked = np.array([["1x4", "4x1", "4x1"], ["1x1", "1x4", "1x4"]]).repeat(2, 0).repeat(2, 1)
    given = np.array([["1x2", "2x1", "2x1"], ["1x1", "1x2", "1x2"]]).repeat(2, 0).repeat(2, 1)
    tiles = tiles_of(asked)
    np.testing.assert_array_equal(tiles.records, tiles_of(given).records)
    np.testing.assert_array_equal(
        tiles.counts, vrs.count_invocations(asked, (32, 48)).reshape(2, 2, 3, 2).sum(axis=(1, 3))
    )
    coarse = lighting.coarse_gbuffer(ids_alone(np.arange(32 * 48, dtype=np.uint32).reshape(32, 48)), asked)
    np.testing.assert_array_equal(lighting.scan(coarse).records, tiles.records)
