"""What the plot functions of all areas share."""

from __future__ import annotations

from typing import Any

from tilelab import _extras
from tilelab._validation import fail_type


def axes_or_new(ax: Any = None, *, size: tuple[float, float] | None = None) -> Any:
    """Give the Axes to draw on: the caller's, or the only one of a new figure.

    Parameters
    ----------
    ax : matplotlib.axes.Axes, optional
        The caller's Axes, returned as they are.
    size : tuple of float, optional
        Width and height in inches of a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ImportError
        matplotlib is not installed.
    TypeError
        `ax` is something else, as the array of Axes that ``pyplot.subplots`` returns.
    """
    if ax is not None:
        if not isinstance(ax, _extras.require("matplotlib.axes", "plot").Axes):
            raise fail_type("ax", "must be matplotlib Axes", type(ax).__name__)
        return ax
    pyplot = _extras.require("matplotlib.pyplot", "plot")
    return pyplot.subplots(figsize=size, layout="constrained")[1]


def image_axes(ax: Any = None, *, shape: tuple[int, int], title: str = "") -> Any:
    """Give Axes for a picture: square pixels, no ticks, a new figure of the picture's aspect.

    Parameters
    ----------
    ax : matplotlib.axes.Axes, optional
        The caller's Axes.
    shape : tuple of int
        Height and width of the picture.
    title : str, optional
        Text above it.

    Returns
    -------
    matplotlib.axes.Axes
    """
    height, width = shape
    ax = axes_or_new(ax, size=(8.0, min(max(8.0 * height / width, 1.5), 12.0) + 0.4))
    ax.set_xticks([])
    ax.set_yticks([])
    ax.set_aspect("equal")
    if title:
        ax.set_title(title)
    return ax
