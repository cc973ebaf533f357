"""What results show in notebooks: pictures and tables."""

import base64
import io

import numpy as np
from PIL import Image

from tilelab import _picture


def test_unorm8_rounds_clips_and_takes_nan_as_black() -> None:
    assert _picture.unorm8(np.array([-1.0, 0.5, 2.0, np.nan, np.inf])).tolist() == [0, 128, 255, 0, 255]


def test_image_html_holds_the_picture() -> None:
    image = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    text = _picture.image_html(image, 'a "name"')
    assert text.startswith('<img alt="a &quot;name&quot;" src="data:image/png;base64,')
    png = base64.b64decode(text.split("base64,")[1].split('"')[0])
    np.testing.assert_array_equal(np.asarray(Image.open(io.BytesIO(png))), image)


def test_encode_png_shrinks_by_averaging() -> None:
    image = np.array([[0, 100], [100, 200]], np.uint8)
    png = _picture.encode_png(image, shrink=2)
    assert np.asarray(Image.open(io.BytesIO(png))).tolist() == [[100]]


def test_tables_escape_text_and_separate_thousands() -> None:
    text = _picture.table_html(["a & b"], [[1234567], [0.25], [True], ["<x>"]])
    assert "<th>a &amp; b</th>" in text
    for cell in ("1,234,567</td>", "0.25</td>", "yes</td>", "&lt;x&gt;</td>"):
        assert cell in text


def test_result_html_leaves_out_absent_pictures() -> None:
    assert "<img" not in _picture.result_html("name", [("rows", 3)], pictures=[""])
