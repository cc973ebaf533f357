"""What a chapter of the tour hands over: numbers and pictures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tilelab._validation import fail, fail_type

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Chapter", "Picture", "figure_image"]
__dir__ = __all__.copy

_NAME = re.compile(r"[a-z0-9]+(?:[_-][a-z0-9]+)*")


@dataclass(frozen=True)
class Picture:
    """One picture of a chapter.

    Parameters
    ----------
    name : str
        File stem of the PNG file, lower case (``"vrs_rates"``); unique in the whole tour.
    caption : str
        One or two sentences: what is seen and how to read it.
    image : ndarray of uint8, shape (H, W, 3) or (H, W, 4)
        Display-encoded pixels. A matplotlib figure becomes one through `figure_image`.

    Raises
    ------
    TypeError
        `image` is not a uint8 array.
    ValueError
        `name` is no plain file stem, or `image` has another shape.
    """

    name: str
    caption: str
    image: npt.NDArray[np.uint8]

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise fail("name", "must be lower case words joined by _ or -", repr(self.name))
        if not isinstance(self.image, np.ndarray) or self.image.dtype != np.uint8:
            kind = getattr(self.image, "dtype", type(self.image).__name__)
            raise fail_type("image", "must be a uint8 array", kind)
        shape = self.image.shape
        if len(shape) != 3 or shape[2] not in (3, 4) or 0 in shape:
            raise fail("image", "must have shape (H, W, 3) or (H, W, 4)", shape)


@dataclass(frozen=True)
class Chapter:
    """One part of the tour.

    Parameters
    ----------
    title : str
        Heading.
    intro : str
        A short paragraph for a reader who meets the subject for the first time. It also says
        what could not be shown when the frame lacks a channel.
    rows : sequence of (str, str)
        One quantity a row: the label, its unit in brackets at the end, then a plain number as
        text: ``("PSNR (dB)", "38.21")``.
    pictures : sequence of Picture
        In reading order.
    """

    title: str
    intro: str
    rows: Sequence[tuple[str, str]] = field(default=())
    pictures: Sequence[Picture] = field(default=())


def figure_image(figure: Figure) -> npt.NDArray[np.uint8]:
    """Draw a matplotlib figure into an array and forget the figure.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        Any figure; one made through pyplot is closed.

    Returns
    -------
    ndarray of uint8, shape (H, W, 4)
        RGBA pixels at the figure's own resolution.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> figure_image(Figure(figsize=(2, 1), dpi=100)).shape
    (100, 200, 4)
    """
    from matplotlib import pyplot
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    image = np.array(canvas.buffer_rgba(), dtype=np.uint8)
    pyplot.close(figure)
    return image
