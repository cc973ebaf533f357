"""Arguments and inputs that several commands share."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from tilelab import _extras
from tilelab.frame import Frame

FRAME_SUFFIXES = (".npz", ".exr")


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
        Any picture file Pillow can read, else a frame file.

    Returns
    -------
    Frame
        A picture becomes uint8 ``color`` of shape (H, W, 3) and nothing else.
    """
    if path.suffix.lower() in FRAME_SUFFIXES:
        return Frame.load(path)
    image_module = _extras.require("PIL.Image", "plot")
    try:
        with image_module.open(path) as picture:
            color = np.asarray(picture.convert("RGB"))
    except _extras.require("PIL", "plot").UnidentifiedImageError:
        raise ValueError(
            f"{path} must be a frame ({', '.join(FRAME_SUFFIXES)}) or a picture, got an unknown format"
        ) from None
    return Frame(color=color)
