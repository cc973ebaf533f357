"""Pictures of sparse lighting: what is lit, what is copied, what it saves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab import lighting
from tilelab._validation import as_array, as_float, as_instance, fail
from tilelab.lighting import SparseTiles
from tilelab.lighting.tiles import TILE
from tilelab.plot._axes import axes_or_new, image_axes

__all__ = ["lighting_saving", "lit_counts", "lit_pixels", "wave_loop_tiles"]
__dir__ = __all__.copy


def _lit(tiles: SparseTiles) -> str:
    return f"{tiles.records.size} of {tiles.stats.valid_pixels} pixels"


def lit_counts(tiles: SparseTiles, *, ax: Any = None) -> Any:
    """Draw the number of lit pixels of every tile.

    Parameters
    ----------
    tiles : SparseTiles
        What a scan found.
    ax : matplotlib.axes.Axes, optional
        Where to draw the picture; default: a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        With a colour bar beside them.

    Examples
    --------
    >>> import numpy as np
    >>> from tilelab import lighting, plot
    >>> gbuffer = lighting.GBuffer({"id": np.zeros((32, 48), np.uint32)}, np.zeros((32, 48), np.float32))
    >>> plot.lit_counts(lighting.scan(gbuffer)).get_title()
    'lit pixels per tile: 384 of 1536 pixels'
    """
    height, width = as_instance("tiles", tiles, SparseTiles).shape
    ax = image_axes(ax, shape=tiles.shape, title=f"lit pixels per tile: {_lit(tiles)}")
    rows, columns = tiles.counts.shape
    shown = ax.imshow(
        tiles.counts,
        cmap="viridis",
        vmin=0,
        vmax=TILE * TILE,
        extent=(-0.5, columns * TILE - 0.5, rows * TILE - 0.5, -0.5),
        interpolation="nearest",
    )
    ax.set_xlim(-0.5, width - 0.5)
    ax.set_ylim(height - 0.5, -0.5)
    bar = ax.figure.colorbar(shown, ax=ax, shrink=0.8)
    bar.set_ticks(list(range(0, TILE * TILE + 1, 32)))
    return ax


def lit_pixels(
    tiles: SparseTiles,
    image: npt.ArrayLike,
    *,
    valid: npt.ArrayLike | None = None,
    hole: tuple[float, float, float] = (0.0, 0.0, 0.0),
    ax: Any = None,
) -> Any:
    """Draw a picture with holes where pixels are copied, not lit.

    Parameters
    ----------
    tiles : SparseTiles
        A scan of the frame that the picture shows.
    image : array_like of float32 or uint8, (H, W) or (H, W, 3 or 4)
        Display-encoded picture.
    valid : array_like of bool, (H, W), optional
        Pixels that were to be lit; the others are shown as they are. Default: all.
    hole : (float, float, float)
        Colour of the holes, 0..1.
    ax : matplotlib.axes.Axes, optional
        Axes for the picture; default: a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        The holes have the colour `hole`.

    Examples
    --------
    >>> import numpy as np
    >>> from tilelab import lighting, plot
    >>> albedo = np.full((4, 6, 3), 200, np.uint8)
    >>> tiles = lighting.scan(lighting.GBuffer({"albedo": albedo}, np.zeros((4, 6), np.float32)))
    >>> plot.lit_pixels(tiles, albedo).get_title()
    'lit before the copies: 6 of 24 pixels'
    """
    as_instance("tiles", tiles, SparseTiles)
    picture = as_array("image", image, dtype=(np.float32, np.uint8), ndim=(2, 3))
    if picture.shape[:2] != tiles.shape or (picture.ndim == 3 and picture.shape[2] not in (3, 4)):
        raise fail("image", f"must have shape {tiles.shape}, alone or with 3 or 4 channels", picture.shape)
    shown = picture / np.float32(255) if picture.dtype == np.uint8 else picture
    shown = np.repeat(shown[..., None], 3, axis=2) if shown.ndim == 2 else shown[..., :3]
    holes = ~tiles.lit_mask()
    if valid is not None:
        holes &= as_array("valid", valid, dtype=np.bool_, shape=tiles.shape)
    shown = np.where(holes[..., None], np.asarray(hole, np.float32), np.clip(shown, 0.0, 1.0))
    ax = image_axes(ax, shape=tiles.shape, title=f"lit before the copies: {_lit(tiles)}")
    ax.imshow(shown, interpolation="nearest")
    return ax


def wave_loop_tiles(
    scans: SparseTiles | Mapping[str, SparseTiles], *, wave_size: int = 64, ax: Any = None
) -> Any:
    """Draw how many tiles need how many loops of a wave; tiles without a valid pixel are left out.

    Parameters
    ----------
    scans : SparseTiles or mapping of str to SparseTiles
        One scan, or several by label.
    wave_size : int
        Lanes of a wave.
    ax : matplotlib.axes.Axes, optional
        Axes for the bars; default: a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        The legend says what share of the loops each scan saves.

    Examples
    --------
    >>> import numpy as np
    >>> from tilelab import lighting, plot
    >>> steps = np.linspace(0, 1, 2048, dtype=np.float32).reshape(32, 64)
    >>> gbuffer = lighting.GBuffer({"albedo": steps}, np.zeros((32, 64), np.float32))
    >>> scans = {mode: lighting.scan(gbuffer, mode=mode) for mode in ("exact", "tolerance")}
    >>> [text.get_text() for text in plot.wave_loop_tiles(scans).get_legend().get_texts()]
    ['exact: 0.0% of the loops saved', 'tolerance: 50.0% of the loops saved']
    """
    by_label = scans if isinstance(scans, Mapping) else {"": scans}
    if not by_label:
        raise fail("scans", "must hold at least one scan", "none")
    most = int(lighting.wave_loops(TILE * TILE, wave_size))
    loops = {
        label: lighting.wave_loops(
            as_instance("scans", tiles, SparseTiles).counts[tiles.counts > 0], wave_size
        )
        for label, tiles in by_label.items()
    }
    ax = axes_or_new(ax, size=(6.0, 3.6))
    places = np.arange(1, most + 1)
    width = 0.8 / len(loops)
    for number, (label, values) in enumerate(loops.items()):
        tiles_per_loop = np.bincount(values, minlength=most + 1)[1:]
        saved = 1.0 - values.sum() / max(most * values.size, 1)
        shift = (number - (len(loops) - 1) / 2) * width
        text = f"{label}: {saved:.1%} of the loops saved" if label else f"{saved:.1%} of the loops saved"
        ax.bar(places + shift, tiles_per_loop, width, label=text)
    ax.set_xticks(places)
    ax.set_xlabel(f"loops of one Wave{wave_size}")
    ax.set_ylabel("tiles")
    ax.legend()
    return ax


def lighting_saving(
    tiles: SparseTiles,
    *,
    lights: Sequence[float] = (0, 1, 2, 4, 8, 16, 32, 64, 128),
    ax: Any = None,
    **costs: Any,
) -> Any:
    """Draw the modelled saving over the number of lights, without and with the cost of the scan.

    Parameters
    ----------
    tiles : SparseTiles
        A scan whose loops, copies and paths are costed.
    lights : sequence of float
        Lights per tile, the same in every tile.
    ax : matplotlib.axes.Axes, optional
        Axes for the curves; default: a new figure.
    **costs
        Coefficients of :func:`tilelab.lighting.lighting_cost`.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import numpy as np
    >>> from tilelab import lighting, plot
    >>> gbuffer = lighting.GBuffer({"id": np.zeros((64, 64), np.uint8)}, np.zeros((64, 64), np.float32))
    >>> ax = plot.lighting_saving(lighting.scan(gbuffer), lights=[1, 4, 16], scan_cost=1.0)
    >>> [line.get_label() for line in ax.lines[:2]]
    ['lighting pass alone', 'with the scan']
    """
    as_instance("tiles", tiles, SparseTiles)
    numbers = [as_float("lights", value, low=0.0) for value in lights]
    made = [lighting.lighting_cost(tiles, lights=value, **costs) for value in numbers]
    ax = axes_or_new(ax, size=(6.0, 3.6))
    ax.plot(numbers, [cost.gross_saving * 100 for cost in made], "o-", label="lighting pass alone")
    ax.plot(numbers, [cost.net_saving * 100 for cost in made], "s-", label="with the scan")
    ax.axhline(0.0, color="0.4", linewidth=0.8)
    ax.set_xscale("symlog", base=2, linthresh=1)
    ax.set_xticks(numbers, [f"{value:g}" for value in numbers])
    ax.set_xlim(min(numbers) - 0.2, max(numbers) * 1.2 + 0.2)
    ax.set_xlabel("lights per tile")
    ax.set_ylabel("modelled saving (%)")
    ax.legend()
    return ax
