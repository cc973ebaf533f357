"""Arguments and inputs that several commands share."""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np

from tilelab import _extras
from tilelab._validation import fail
from tilelab.frame import Frame

FRAME_SUFFIXES = (".npz", ".exr")
_PICTURE_MODES = ("1", "L", "LA", "P", "PA", "RGB", "RGBA", "RGBX", "CMYK", "YCbCr")


def add_threads(parser: argparse.ArgumentParser) -> None:
    """Add ``--threads``."""
    parser.add_argument(
        "--threads",
        type=whole_number,
        default=0,
        metavar="N",
        help="threads for the kernels; 0 = all cores (default: 0); the results do not depend on it",
    )


def whole_number(text: str) -> int:
    """Parse an integer of at least 0, for ``type=``."""
    try:
        value = int(text)
    except ValueError:
        value = -1
    if value < 0:
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 0, got {text!r}")
    return value


def read_frame(path: Path) -> Frame:
    """Read a frame file (.npz, .exr), or a picture as a frame of colour alone.

    Parameters
    ----------
    path : Path
        A frame file, else any picture with 8 bits a channel that Pillow can read.

    Returns
    -------
    Frame
        A picture becomes ``color`` of shape (H, W, 3), turned as its EXIF data say, and nothing else; alpha
        is dropped.

    Raises
    ------
    OSError
        The file cannot be opened.
    ValueError
        It is neither, or it is damaged.
    """
    if path.suffix.lower() in FRAME_SUFFIXES:
        return Frame.load(path)
    image_module = _extras.require("PIL.Image", "plot")
    operations = _extras.require("PIL.ImageOps", "plot")
    rule = f"must be a frame ({', '.join(FRAME_SUFFIXES)}) or a picture with 8 bits a channel"
    with path.open("rb") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # remarks of a decoder about a file that it can read
        try:
            with image_module.open(file) as picture:
                mode = picture.mode
                color = np.asarray(operations.exif_transpose(picture).convert("RGB"))
        except Exception as error:  # a damaged picture makes each decoder raise errors of its own
            raise fail(str(path), rule, error) from error
    if mode not in _PICTURE_MODES:
        raise fail(str(path), rule, f"the Pillow mode {mode}")
    return Frame(color=color)
