"""Luminance and rate image against the goldens and, bit for bit, against the twin."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tilelab import UnsupportedError
from tilelab.reference import vrs as twin
from tilelab.vrs import luminance, rate_image, vote_counts

Golden = Callable[[str], Path]
Loop = Callable[[], Iterator[Any]]
SIZES = [(1, 1), (1, 40), (37, 1), (8, 8), (9, 17), (33, 31), (16, 64), (45, 127)]
WILD = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-40, 3e38, -1.0], np.float32)


def picture(rng: np.random.Generator, shape: tuple[int, ...], wild: bool = False) -> np.ndarray:
    """Blocks of flat colour with noise of very different strength, so that every rate occurs."""
    blocks = rng.random(tuple(-(-n // 8) for n in shape[:2]) + shape[2:], dtype=np.float32)
    flat = np.repeat(np.repeat(blocks, 8, axis=0), 8, axis=1)[: shape[0], : shape[1]]
    ramp = np.linspace(0, 1, shape[1], dtype=np.float32).reshape((1, -1) + (1,) * (len(shape) - 2))
    image = flat + (rng.random(shape, dtype=np.float32) - np.float32(0.5)) * ramp * ramp
    if wild:
        count = max(1, image.size // 50)
        image.reshape(-1)[rng.integers(0, image.size, count)] = rng.choice(WILD, count)
    return np.ascontiguousarray(image, np.float32)


def same_bits(a: np.ndarray, b: np.ndarray) -> bool:
    """Equal bits; NaNs count as equal whatever their payload, which IEEE 754 leaves open."""
    nan = np.isnan(a)
    return bool((nan == np.isnan(b)).all() and (a.view(np.uint32)[~nan] == b.view(np.uint32)[~nan]).all())


def test_golden_random_votes(golden: Golden, target: str) -> None:
    data = np.load(golden("vrs/sobel_vote_random.npz"))
    for k in range(int(data["n"])):
        tile, threshold, env_luma, vote = data[f"param_{k}"]
        options: dict[str, Any] = {"tile": int(tile), "threshold": threshold, "env_luma": env_luma}
        np.testing.assert_array_equal(
            rate_image(data[f"lum_{k}"], vote=int(vote), **options), data[f"rate_{k}"]
        )
        np.testing.assert_array_equal(vote_counts(data[f"lum_{k}"], **options), data[f"count_{k}"])


def test_golden_tile_cases(golden: Golden) -> None:
    for case in json.loads(golden("vrs/tile_vote_cases.json").read_text()):
        lum = np.array(case["lum"], np.float32)
        options = {key: case[key] for key in ("tile", "lum_lo", "lum_hi")}
        options |= {"threshold": case["tau"], "env_luma": case["env"]}
        assert rate_image(lum, vote=case["vote"], **options).tolist() == case["rate"], case["name"]
        assert vote_counts(lum, **options).tolist() == case["fine_count_xy"], case["name"]


def test_differences_see_what_sobel_is_blind_to(golden: Golden) -> None:
    for case in json.loads(golden("vrs/tile_vote_cases.json").read_text()):
        if "interior_blind" in case["name"]:
            lum = np.array(case["lum"], np.float32)
            assert rate_image(lum)[1, 1] == 5
            assert rate_image(lum, estimator="sobel+diff")[1, 1] != 5


def test_image_sizes(golden: Golden) -> None:
    for width, height, tile, tile_columns, tile_rows in json.loads(golden("vrs/counts.json").read_text())[
        "image_size"
    ]:
        if width * height < 300_000:
            rates = rate_image(np.ones((height, width), np.float32), tile=tile)
            assert rates.shape == (tile_rows, tile_columns)
            assert (rates == 5).all()


@pytest.mark.parametrize("channels", [3, 4])
@pytest.mark.parametrize("weights", ["bt709", "nvidia", "fidelityfx", (0.25, 0.5, 0.125), (0, 1, 0)])
def test_luminance_equals_twin(
    rng: np.random.Generator, every_target: Loop, channels: int, weights: Any
) -> None:
    factors = twin.COLOR_WEIGHTS.get(weights, weights) if isinstance(weights, str) else weights
    for shape in ((1, 1), (5, 7), (3, 67)):
        color = picture(rng, (*shape, channels), wild=True)
        raw = rng.integers(0, 256, (*shape, channels), dtype=np.uint8)
        wanted, wanted_of_raw = twin.luminance(color, factors), twin.luminance(raw, factors)
        for _ in every_target():
            assert same_bits(luminance(color, weights), wanted)
            assert same_bits(luminance(raw, weights), wanted_of_raw)


def test_every_byte_becomes_the_exact_quotient(target: str) -> None:
    grey = np.arange(256, dtype=np.uint8)
    color = np.stack([grey, np.zeros_like(grey), np.zeros_like(grey)], axis=-1)
    assert same_bits(luminance(color, (1.0, 0.0, 0.0)), grey.astype(np.float32) / np.float32(255))


@pytest.mark.parametrize("tile", [8, 16, 32])
@pytest.mark.parametrize("kind", ["luminance", "rgb", "rgba", "rgb8", "rgba8"])
def test_rate_image_equals_twin(rng: np.random.Generator, every_way: Loop, tile: int, kind: str) -> None:
    channels = {"luminance": (), "rgb": (3,), "rgba": (4,), "rgb8": (3,), "rgba8": (4,)}[kind]
    seen = set()
    for size in SIZES:
        color = picture(rng, (*size, *channels), wild=bool(rng.integers(2)))
        if kind.endswith("8"):
            with np.errstate(invalid="ignore"):
                color = (np.nan_to_num(np.clip(color, 0, 1)) * 255).astype(np.uint8)
        lum = twin.luminance(color) if channels else color
        vote: Any = [0, 3, 0.1, 0.0, 1.0][int(rng.integers(5))]
        options: dict[str, Any] = {"tile": tile, "threshold": float(rng.choice([0.02, 0.1, 0.3]))}
        if rng.integers(2):
            options |= {"lum_lo": 0.2, "lum_hi": 0.8}
        differences = bool(rng.integers(2))
        estimator = "sobel+diff" if differences else "sobel"
        wanted = twin.rate_image(lum, vote=vote, differences=differences, **options)
        wanted_votes = twin.vote_counts(lum, differences=differences, **options)
        for threads in every_way():
            rates = rate_image(color, vote=vote, estimator=estimator, threads=threads, **options)
            np.testing.assert_array_equal(rates, wanted)
            votes = vote_counts(color, estimator=estimator, threads=threads, **options)
            np.testing.assert_array_equal(votes, wanted_votes)
        seen |= set(wanted.ravel().tolist())
    assert seen == {0, 1, 4, 5}


def test_pictures_wider_than_one_strip(rng: np.random.Generator, every_target: Loop) -> None:
    color = picture(rng, (11, 9001, 3), wild=True)
    for tile in (8, 32):
        wanted = twin.rate_image(twin.luminance(color), tile=tile)
        for _ in every_target():
            np.testing.assert_array_equal(rate_image(color, tile=tile), wanted)


def test_nan_and_infinity_ask_for_detail() -> None:
    for wild in (np.nan, np.inf, -np.inf):
        lum = np.full((24, 24), 0.5, np.float32)
        lum[12, 12] = wild
        assert rate_image(lum).tolist() == [[5, 5, 5], [5, 0, 5], [5, 5, 5]]


def moved(rng: np.random.Generator, size: tuple[int, int], smooth: bool) -> np.ndarray:
    """Motion of a camera, or of every pixel on its own; a few pixels with wild values."""
    if smooth:
        y, x = np.mgrid[0 : size[0], 0 : size[1]]
        zoom, turn = rng.normal(0, 0.03, 2)
        motion = np.stack([zoom * x + turn * y - 2, zoom * y - turn * x + 1], axis=-1).astype(np.float32)
    else:
        motion = rng.normal(0, 4, (*size, 2)).astype(np.float32)
    wild = np.array([np.nan, np.inf, -np.inf, 0.5, 1.5, -2.5, 1e30], np.float32)
    places = rng.integers(0, motion.size, 1 + motion.size // 60)
    motion.reshape(-1)[places] = rng.choice(wild, len(places))
    return motion


@pytest.mark.parametrize("off_screen", ["fine", "clamp"])
@pytest.mark.parametrize("kind", ["luminance", "rgb", "rgba", "rgb8", "rgba8"])
def test_reprojection_equals_twin(
    rng: np.random.Generator, every_way: Loop, off_screen: str, kind: str
) -> None:
    channels = {"luminance": (), "rgb": (3,), "rgba": (4,), "rgb8": (3,), "rgba8": (4,)}[kind]
    for i, size in enumerate([*SIZES, (70, 333)]):
        color = picture(rng, (*size, *channels), wild=bool(i % 2))
        if kind.endswith("8"):
            with np.errstate(invalid="ignore"):
                color = (np.nan_to_num(np.clip(color, 0, 1)) * 255).astype(np.uint8)
        motion = moved(rng, size, smooth=bool(i % 3))
        disoccluded = rng.random(size) < 0.02 if i % 4 else None
        lum = twin.luminance(color) if channels else color
        shifted, unknown = twin.reproject(lum, motion, off_screen, disoccluded)
        tile = int(rng.choice([8, 16, 32]))
        wanted = twin.rate_image(shifted, no_history=unknown, vote=2, tile=tile)
        for threads in every_way():
            rates = rate_image(
                color,
                motion=motion,
                off_screen=off_screen,
                disoccluded=disoccluded,
                vote=2,
                tile=tile,
                threads=threads,
            )
            np.testing.assert_array_equal(rates, wanted, err_msg=str(size))


def test_motion_in_pictures_wider_than_one_strip(rng: np.random.Generator, every_target: Loop) -> None:
    color = picture(rng, (35, 9001, 3))
    with np.errstate(invalid="ignore"):
        motion = moved(rng, (35, 9001), smooth=True) % 50 - 25
    lum, unknown = twin.reproject(twin.luminance(color), motion)
    options: dict[str, Any] = {"lum_lo": 0.1, "lum_hi": 0.9}
    wanted = twin.vote_counts(lum, no_history=unknown, differences=True, **options)
    for _ in every_target():
        votes = vote_counts(color, motion=motion, estimator="sobel+diff", threads=2, **options)
        np.testing.assert_array_equal(votes, wanted)


def test_history_is_read_where_the_pixel_was() -> None:
    lum = np.full((16, 32), 0.5, np.float32)
    lum[:, 20:] = 1.0
    motion = np.zeros((16, 32, 2), np.float32)
    motion[..., 0] = 8.5  # halves go to even: 8
    assert rate_image(lum, motion=motion)[0].tolist() == [0, 5, 5, 1]
    assert rate_image(lum, motion=motion, off_screen="clamp")[0].tolist() == [5, 5, 5, 1]
    hidden = np.zeros((16, 32), bool)
    hidden[12, 9] = True
    assert rate_image(lum, motion=motion, disoccluded=hidden)[1].tolist() == [0, 0, 5, 1]


def test_conversions_and_out() -> None:
    ramp = np.linspace(0, 1, 256).reshape(16, 16)
    rates = rate_image(ramp)
    np.testing.assert_array_equal(rates, rate_image(ramp.astype(np.float32)))
    assert rate_image(np.asfortranarray(ramp)).tolist() == rates.tolist()
    assert rate_image(ramp.astype(np.float16)).shape == (2, 2)
    byte = (ramp * 255).astype(np.uint8)
    np.testing.assert_array_equal(rate_image(byte), rate_image(byte.astype(np.float32) / np.float32(255)))
    out = np.empty((2, 2), np.uint8)
    assert rate_image(ramp, out=out) is out
    np.testing.assert_array_equal(out, rates)
    lum = np.empty((4, 5), np.float32)
    assert luminance(np.ones((4, 5, 3), np.float32), out=lum) is lum
    assert luminance(np.ones((0, 3), np.float32)).shape == (0,)


FLAT = np.zeros((16, 16, 3), np.float32)
SHARED = np.zeros(16 * 16 * 3 * 4, np.uint8)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        (
            {"color": FLAT[..., :2]},
            ValueError,
            r"color must have shape \(H, W\), \(H, W, 3\) or \(H, W, 4\), got",
        ),
        ({"color": FLAT[0, 0]}, ValueError, "color must have 2 or 3 dimensions"),
        ({"color": FLAT[:0]}, ValueError, "color must not be empty"),
        (
            {"color": FLAT.astype(np.int32)},
            TypeError,
            "color must be an array of float32 or uint8, got int32",
        ),
        ({"color": FLAT.astype(complex)}, TypeError, "color must be an array of float32"),
        ({"color": None}, TypeError, "color must be an array of float32"),
        ({"tile": 12}, ValueError, "tile must be one of 8, 16, 32, got 12"),
        ({"tile": 8.0}, TypeError, "tile must be an integer"),
        ({"estimator": "canny"}, ValueError, "estimator must be one of"),
        ({"estimator": "ffx"}, UnsupportedError, "estimator must be 'sobel' or 'sobel.diff' in this version"),
        ({"threshold": -0.1}, ValueError, "threshold must be at least 0"),
        ({"threshold": float("nan")}, ValueError, "threshold must be finite"),
        ({"color": [[1.0], [1.0, 2.0]]}, ValueError, "color must be a regular array"),
        ({"env_luma": "dark"}, TypeError, "env_luma must be a real number"),
        ({"vote": -1}, ValueError, "vote must be at least 0"),
        ({"vote": 1.5}, ValueError, "vote must be at most 1"),
        ({"vote": True}, TypeError, "vote must be a count"),
        ({"vote": "most"}, TypeError, "vote must be an integer"),
        ({"lum_lo": float("nan")}, ValueError, "lum_lo must not be NaN"),
        ({"motion": np.zeros((16, 15, 2), np.float32)}, ValueError, r"motion must have shape \(16, 16, 2\)"),
        ({"motion": np.zeros((16, 16, 2), np.int32)}, TypeError, "motion must be an array of float32"),
        ({"off_screen": "wrap"}, ValueError, "off_screen must be one of"),
        ({"disoccluded": np.zeros((16, 16), bool)}, ValueError, "disoccluded needs motion"),
        ({"weights": "cie"}, ValueError, "weights must be one of"),
        ({"weights": (1.0, 2.0)}, ValueError, r"weights must have shape \(3\)"),
        ({"threads": -1}, ValueError, "threads must be"),
        ({"out": np.zeros((2, 3), np.uint8)}, ValueError, r"out must have shape \(2, 2\)"),
        ({"out": np.zeros((2, 2), np.int8)}, TypeError, "out must be an array of uint8"),
        ({"out": np.zeros((2, 4), np.uint8)[:, ::2]}, ValueError, "out must be C-contiguous"),
        ({"out": np.frombuffer(bytes(4), np.uint8).reshape(2, 2)}, ValueError, "out must be writeable"),
        (
            {"color": SHARED.view(np.float32).reshape(16, 16, 3), "out": SHARED[:4].reshape(2, 2)},
            ValueError,
            "out must not overlap color",
        ),
    ],
)
def test_bad_input(options: dict[str, Any], error: type[Exception], message: str) -> None:
    arguments = {"color": FLAT} | options
    out = arguments.get("out")
    before = None if out is None else out.copy()
    with pytest.raises(error, match=message):
        rate_image(arguments.pop("color"), **arguments)
    if before is not None:
        np.testing.assert_array_equal(out, before)


@pytest.mark.parametrize(
    ("rgb", "options", "error", "message"),
    [
        (FLAT[..., :2], {}, ValueError, r"rgb must have shape \(..., 3\) or \(..., 4\)"),
        (FLAT.astype(np.uint16), {}, TypeError, "rgb must be an array of float32 or uint8"),
        (FLAT, {"weights": 3}, ValueError, "weights must"),
        (FLAT, {"out": np.zeros((16, 16))}, TypeError, "out must be an array of float32"),
        (FLAT, {"out": FLAT[..., 0]}, ValueError, "out must be C-contiguous"),
    ],
)
def test_bad_luminance_input(rgb: Any, options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises((error, TypeError) if "weights" in options else error, match=message):
        luminance(rgb, **options)
