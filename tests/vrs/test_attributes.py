from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tilelab.vrs import ShadingRate, coarse_gradients, snapped_position

# Scenes take rate images of any size and combiners that leave a source out, on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:.*(no effect under|those outside are 1x1)")


def test_captured_derivatives(golden: Callable[[str], Path]) -> None:
    """On the captured GPU the derivatives of the pixel position are the coarse size."""
    scenes = np.load(golden("gpu/vrs/scenes.npz"))
    rates, measured = scenes["rate"], scenes["ddx_ddy"]
    for rate in np.unique(rates).tolist():
        rows = measured[rates == rate]
        one = np.ones((1, 1), np.float32)
        dx, dy = coarse_gradients(one, one, rate)
        np.testing.assert_allclose(rows, np.broadcast_to([dx[0, 0], dy[0, 0]], rows.shape), atol=0.02)


def test_gradients_follow_the_rate_image() -> None:
    ones = np.ones((9, 18, 2), np.float32)
    dx, dy = coarse_gradients(ones, ones, [["4x2", "1x2"]], tile=8)
    assert dx[0, ::8, 0].tolist() == [4, 1, 1]
    assert dy[0, ::8, 1].tolist() == [2, 2, 1]
    assert (dx[8] == 1).all()
    assert dx.dtype == np.float32
    assert (
        coarse_gradients(ones[..., 0], ones[..., 0], [[5, 5, 5, 5]] * 9)[1].tolist()
        == (ones[..., 0] * 2).tolist()
    )


def test_snapped_ranges() -> None:
    offsets = np.stack([np.arange(-64, 64)] * 2, axis=-1)
    for rate in ShadingRate:
        position = snapped_position(offsets, rate)
        for axis, pixels in enumerate((rate.width, rate.height)):
            assert position[:, axis].min() == -pixels / 2
            assert position[:, axis].max() == pixels / 2 - 1 / 16
            inside = (offsets[:, axis] >= -8 * pixels) & (offsets[:, axis] < 8 * pixels)
            np.testing.assert_array_equal(position[inside, axis], offsets[inside, axis] / 16)
    assert snapped_position([8, 8], [0, 5]).tolist() == [[-0.5, -0.5], [0.5, 0.5]]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: coarse_gradients(np.ones((2, 2)), np.ones((2, 3)), 0), ValueError, "duv_dy must have shape"),
        (
            lambda: coarse_gradients(np.ones((2, 2), int), np.ones((2, 2)), 0),
            TypeError,
            "duv_dx must be an array of",
        ),
        (
            lambda: coarse_gradients(np.ones((2, 2)), np.ones((2, 2)), [0]),
            ValueError,
            "rates must be one rate or",
        ),
        (lambda: snapped_position([1, 2, 3], 0), ValueError, r"offset must have shape \(\.\.\., 2\)"),
        (lambda: snapped_position([0.5, 0.5], 0), TypeError, "offset must be an array of int32"),
        (
            lambda: snapped_position(np.zeros((3, 2), int), [0, 0]),
            ValueError,
            "rate must broadcast with offset",
        ),
    ],
)
def test_bad_input(call: Callable[[], Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
