"""Gathering, lighting and filling, against the twin and against dense lighting."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from lighting_frames import SIZES, duplicate, duplicated_ids, ids_alone, random_channel, random_depth, surface

from tilelab import lighting
from tilelab.reference import lighting as twin

Loop = Callable[[], Iterator[Any]]


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
    tiles = lighting.scan(ids_alone(duplicated_ids((9, 21), rng)))
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
    channels = {"id": duplicated_ids(shape, rng, most=9)}
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
