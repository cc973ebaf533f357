"""Pictures of tessellated patches."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab import _extras
from tilelab._validation import as_bool, as_choice, as_instance, as_int
from tilelab.plot._axes import axes_or_new
from tilelab.tessellation import Domain, Tessellation, Topology

__all__ = ["tessellated_patch"]
__dir__ = __all__.copy

_FILL = "YlGnBu"
_INK = "#22313f"
_LABEL = "#7a8794"


def tessellated_patch(
    tessellation: Tessellation,
    patch: int = 0,
    *,
    color_by: str = "order",
    show_points: bool = True,
    ax: Any = None,
) -> Any:
    """Draw one patch: its primitives, its points, and which edge is which.

    Parameters
    ----------
    tessellation : Tessellation
        Result of :func:`tilelab.tessellation.tessellate`.
    patch : int
        Which of its patches.
    color_by : {"order", "area", "none"}
        Fill triangles (colour lines) by their place in the output, so that the rings show, or by their area
        in the domain, or not at all.
    show_points : bool
        Also draw the domain points.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure otherwise.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    TypeError
        `tessellation` is not a Tessellation.
    ValueError
        There is no such patch, or `color_by` is unknown.

    Notes
    -----
    A tri patch is drawn as an equilateral triangle with U = 1 at the right, V = 1 at the top and W = 1 at the
    left; other patches as a square with U to the right and V up. A culled patch gives an empty frame.

    Examples
    --------
    >>> from tilelab import plot
    >>> from tilelab.tessellation import tessellate
    >>> ax = plot.tessellated_patch(tessellate("tri", "fractional_odd", [9.5, 5, 7, 6.2]))
    """
    as_instance("tessellation", tessellation, Tessellation)
    patch = as_int("patch", patch, low=-tessellation.patch_count, high=tessellation.patch_count - 1)
    color_by = as_choice("color_by", color_by, ("order", "area", "none"))
    show_points = as_bool("show_points", show_points)
    uv, primitives = tessellation.patch(patch)
    is_tri = tessellation.domain is Domain.TRI
    places = _places(uv, is_tri)

    ax = axes_or_new(ax, size=(6.4, 6.2))
    ax.set_aspect("equal")
    ax.set_axis_off()
    _draw_frame(ax, is_tri)
    if len(primitives):
        _draw_primitives(ax, places[primitives], tessellation.topology, color_by)
    if show_points and len(places):
        size = float(np.clip(900.0 / len(places), 1.5, 28.0))
        ax.scatter(*places.T, s=size, color=_INK, linewidths=0, zorder=3)
    kind = {Topology.POINT: "points", Topology.LINE: "lines"}.get(tessellation.topology, "triangles")
    text = f"{len(uv)} points" + ("" if kind == "points" else f", {len(primitives)} {kind}")
    ax.set_title(text if len(uv) else "culled", color=_INK)
    return ax


def _places(uv: npt.NDArray[np.float32], is_tri: bool) -> npt.NDArray[np.float64]:
    """Where domain points lie on the page."""
    u, v = uv[:, 0].astype(np.float64), uv[:, 1].astype(np.float64)
    if not is_tri:
        return np.stack([u, v], axis=1)
    return np.stack([u + 0.5 * v, v * np.sqrt(0.75)], axis=1)


def _draw_frame(ax: Any, is_tri: bool) -> None:
    """Outline the domain and name its edges, a little outside of each."""
    corners = [(0, 0), (1, 0), (0, 1)] if is_tri else [(0, 0), (1, 0), (1, 1), (0, 1)]
    names = ["V = 0", "W = 0", "U = 0"] if is_tri else ["V = 0", "U = 1", "V = 1", "U = 0"]
    outline = _places(np.array(corners, np.float32), is_tri)
    centre = outline.mean(axis=0)
    closed = np.concatenate([outline, outline[:1]])
    ax.plot(*closed.T, color=_LABEL, linewidth=0.8, zorder=0)
    for name, start, end in zip(names, closed[:-1], closed[1:], strict=True):
        middle = (start + end) / 2
        along, outward = end - start, middle - centre
        angle = np.degrees(np.arctan2(along[1], along[0]))
        x, y = middle + 0.05 * outward / np.hypot(*outward)
        upright = 90 - (90 - angle) % 180
        ax.text(x, y, name, color=_LABEL, ha="center", va="center", rotation=upright, rotation_mode="anchor")
    low, high = outline.min(axis=0), outline.max(axis=0)
    ax.set_xlim(low[0] - 0.1, high[0] + 0.1)
    ax.set_ylim(low[1] - 0.1, high[1] + 0.1)


def _draw_primitives(ax: Any, corners: npt.NDArray[np.float64], topology: Topology, color_by: str) -> None:
    if topology is Topology.POINT:
        return
    collections = _extras.require("matplotlib.collections", "plot")
    width = float(np.clip(12.0 / np.sqrt(len(corners)), 0.2, 1.2))
    values = _values(corners, color_by)
    if topology is Topology.LINE:
        drawn = collections.LineCollection(corners, linewidths=2.5 * width, cmap="viridis")
        drawn.set(**({"color": _INK} if values is None else {"array": values}))
    else:
        drawn = collections.PolyCollection(corners, linewidths=width, edgecolors=_INK, cmap=_FILL)
        if values is None:
            drawn.set_facecolor("none")
        else:
            drawn.set_array(values)
            # The darkest end of the map would hide the edges.
            drawn.set_clim(values.min(), values.min() + 1.5 * max(float(np.ptp(values)), 1e-12))
    ax.add_collection(drawn)


def _values(corners: npt.NDArray[np.float64], color_by: str) -> npt.NDArray[np.float64] | None:
    if color_by == "none":
        return None
    if color_by == "order":
        return np.arange(len(corners), dtype=np.float64)
    first = corners[:, 1] - corners[:, 0]
    if corners.shape[1] == 2:
        return np.asarray(np.hypot(first[:, 0], first[:, 1]))
    second = corners[:, 2] - corners[:, 0]
    return np.asarray(np.abs(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]) / 2)
