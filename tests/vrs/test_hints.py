from typing import Any

import numpy as np
import pytest

from tilelab.reference import vrs as twin
from tilelab.vrs import ShadingRate, apply_hints


@pytest.mark.parametrize("tile", [8, 16, 32])
def test_twin_agrees(rng: np.random.Generator, tile: int) -> None:
    legal = np.array([rate.value for rate in ShadingRate], np.uint8)
    for height, width in ((1, 1), (37, 70), (64, 33)):
        rates = rng.choice(legal, (-(-height // tile), -(-width // tile)))
        blur = np.repeat(rng.random((height, 1), dtype=np.float32) * 4, width, axis=1)
        blur[rng.random((height, width)) < 0.001] = np.nan
        motion = (rng.random((height, width, 2), dtype=np.float32) + 7.5) * rng.choice([-1, 1])
        motion[: height // 2] += 2
        hints: dict[str, Any] = {
            "blur": blur,
            "motion": motion.astype(np.float32),
            "fine_mask": rng.random((height, width)) < 0.001,
        }
        for chosen in ({}, *({name: hint} for name, hint in hints.items()), hints):
            result = apply_hints(rates, tile=tile, blur_threshold=0.5, **chosen)
            np.testing.assert_array_equal(result, twin.apply_hints(rates, tile, blur_threshold=0.5, **chosen))
            assert result.dtype == np.uint8


def test_the_mask_wins() -> None:
    mask = np.zeros((8, 8), bool)
    mask[7, 7] = True
    assert apply_hints([[0]], blur=np.full((8, 8), 9.0)).tolist() == [[5]]
    assert apply_hints([[10]], blur=np.full((8, 8), 9.0), fine_mask=mask).tolist() == [[0]]


@pytest.mark.parametrize(
    ("hints", "error", "message"),
    [
        ({"blur": np.zeros((8, 9))}, ValueError, r"blur must have \(1, 1\) tiles like rates"),
        ({"blur": np.zeros((8, 8), int)}, TypeError, "blur must be an array of float32"),
        ({"motion": np.zeros((8, 8))}, ValueError, "motion must have shape"),
        ({"fine_mask": np.zeros((8, 8))}, TypeError, "fine_mask must be an array of bool"),
        ({"motion_threshold": -1.0}, ValueError, "motion_threshold must be at least 0"),
        ({"tile": 7}, ValueError, "tile must be one of"),
    ],
)
def test_bad_input(hints: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        apply_hints([[0]], **hints)
