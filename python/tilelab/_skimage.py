"""The pictures that the scikit-image wheel carries, read from its installed folder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tilelab._extras import require
from tilelab._validation import as_choice

_ENDINGS = (".png", ".jpg")


def folder() -> Path:
    """Return the data folder of the installed scikit-image package."""
    skimage = require("skimage", "scene")
    return Path(skimage.__file__).parent / "data"


def names() -> list[str]:
    """Return the names of the pictures that `load` can read.

    Returns
    -------
    list of str
        Sorted. The scikit-image wheel brings photographs (astronaut, chelsea, coffee, rocket, ...), textures
        (brick, grass, gravel), test pictures, and the motorcycle stereo pair.

    Raises
    ------
    ImportError
        If scikit-image is not installed.

    Examples
    --------
    >>> {"brick", "grass", "gravel", "coffee"} <= set(names())
    True
    """
    return sorted(path.stem for path in folder().iterdir() if path.suffix in _ENDINGS)


def load(name: str) -> NDArray[np.uint8]:
    """Read one picture.

    Parameters
    ----------
    name : str
        One of `names`.

    Returns
    -------
    (H, W) or (H, W, 3) or (H, W, 4) uint8
        Grey, RGB or RGBA, sRGB encoded as in the file.

    Raises
    ------
    ImportError
        If scikit-image or Pillow is not installed.
    ValueError
        If there is no such picture.

    Examples
    --------
    >>> load("coffee").shape
    (400, 600, 3)
    """
    name = as_choice("name", name, names())
    image_module = require("PIL.Image", "plot")
    path = next(path for ending in _ENDINGS if (path := folder() / (name + ending)).exists())
    with image_module.open(path) as image:
        mode = {"1": "L", "L": "L", "LA": "RGBA", "RGBA": "RGBA"}.get(image.mode, "RGB")
        return np.array(image.convert(mode), dtype=np.uint8)
