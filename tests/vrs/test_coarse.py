"""Coarse shading against the goldens, real GPU captures, and the twin."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tilelab import UnsupportedError
from tilelab.reference import vrs as twin
from tilelab.vrs import ShadingRate, VrsCaps, combine_rates, count_invocations, shade_coarse

# Scenes take rate images of any size and combiners that leave a source out, on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:.*(no effect under|those outside are 1x1)")

Golden = Callable[[str], Path]
Loop = Callable[[], Iterator[Any]]
COARSE_FIELDS = ("invocations", "lanes", "positions", "masks", "rates", "primitives", "pixel_invocation")
LEGAL = np.array([rate.value for rate in ShadingRate], np.uint8)


def test_worked_example_of_the_source(golden: Golden) -> None:
    example = json.loads(golden("vrs/counts.json").read_text())["seed_example"]
    columns, rows = example["tiles_wxh"]
    tiles = [0] * example["full"] + [1] * 71 + [4] * (example["half"] - 71) + [5] * example["quarter"]
    rates = np.array(tiles, np.uint8).reshape(rows, columns)
    invocations = count_invocations(rates, (rows * 8, columns * 8))
    assert (example["full"], example["half"], example["quarter"]) == (94, 143, 183)
    assert int(invocations.sum()) == example["invocations"] == 13_520
    assert rates.size * 64 == example["pixels"] == 26_880
    assert round(13_520 / 26_880, 3) == 0.503
    result = shade_coarse(np.zeros((168, 160), np.float32), rates)
    assert result.ratio == example["ratio"]


def test_invocations_of_a_whole_tile(golden: Golden) -> None:
    for name, count in json.loads(golden("vrs/counts.json").read_text())["per_tile_8x8"].items():
        assert shade_coarse(np.zeros((8, 8)), [[name]]).invocations.tolist() == [[count]]


def test_a_quad_costs_as_many_invocations_as_it_has_primitives(golden: Golden) -> None:
    for case in json.loads(golden("vrs/counts.json").read_text())["quad"]:
        primitives = np.minimum(np.arange(4), case["distinct_prims_in_2x2_pixel_block"] - 1).reshape(2, 2)
        counts = count_invocations([[5]], (2, 2), primitive_id=primitives)
        assert int(counts[0, 0]) == case["invocations_at_2x2"]


def test_golden_coarse_invocations(golden: Golden, threads: int) -> None:
    data = np.load(golden("vrs/coarse_invocations.npz"))
    for k in range(int(data["n"])):
        a, b, c = data[f"coef_{k}"].T

        def plane(x: Any, y: Any, p: Any, a: Any = a, b: Any = b, c: Any = c) -> Any:
            return a[p] * x + b[p] * y + c[p]

        tile = int(data[f"tile_{k}"])
        primitives, rates = data[f"prim_{k}"], data[f"rate_{k}"]
        result = shade_coarse(plane, rates, primitive_id=primitives, tile=tile, threads=threads)
        np.testing.assert_array_equal(result.image, data[f"out_{k}"])
        np.testing.assert_array_equal(result.invocations, data[f"inv_{k}"])
        np.testing.assert_array_equal(result.lanes, data[f"lanes_{k}"])
        counts = count_invocations(
            rates, primitives.shape, tile=tile, primitive_id=primitives, threads=threads
        )
        np.testing.assert_array_equal(counts, data[f"inv_{k}"])


def test_captured_scenes(golden: Golden) -> None:
    """Every scene in which nothing is overdrawn, shaded again from its visible primitives."""
    data = dict(np.load(golden("gpu/vrs/scenes.npz")).items())
    scenes = json.loads(golden("gpu/vrs/scenes.json").read_text())["scenes"]
    checked = invocations = 0
    for scene in scenes:
        height, width = scene["height"], scene["width"]
        rows = slice(scene["inv_first"], scene["inv_first"] + scene["invocations"])
        pixels = slice(scene["pix_first"], scene["pix_first"] + height * width)
        visible = data["pixel_invocation"][pixels].reshape(height, width)
        covered = sum(mask.bit_count() for mask in data["mask"][rows].tolist())
        if covered != int((visible >= 0).sum()):
            continue
        primitives = np.where(visible < 0, -1, data["prim"][rows][visible].astype(np.int32))
        rates = None
        if scene["attachment"]:
            tile_rows, tile_columns = scene["att_shape"]
            first = scene["att_first"]
            rates = data["attachment"][first : first + tile_rows * tile_columns].reshape(
                tile_rows, tile_columns
            )
        w, h = scene["pipeline_rate"]
        options: dict[str, Any] = {
            "primitive_id": primitives,
            "tile": 16,
            "draw_rate": (w.bit_length() - 1) << 2 | h.bit_length() - 1,
            "primitive_rates": [scene["primitive_rate_code"]] * scene["triangles"],
            "combiners": scene["combiner_ops"],
            "sanitize": "outputs",
        }
        center = shade_coarse(lambda x, y, p: np.stack([x, y], axis=1), rates, **options)
        order = np.lexsort((*center.positions.T, center.primitives))
        np.testing.assert_array_equal(center.positions[order], data["frag_xy"][rows])
        np.testing.assert_array_equal(center.rates[order], data["rate"][rows])
        np.testing.assert_array_equal(center.masks[order], data["mask"][rows])
        np.testing.assert_array_equal(center.primitives[order], data["prim"][rows])
        rank = np.argsort(order)
        np.testing.assert_array_equal(
            np.where(center.pixel_invocation < 0, -1, rank[center.pixel_invocation]), visible
        )
        centroid = shade_coarse(lambda x, y, p: x, rates, location="centroid", **options)
        np.testing.assert_allclose(centroid.positions[order], data["centroid_xy"][rows], atol=0.02)
        np.testing.assert_allclose(center.positions[order], data["center_xy"][rows], atol=0.02)
        checked += 1
        invocations += scene["invocations"]
    assert checked == 94
    assert invocations == 82_225


def random_case(
    rng: np.random.Generator, size: tuple[int, int], tile: int, calm: bool = False
) -> dict[str, Any]:
    """Primitives in blobs and, unless calm, speckles with gaps; rates for some tiles."""
    height, width = size
    seeds = rng.random((6, 2)) * size
    yx = np.stack(np.meshgrid(np.arange(height), np.arange(width), indexing="ij"), axis=-1)
    primitives = np.argmin(((yx[..., None, :] - seeds) ** 2).sum(-1), axis=-1).astype(np.int32)
    speckles = rng.random(size)
    primitives[speckles < 0.05] = rng.integers(0, 9, int((speckles < 0.05).sum()))
    primitives[speckles > 0.93] = -1
    if calm:
        primitives = np.argmin(((yx[..., None, :] - seeds) ** 2).sum(-1), axis=-1).astype(np.int32) - 1
    tiles = (-(-height // tile), -(-width // tile))
    return {
        "primitive_id": primitives,
        "rates": rng.choice(LEGAL, (max(1, tiles[0] - int(rng.integers(2))), tiles[1] + 1)),
        "primitive_rates": np.full(9, 5, np.uint8) if calm else rng.choice(LEGAL, 9),
        "draw_rate": int(rng.choice(LEGAL)),
        "combiners": tuple(int(c) for c in rng.integers(0, 5, 2)),
        "tile": tile,
    }


@pytest.mark.parametrize("tile", [8, 16, 32])
@pytest.mark.parametrize("location", ["center", "centroid"])
def test_twin_agrees(rng: np.random.Generator, every_way: Loop, tile: int, location: str) -> None:
    offsets = {"1x1": (3, -8), "2x2": (7, 1), "1x2": (-1, 6)}
    for size, calm in (((1, 1), 0), ((1, 37), 0), ((23, 1), 1), ((8, 8), 1), ((35, 41), 0), ((40, 73), 1)):
        case = random_case(rng, size, tile, bool(calm))
        rates, own = case["rates"], case["primitive_rates"]
        final: dict[tuple[int, int, int], int] = {}
        for ty, tx in np.ndindex(-(-size[0] // tile), -(-size[1] // tile)):
            image = rates[ty, tx] if ty < rates.shape[0] and tx < rates.shape[1] else 0
            for primitive, rate in enumerate(own):
                chain = combine_rates(case["draw_rate"], rate, image, combiners=case["combiners"])
                final[ty, tx, primitive] = int(chain)
        by_code = {0: (3, -8), 5: (7, 1), 1: (-1, 6)}
        wanted = twin.coarse_invocations(case["primitive_id"], final, tile, location, by_code)
        source = np.arange(size[0] * size[1]).reshape(size)
        shown = twin.broadcast_coarse(wanted["sources"], 0, wanted["pixel_invocation"])
        sums = twin.broadcast_coarse(wanted["positions"].sum(axis=1), np.nan, wanted["pixel_invocation"])
        for threads in every_way():
            options: dict[str, Any] = {"location": location, "offsets": offsets, "threads": threads} | case
            result = shade_coarse(lambda x, y, p: x + y, **options)
            for name in COARSE_FIELDS:
                np.testing.assert_array_equal(getattr(result, name), wanted[name], err_msg=name)
                assert getattr(result, name).dtype == wanted[name].dtype
            image = shade_coarse(source, **options).image
            np.testing.assert_array_equal(image, shown)
            np.testing.assert_array_equal(result.image, sums)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.int32, np.float16, np.float32, np.float64])
@pytest.mark.parametrize("channels", [(), (1,), (3,), (4,)])
def test_images_keep_their_dtype(rng: np.random.Generator, dtype: Any, channels: tuple[int, ...]) -> None:
    image = rng.integers(0, 200, (17, 19, *channels)).astype(dtype)
    full = shade_coarse(image, None)
    assert full.image.dtype == dtype
    np.testing.assert_array_equal(full.image, image)
    primitives = np.zeros((17, 19), np.int32)
    primitives[3, 4] = -1
    coarse = shade_coarse(image, np.full((3, 3), 5), primitive_id=primitives)
    assert coarse.image.dtype == dtype
    if np.dtype(dtype).kind == "f":
        assert np.isnan(coarse.image[3, 4]).all()
    else:
        assert (coarse.image[3, 4] == 0).all()
    np.testing.assert_array_equal(coarse.image[0, 0], image[1, 1])
    np.testing.assert_array_equal(coarse.image[0, 1], image[1, 1])
    np.testing.assert_array_equal(coarse.image[2, 4], image[3, 5])  # (3, 4) is not covered
    np.testing.assert_array_equal(coarse.image[16, 18], image[16, 18])


@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.float16, np.float32, np.float64, np.complex128])
def test_pixels_of_every_size_are_read_where_the_twin_reads(rng: np.random.Generator, dtype: Any) -> None:
    """Whole primitives at one rate, the way without searches, and speckles at several."""
    for channels, calm in ((1, True), (2, False), (3, True), (3, False), (5, True)):
        case = random_case(rng, (33, 50), 8, calm) | {"combiners": (0, 1), "draw_rate": 0}
        image = rng.integers(0, 200, (33, 50, channels)).astype(dtype)
        rates = np.pad(case["rates"], ((0, 1), (0, 0)))
        final = {(y, x, p): int(rates[y, x]) for y in range(5) for x in range(7) for p in range(9)}
        wanted = twin.coarse_invocations(case["primitive_id"], final, 8)
        nothing = np.nan if np.dtype(dtype).kind in "fc" else 0
        values = np.concatenate(
            [image.reshape(-1, channels)[wanted["sources"]], np.full((1, channels), nothing, dtype)]
        )
        result = shade_coarse(image, **case)
        np.testing.assert_array_equal(result.image, values[wanted["pixel_invocation"]])
        rows = np.arange(len(wanted["masks"]) * channels).reshape(-1, channels).astype(dtype)
        shown = shade_coarse(lambda x, y, p, rows=rows: rows, **case).image
        values = np.concatenate([rows, np.full((1, channels), nothing, dtype)])
        if dtype is np.bool_:
            continue
        np.testing.assert_array_equal(shown, values[wanted["pixel_invocation"]])
        assert shown.dtype == dtype


def test_images_in_any_order_and_byte_order(rng: np.random.Generator) -> None:
    image = rng.random((21, 30, 3)).astype(np.float32)
    wanted = shade_coarse(image, np.full((3, 4), 5)).image
    for other in (np.asfortranarray(image), np.repeat(image, 2, axis=1)[:, ::2], image.astype(">f4")):
        result = shade_coarse(other, np.full((3, 4), 5))
        np.testing.assert_array_equal(result.image, wanted)
        assert result.image.dtype == other.dtype
    mean = shade_coarse(image, np.full((3, 4), 5), image_filter="mean").image
    swapped = shade_coarse(image.astype(">f4"), np.full((3, 4), 5), image_filter="mean").image
    np.testing.assert_array_equal(swapped, mean)


def test_values_never_come_from_another_primitive(rng: np.random.Generator) -> None:
    case = random_case(rng, (40, 40), 8)
    result = shade_coarse(case["primitive_id"], **case)
    np.testing.assert_array_equal(np.where(case["primitive_id"] < 0, 0, case["primitive_id"]), result.image)


def test_rates_outside_the_image_are_fine_and_surplus_is_ignored() -> None:
    assert count_invocations([[5]], (16, 16)).tolist() == [[16, 64], [64, 64]]
    assert count_invocations(np.full((9, 9), 5), (8, 8)).tolist() == [[16]]
    assert count_invocations([[2, 8]], (8, 16)).tolist() == [[32, 32]]


def test_defaults_of_the_api_ignore_the_image() -> None:
    flat = np.zeros((8, 8), np.float32)
    assert shade_coarse(flat, [[5]]).invocations.tolist() == [[16]]
    assert shade_coarse(flat, [[5]], combiners=("passthrough", "passthrough")).invocations.tolist() == [[64]]
    assert shade_coarse(flat, [[10]], caps=VrsCaps(additional_rates=False)).invocations.tolist() == [[16]]
    assert shade_coarse(flat, None, draw_rate="4x4", combiners=(0, 0)).invocations.tolist() == [[4]]


def test_positions_and_offsets() -> None:
    shade = lambda x, y, primitive: x  # noqa: E731
    options: dict[str, Any] = {"shape": (2, 2)}
    assert shade_coarse(shade, [["2x2"]], **options).positions.tolist() == [[1.0, 1.0]]
    moved = shade_coarse(shade, [["2x2"]], offsets={"2x2": (-8, 4)}, **options)
    assert moved.positions.tolist() == [[0.0, 1.5]]
    listed = shade_coarse(shade, [["2x1"]], offsets=[[0, 0], [0, 0], [2, -8], [0, 0]], **options)
    assert listed.positions.tolist() == [[1.25, 0.0], [1.25, 1.0]]
    part = np.array([[-1, 0], [0, -1]], np.int32)
    centroid = shade_coarse(shade, [["2x2"]], primitive_id=part, location="centroid")
    assert centroid.positions.tolist() == [[0.5, 1.5]]
    assert centroid.masks.tolist() == [0b0110]


def test_nothing_covered() -> None:
    def never(x: Any, y: Any, primitive: Any) -> Any:
        raise AssertionError("must not be called")

    result = shade_coarse(never, [[0]], primitive_id=np.full((3, 5), -1))
    assert result.image.shape == (3, 5)
    assert np.isnan(result.image).all()
    assert np.isnan(result.ratio)
    assert result.positions.shape == (0, 2)


def test_an_error_of_the_callable_reaches_the_caller() -> None:
    def broken(x: Any, y: Any, primitive: Any) -> Any:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        shade_coarse(broken, [[0]], shape=(4, 4))


IMAGE = np.zeros((8, 8), np.float32)
IDS = np.zeros((8, 8), np.int32)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"shade": "picture"}, TypeError, "shade must be a callable or a numeric image"),
        ({"shade": np.zeros(8)}, ValueError, r"shade must have shape \(H, W\) or \(H, W, C\)"),
        ({"shade": np.zeros((0, 8))}, ValueError, "shade must have shape .* and not be empty"),
        ({"shape": (8, 9)}, ValueError, r"shape must be that of the image, got \(8, 9\)"),
        ({"shape": 8}, TypeError, r"shape must be \(height, width\)"),
        ({"shape": (0, 8)}, ValueError, "shape must be at least 1"),
        ({"shade": np.add}, ValueError, "shape must be given when shade is a callable"),
        ({"rates": [5]}, ValueError, "rates must have 2 dimensions"),
        ({"rates": [[3]]}, ValueError, "rates must hold rate codes"),
        ({"rates": [[0.5]]}, TypeError, "rates must be an array of uint8"),
        ({"tile": 4}, ValueError, "tile must be one of 8, 16, 32"),
        ({"location": "corner"}, ValueError, "location must be one of center, centroid"),
        ({"primitive_id": np.zeros((8, 9), int)}, ValueError, r"primitive_id must have shape \(8, 8\)"),
        ({"primitive_id": IDS - 2}, ValueError, "primitive_id must be -1 .nothing. or .*, got -2"),
        ({"primitive_id": IDS + 0.0}, TypeError, "primitive_id must be an array of int32"),
        (
            {"primitive_id": IDS + 2, "primitive_rates": [0, 1]},
            ValueError,
            "primitive_rates must have a rate for",
        ),
        ({"primitive_rates": 5}, ValueError, "primitive_rates must have 1 dimensions"),
        ({"draw_rate": "8x8"}, ValueError, "draw_rate must be one of 1x1"),
        ({"draw_rate": [0, 1]}, ValueError, "draw_rate must have 0 dimensions"),
        ({"combiners": ("over",)}, ValueError, "combiners must be a pair"),
        ({"caps": VrsCaps(tier=1)}, UnsupportedError, "combiners must be .passthrough, passthrough."),
        ({"sanitize": "all"}, ValueError, "sanitize must be one of"),
        ({"offsets": {"2x2": (8, 0)}}, ValueError, r"offsets must be integers in \[-8, 7\], got \[8, 0\]"),
        ({"offsets": {"4x4": (0, 0)}}, ValueError, "offsets exist for the rates 1x1, 1x2, 2x1 and 2x2"),
        ({"offsets": {"2x2": (0.5, 0)}}, TypeError, "offsets must be an array of int64"),
        ({"offsets": [[0, 0]]}, ValueError, r"offsets must have shape \(4, 2\)"),
        ({"threads": 1.5}, TypeError, "threads must be an integer"),
        (
            {"shade": lambda x, y, p: x[:-1], "shape": (8, 8)},
            ValueError,
            r"shade must return \(64,\) or \(64, C\)",
        ),
        ({"shade": lambda x, y, p: None, "shape": (8, 8)}, TypeError, "shade must return numbers"),
    ],
)
def test_bad_input(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    given = {"shade": IMAGE, "rates": [[0]]} | arguments
    with pytest.raises(error, match=message):
        shade_coarse(given.pop("shade"), given.pop("rates"), **given)


def test_bad_count_input() -> None:
    with pytest.raises(TypeError, match="shape must be"):
        count_invocations([[0]], 8)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="rates must hold rate codes"):
        count_invocations([[7]], (8, 8))
    with pytest.raises(ValueError, match="shape must hold at most"):
        count_invocations([[0]], (1 << 20, 1 << 20))


def test_mean_of_the_covered_pixels(rng: np.random.Generator, every_way: Loop) -> None:
    case = random_case(rng, (40, 43), 16)
    image = rng.random((40, 43, 3), dtype=np.float32)
    result = shade_coarse(image, image_filter="mean", **case)
    assert result.image.dtype == np.float32
    for row in range(0, len(result.rates), 7):
        pixels = result.pixel_invocation == row
        wanted = image[pixels].astype(np.float64).mean(axis=0).astype(np.float32)
        np.testing.assert_allclose(
            result.image[pixels], np.broadcast_to(wanted, (pixels.sum(), 3)), rtol=1e-6
        )
    assert np.isnan(result.image[case["primitive_id"] < 0]).all()
    means = twin.mean_coarse(image, result.pixel_invocation, len(result.masks)).astype(np.float32)
    exact = twin.broadcast_coarse(means, np.nan, result.pixel_invocation)
    for threads in every_way():
        again = shade_coarse(image, image_filter="mean", threads=threads, **case)
        np.testing.assert_array_equal(again.image, exact)
    grey = shade_coarse(image[..., 0].astype(np.float16), None, image_filter="mean").image
    np.testing.assert_array_equal(grey, image[..., 0].astype(np.float16))
    with pytest.raises(TypeError, match="shade must be a float image for image_filter 'mean', got uint8"):
        shade_coarse(np.zeros((8, 8), np.uint8), None, image_filter="mean")
    with pytest.raises(TypeError, match=r"shade must be a float image .* got a callable"):
        shade_coarse(lambda x, y, p: x, None, shape=(8, 8), image_filter="mean")


def test_the_result_shows_itself_in_one_line() -> None:
    result = shade_coarse(np.zeros((20, 30, 3), np.float32), np.full((3, 4), 5, np.uint8))
    assert repr(result) == "CoarseResult(30x20: 150 invocations, ratio 0.2500)"


def test_result_shows_itself() -> None:
    ids = np.zeros((16, 24), np.int32)
    ids[0, 0] = -1
    picture = np.linspace(0, 1, 16 * 24 * 3, dtype=np.float32).reshape(16, 24, 3)
    result = shade_coarse(picture, [["2x2"] * 3] * 2, primitive_id=ids)
    page = result._repr_html_()
    assert "<img" in page
    assert "<td style='text-align:left'>invocations at 2x2</td><td style='text-align:right'>96</td>" in page
    assert "<td style='text-align:right'>383</td>" in page
    data = result.to_xarray()
    assert data.image.dims == ("y", "x", "channel")
    assert float(data.x[0]) == 0.5
    np.testing.assert_array_equal(data.invocations, result.invocations)
