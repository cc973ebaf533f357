"""A coarsely shaded picture, and how it shows itself."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab import _extras
from tilelab._picture import image_html, result_html, unorm8
from tilelab._validation import Array, ceil_div
from tilelab.vrs.shading_rate import Rates

__all__ = ["CoarseResult"]
__dir__ = __all__.copy


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CoarseResult:
    """A coarsely shaded picture.

    Parameters
    ----------
    image : ndarray, (H, W[, C])
        Every covered pixel holds the value of its invocation; others are NaN (float) or 0.
    invocations, lanes : ndarray of int64, (TH, TW)
        Shader invocations of each tile, and lanes launched for them: 4 for each 2x2 group of coarse pixels of
        a primitive, so helper lanes are included.
    positions : ndarray of float64, (N, 2)
        x and y of every invocation, pixel centres at +0.5. Tiles follow each other row by row; inside a tile
        the order is coarse-pixel row, coarse-pixel column, primitive.
    masks : ndarray of uint16, (N,)
        Covered pixels of the invocation; the top left one is the highest of the width * height bits.
    rates : ndarray of uint8, (N,)
        Final rate of the invocation.
    primitives : ndarray of int32, (N,)
        Primitive of the invocation.
    pixel_invocation : ndarray of int32, (H, W)
        Which invocation shades a pixel, -1 for none.
    """

    image: Array
    invocations: npt.NDArray[np.int64]
    lanes: npt.NDArray[np.int64]
    positions: npt.NDArray[np.float64]
    masks: npt.NDArray[np.uint16]
    rates: Rates
    primitives: npt.NDArray[np.int32]
    pixel_invocation: npt.NDArray[np.int32]

    def __repr__(self) -> str:
        height, width = self.pixel_invocation.shape
        return f"CoarseResult({width}x{height}: {self.masks.size} invocations, ratio {self.ratio:.4f})"

    @property
    def ratio(self) -> float:
        """Invocations for each covered pixel; 1 is full rate. NaN when nothing is covered."""
        covered = self.covered_pixels
        return len(self.rates) / covered if covered else float("nan")

    @property
    def covered_pixels(self) -> int:
        """Pixels that an invocation shades."""
        return int(np.count_nonzero(self.pixel_invocation >= 0))

    def to_xarray(self) -> Any:
        """Give the picture and the counts of tiles as an xarray.Dataset; needs xarray.

        Returns
        -------
        xarray.Dataset
            ``image`` and ``pixel_invocation`` over y and x (pixel centres, and channel), ``invocations`` and
            ``lanes`` over tile_y and tile_x.
        """
        xarray = _extras.require("xarray", "sweep")
        height, width = self.pixel_invocation.shape
        axes = ("y", "x", "channel")[: self.image.ndim]
        return xarray.Dataset(
            {
                "image": (axes, self.image),
                "pixel_invocation": (("y", "x"), self.pixel_invocation),
                "invocations": (("tile_y", "tile_x"), self.invocations),
                "lanes": (("tile_y", "tile_x"), self.lanes),
            },
            coords={
                "y": ("y", np.arange(height) + 0.5, {"units": "pixel"}),
                "x": ("x", np.arange(width) + 0.5, {"units": "pixel"}),
            },
        )

    def _repr_html_(self) -> str:
        height, width = self.pixel_invocation.shape
        picture = ""
        if self.image.ndim == 2 or self.image.shape[2] in (3, 4):
            step = ceil_div(width, 480)
            small = self.image[::step, ::step, ...]
            small = small[..., :3] if small.ndim == 3 else small
            image = small if small.dtype == np.uint8 else unorm8(small)
            picture = image_html(np.ascontiguousarray(image), "coarsely shaded picture")
        by_rate = {code: int(n) for code, n in enumerate(np.bincount(self.rates, minlength=11)) if n}
        rows = [
            ("size (pixels)", f"{width} x {height}"),
            ("covered pixels", self.covered_pixels),
            ("invocations", len(self.rates)),
            ("invocations per covered pixel", self.ratio),
            ("lanes launched", int(self.lanes.sum())),
            *((f"invocations at {1 << (code >> 2)}x{1 << (code & 3)}", n) for code, n in by_rate.items()),
        ]
        return result_html("Coarse shading", rows, pictures=[picture])
