import math

import numpy as np
import pytest

from tilelab import metrics


def test_equal_images() -> None:
    image = np.full((3, 4, 3), 0.25, np.float32)
    assert metrics.psnr(image, image) == math.inf
    assert metrics.max_error(image, image) == 0.0


def test_psnr_is_its_formula(rng: np.random.Generator) -> None:
    a, b = rng.random((7, 5, 3)), rng.random((7, 5, 3))
    assert metrics.psnr(a, b) == pytest.approx(-10 * math.log10(np.mean((a - b) ** 2)))
    assert metrics.psnr(a, b, peak=2.0) == pytest.approx(metrics.psnr(a, b) + 20 * math.log10(2))


def test_uint8_is_unorm() -> None:
    a = np.array([[0, 255]], np.uint8)
    assert metrics.max_error(a, np.array([[0.0, 1.0]])) == 0.0
    assert metrics.max_error(a, np.array([[255, 255]], np.uint8)) == 1.0


def test_where_leaves_pixels_out() -> None:
    a, b = np.zeros((2, 2, 3)), np.zeros((2, 2, 3))
    a[0, 0] = np.nan
    a[1, 1, 2] = 0.5
    kept = np.array([[False, True], [True, True]])
    assert metrics.max_error(a, b, where=kept) == 0.5
    assert metrics.psnr(a, b, where=kept) == pytest.approx(10 * math.log10(9 / 0.25))
    assert metrics.psnr(a, b, where=np.zeros((2, 2), bool)) == math.inf
    assert math.isnan(metrics.psnr(a, b))


@pytest.mark.parametrize(
    ("change", "error", "text"),
    [
        ({"reference": np.zeros((2, 3))}, ValueError, "reference must have the shape of image"),
        ({"image": np.zeros((2, 2), np.int32)}, TypeError, "image must be an array of float64 or float32"),
        ({"image": np.zeros(4)}, ValueError, "image must have 2 or 3 dimensions"),
        ({"where": np.ones((2, 2))}, TypeError, "where must be a bool array"),
        ({"where": np.ones((1, 2), bool)}, ValueError, "where must have shape"),
    ],
)
def test_bad_input(change: dict[str, object], error: type[Exception], text: str) -> None:
    arguments = {"image": np.zeros((2, 2)), "reference": np.zeros((2, 2))} | change
    for function in (metrics.psnr, metrics.max_error, metrics.absolute_error):
        with pytest.raises(error, match=text):
            function(**arguments)  # type: ignore[operator]


@pytest.mark.parametrize("peak", [0.0, -1.0, math.nan])
def test_bad_peak(peak: float) -> None:
    with pytest.raises(ValueError, match="peak must be"):
        metrics.psnr([[0.0]], [[0.0]], peak=peak)


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_what_is_not_finite_is_not_hidden(value: float) -> None:
    a, b = np.zeros((2, 2, 3)), np.zeros((2, 2, 3))
    a[1, 0, 1] = value
    assert not math.isfinite(metrics.max_error(a, b))
    assert metrics.psnr(a, b) == pytest.approx(math.nan if math.isnan(value) else -math.inf, nan_ok=True)
    a[1, 0, 1] = b[1, 0, 1] = value
    assert math.isnan(metrics.psnr(a, b))
    assert math.isnan(metrics.max_error(a, b))
