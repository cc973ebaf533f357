"""How the result of a scan shows itself and turns into labelled arrays."""

import base64
import io
from typing import Any

import numpy as np
import pytest
from lighting_frames import ids_alone

from tilelab import lighting

IDS = np.zeros((40, 50), np.uint32)
IDS[:, 20:] = np.arange(40 * 30).reshape(40, 30)
RATES = np.full((5, 7), 5, np.uint8)
RATES[:2, 4:6] = 0
TILES = lighting.scan(ids_alone(IDS), rates=RATES, fast_paths="full_rate")


def picture_of(page: str) -> Any:
    image = pytest.importorskip("PIL.Image")
    return np.asarray(image.open(io.BytesIO(base64.b64decode(page.split("base64,")[1].split('"')[0]))))


def test_tiles_show_themselves_in_one_line() -> None:
    lit = TILES.records.size
    assert repr(TILES) == f"SparseTiles(50x40: {lit} of 2000 pixels lit)"
    assert repr(TILES.stats) == (f"ScanStats({lit} of 2000 pixels lit, {TILES.stats.bytes_read} bytes read)")


def test_the_page_of_tiles_has_their_counts_as_a_picture() -> None:
    page = TILES._repr_html_()
    shown = picture_of(page)
    assert shown.shape == (3 * 120, 4 * 120)
    np.testing.assert_array_equal(shown[::120, ::120], np.rint(TILES.counts / 256 * 255).astype(np.uint8))
    for text in ("50 x 40</td>", "4 x 3</td>", "tiles, full_rate</td><td style='text-align:right'>1</td>"):
        assert text in page
    assert "tiles, full_rate</td><td style='text-align:right'>1</td>" in TILES.stats._repr_html_()


def test_tiles_as_labelled_arrays() -> None:
    pytest.importorskip("xarray")
    found = TILES.to_xarray()
    assert found.counts.dims == found.paths.dims == ("tile_y", "tile_x")
    np.testing.assert_array_equal(found.counts, TILES.counts)
    np.testing.assert_array_equal(found.lit, TILES.lit_mask())
    assert (float(found.y[0]), float(found.x[-1])) == (0.5, 49.5)
    assert int(found.path_tiles.sel(path="full_rate")) == 1
    assert int(found.path_bytes.sum()) == TILES.stats.bytes_read


def test_tiles_made_by_hand_have_fewer_labels() -> None:
    pytest.importorskip("xarray")
    made = lighting.SparseTiles(
        np.zeros(0, np.uint32),
        np.zeros(2, np.int64),
        np.zeros((1, 1), np.uint32),
        lighting.ScanStats(valid_pixels=0, lit_pixels=0),
        (2, 3),
        "FLOAT21",
    )
    found = made.to_xarray()
    assert set(found.data_vars) == {"counts", "lit"}
    assert found.attrs == {"depth_encoding": "float21"}
    assert picture_of(made._repr_html_()).shape == (480, 480)
