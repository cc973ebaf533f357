import math

import numpy as np
import pytest

from tilelab import metrics, testing
from tilelab.reference import metrics as twin


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
def test_what_is_not_finite_is_left_out_and_told(value: float) -> None:
    a, b = np.zeros((2, 2, 3)), np.zeros((2, 2, 3))
    b[0, 0] = 0.5
    a[1, 0, 1] = value
    for function, wanted in ((metrics.max_error, 0.5), (metrics.psnr, 10 * math.log10(11 / 0.75))):
        with pytest.warns(UserWarning, match="1 values in which one side is not finite are left out"):
            assert function(a, b) == pytest.approx(wanted)
    assert math.isnan(metrics.absolute_error(a, b)[1, 0])
    error = metrics.compare(a, b, tile=1)
    assert (error.counted, error.nonfinite, error.differing) == (11, 1, 1)
    assert error.tile_nonfinite is not None
    assert error.tile_nonfinite.tolist() == [[0, 0], [1, 0]]


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_equal_values_that_are_not_finite_are_no_error(value: float, dtype: type, recwarn: object) -> None:
    image = np.full((9, 5, 3), value, dtype)
    assert metrics.psnr(image, image) == math.inf
    assert metrics.max_error(image, image) == 0.0
    assert not metrics.absolute_error(image, image).any()
    error = metrics.compare(image, image)
    assert (error.counted, error.nonfinite, error.differing) == (0, 135, 0)
    assert not recwarn.list  # type: ignore[attr-defined]


def test_peak_of_bytes_is_full_scale_or_in_codes(rng: np.random.Generator) -> None:
    a, b = rng.integers(0, 256, (2, 7, 5, 3)).astype(np.uint8)
    wanted = 10 * math.log10(255**2 / np.mean((a.astype(float) - b) ** 2))
    assert metrics.psnr(a, b) == pytest.approx(wanted)
    assert metrics.psnr(a, b, peak=255) == pytest.approx(wanted)
    assert metrics.psnr(a / 255.0, b) == pytest.approx(wanted)  # kinds that differ
    with pytest.raises(TypeError, match="uint8"):
        metrics.psnr(a.astype(np.uint16), b.astype(np.uint16))


def error_cases() -> list[tuple[str, int, bool, np.ndarray, np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(3)
    cases = []
    for dtype in ("float32", "float64", "uint8"):
        for shape in ((1, 1, 1), (5, 7, 3), (33, 70, 4), (40, 129, 1)):
            a, b = rng.random((2, *shape)) * (255 if dtype == "uint8" else 1)
            a, b = a.astype(dtype), b.astype(dtype)
            if dtype != "uint8" and a.size > 50:
                a.flat[3], a.flat[9], b.flat[9], b.flat[20] = np.nan, np.inf, np.inf, -np.inf
            for masked in (False, True):
                counts = rng.random(shape[:2]) < (0.7 if masked else 2.0)
                cases += [(dtype, tile, masked, a, b, counts) for tile in (0, 5, 8)]
    return cases


@pytest.mark.parametrize(
    "case", error_cases(), ids=lambda case: f"{case[0]}-{case[3].shape}-{case[1]}-{case[2]}"
)
def test_equals_the_twin(case: tuple[str, int, bool, np.ndarray, np.ndarray, np.ndarray]) -> None:
    _, tile, masked, a, b, counts = case
    total, tiles = twin.image_error(a, b, counts, tile)
    for target in testing.targets():
        for threads in (1, 3):
            with testing.force_target(target):
                error = metrics.compare(
                    a, b, tile=tile or None, where=counts if masked else None, threads=threads
                )
            assert error.mse == total["square"] / max(total["counted"], 1)
            assert error.mae == total["absolute"] / max(total["counted"], 1)
            assert error.max_error == total["largest"]
            assert error.nonfinite == total["not_finite"]
            assert error.differing == total["differing"]
            if tile:
                wanted = np.array([[sums["square"] for sums in row] for row in tiles])
                number = np.array([[sums["counted"] for sums in row] for row in tiles])
                np.testing.assert_array_equal(error.tile_mse[number > 0], (wanted / number)[number > 0])
                assert np.isnan(error.tile_mse[number == 0]).all()


def test_error_shows_itself() -> None:
    error = metrics.compare(np.zeros((8, 16)), np.full((8, 16), 0.5), tile=8, peak=2.0)
    assert repr(error) == "ImageError(psnr 12.04 dB at peak 2, max 0.5)"
    assert "PSNR (dB, peak 2)" in error._repr_html_()
    assert error.to_xarray().mse.dims == ("tile_y", "tile_x")
    with pytest.raises(ValueError, match="tile must have been given"):
        metrics.compare([[0.0]], [[0.0]]).to_xarray()
