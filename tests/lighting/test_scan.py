"""The scan against its twin, bit for bit, and what must hold for every scan."""

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lighting_frames import SIZES, duplicated_ids, ids_alone, random_channel, random_depth

from tilelab import lighting, testing
from tilelab._core import lighting as core
from tilelab.reference import lighting as twin

Loop = Callable[[], Iterator[Any]]

CHANNELS = [
    ("uint8", 0),
    ("uint8", 2),
    ("uint8", 3),
    ("uint8", 4),
    ("uint16", 0),
    ("uint16", 3),
    ("uint16", 4),
    ("uint32", 0),
    ("uint32", 3),
    ("float16", 0),
    ("float16", 2),
    ("float16", 3),
    ("float16", 4),
    ("float32", 0),
    ("float32", 2),
    ("float32", 3),
    ("float32", 4),
    ("float32", 5),
]


def assert_same(tiles: lighting.SparseTiles, slow: twin.Scan) -> None:
    np.testing.assert_array_equal(tiles.counts, slow.counts)
    np.testing.assert_array_equal(tiles.offsets, slow.offsets)
    np.testing.assert_array_equal(tiles.records, slow.records)
    assert (tiles.stats.depth_clamped, tiles.stats.depth_nan) == (slow.depth_clamped, slow.depth_nan)


@pytest.mark.parametrize(("dtype", "components"), CHANNELS)
@pytest.mark.parametrize("mode", ["exact", "tolerance"])
def test_channel_types(
    dtype: str, components: int, mode: str, every_target: Loop, rng: np.random.Generator
) -> None:
    for shape in SIZES:
        channels = {"c": random_channel(dtype, components, shape, rng)}
        depth = random_depth(shape, rng)
        for depth_delta in (None, 0.001):
            gbuffer = lighting.GBuffer(channels, depth)
            slow = twin.scan(channels, depth, mode=mode, depth_delta=depth_delta)
            for _ in every_target():
                assert_same(lighting.scan(gbuffer, mode=mode, depth_delta=depth_delta), slow)


@pytest.mark.parametrize("policy", ["checker", "first"])
@pytest.mark.parametrize("encoding", ["unorm21", "float21"])
def test_mixed_channels_validity_and_range(
    policy: str, encoding: str, every_way: Loop, rng: np.random.Generator
) -> None:
    for shape in SIZES:
        channels = {
            "albedo": random_channel("uint8", 4, shape, rng),
            "normal": random_channel("float16", 3, shape, rng),
            "id": random_channel("uint32", 0, shape, rng),
        }
        depth = random_depth(shape, rng) * np.float32(90) + np.float32(7)
        valid = rng.random(shape) < 0.8
        delta = {"albedo": 0.05, "normal": 0.02}
        options: dict[str, Any] = {
            "mode": "tolerance",
            "delta": delta,
            "policy": policy,
            "depth_encoding": encoding,
        }
        gbuffer = lighting.GBuffer(channels, depth, valid, (3.0, 80.0))
        slow = twin.scan(
            channels, depth, valid, depth_range=(3.0, 80.0), **{**options, "delta": {**delta, "id": 0.0}}
        )
        pixels = twin.record_pixels(slow.records, slow.offsets, slow.counts.shape[1])
        for threads in every_way():
            tiles = lighting.scan(gbuffer, threads=threads, **options)
            assert_same(tiles, slow)
            for got, want in zip(tiles.pixels(threads=threads), pixels, strict=True):
                np.testing.assert_array_equal(got, want)


def test_words_of_one_kind_take_the_same_decisions(every_target: Loop, rng: np.random.Generator) -> None:
    """All-uint8x4 and all-32-bit channels have kernels of their own."""
    shape = (45, 83)
    depth = random_depth(shape, rng)
    for dtype in ("uint8", "float32", "uint32"):
        channels = {name: random_channel(dtype, 4 if dtype == "uint8" else 0, shape, rng) for name in "ab"}
        for mode in ("exact", "tolerance"):
            slow = twin.scan(channels, depth, mode=mode)
            for _ in every_target():
                assert_same(lighting.scan(lighting.GBuffer(channels, depth), mode=mode), slow)


def test_all_valid_patterns_of_a_quad(every_target: Loop) -> None:
    """Every combination of validity and equality of four pixels, laid out side by side."""
    labels = np.array([[a, b, c, d] for a in range(4) for b in range(4) for c in range(4) for d in range(4)])
    quads = np.concatenate([labels] * 16)
    bits = np.repeat(np.arange(16), len(labels))[:, None] >> np.arange(4) & 1
    ids = quads.reshape(64, 64, 2, 2).transpose(0, 2, 1, 3).reshape(128, 128).astype(np.uint32)
    valid = bits.astype(bool).reshape(64, 64, 2, 2).transpose(0, 2, 1, 3).reshape(128, 128)
    depth = np.full(ids.shape, 0.25, np.float32)
    for policy in ("checker", "first"):
        slow = twin.scan({"id": ids}, depth, valid, policy=policy)
        for _ in every_target():
            assert_same(lighting.scan(lighting.GBuffer({"id": ids}, depth, valid), policy=policy), slow)


@pytest.mark.parametrize("encoding", ["unorm21", "float21"])
def test_depth_codes_next_to_every_rounding_point(encoding: str, every_target: Loop) -> None:
    halves = ((np.arange(0, 2097151, 37) + 0.5) / 2097151).astype(np.float32)
    depth = np.concatenate(
        [np.nextafter(halves, np.float32(0)), halves, np.nextafter(halves, np.float32(1)), [0, 1, 1e-40]]
    ).astype(np.float32)
    depth = np.resize(depth, (512, 400))
    ids = np.arange(depth.size, dtype=np.uint32).reshape(depth.shape)
    codes = twin.encode_depth(depth, encoding)
    decoded = twin.decode_depth(codes, encoding)
    for _ in every_target():
        tiles = lighting.scan(lighting.GBuffer({"id": ids}, depth), depth_encoding=encoding)
        x, y = tiles.pixels()
        np.testing.assert_array_equal(tiles.records >> np.uint32(11), codes[y, x])
        fields = lighting.unpack_records(tiles.records, depth_encoding=encoding)
        np.testing.assert_array_equal(fields.depth, decoded[y, x])


@settings(max_examples=25, deadline=None)
@given(
    height=st.integers(1, 40),
    width=st.integers(1, 80),
    mode=st.sampled_from(["exact", "tolerance"]),
    policy=st.sampled_from(["checker", "first"]),
    gate=st.sampled_from([None, 0.001]),
    seed=st.integers(0, 2**32 - 1),
)
def test_every_valid_pixel_is_written_once(
    height: int, width: int, mode: str, policy: str, gate: float | None, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    shape = (height, width)
    channels = {
        "a": random_channel("uint8", 4, shape, rng),
        "b": random_channel("float32", 3, shape, rng, special=False),
    }
    valid = rng.random(shape) < 0.85
    gbuffer = lighting.GBuffer(channels, random_depth(shape, rng), valid)
    tiles = lighting.scan(gbuffer, mode=mode, policy=policy, depth_delta=gate, threads=2)
    fields = lighting.unpack_records(tiles.records)
    x, y = tiles.pixels()
    written = np.zeros(shape, int)
    lit = np.arange(x.size)
    source = np.full(shape, -1)
    for there, dx, dy in (
        (np.ones(x.size, bool), 0, 0),
        (fields.copy_x, 1, 0),
        (fields.copy_y, 0, 1),
        (fields.copy_xy, 1, 1),
    ):
        np.add.at(written, (y[there] ^ dy, x[there] ^ dx), 1)
        source[y[there] ^ dy, x[there] ^ dx] = lit[there]
    np.testing.assert_array_equal(written, valid.astype(int))
    assert tiles.stats.valid_pixels == valid.sum() == tiles.stats.lit_pixels + tiles.stats.copied_pixels
    assert tiles.counts.sum() == tiles.records.size == tiles.offsets[-1]
    if mode == "tolerance":
        py, px = np.nonzero(valid)
        leader = source[py, px]
        a, b = channels["a"].astype(int), channels["b"]
        assert np.abs(a[py, px] - a[y[leader], x[leader]]).max(initial=0) <= 6
        assert np.abs(b[py, px] - b[y[leader], x[leader]]).max(initial=0) <= np.float32(0.025)
    else:
        ungated = lighting.scan(gbuffer, policy=policy, depth_delta=None)
        assert (tiles.counts >= ungated.counts).all()
        zero = lighting.scan(gbuffer, mode="tolerance", delta=0.0, policy=policy, depth_delta=gate)
        np.testing.assert_array_equal(zero.records, tiles.records)


def test_bits_decide_in_exact_mode() -> None:
    nan = np.float32(np.nan)
    for a, b, count in ((0.0, -0.0, 2), (nan, nan, 1), (1.0, 1.0, 1), (nan, -nan, 2)):
        gbuffer = ids_alone(np.array([[a, b]], np.float32))
        assert lighting.scan(gbuffer).counts[0, 0] == count


def test_numbers_decide_in_tolerance_mode() -> None:
    inf, nan = np.inf, np.nan
    for a, b, count in ((0.0, -0.0, 1), (nan, nan, 2), (inf, inf, 2), (inf, -inf, 2), (0.5, 0.52, 1)):
        gbuffer = ids_alone(np.array([[a, b]], np.float32))
        assert lighting.scan(gbuffer, mode="tolerance").counts[0, 0] == count


@pytest.mark.parametrize(("dtype", "top"), [("uint8", 255), ("uint16", 65535)])
def test_the_allowance_of_unorm_channels_is_rounded_down(dtype: str, top: int) -> None:
    codes = int(0.025 * top)
    for difference, count in ((codes, 1), (codes + 1, 2)):
        gbuffer = ids_alone(np.array([[9, 9 + difference]], dtype))
        assert lighting.scan(gbuffer, mode="tolerance").counts[0, 0] == count
        assert lighting.scan(gbuffer, mode="tolerance", delta=5.0).counts[0, 0] == 1


def test_copies_are_compared_with_leaders_only() -> None:
    """0, 1, 2, 3 steps of the allowance: joining would chain if copies were compared with copies."""
    values = np.array([[0.0, 0.04], [0.06, 0.02]], np.float32)
    fields = lighting.unpack_records(lighting.scan(ids_alone(values), mode="tolerance").records)
    assert list(zip(fields.x, fields.y, fields.copy_x, fields.copy_y, fields.copy_xy, strict=True)) == [
        (0, 0, False, False, True),
        (1, 0, False, False, True),
    ]


def test_the_gate_is_in_normalised_depth() -> None:
    ids = np.zeros((1, 2), np.uint32)
    depth = np.array([[50.0, 50.5]], np.float32)
    for far, count in ((100.0, 2), (1000.0, 1)):
        gbuffer = lighting.GBuffer({"id": ids}, depth, depth_range=(0.0, far))
        assert lighting.scan(gbuffer).counts[0, 0] == count


def test_depths_outside_the_range_are_clamped_and_counted() -> None:
    depth = np.array([[-1.0, 2.0, np.inf, np.nan, 0.0, 1.0, -0.0, -np.inf]], np.float32)
    valid = np.array([[True, True, True, True, True, True, True, False]])
    tiles = lighting.scan(lighting.GBuffer({"id": np.arange(8, dtype=np.uint32)[None]}, depth, valid))
    assert (tiles.stats.depth_clamped, tiles.stats.depth_nan) == (3, 1)
    assert lighting.unpack_records(tiles.records).depth.tolist() == [0, 1, 1, 0, 0, 1, 0]


def test_records_can_be_written_to_given_memory(rng: np.random.Generator, threads: int) -> None:
    gbuffer = ids_alone(duplicated_ids((50, 70), rng))
    out = np.full(50 * 70, 7, np.uint32)
    tiles = lighting.scan(gbuffer, out=out, threads=threads)
    assert np.shares_memory(tiles.records, out)
    np.testing.assert_array_equal(tiles.records, lighting.scan(gbuffer).records)


def test_nothing_valid(target: str) -> None:
    tiles = lighting.scan(ids_alone(np.ones((20, 40), np.uint8), np.zeros((20, 40), bool)))
    assert tiles.records.size == 0
    assert tiles.stats.lit_fraction == 1.0
    assert lighting.fill(tiles, np.empty((0, 3), np.float16)).shape == (20, 40, 3)


def test_defaults_of_the_kernel_are_those_of_the_public_signature() -> None:
    defaults = core.ScanOptions()
    public = inspect.signature(lighting.scan).parameters
    assert set(core.ScanOptions.FIELDS) - {"depth_range"} <= set(public)
    assert defaults.depth_delta == np.float32(public["depth_delta"].default)
    assert defaults.policy.name.lower() == public["policy"].default
    assert defaults.depth_encoding.name.lower() == public["depth_encoding"].default
    near, far = lighting.GBuffer({"id": np.zeros((1, 1), np.uint8)}, [[0.0]]).depth_range
    assert (defaults.depth_range.near, defaults.depth_range.span) == (near, far - near)


def test_members_of_enums_are_taken_as_their_names() -> None:
    gbuffer = ids_alone(np.array([[0, 1], [1, 0]], np.uint8))
    named = lighting.scan(gbuffer, policy="first", depth_encoding="float21")
    member = lighting.scan(gbuffer, policy=core.Policy.FIRST, depth_encoding=core.DepthEncoding.FLOAT21)
    np.testing.assert_array_equal(named.records, member.records)
    assert named.depth_encoding == member.depth_encoding == "float21"
    assert named.records[1] & 15 == 1  # (1, 0) is visited second; the other policy visits (1, 1)


def test_targets_agree_on_a_large_frame(rng: np.random.Generator) -> None:
    shape = (272, 1040)
    channels = {name: random_channel("uint8", 4, shape, rng) for name in ("albedo", "normal")}
    gbuffer = lighting.GBuffer(channels, random_depth(shape, rng))
    results = []
    for name in testing.targets():
        with testing.force_target(name):
            results.append(lighting.scan(gbuffer, mode="tolerance", threads=3).records)
    for records in results[1:]:
        np.testing.assert_array_equal(records, results[0])
