"""Pictures of texel addresses: the walk, the map, the equation and the surface in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilelab import _extras
from tilelab._validation import as_instance, as_int
from tilelab.addressing import ResourceLayout, SwizzleEquation, texel_offset
from tilelab.addressing.layout import as_layout
from tilelab.plot._axes import axes_or_new

__all__ = ["address_walk", "equation_bits", "offset_map"]
__dir__ = __all__.copy

_COORDINATES = (("x", "#d1495b"), ("y", "#00798c"), ("z", "#edae49"), ("s", "#6f4a8e"))


def address_walk(
    layout: ResourceLayout,
    *,
    x: int = 0,
    y: int = 0,
    width: int = 16,
    height: int = 16,
    mip: int = 0,
    array_slice: int = 0,
    ax: Any = None,
) -> Any:
    """Draw the path through the elements of a window in the order of their addresses.

    Parameters
    ----------
    layout : ResourceLayout
        The layout.
    x, y, width, height : int
        The window, in elements; it is cut at the edge of the mip.
    mip, array_slice : int
        The subresource.
    ax : matplotlib.axes.Axes, optional
        Where to draw; default: a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Colours run from the lowest address (dark) to the highest (light). Thin grey lines are jumps: the
        next element of the window is not the next one in memory.
    """
    collections = _extras.require("matplotlib.collections", "plot")
    offsets = _window(layout, x, y, width, height, mip, array_slice)
    rows, columns = offsets.shape
    order = np.argsort(offsets, axis=None)
    points = np.stack([order % columns + x, order // columns + y], axis=1).astype(float)
    jumps = np.diff(offsets.reshape(-1)[order]) != layout.planes[0].bytes_per_element
    ax = axes_or_new(ax, size=(4.2, 4.2 * rows / columns + 0.3))
    steps = np.stack([points[:-1], points[1:]], axis=1)
    ax.add_collection(collections.LineCollection(steps[jumps], colors="#b0b0b0", linewidths=0.5, zorder=1))
    path = collections.LineCollection(steps[~jumps], cmap="viridis", linewidths=1.4, zorder=2)
    path.set_array(np.flatnonzero(~jumps))
    path.set_clim(0, len(points))
    ax.add_collection(path)
    dot = min(14.0, 4000.0 / max(rows, columns) ** 2)
    ax.scatter(*points.T, c=np.arange(len(points)), cmap="viridis", s=dot, zorder=3)
    ax.set_xlim(x - 0.7, x + columns - 0.3)
    ax.set_ylim(y + rows - 0.3, y - 0.7)
    ax.set_aspect("equal")
    for axis in (ax.xaxis, ax.yaxis):
        axis.get_major_locator().set_params(integer=True)
    ax.set_xlabel("x (elements)")
    ax.set_ylabel("y (elements)")
    ax.set_title(_mode_name(layout))
    return ax


def offset_map(
    layout: ResourceLayout,
    *,
    x: int = 0,
    y: int = 0,
    width: int = 256,
    height: int = 256,
    mip: int = 0,
    array_slice: int = 0,
    unit_bytes: int = 1,
    modulo: int = 0,
    colorbar: bool = True,
    ax: Any = None,
) -> Any:
    """Show the address of every element of a window as a colour.

    Parameters
    ----------
    layout : ResourceLayout
        The layout.
    x, y, width, height : int
        The window, in elements; it is cut at the edge of the mip.
    mip, array_slice : int
        The subresource.
    unit_bytes : int
        Addresses are divided by it (rounding down): 256 shows micro tiles, 65536 blocks.
    modulo : int
        Where not 0, the remainder of that division is shown: with 256 bytes and the number of pipes, which
        pipe holds the element.
    colorbar : bool
        Draw the scale.
    ax : matplotlib.axes.Axes, optional
        Where to draw; default: a new figure.

    Returns
    -------
    matplotlib.axes.Axes
    """
    units = _window(layout, x, y, width, height, mip, array_slice) // as_int("unit_bytes", unit_bytes, low=1)
    if as_int("modulo", modulo, low=0):
        units %= modulo
    rows, columns = units.shape
    ax = axes_or_new(ax, size=(5.2, 4.4 * rows / columns + 0.3))
    image = ax.imshow(units, cmap="viridis", interpolation="nearest", extent=(x, x + columns, y + rows, y))
    if colorbar:
        label = "address (bytes)" if unit_bytes == 1 else f"address / {unit_bytes} bytes"
        label += f" mod {modulo}" if modulo else ""
        ax.figure.colorbar(image, ax=ax, label=label)
    ax.set_xlabel("x (elements)")
    ax.set_ylabel("y (elements)")
    ax.set_title(_mode_name(layout))
    return ax


def equation_bits(equation: SwizzleEquation, *, ax: Any = None) -> Any:
    """Draw a swizzle equation as its matrix over GF(2).

    Parameters
    ----------
    equation : SwizzleEquation
        The equation.
    ax : matplotlib.axes.Axes, optional
        Where to draw; default: a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        One row per address bit, the highest on top; one column per coordinate bit that is used. A filled cell
        means: this coordinate bit enters the XOR of that address bit. Rows with several cells are XORs.
    """
    as_instance("equation", equation, SwizzleEquation)
    patches = _extras.require("matplotlib.patches", "plot")
    masks = (equation.x_masks, equation.y_masks, equation.z_masks, equation.sample_masks)
    columns = []
    for (letter, color), rows in zip(_COORDINATES, masks, strict=True):
        used = int(np.bitwise_or.reduce(np.asarray(rows, np.int64))) if len(rows) else 0
        columns += [(letter, bit, color, rows) for bit in range(used.bit_length()) if used >> bit & 1]
    bits = len(equation.x_masks)
    ax = axes_or_new(ax, size=(0.26 * len(columns) + 1.2, 0.26 * bits + 0.9))
    for column, (_, bit, color, rows) in enumerate(columns):
        for row, mask in enumerate(rows):
            filled = int(mask) >> bit & 1
            ax.add_patch(
                patches.Rectangle(
                    (column, row), 1, 1, facecolor=color if filled else "#f4f4f4", edgecolor="white"
                )
            )
    ax.set_xlim(0, len(columns))
    ax.set_ylim(0, bits)
    ax.set_aspect("equal")
    ax.set_xticks(
        np.arange(len(columns)) + 0.5, [f"{letter}{bit}" for letter, bit, *_ in columns], fontsize=7
    )
    ax.set_yticks(np.arange(bits) + 0.5, [str(bit) for bit in range(bits)], fontsize=7)
    ax.tick_params(length=0)
    ax.set_xlabel("coordinate bits")
    ax.set_ylabel("address bit")
    for spine in ax.spines.values():
        spine.set_visible(False)
    return ax


def _window(
    layout: ResourceLayout, x: int, y: int, width: int, height: int, mip: int, array_slice: int
) -> NDArray[np.int64]:
    """Addresses of a window of the first plane."""
    _, level = as_layout(layout).place(0, mip)
    columns, rows = level.width_elements, level.height_elements
    x = as_int("x", x, low=0, high=columns - 1)
    y = as_int("y", y, low=0, high=rows - 1)
    across = np.arange(x, min(columns, x + as_int("width", width, low=1)))
    down = np.arange(y, min(rows, y + as_int("height", height, low=1)))
    return np.asarray(texel_offset(layout, across, down[:, None], array_slice=array_slice, mip=mip))


def _mode_name(layout: ResourceLayout) -> str:
    return str(layout.swizzle_mode.name.removeprefix("SW_"))
