"""What variable rate shading says where an argument has no effect or does not fit."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tilelab import vrs

PICTURE = np.linspace(0, 1, 64 * 64, dtype=np.float32).reshape(64, 64)
FOUR = np.full((4, 4), 5, np.uint8)  # 64x64 pixels in tiles of 16

TAKE_RATES: dict[str, Callable[..., Any]] = {
    "shade_coarse": lambda rates, **options: vrs.shade_coarse(PICTURE, rates, **options),
    "count_invocations": lambda rates, **options: vrs.count_invocations(rates, (64, 64), **options),
    "coarse_gradients": lambda rates, **options: vrs.coarse_gradients(PICTURE, PICTURE, rates, **options),
}


@pytest.mark.parametrize("name", TAKE_RATES)
def test_rates_of_another_tile_size_are_told(name: str) -> None:
    message = r"rates has shape \(4, 4\), which fits tile=16, but tile=8 on 64x64 pixels has \(8, 8\) tiles"
    with pytest.warns(UserWarning, match=message) as caught:
        TAKE_RATES[name](FOUR)
    assert [item.filename for item in caught] == [__file__]


@pytest.mark.parametrize("name", TAKE_RATES)
def test_rates_of_another_picture_are_told(name: str) -> None:
    with pytest.warns(UserWarning, match=r"rates has shape \(3, 5\), which fits no tile size, but tile=8"):
        TAKE_RATES[name](np.zeros((3, 5), np.uint8))


@pytest.mark.parametrize("name", TAKE_RATES)
def test_nothing_is_said_where_sizes_fit_or_are_meant(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        TAKE_RATES[name](FOUR, tile=16)
        TAKE_RATES[name](FOUR, any_size=True)


@pytest.mark.parametrize(
    ("options", "idle"),
    [
        ({"combiners": ("passthrough", "passthrough")}, "rates"),
        ({"primitive_rates": [5], "combiners": ("passthrough", "override")}, "primitive_rates"),
        ({"primitive_rates": [5], "combiners": ("override", "override")}, "primitive_rates"),
        ({"draw_rate": "2x2"}, "draw_rate"),
        (
            {"draw_rate": "2x2", "primitive_rates": [5], "combiners": ("override", "passthrough")},
            "rates and draw_rate",
        ),
    ],
)
def test_sources_that_no_combiner_takes_are_told(options: dict[str, Any], idle: str) -> None:
    with pytest.warns(UserWarning, match=f"^{idle}: no effect under the combiners"):
        vrs.shade_coarse(PICTURE, FOUR, tile=16, **options)


def test_sources_that_are_taken_are_not_told() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        vrs.shade_coarse(PICTURE, FOUR, tile=16)
        vrs.shade_coarse(
            PICTURE, FOUR, tile=16, draw_rate="1x2", primitive_rates=[4], combiners=("max", "max")
        )


def test_motion_in_other_units_is_told_and_scaled(rng: np.random.Generator) -> None:
    picture = rng.random((48, 96), dtype=np.float32)
    motion = np.full((48, 96, 2), (16 / 96, 8 / 48), np.float32)
    for call in (vrs.rate_image, vrs.vote_counts):
        with pytest.warns(UserWarning, match="motion has no effect: its largest component is 0.167 pixels"):
            call(picture, motion=motion)  # type: ignore[operator]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scaled = vrs.rate_image(picture, motion=motion, motion_scale=(96, 48))
        np.testing.assert_array_equal(scaled, vrs.rate_image(picture, motion=motion * np.float32([96, 48])))
        vrs.rate_image(picture, motion=np.zeros_like(motion))  # a still camera
    with pytest.warns(UserWarning, match="motion has no effect"):
        vrs.apply_hints(np.zeros((6, 12), np.uint8), motion=motion)


@pytest.mark.parametrize(
    ("scale", "message"),
    [
        ((1, 2, 3), r"motion_scale must be one number or \(x, y\), got shape \(3,\)"),
        (np.nan, "motion_scale must be finite, got nan"),
    ],
)
def test_bad_scale(scale: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        vrs.rate_image(PICTURE, motion=np.zeros((64, 64, 2)), motion_scale=scale)
    with pytest.raises(ValueError, match="motion_scale needs motion"):
        vrs.rate_image(PICTURE, motion_scale=2.0)


def test_hints_count_what_nothing_delivers_as_the_next_finer_rate() -> None:
    assert vrs.apply_hints([[2, 8]]).tolist() == [[1, 4]]
    blurred = vrs.apply_hints([[8]], blur=np.full((8, 8), 3, np.float32))
    assert blurred.tolist() == [[5]]


def test_hints_of_different_pictures_are_refused() -> None:
    with pytest.raises(
        ValueError, match=r"blur and fine_mask must have one size of picture, got \(8, 8\), \(3, 2\)"
    ):
        vrs.apply_hints([[0]], blur=np.zeros((8, 8), np.float32), fine_mask=np.zeros((3, 2), bool))
