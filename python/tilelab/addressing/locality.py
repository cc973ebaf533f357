"""How far neighbouring texels lie apart in memory, which is what swizzle modes are for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilelab import _extras
from tilelab._picture import result_html
from tilelab._validation import as_int, fail, fail_type
from tilelab.addressing.layout import ResourceLayout, as_layout
from tilelab.addressing.texel_address import texel_offset

__all__ = ["Locality", "locality"]
__dir__ = __all__.copy


@dataclass(frozen=True, slots=True, kw_only=True)
class Locality:
    """Distances between neighbouring elements of one depth slice of a mip.

    Attributes
    ----------
    mean_distance_x, mean_distance_y : float
        Mean distance in bytes between the addresses of an element and the one to its right, or below it.
        NaN where the mip has a single column or row.
    median_distance_x, median_distance_y : float
        The same, median: what most neighbours see. The mean is ruled by the few jumps between blocks.
    same_line_x, same_line_y : float
        Share of those neighbours that lie in the same cache line.
    lines_per_8x8 : float
        Mean number of different cache lines that hold an aligned block of 8 x 8 elements (what a wave of
        64 lanes reads at one texel per pixel), cut off at the edges.
    """

    mean_distance_x: float
    mean_distance_y: float
    median_distance_x: float
    median_distance_y: float
    same_line_x: float
    same_line_y: float
    lines_per_8x8: float

    def __repr__(self) -> str:
        return (
            f"Locality(median distance {self.median_distance_x:g} x {self.median_distance_y:g} bytes, "
            f"{self.lines_per_8x8:.4g} lines per 8 x 8)"
        )

    def to_xarray(self) -> Any:
        """Give the distances as an xarray.Dataset; needs xarray.

        Returns
        -------
        xarray.Dataset
            ``mean_distance``, ``median_distance`` and ``same_line`` over ``axis`` (x: to the right, y:
            below), and ``lines_per_8x8``.
        """
        xarray = _extras.require("xarray", "sweep")
        names = ("mean_distance", "median_distance", "same_line")
        by_axis = {name: ("axis", [getattr(self, f"{name}_{axis}") for axis in "xy"]) for name in names}
        return xarray.Dataset(by_axis | {"lines_per_8x8": self.lines_per_8x8}, coords={"axis": ["x", "y"]})

    def _repr_html_(self) -> str:
        rows = [
            ("mean distance to the right (bytes)", self.mean_distance_x),
            ("mean distance to the element below (bytes)", self.mean_distance_y),
            ("median distance to the right (bytes)", self.median_distance_x),
            ("median distance to the element below (bytes)", self.median_distance_y),
            ("neighbours to the right in the same line", self.same_line_x),
            ("neighbours below in the same line", self.same_line_y),
            ("lines per 8 x 8 elements", self.lines_per_8x8),
        ]
        return result_html("Locality", rows)


def locality(
    layout: ResourceLayout,
    *,
    mip: int = 0,
    array_slice: int = 0,
    z: int = 0,
    plane: int | str = 0,
    region: tuple[int, int] | None = None,
    line_bytes: int = 128,
) -> Locality:
    """Measure how near neighbouring elements lie in memory.

    Parameters
    ----------
    layout : ResourceLayout
        The layout; the first sample of multisampled surfaces is looked at.
    mip, array_slice, z : int
        Which depth slice of which subresource.
    plane : int or str
        Number or usage of the plane.
    region : tuple of int, optional
        Columns and rows to look at, from the top left; default: all. It is cut at the edge of the mip.
    line_bytes : int
        Bytes of a cache line, a power of two. RDNA2's vector cache has 128 (documented).

    Returns
    -------
    Locality

    Raises
    ------
    TypeError, ValueError
        A place that the layout does not have, or a line that is no power of two.

    Notes
    -----
    Derived: exact arithmetic on `texel_offset`, no model of a cache.

    Examples
    --------
    >>> from tilelab.addressing import TextureDesc, resource_layout
    >>> desc = TextureDesc(width=256, height=256, format="R8G8B8A8_UNORM")
    >>> locality(resource_layout(desc, "LINEAR")).lines_per_8x8
    8.0
    >>> locality(resource_layout(desc, "SW_64KB_R_X")).lines_per_8x8
    2.0
    """
    line = as_int("line_bytes", line_bytes, low=1)
    if line & (line - 1):
        raise fail("line_bytes", "must be a power of two", line)
    _, level = as_layout(layout).place(plane, mip)
    width, height = level.width_elements, level.height_elements
    if region is not None:
        if not isinstance(region, tuple | list) or len(region) != 2:
            raise fail_type("region", "must be (columns, rows)", repr(region))
        columns, rows = region
        width = min(width, as_int("region", columns, low=1))
        height = min(height, as_int("region", rows, low=1))
    offsets = texel_offset(
        layout, np.arange(width), np.arange(height)[:, None], z, array_slice=array_slice, mip=mip, plane=plane
    )
    lines = offsets // line
    right, down = np.abs(np.diff(offsets, axis=1)), np.abs(np.diff(offsets, axis=0))
    return Locality(
        mean_distance_x=_mean(right),
        mean_distance_y=_mean(down),
        median_distance_x=float(np.median(right)) if right.size else float("nan"),
        median_distance_y=float(np.median(down)) if down.size else float("nan"),
        same_line_x=_mean(np.diff(lines, axis=1) == 0),
        same_line_y=_mean(np.diff(lines, axis=0) == 0),
        lines_per_8x8=_mean_lines(lines),
    )


def _mean(values: NDArray[np.int64] | NDArray[np.bool_]) -> float:
    return float(values.mean()) if values.size else float("nan")


def _mean_lines(lines: NDArray[np.int64]) -> float:
    """Mean count of different values in aligned blocks of 8 x 8."""
    height, width = lines.shape
    padded = np.pad(lines, ((0, -height % 8), (0, -width % 8)), mode="edge")
    blocks = padded.reshape(padded.shape[0] // 8, 8, padded.shape[1] // 8, 8).swapaxes(1, 2).reshape(-1, 64)
    ordered = np.sort(blocks, axis=1)
    return float((np.diff(ordered, axis=1) != 0).sum(axis=1).mean() + 1)
