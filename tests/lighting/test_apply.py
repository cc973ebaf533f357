"""Lighting, filling, fast paths, cost and the link to variable rate shading."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from lighting_frames import SIZES, duplicate, random_channel, random_depth

from tilelab import lighting, vrs
from tilelab.reference import lighting as twin

Loop = Callable[[], Iterator[Any]]


def surface(channels: dict[str, Any], x: Any, y: Any, depth: Any) -> Any:
    """A function of the channels alone, with several values."""
    parts = [c.reshape(c.shape[0], -1).astype(np.float32).sum(axis=1) for c in channels.values()]
    total = np.sqrt(np.abs(sum(parts)))
    return np.stack([total, total * np.float32(0.25)], axis=1)


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float16", "float32", "float64", "complex128", "bool"])
@pytest.mark.parametrize("components", [0, 1, 3, 4, 5])
def test_fill_writes_any_value(
    dtype: str, components: int, every_way: Loop, rng: np.random.Generator
) -> None:
    for shape in SIZES:
        ids = duplicate(rng.integers(0, 99, shape).astype(np.uint32), rng)
        valid = rng.random(shape) < 0.7
        tiles = lighting.scan(lighting.GBuffer({"id": ids}, np.zeros(shape), valid))
        size = (tiles.records.size, components) if components else (tiles.records.size,)
        values = rng.integers(0, 2, size).astype(dtype)
        blank = np.zeros((*shape, *size[1:]), dtype)
        want = twin.fill(tiles.records, tiles.offsets, tiles.counts.shape[1], values, blank)
        for threads in every_way():
            got = lighting.fill(tiles, values, threads=threads)
            assert got.dtype == want.dtype
            np.testing.assert_array_equal(got, want)
        out = np.ones_like(want)
        assert lighting.fill(tiles, values, out=out) is out
        np.testing.assert_array_equal(out[valid], want[valid])
        assert (out[~valid] == 1).all()


@pytest.mark.parametrize("dtype", ["S3", "U5", "datetime64[s]", np.dtype([("r", "u1"), ("z", "f4")])])
def test_fill_writes_values_that_are_no_numbers(dtype: Any, rng: np.random.Generator) -> None:
    ids = duplicate(rng.integers(0, 99, (9, 21)).astype(np.uint32), rng)
    tiles = lighting.scan(lighting.GBuffer({"id": ids}, np.zeros((9, 21))))
    values = np.zeros(tiles.records.size, dtype)
    words = values.view((np.uint32, values.itemsize // 4) if values.itemsize % 4 == 0 else np.uint8)
    words[...] = rng.integers(65, 91, words.shape)
    got = lighting.fill(tiles, values)
    assert got.dtype == values.dtype
    places = lighting.fill(tiles, np.arange(tiles.records.size))
    assert got.tobytes() == values[places].tobytes()


def test_exact_lighting_equals_dense_lighting_bit_for_bit(threads: int, rng: np.random.Generator) -> None:
    for shape in SIZES:
        channels = {
            "albedo": random_channel("uint8", 3, shape, rng),
            "normal": random_channel("float16", 4, shape, rng, special=False),
        }
        gbuffer = lighting.GBuffer(channels, random_depth(shape, rng), rng.random(shape) < 0.9)
        dense = lighting.light_dense(gbuffer, surface, threads=threads)
        for gate in (None, 0.001):
            for policy in ("checker", "first"):
                tiles = lighting.scan(gbuffer, depth_delta=gate, policy=policy, threads=threads)
                values = lighting.light(tiles, gbuffer, surface, threads=threads)
                sparse = lighting.fill(tiles, values, threads=threads)
                np.testing.assert_array_equal(sparse.view(np.uint32), dense.view(np.uint32))


def test_lighting_by_depth_and_position_is_exact_for_lit_pixels(rng: np.random.Generator) -> None:
    shape = (33, 50)
    channels = {"id": duplicate(rng.integers(0, 9, shape).astype(np.uint32), rng)}
    depth = (rng.random(shape) * 0.002 + 0.5).astype(np.float32) * np.float32(40)
    gbuffer = lighting.GBuffer(channels, depth, depth_range=(0.0, 40.0))

    def fog(channels: dict[str, Any], x: Any, y: Any, depth: Any) -> Any:
        return depth * np.float32(3) + x + 100 * y

    for encoding in ("unorm21", "float21"):
        dense = lighting.light_dense(gbuffer, fog, depth_encoding=encoding)
        tiles = lighting.scan(gbuffer, depth_encoding=encoding)
        sparse = lighting.fill(tiles, lighting.light(tiles, gbuffer, fog))
        lit = tiles.lit_mask()
        np.testing.assert_array_equal(sparse[lit], dense[lit])
        # one pixel aside, and a depth inside the gate (plus the two codes)
        assert np.abs(sparse - dense).max() <= 101 + 3 * (0.001 + 2e-4)


@pytest.mark.parametrize("encoding", ["unorm21", "float21"])
def test_what_the_function_gets_equals_the_twin(
    encoding: str, every_way: Loop, rng: np.random.Generator
) -> None:
    for shape in SIZES:
        image = duplicate(rng.integers(0, 99, (*shape, 3)).astype(np.uint16), rng)
        gbuffer = lighting.GBuffer({"c": image}, random_depth(shape, rng) * 60 + 2, depth_range=(2.0, 62.0))
        tiles = lighting.scan(gbuffer, depth_encoding=encoding)
        words = twin.unpack_records(tiles.records, encoding)
        pixels = twin.gather(tiles.records, tiles.offsets, tiles.counts.shape[1], image)
        dense_depth = twin.requantise_depth(gbuffer.depth, gbuffer.depth_range, encoding).reshape(-1)
        got: dict[str, Any] = {}

        def keep(channels: dict[str, Any], x: Any, y: Any, depth: Any, got: dict[str, Any] = got) -> Any:
            got.update(channel=channels["c"], depth=depth)
            return depth

        for threads in every_way():
            lighting.light(tiles, gbuffer, keep, threads=threads)
            np.testing.assert_array_equal(got["channel"], pixels)
            np.testing.assert_array_equal(got["depth"], words[5])
            lighting.light_dense(gbuffer, keep, depth_encoding=encoding, threads=threads)
            np.testing.assert_array_equal(got["depth"], dense_depth)


def test_the_function_gets_channels_as_they_are(rng: np.random.Generator) -> None:
    shape = (5, 9)
    channels = {
        "a": rng.integers(0, 255, shape).astype(np.uint8),
        "b": rng.random((*shape, 3)).astype(np.float16),
    }
    gbuffer = lighting.GBuffer(channels, np.full(shape, 0.25, np.float32))
    tiles = lighting.scan(gbuffer)
    x, y = tiles.pixels()

    def check(got: dict[str, Any], gx: Any, gy: Any, depth: Any) -> Any:
        for name, channel in channels.items():
            assert got[name].dtype == channel.dtype
            np.testing.assert_array_equal(got[name], channel[y, x])
        np.testing.assert_array_equal((gx, gy), (x, y))
        assert depth.dtype == np.float32
        return got["a"]

    assert lighting.light(tiles, gbuffer, check).dtype == np.uint8
    with pytest.raises(ValueError, match="image must have the size of the scan"):
        tiles.gather(np.zeros((2, 2)))


def test_the_function_may_write_to_its_arrays(rng: np.random.Generator) -> None:
    albedo = rng.integers(0, 255, (5, 9)).astype(np.uint8)
    depth = np.full((5, 9), 0.25, np.float32)
    before = albedo.copy()

    def double(channels: dict[str, Any], x: Any, y: Any, depth: Any) -> Any:
        for array in (channels["a"], x, y, depth):
            array *= 2
        return channels["a"]

    for valid in (None, albedo > 99):
        gbuffer = lighting.GBuffer({"a": albedo}, depth, valid)
        tiles = lighting.scan(gbuffer)
        records = tiles.records.copy()
        dense = lighting.light_dense(gbuffer, double)
        np.testing.assert_array_equal(lighting.fill(tiles, lighting.light(tiles, gbuffer, double)), dense)
        np.testing.assert_array_equal(albedo, before)
        np.testing.assert_array_equal(tiles.records, records)
        assert (depth == 0.25).all()


def test_one_record_is_packed_and_unpacked_as_scalars() -> None:
    assert lighting.pack_records(1, 2, False, True, False, 1) == lighting.pack_records(1, 2, 0, 1, 0, 1.0)
    assert all(isinstance(field, np.generic) for field in lighting.unpack_records(0x80000395))


# --- fast paths ---


def mixed_rates(shape: tuple[int, int], rng: np.random.Generator) -> Any:
    blocks = (-(-shape[0] // 8), -(-shape[1] // 8))
    tiles = rng.choice([0, 1, 4, 5, 255], (-(-blocks[0] // 2), -(-blocks[1] // 2)))
    rates = tiles.repeat(2, 0).repeat(2, 1)[: blocks[0], : blocks[1]]
    return np.where(rates == 255, rng.choice([0, 1, 4, 5, 10], blocks), rates).astype(np.uint8)


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
    patterned = not_compared.repeat(2, 0).repeat(2, 1)[: rates.shape[0], : rates.shape[1]]
    return np.where(patterned, known, 255).astype(np.uint8)


@pytest.mark.parametrize("gate", [None, 0.001])
def test_a_single_triangle_needs_no_comparison(
    gate: float | None, target: str, rng: np.random.Generator
) -> None:
    for shape in SIZES:
        rates = mixed_rates(shape, rng)
        primitives = rng.integers(0, 3, (-(-shape[0] // 16), -(-shape[1] // 16))).astype(np.int32)
        primitives = primitives.repeat(16, 0).repeat(16, 1)[: shape[0], : shape[1]].copy()
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


# --- cost and coarse shading ---


def test_coarse_shading_with_one_primitive_gives_exact_counts() -> None:
    attributes = np.arange(64 * 64, dtype=np.uint32).reshape(64, 64)
    gbuffer = lighting.GBuffer({"id": attributes}, np.zeros((64, 64)))
    for rate, count in (("1x1", 256), ("1x2", 128), ("2x1", 128), ("2x2", 64), ("4x4", 64)):
        code = getattr(vrs.ShadingRate, f"RATE_{rate.upper()}")
        coarse = lighting.coarse_gbuffer(gbuffer, np.full((8, 8), code, np.uint8))
        assert (lighting.scan(coarse).counts == count).all()


def test_mesh_edges_raise_the_counts(rng: np.random.Generator) -> None:
    """Records of a quad = distinct pairs of primitive and coarse pixel in it, whatever the rate asked for."""
    shape = (70, 90)
    y, x = np.indices(shape)
    primitives = ((x * 3 + y * 5) // 60).astype(np.int32)
    rates = rng.choice([0, 1, 4, 5], (9, 12)).astype(np.uint8)
    gbuffer = lighting.GBuffer({"id": np.arange(x.size, dtype=np.uint32).reshape(shape)}, np.zeros(shape))
    coarse = lighting.coarse_gbuffer(gbuffer, rates, primitive_id=primitives)
    tiles = lighting.scan(coarse)
    assert tiles.records.size == vrs.count_invocations(rates, shape, primitive_id=primitives).sum()
    assert tiles.records.size > vrs.count_invocations(rates, shape).sum()
    np.testing.assert_array_equal(coarse.depth, gbuffer.depth)


def test_background_keeps_its_attributes_under_coarse_shading() -> None:
    ids = np.arange(256, dtype=np.uint32).reshape(16, 16)
    primitives = np.zeros((16, 16), np.int32)
    primitives[:8] = -1
    coarse = lighting.coarse_gbuffer(
        lighting.GBuffer({"id": ids}, np.zeros((16, 16)), primitives >= 0),
        np.full((2, 2), 5, np.uint8),
        primitive_id=primitives,
    )
    np.testing.assert_array_equal(coarse.channels["id"][:8], ids[:8])
    assert lighting.scan(coarse).counts.tolist() == [[32]]


def test_cost_follows_its_formula(rng: np.random.Generator) -> None:
    shape = (48, 80)
    ids = duplicate(rng.integers(0, 2, shape).astype(np.uint32), rng)
    valid = np.ones(shape, bool)
    valid[16:32, 32:48] = False
    tiles = lighting.scan(lighting.GBuffer({"id": ids}, np.zeros(shape), valid))
    lights = rng.integers(0, 50, tiles.counts.shape)
    cost = lighting.lighting_cost(
        tiles, lights=lights, wave_size=32, loop_cost=7.0, light_cost=3.0, scan_cost=0.5, store_cost=0.125
    )
    loops = -(-tiles.counts.astype(int) // 32)
    assert cost.dense == (8 * (7.0 + 3.0 * lights))[tiles.counts > 0].sum()
    assert cost.light == (loops * (7.0 + 3.0 * lights)).sum()
    assert cost.scan == 0.5 * 48 * 80
    assert cost.store == 0.125 * (valid.sum() - tiles.records.size)
    assert (cost.dense_loops, cost.sparse_loops) == (8 * 14, loops.sum())
    assert cost.gross_saving > cost.net_saving
    even = lighting.lighting_cost(
        tiles,
        lights=cost.break_even_lights,
        wave_size=32,
        loop_cost=7.0,
        light_cost=3.0,
        scan_cost=0.5,
        store_cost=0.125,
    )
    if cost.break_even_lights:
        assert even.net_saving == pytest.approx(0.0, abs=1e-12)
    free = lighting.lighting_cost(
        lighting.scan(
            lighting.GBuffer({"id": ids}, np.zeros(shape)),
            rates=np.zeros((6, 10), np.uint8),
            fast_paths="full_rate",
        )
    )
    assert free.scan == 0
    assert free.break_even_lights == np.inf
    assert free.net_saving == 0


def test_directional_lights_treat_every_pixel_by_itself(rng: np.random.Generator) -> None:
    lamps = lighting.DirectionalLights(directions=[(1, 2, 2), (0, 0, -5)], colors=[(1, 0.5, 0.25), (0, 1, 0)])
    channels = {
        "albedo": rng.integers(0, 256, (101, 4)).astype(np.uint8),
        "sh_normal": rng.integers(0, 256, (101, 4)).astype(np.uint8),
    }
    together = lamps(channels, None, None, None)
    normal = channels["sh_normal"][:, :3] / 255 * 2 - 1
    light = 0.1 + np.maximum(normal @ [1 / 3, 2 / 3, 2 / 3], 0)[:, None] * [1, 0.5, 0.25]
    light = light + np.maximum(normal @ [0, 0, -1], 0)[:, None] * [0, 1, 0]
    np.testing.assert_allclose(together, channels["albedo"][:, :3] / 255 * light, rtol=2e-5, atol=2e-6)
    for i in range(101):
        alone = lamps({name: channel[i : i + 1] for name, channel in channels.items()}, None, None, None)
        assert alone.tobytes() == together[i : i + 1].tobytes()
    for options, message in (
        ({"directions": [(0, 0, 0)], "colors": [(1, 1, 1)]}, "directions must be finite and longer"),
        ({"directions": [(0, 1)], "colors": [(1, 1)]}, "directions must have shape"),
        ({"directions": [(0, 1, 0)], "colors": [(1, 1, 1)] * 2}, r"colors must have shape \(1, 3\)"),
    ):
        with pytest.raises(ValueError, match=message):
            lighting.DirectionalLights(**options)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="channels must hold 'albedo', got id"):
        lamps({"id": np.zeros(3)}, None, None, None)
