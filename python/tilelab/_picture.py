"""Pictures and tables for people: 8-bit images, PNG data URIs, and what results show in notebooks."""

import base64
import html
import io
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab import _extras


def unorm8(values: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """Round 0..1 to 0..255; what lies outside is clipped, NaN becomes 0. Bytes are codes already."""
    if np.asarray(values).dtype == np.uint8:
        return np.asarray(values)
    unit = np.nan_to_num(np.asarray(values), nan=0.0, posinf=1.0, neginf=0.0)
    return np.asarray(np.rint(np.clip(unit, 0.0, 1.0) * 255.0), np.uint8)


def encode_png(image: npt.NDArray[np.uint8], *, shrink: int = 1) -> bytes:
    """Encode an (H, W[, 3]) image, every `shrink` pixels averaged to one. Needs Pillow."""
    picture = _extras.require("PIL.Image", "plot").fromarray(image)
    buffer = io.BytesIO()
    # Level 1: a 4K picture takes half a second instead of three and grows by a tenth.
    (picture.reduce(shrink) if shrink > 1 else picture).save(buffer, format="PNG", compress_level=1)
    return buffer.getvalue()


def data_uri(png: bytes) -> str:
    """Give an encoded picture as an address that a page can hold."""
    return "data:image/png;base64," + base64.b64encode(png).decode("ascii")


def image_html(image: npt.NDArray[np.uint8], alt: str) -> str:
    """Give the <img> of a picture, or nothing where Pillow is not installed: a repr must not fail."""
    try:
        png = encode_png(image)
    except ImportError:
        return ""
    return f'<img alt="{html.escape(alt)}" src="{data_uri(png)}">'


def table_html(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Give a table; numbers get thousands separators and stand right, other cells are escaped text."""
    titles = "".join(f"<th>{html.escape(title)}</th>" for title in head)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return f"<table><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table>"


def result_html(title: str, rows: Iterable[Sequence[object]], *, pictures: Sequence[str] = ()) -> str:
    """Give what a result shows in a notebook: its name, pictures, and a table of quantity and value."""
    shown = "".join(f"<div>{picture}</div>" for picture in pictures if picture)
    return f"<div><b>{html.escape(title)}</b>{shown}{table_html(('quantity', 'value'), rows)}</div>"


def _cell(value: object) -> str:
    if isinstance(value, bool | np.bool_):
        return f"<td style='text-align:left'>{'yes' if value else 'no'}</td>"
    if isinstance(value, int | np.integer):
        return f"<td style='text-align:right'>{int(value):,}</td>"
    if isinstance(value, float | np.floating):
        return f"<td style='text-align:right'>{float(value):,.6g}</td>"
    return f"<td style='text-align:left'>{html.escape(str(value))}</td>"
