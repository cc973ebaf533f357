"""What sparse lighting saves: waves that loop less, and a model of the time of both ways."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tilelab._picture import result_html
from tilelab._validation import as_array, as_float, as_instance, as_member, fail
from tilelab.lighting.tiles import TILE, SparseTiles

__all__ = ["LightingCost", "lighting_cost", "wave_loops"]
__dir__ = __all__.copy

WAVE_SIZES = (8, 16, 32, 64, 128)


def wave_loops(counts: npt.ArrayLike, wave_size: int) -> npt.NDArray[np.int64]:
    """Give the loops one wave needs for each tile.

    Parameters
    ----------
    counts : array_like of int
        Pixels to light per tile.
    wave_size : int
        Lanes of a wave: 32 or 64 on RDNA2 (8, 16 and 128 are taken for comparison).

    Returns
    -------
    ndarray of int64
        ``ceil(count / wave_size)``, of the shape of `counts`. A full tile needs 8 (wave32) or 4 (wave64).

    Raises
    ------
    TypeError, ValueError
        `counts` are no integers from 0 on, or the wave size is unknown.

    Examples
    --------
    >>> wave_loops([256, 192, 193, 0], 64)
    array([4, 3, 4, 0])
    """
    lanes = as_member("wave_size", wave_size, WAVE_SIZES)
    lit = as_array("counts", counts, dtype=np.int64)
    if lit.size and int(lit.min()) < 0:
        raise fail("counts", "must not be negative", int(lit.min()))
    return lit // lanes + (lit % lanes > 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class LightingCost:
    """Modelled cost of dense and sparse lighting, in the unit of the coefficients.

    Parameters
    ----------
    dense, scan, light, store : float
        Dense pass; scan pass, sparse lighting pass, and its stores to copies.
    dense_loops, sparse_loops : int
        Wave loops of both passes.
    break_even_lights : float
        Lights per tile, the same in every tile, from which sparse costs no more than dense; inf = never.
    """

    dense: float
    scan: float
    light: float
    store: float
    dense_loops: int
    sparse_loops: int
    break_even_lights: float

    @property
    def sparse(self) -> float:
        """Scan, lighting and stores together."""
        return self.scan + self.light + self.store

    @property
    def gross_saving(self) -> float:
        """Saved share of the lighting pass alone, stores included."""
        return 1.0 - (self.light + self.store) / self.dense if self.dense else 0.0

    @property
    def net_saving(self) -> float:
        """Saved share when the scan is paid for as well; negative where it does not pay."""
        return 1.0 - self.sparse / self.dense if self.dense else 0.0

    def __repr__(self) -> str:
        return f"LightingCost(dense {self.dense:.6g}, sparse {self.sparse:.6g}: {self.net_saving:.1%} saved)"

    def _repr_html_(self) -> str:
        return result_html(
            "Lighting cost (modelled)",
            [
                ("dense pass", self.dense),
                ("scan", self.scan),
                ("sparse pass", self.light),
                ("stores to copies", self.store),
                ("loops, dense", self.dense_loops),
                ("loops, sparse", self.sparse_loops),
                ("saved, lighting pass alone", f"{self.gross_saving:.1%}"),
                ("saved, with the scan", f"{self.net_saving:.1%}"),
                ("lights per tile to break even", self.break_even_lights),
            ],
        )


def lighting_cost(
    tiles: SparseTiles,
    *,
    lights: npt.ArrayLike = 16.0,
    wave_size: int = 64,
    loop_cost: float = 100.0,
    light_cost: float = 20.0,
    scan_cost: float = 0.5,
    store_cost: float = 0.25,
) -> LightingCost:
    """Model the cost of dense and sparse lighting.

    Parameters
    ----------
    tiles : SparseTiles
        Records of a scan.
    lights : array_like of float, () or (TH, TW)
        Lights that reach each tile.
    wave_size : int
        Lanes of a wave.
    loop_cost : float
        Cost c0 of one wave loop without any light.
    light_cost : float
        Cost c1 of one light in one wave loop.
    scan_cost : float
        Cost of scanning one pixel of a tile that takes no fast path.
    store_cost : float
        Cost of one copy.

    Returns
    -------
    LightingCost

    Raises
    ------
    TypeError, ValueError
        An argument of the wrong kind or value.

    Notes
    -----
    ``dense = sum_t 256 / W * (c0 + c1 * lights_t)``,
    ``light = sum_t ceil(n_t / W) * (c0 + c1 * lights_t)``,
    ``scan = pixels of tiles on no fast path * scan_cost``, ``store = copies * store_cost``. Tiles without a
    valid pixel cost neither lighting pass a loop. (modelled: the coefficients are examples, not measurements.
    Published results range from half of a heavy pass saved to a gross 52 % that shrank to 18-19 % net, so
    look at both.)

    Examples
    --------
    >>> import numpy as np
    >>> from tilelab import lighting
    >>> flat = lighting.GBuffer({"id": np.zeros((64, 64), np.uint32)}, np.zeros((64, 64), np.float32))
    >>> cost = lighting.lighting_cost(lighting.scan(flat), lights=32)
    >>> cost.dense_loops, cost.sparse_loops, round(cost.net_saving, 3)
    (64, 16, 0.691)
    """
    loops = wave_loops(as_instance("tiles", tiles, SparseTiles).counts, wave_size)
    given = as_array("lights", lights, dtype=(np.float64, np.int64))
    if given.shape not in ((), tiles.counts.shape):
        raise fail("lights", f"must be one number or have shape {tiles.counts.shape}", given.shape)
    bad = given[~(np.isfinite(given) & (given >= 0))]
    if bad.size:
        raise fail("lights", "must be finite and not negative", bad.flat[0])
    c0 = as_float("loop_cost", loop_cost, low=0.0)
    c1 = as_float("light_cost", light_cost, low=0.0)
    per_pixel = as_float("scan_cost", scan_cost, low=0.0)
    per_copy = as_float("store_cost", store_cost, low=0.0)

    per_loop = np.broadcast_to(c0 + c1 * given.astype(np.float64), tiles.counts.shape)
    dense_loops = np.where(loops > 0, TILE * TILE // wave_size, 0)
    height, width = tiles.shape
    rows = np.minimum(TILE, height - TILE * np.arange(loops.shape[0]))
    columns = np.minimum(TILE, width - TILE * np.arange(loops.shape[1]))
    pixels = np.outer(rows, columns)
    scanned = pixels.sum() if tiles.paths is None else pixels[tiles.paths == 0].sum()
    scan, store = float(scanned) * per_pixel, tiles.stats.copied_pixels * per_copy

    saved_loops = int(dense_loops.sum() - loops.sum())
    break_even = math.inf
    if saved_loops > 0:
        needed = (scan + store) / saved_loops - c0
        break_even = 0.0 if needed <= 0 else needed / c1 if c1 > 0 else math.inf
    return LightingCost(
        dense=float((dense_loops * per_loop).sum()),
        scan=scan,
        light=float((loops * per_loop).sum()),
        store=store,
        dense_loops=int(dense_loops.sum()),
        sparse_loops=int(loops.sum()),
        break_even_lights=break_even,
    )
