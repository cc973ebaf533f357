"""Right answers computed by an independent slow program: kernels and twins must both give them."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tilelab import lighting
from tilelab.reference import lighting as twin

Golden = Callable[[str], Path]
Loop = Callable[[], Iterator[Any]]
CASES: dict[str, dict[str, Any]] = {
    "exact": {"depth_delta": None},
    "exact_z": {},
    "exact_first": {"depth_delta": None, "policy": "first"},
    "tol": {"mode": "tolerance"},
}


def shade(channels: dict[str, Any], x: Any, y: Any, depth: Any) -> Any:
    g = channels["g"]
    return ((g[:, 0] * g[:, 1]) + (g[:, 2] * np.float32(2))) * np.float32(0.5) + g[:, 3]


@pytest.mark.parametrize("case", CASES)
def test_scan_of_random_frames(golden: Golden, case: str, every_target: Loop) -> None:
    with np.load(golden("lighting/sparse_scan_random.npz")) as data:
        for k in range(int(data["n"])):
            g, z, valid = data[f"gbuf_{k}"], data[f"z_{k}"], data[f"valid_{k}"]
            results: list[Any] = [twin.scan({"g": g}, z, valid, **CASES[case])]
            for _ in every_target():
                results.append(lighting.scan(lighting.GBuffer({"g": g}, z, valid), **CASES[case]))
            records, counts = data[f"{case}_rec_{k}"], data[f"{case}_count_{k}"]
            for got in results:
                np.testing.assert_array_equal(got.records, records)
                np.testing.assert_array_equal(got.counts, counts)


def test_lighting_of_random_frames_is_that_of_every_pixel(golden: Golden) -> None:
    with np.load(golden("lighting/sparse_scan_random.npz")) as data:
        for k in range(int(data["n"])):
            valid = data[f"valid_{k}"]
            gbuffer = lighting.GBuffer({"g": data[f"gbuf_{k}"]}, data[f"z_{k}"], valid)
            want = np.where(valid, data[f"lit_{k}"], np.float32(0))
            np.testing.assert_array_equal(lighting.light_dense(gbuffer, shade), want)
            tiles = lighting.scan(gbuffer)
            filled = lighting.fill(tiles, lighting.light(tiles, gbuffer, shade))
            np.testing.assert_array_equal(filled.view(np.uint32), want.view(np.uint32))


def test_all_partitions_of_a_quad(golden: Golden) -> None:
    answers = json.loads(golden("lighting/quad_partitions.json").read_text())
    assert len(answers["partitions"]) == 15
    for partition in answers["partitions"]:
        labels = np.array(partition["labels_p00_p10_p01_p11"], np.uint32).reshape(2, 2)
        gbuffer = lighting.GBuffer({"id": labels}, np.zeros((2, 2), np.float32))
        for policy, want in partition["records"].items():
            fields = lighting.unpack_records(lighting.scan(gbuffer, policy=policy).records)
            flags = fields.copy_x * 1 + fields.copy_y * 2 + fields.copy_xy * 4
            assert np.stack([fields.x, fields.y, flags], axis=1).tolist() == want


def test_packing(golden: Golden) -> None:
    for row in json.loads(golden("lighting/packing.json").read_text())["rows"]:
        copies = [bool(row["copy"] >> bit & 1) for bit in range(3)]
        for encoding in ("unorm21", "float21"):
            word = lighting.pack_records(row["x"], row["y"], *copies, row["depth"], depth_encoding=encoding)
            assert hex(word) == row[f"word_{encoding}"]
            assert int(word) >> 11 == row[encoding]
            fields = lighting.unpack_records(word, depth_encoding=encoding)
            assert (fields.x, fields.y, fields.copy_x, fields.copy_y, fields.copy_xy) == (
                row["x"],
                row["y"],
                *copies,
            )
            assert fields.depth == np.float32(row[f"decoded_{encoding}"])


def test_uniform_tiles(golden: Golden) -> None:
    steps = {"1x1": (1, 1), "1x2": (1, 2), "2x1": (2, 1), "2x2": (2, 2)}
    for answer in json.loads(golden("lighting/uniform_tiles.json").read_text()):
        width, height = steps[answer["rate"]]
        y, x = np.indices((16, 16), np.uint32)
        ids = y // np.uint32(height) * np.uint32(16) + x // np.uint32(width)
        tiles = lighting.scan(lighting.GBuffer({"id": ids}, np.full((16, 16), 0.5, np.float32)))
        assert tiles.counts.tolist() == [[answer["count"]]]
        assert [f"0x{word:08x}" for word in tiles.records[:8]] == answer["first_8_words"]
        rows = ["".join("1" if lit else "0" for lit in row) for row in tiles.lit_mask()[:4]]
        assert rows == answer["kept_mask_rows"]


def test_wave_loops(golden: Golden) -> None:
    answers = json.loads(golden("lighting/wave_loops.json").read_text())
    lit, wave32, wave64 = np.array(answers["rows"]).T
    np.testing.assert_array_equal(lighting.wave_loops(lit, 32), wave32)
    np.testing.assert_array_equal(lighting.wave_loops(lit, 64), wave64)
    np.testing.assert_array_equal(twin.wave_loops(lit, 64), wave64)
    assert [int(lighting.wave_loops(256, size)) for size in (32, 64)] == answers["dense"]


def test_depth_errors(golden: Golden) -> None:
    answers = json.loads(golden("lighting/depth21_error.json").read_text())
    assert answers["unorm21_half_step"] == 0.5 / 2097151
    for row in answers["reverse_z_infinite_far"]:
        for encoding in ("unorm21", "float21"):
            word = lighting.pack_records(0, 0, 0, 0, 0, row["reverse_z_d"], depth_encoding=encoding)
            decoded = float(lighting.unpack_records(word, depth_encoding=encoding).depth)
            error = abs(row["near"] / decoded - row["z"]) if decoded else np.inf
            assert error <= row[f"worst_dz_{encoding}"] * 1.5 + row["z"] * 2e-7
