"""Chapter: predict a frame's shading rates from the frame before it, shade coarsely, measure the error."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tilelab import metrics, plot, vrs
from tilelab._validation import ceil_div
from tilelab.frame import Frame
from tilelab.tour import pictures
from tilelab.tour.chapter import Chapter, Picture
from tilelab.tour.context import TourContext

__all__ = ["chapter"]
__dir__ = __all__.copy

_TITLE = "Variable rate shading"
_TILE = 8
_RATES = ("1x1", "2x1", "1x2", "2x2")
_DETAIL = (88, 80)  # height and width in pixels, whole tiles
_DETAIL_SCALE = 6


def chapter(context: TourContext) -> Chapter:
    """Run the chapter.

    Parameters
    ----------
    context : TourContext
        A frame with ``color``; ``motion``, ``primitive_id`` and the previous frame are used when present.

    Returns
    -------
    Chapter
        Tiles per rate, invocations, error; the frame, its rates, the error and an enlarged detail.
    """
    frame, threads = context.frame, context.threads
    if frame.color is None:
        return Chapter(_TITLE, "The frame has no colour, so there is nothing to shade.")
    color = np.ascontiguousarray(frame.color[..., :3])
    pixels = color.shape[0] * color.shape[1]
    ids = frame.primitive_id

    history, motion, story = _history(frame, context.previous)
    with context.stage("rate image", pixels=pixels):
        rates = vrs.rate_image(history, tile=_TILE, motion=motion, threads=threads)
    with context.stage("coarse shading", pixels=pixels):
        coarse = vrs.shade_coarse(color, rates, tile=_TILE, primitive_id=ids, threads=threads)
    with context.stage("error", pixels=pixels):
        covered = np.ones(frame.shape, np.bool_) if ids is None else ids >= 0
        figures = metrics.compare(coarse.image, color, where=covered, threads=threads)
        error = np.nan_to_num(metrics.absolute_error(coarse.image, color, where=covered))

    fine = int(covered.sum())
    invocations = int(coarse.invocations.sum())
    rows = [("Resolution", f"{color.shape[1]}x{color.shape[0]}"), ("Tiles", str(rates.size))]
    for name in _RATES:
        rows += [(f"Tiles {name}", str(np.count_nonzero(rates == vrs.ShadingRate[f"RATE_{name.upper()}"])))]
    if fine < pixels:
        rows += [("Pixels covered", str(fine))]
    rows += [("Invocations", str(invocations)), ("Ratio", f"{invocations / max(fine, 1):.4f}")]
    if ids is not None:
        alone = int(vrs.count_invocations(rates, frame.shape, tile=_TILE, primitive_id=_one_mesh(ids)).sum())
        rows += [("Invocations without mesh edges", str(alone))]
        rows += [("Ratio without mesh edges", f"{alone / max(fine, 1):.4f}")]
    rows += [("PSNR (dB)", f"{figures.psnr:.2f}"), ("Max error", f"{figures.max_error:.4f}")]
    if figures.nonfinite:
        rows += [("Values not finite, left out of the errors", str(figures.nonfinite))]
    if context.previous is not None:
        rows += _prediction_rows(rates, vrs.rate_image(color, tile=_TILE, threads=threads))

    return Chapter(
        _TITLE,
        f"Where a picture is smooth, its pixel shader may run once for two or four pixels. {story} A "
        f"tile of {_TILE}x{_TILE} pixels keeps full rate along an axis where the gradient of the "
        "display-encoded luminance of any pixel exceeds a tenth of its brightness (Sobel and vote). The "
        "frame is then shaded at these rates, one invocation for each primitive in a coarse pixel, and "
        "compared with full-rate shading.",
        rows,
        _pictures(color, np.where(covered[..., None], coarse.image, color), rates, error),
    )


def _history(
    frame: Frame, previous: Frame | None
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32] | None, str]:
    """Choose the picture the rates are predicted from, and say which."""
    assert frame.color is not None
    if previous is None or previous.color is None:
        return (
            np.ascontiguousarray(frame.color[..., :3]),
            None,
            "The rates come from the frame itself, as no previous frame was given.",
        )
    color = np.ascontiguousarray(previous.color[..., :3])
    if frame.motion is None:
        return (
            color,
            None,
            "The rates come from the previous frame, in place, as the frame has no motion vectors.",
        )
    return (
        color,
        frame.motion,
        "The rates are predicted from the previous frame, moved along the motion vectors.",
    )


def _one_mesh(ids: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """Make one primitive of all: what is left is the cost of the rates alone."""
    return np.minimum(ids, 0)


def _prediction_rows(predicted: npt.NDArray[np.uint8], own: npt.NDArray[np.uint8]) -> list[tuple[str, str]]:
    coarser = ((predicted >> 2) > (own >> 2)) | ((predicted & 3) > (own & 3))
    finer = ~coarser & (predicted != own)
    return [
        ("Tiles predicted exactly", str(int((predicted == own).sum()))),
        ("Tiles predicted finer than needed", str(int(finer.sum()))),
        ("Tiles predicted too coarse", str(int(coarser.sum()))),
    ]


def _pictures(
    color: npt.NDArray[np.float32],
    shaded: npt.NDArray[np.float32],
    rates: npt.NDArray[np.uint8],
    error: npt.NDArray[np.float64],
) -> list[Picture]:
    frame = pictures.display_image(color)
    coarse = pictures.display_image(shaded)
    error = np.where(np.isfinite(error), error, 0.0)
    top = max(float(np.quantile(error, 0.999)), 1 / 255)
    y, x = _worst_window(error)
    detail = [
        pictures.enlarge(image[y : y + _DETAIL[0], x : x + _DETAIL[1]], _DETAIL_SCALE)
        for image in (frame, coarse)
    ]
    return [
        Picture("vrs_frame", "The frame, every pixel shaded.", frame),
        Picture(
            "vrs_rates",
            "Rate of every tile: 1x1 red, 2x1 cyan, 1x2 yellow, 2x2 black.",
            plot.rate_overlay(rates, frame, tile=_TILE),
        ),
        Picture(
            "vrs_error",
            f"Error of coarse shading: black is 0, the brightest colour is {top:.3f} or more of full scale.",
            pictures.map_image(error, 0.0, top),
        ),
        Picture(
            "vrs_detail",
            f"Where the error is largest, enlarged {_DETAIL_SCALE} times: full rate left, coarse right "
            f"(from pixel {x}, {y}).",
            pictures.side_by_side(*detail),
        ),
    ]


def _worst_window(error: npt.NDArray[np.float64]) -> tuple[int, int]:
    """Find the tile-aligned window with the largest summed squared error; returns its top left pixel."""
    height, width = error.shape
    rows, columns = (size // _TILE for size in _DETAIL)
    whole = np.zeros((ceil_div(height, _TILE) * _TILE, ceil_div(width, _TILE) * _TILE))
    whole[:height, :width] = np.square(error)
    tiles = whole.reshape(whole.shape[0] // _TILE, _TILE, -1, _TILE).sum(axis=(1, 3))
    window = (min(rows, tiles.shape[0]), min(columns, tiles.shape[1]))
    sums = np.lib.stride_tricks.sliding_window_view(tiles, window).sum(axis=(2, 3))
    y, x = np.unravel_index(int(sums.argmax()), sums.shape)
    return int(y) * _TILE, int(x) * _TILE
