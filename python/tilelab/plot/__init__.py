"""Plots of every area's results.

Each function takes ``ax=None`` (a new figure) and returns the Axes. matplotlib is imported at the first call.
"""

from tilelab.plot._axes import axes_or_new, image_axes

__all__ = ["axes_or_new", "image_axes"]
