"""Every refusal names the argument and comes before any work."""

from typing import Any

import numpy as np
import pytest

import tilelab
from tilelab import lighting
from tilelab.frame import Frame

Z = np.zeros((4, 6), np.float32)
C = np.zeros((4, 6, 4), np.uint8)
G = lighting.GBuffer({"a": C}, Z)
TILES = lighting.scan(G)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([C], Z), TypeError, "channels must be a mapping"),
        (({}, Z), ValueError, "channels must hold at least one channel"),
        (({1: C}, Z), TypeError, "channels must have names of type str, got 1"),
        (({"a": C[:3]}, Z), ValueError, r"channels\['a'\] must have shape \(4, 6\) or \(4, 6, C\)"),
        (({"a": C[None]}, Z), ValueError, r"channels\['a'\] must have shape"),
        (({"a": C[..., :0]}, Z), ValueError, r"channels\['a'\] must have shape"),
        (({"a": Z.astype(np.float64)}, Z), TypeError, r"channels\['a'\] must be of dtype uint8, .*float64"),
        (({"a": C.astype(np.int8)}, Z), TypeError, r"channels\['a'\] must be of dtype"),
        (({"a": C.astype(np.int64)}, Z), TypeError, r"channels\['a'\] must be of dtype"),
        (({"a": C.astype(object)}, Z), TypeError, r"channels\['a'\] must be of dtype"),
        (({"a": "text"}, Z), TypeError, r"channels\['a'\] must be of dtype"),
        (({"a": C}, Z.astype(np.int32)), TypeError, "depth must be an array of float32"),
        (({"a": C}, Z[None]), ValueError, "depth must have 2 dimensions"),
        (({"a": C[:0]}, Z[:0]), ValueError, "depth must not be empty"),
        (({"a": C}, Z, np.ones((4, 5), bool)), ValueError, r"valid must have shape \(4, 6\)"),
        (({"a": C}, Z, np.ones((4, 6))), TypeError, "valid must be an array of bool"),
        (({"a": C}, Z, None, (1.0, 0.0)), ValueError, r"depth_range must be \(near, far\).*\(1.0, 0.0\)"),
        (({"a": C}, Z, None, (1.0, 1.0)), ValueError, "depth_range must be"),
        (({"a": C}, Z, None, (0.0, np.inf)), ValueError, "depth_range must be finite"),
        (({"a": C}, Z, None, (0.0, np.nan)), ValueError, "depth_range must be finite"),
        (({"a": C}, Z, None, (-3e38, 3e38)), ValueError, "depth_range must be"),
        (({"a": C}, Z, None, 5.0), TypeError, "depth_range must be a pair"),
        (({"a": C}, Z, None, ("0", "1")), TypeError, "depth_range must be a real number"),
    ],
)
def test_gbuffer(arguments: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        lighting.GBuffer(*arguments)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"mode": "near"}, ValueError, "mode must be one of 'exact', 'tolerance', got 'near'"),
        ({"mode": 0}, TypeError, "mode must be a string"),
        ({"policy": "last"}, ValueError, "policy must be one of checker, first, got 'last'"),
        ({"policy": None}, TypeError, "policy must be a Policy, its name or its value, got None"),
        ({"depth_encoding": "unorm24"}, ValueError, "depth_encoding must be one of unorm21, float21"),
        ({"delta": -0.1}, ValueError, "delta must be at least 0"),
        ({"delta": np.nan}, ValueError, "delta must be finite"),
        ({"delta": "0.1"}, TypeError, "delta must be a real number"),
        ({"delta": {"b": 0.1}}, ValueError, "delta must name channels of the G-buffer"),
        ({"delta": {"a": -1}}, ValueError, r"delta\['a'\] must be at least 0"),
        ({"depth_delta": -1}, ValueError, "depth_delta must be at least 0"),
        ({"depth_delta": np.inf}, ValueError, "depth_delta must be finite"),
        ({"depth_delta": "0"}, TypeError, "depth_delta must be a real number"),
        ({"threads": -1}, ValueError, "threads must be"),
        ({"threads": 1.5}, TypeError, "threads must be an integer"),
        ({"fast_paths": "quick"}, ValueError, "fast_paths must be one of"),
        ({"fast_paths": 3}, TypeError, "fast_paths must be a sequence"),
        ({"fast_paths": "full_rate"}, ValueError, "rates must be given for the fast path 'full_rate'"),
        ({"fast_paths": "single_triangle", "rates": [[0]]}, ValueError, "primitive_id must be given"),
        ({"rates": [[0, 0]]}, ValueError, r"rates must have shape \(1, 1\)"),
        ({"rates": [[3]]}, ValueError, "rates must hold rate codes 0, 1, 2, 4, 5, 6, 8, 9, 10, got 3"),
        ({"rates": [["3x1"]]}, ValueError, "rates must be one of 1x1, 1x2, .*got '3x1'"),
        ({"rates": "2x1"}, ValueError, "rates must have 2 dimensions"),
        ({"rates": [[0.5]]}, TypeError, "rates must be an array of uint8"),
        ({"primitive_id": [[1]]}, ValueError, "primitive_id must have shape"),
        ({"hash_bits": 24}, ValueError, "hash_bits must be one of 16, 32, got 24"),
        ({"out": np.zeros(24, np.int32)}, TypeError, "out must be an array of uint32"),
        ({"out": np.zeros(23, np.uint32)}, ValueError, r"out must have shape \(24,\)"),
        ({"out": C.view(np.uint32).reshape(-1)}, ValueError, "out must not overlap a"),
    ],
)
def test_scan(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        lighting.scan(G, **options)


def test_unsupported_combinations() -> None:
    with pytest.raises(tilelab.UnsupportedError, match="fast_paths must not hold 'hash' in tolerance mode"):
        lighting.scan(G, mode="tolerance", fast_paths="hash")
    odd = lighting.GBuffer({"rgb": np.zeros((4, 6, 3), np.uint8)}, Z)
    with pytest.raises(tilelab.UnsupportedError, match=r"channels\['rgb'\] must have 1, 2, 4, 8 or 16 bytes"):
        lighting.scan(odd, fast_paths="dcc_key")


def test_scan_of_something_else() -> None:
    with pytest.raises(TypeError, match="gbuffer must be a GBuffer, got dict"):
        lighting.scan({"a": C})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("result", "error", "message"),
    [
        (np.zeros(3), ValueError, r"the result of fn must have shape \(6,\) or \(6, C\), got \(3,\)"),
        (np.zeros((6, 2, 2)), ValueError, "the result of fn must have shape"),
        (np.zeros((6, 0)), ValueError, "the result of fn must have shape"),
        (1.0, ValueError, "the result of fn must have shape"),
        (None, TypeError, "the result of fn must be an array of numbers"),
        (np.full(6, "a"), TypeError, "the result of fn must be an array of numbers"),
        ([[1], [1, 2]], ValueError, "the result of fn must be a regular array"),
    ],
)
def test_lighting_function(result: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        lighting.light(TILES, G, lambda channels, x, y, depth: result)
    with pytest.raises(error, match=message.replace("6", "24")):
        lighting.light_dense(G, lambda channels, x, y, depth: result)


def test_light_and_fill() -> None:
    other = lighting.GBuffer({"a": np.zeros((4, 4), np.uint8)}, np.zeros((4, 4)))
    with pytest.raises(ValueError, match=r"gbuffer must have the size of the scan \(4, 6\), got \(4, 4\)"):
        lighting.light(TILES, other, lambda channels, x, y, depth: x)
    with pytest.raises(TypeError, match="fn must be callable"):
        lighting.light(TILES, G, 3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="tiles must be a SparseTiles"):
        lighting.light(G, G, lambda channels, x, y, depth: x)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="gbuffer must be a GBuffer"):
        lighting.light_dense(TILES, lambda channels, x, y, depth: x)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"values must have shape \(6,\) or \(6, C\), got \(5,\)"):
        lighting.fill(TILES, np.zeros(5))
    with pytest.raises(TypeError, match="values must be an array without Python objects"):
        lighting.fill(TILES, np.zeros(6, object))
    values = np.zeros((6, 3), np.float32)
    for out, error, message in (
        (np.zeros((4, 6, 3)), TypeError, "out must be an array of float32"),
        (np.zeros((4, 6), np.float32), ValueError, r"out must have shape \(4, 6, 3\)"),
        (np.zeros((4, 6, 6), np.float32)[..., ::2], ValueError, "out must be C-contiguous"),
        ([1], TypeError, "out must be a NumPy array"),
    ):
        with pytest.raises(error, match=message):
            lighting.fill(TILES, values, out=out)  # type: ignore[arg-type]
    memory = np.zeros(4 * 6 + 6, np.float32)
    with pytest.raises(ValueError, match="out must not overlap values"):
        lighting.fill(TILES, memory[:6], out=memory[:24].reshape(4, 6))


def test_records_outside_the_image_are_refused() -> None:
    def build(record: int, shape: tuple[int, int] = (4, 5)) -> lighting.SparseTiles:
        return lighting.SparseTiles(
            np.array([record], np.uint32), np.array([0, 1]), np.array([[1]], np.uint32), TILES.stats, shape
        )

    assert build(3).records.tolist() == [3]
    for record in (5, 4 << 4, 4 | 1 << 8, 4 | 1 << 10, 15 | 15 << 4):
        with pytest.raises(ValueError, match="records must stay inside the image, got record 0"):
            build(record)
    with pytest.raises(ValueError, match="offsets must end with the number of records"):
        lighting.SparseTiles(TILES.records, np.array([0, 1]), TILES.counts, TILES.stats, (4, 6))
    with pytest.raises(ValueError, match="offsets must have one entry more than tiles"):
        lighting.SparseTiles(TILES.records, np.array([0]), TILES.counts, TILES.stats, (4, 6))
    with pytest.raises(ValueError, match="offsets must not descend"):
        lighting.SparseTiles(
            TILES.records, np.array([0, 9, 6]), np.zeros((1, 2), np.uint32), TILES.stats, (4, 20)
        )
    with pytest.raises(ValueError, match="counts must have shape"):
        lighting.SparseTiles(TILES.records, TILES.offsets, TILES.counts[0], TILES.stats, (4, 6))
    with pytest.raises(ValueError, match="read-only"):
        TILES.records[0] = 7


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"shape": None}, TypeError, r"shape must be a pair \(height, width\), got None"),
        ({"shape": (4, 6.0)}, TypeError, "shape must be an integer"),
        ({"shape": (0, 6)}, ValueError, "shape must be at least 1"),
        ({"stats": None}, TypeError, "stats must be a ScanStats, got NoneType"),
        ({"counts": TILES.counts + np.uint32(1)}, ValueError, "counts must be the differences of offsets"),
        ({"paths": "x"}, TypeError, "paths must be an array of uint8"),
    ],
)
def test_tiles_made_by_hand(changes: dict[str, Any], error: type[Exception], message: str) -> None:
    fields = {name: getattr(TILES, name) for name in ("records", "offsets", "counts", "stats", "shape")}
    assert lighting.SparseTiles(**fields).shape == (4, 6)
    with pytest.raises(error, match=message):
        lighting.SparseTiles(**{**fields, **changes})


def test_records_that_change_later_cannot_leave_the_image() -> None:
    memory, offsets = np.zeros(24, np.uint32), TILES.offsets.copy()
    scanned = lighting.scan(G, out=memory)
    made = lighting.SparseTiles(memory[:6], offsets, TILES.counts, TILES.stats, (4, 6))
    for array, value, message in ((memory, 0xFFFFFFFF, "records must stay"), (offsets, 9, "offsets must")):
        kept = array.copy()
        array[:] = value
        calls: list[Any] = [made.pixels, lambda: made.gather(C), lambda: lighting.fill(made, np.ones(6))]
        if array is memory:
            calls.append(lambda: lighting.fill(scanned, np.ones(6)))
        for call in calls:
            with pytest.raises(ValueError, match=message):
                call()
        array[:] = kept


@pytest.mark.parametrize("image", [None, 3, np.zeros((4, 6), object)])
def test_pictures_that_cannot_be_gathered(image: Any) -> None:
    with pytest.raises(TypeError, match="image must be an array of a plain dtype"):
        TILES.gather(image)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((16, 0, 0, 0, 0, 0.5), ValueError, r"x must be in \[0, 15\]"),
        ((0, -1, 0, 0, 0, 0.5), ValueError, r"y must be in \[0, 15\]"),
        ((0.0, 0, 0, 0, 0, 0.5), TypeError, "x must hold integers"),
        ((0, 0, 2, 0, 0, 0.5), ValueError, r"copy_x must be in \[0, 1\]"),
        ((0, 0, 0, 0.5, 0, 0.5), TypeError, "copy_y must hold booleans"),
        ((0, 0, 0, 0, 0, [1]), TypeError, "depth must be an array of float32"),
        ((0, 0, 0, 0, 0, True), TypeError, "depth must be an array of float32"),
        ((0, 0, 0, 0, 0, 10**400), ValueError, "depth must be finite"),
        (([0, 1], [0, 1, 2], 0, 0, 0, 0.5), ValueError, "x, y, copies and depth must broadcast"),
    ],
)
def test_packing(arguments: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        lighting.pack_records(*arguments)


def test_other_arguments() -> None:
    with pytest.raises(TypeError, match="records must be an array of uint32"):
        lighting.unpack_records([0.5])
    with pytest.raises(ValueError, match="depth_encoding must be one of"):
        lighting.unpack_records([1], depth_encoding="unorm16")
    with pytest.raises(ValueError, match="wave_size must be one of 8, 16, 32, 64, 128, got 48"):
        lighting.wave_loops([1], 48)
    with pytest.raises(ValueError, match="counts must not be negative, got -1"):
        lighting.wave_loops([-1], 32)
    with pytest.raises(TypeError, match="counts must be an array of int64"):
        lighting.wave_loops([1.5], 32)
    with pytest.raises(ValueError, match="lights must be one number or have shape"):
        lighting.lighting_cost(TILES, lights=[1, 2])
    with pytest.raises(ValueError, match="lights must be finite and not negative, got -1"):
        lighting.lighting_cost(TILES, lights=[[-1]])
    with pytest.raises(ValueError, match="scan_cost must be finite"):
        lighting.lighting_cost(TILES, scan_cost=10**400)
    with pytest.raises(ValueError, match="scan_cost must be at least 0"):
        lighting.lighting_cost(TILES, scan_cost=-1)
    with pytest.raises(TypeError, match="tiles must be a SparseTiles"):
        lighting.lighting_cost(G)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="gbuffer must be a GBuffer"):
        lighting.coarse_gbuffer(Z, [[0]])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="primitive_id must have shape"):
        lighting.coarse_gbuffer(G, [[0]], primitive_id=[[1]])


def test_frames_that_cannot_be_stored() -> None:
    shown = Frame(depth=Z + 1)
    with pytest.raises(TypeError, match="channels must be a sequence, got 3"):
        lighting.GBuffer.from_frame(shown, channels=3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="channels must hold names, got 3"):
        lighting.GBuffer.from_frame(shown, channels=[3])  # type: ignore[list-item]
    with pytest.raises(TypeError, match=r"frame must be a Frame, got dict"):
        lighting.GBuffer.from_frame({})  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="frame must have the channel 'depth', got albedo"):
        lighting.GBuffer.from_frame(Frame(albedo=np.zeros((2, 2, 3), np.float32)))
    with pytest.raises(ValueError, match="frame must have the channel 'sh_normal'"):
        lighting.GBuffer.from_frame(Frame(albedo=np.zeros((2, 2, 3), np.float32), depth=np.ones((2, 2))))
    sky = Frame(albedo=np.zeros((2, 2, 3), np.float32), depth=np.full((2, 2), np.inf))
    with pytest.raises(ValueError, match="frame must show something"):
        lighting.GBuffer.from_frame(sky, channels=["albedo"])
