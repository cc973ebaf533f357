"""Chapter: light the frame's distinct pixels only, copy the results, count what it saves."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab import lighting, metrics, vrs
from tilelab.frame import Frame
from tilelab.tour import pictures
from tilelab.tour.chapter import Chapter, Picture
from tilelab.tour.context import TourContext

__all__ = ["chapter"]
__dir__ = __all__.copy

Array = npt.NDArray[Any]

_TITLE = "Sparse lighting"
_NEEDED = ("depth", "albedo", "sh_normal")
_DELTA = 0.025
_WAVES = (32, 64)
_LIGHTS = 16
_DETAIL = (88, 156)  # height and width in pixels
_DETAIL_SCALE = 3

# A sun and two weak lights from the sides, as strong as suits most frames.
LIGHTS = lighting.DirectionalLights(
    directions=[(-0.40, 0.92, 0.70), (0.7, 0.4, 0.6), (-0.6, 0.4, -0.6)],
    colors=[(1.0, 0.92, 0.8), (0.16, 0.2, 0.26), (0.1, 0.12, 0.16)],
    ambient=(0.14, 0.16, 0.19),
)


def chapter(context: TourContext) -> Chapter:
    """Run the chapter.

    Parameters
    ----------
    context : TourContext
        A frame with ``depth``, ``albedo`` and ``sh_normal``; ``color`` and ``primitive_id`` are used when
        present.

    Returns
    -------
    Chapter
        Lit pixels, wave loops, error and modelled saving; lit pixels per tile, the holes, the filled picture,
        and what mesh edges add to the requested rates.
    """
    frame, threads = context.frame, context.threads
    missing = [name for name in _NEEDED if name not in frame.channels]
    if missing:
        return Chapter(_TITLE, f"The frame has no {' and no '.join(missing)}, so there is nothing to light.")
    try:
        full = lighting.GBuffer.from_frame(frame)
    except ValueError:
        return Chapter(_TITLE, "The frame shows only background, so there is nothing to light.")
    pixels = full.depth.size
    picture = _picture(frame)
    rates = vrs.rate_image(picture, threads=threads)

    with context.stage("coarse G-buffer", pixels=pixels):
        coarse = lighting.coarse_gbuffer(full, rates, primitive_id=frame.primitive_id, threads=threads)
    with context.stage("exact scan", pixels=pixels):
        exact = lighting.scan(coarse, threads=threads)
    with context.stage("tolerance scan", pixels=pixels):
        near = lighting.scan(coarse, mode="tolerance", delta=_DELTA, threads=threads)
    with context.stage("dense lighting", pixels=full.valid_pixels):
        dense = lighting.light_dense(coarse, LIGHTS, threads=threads)
    with context.stage("sparse lighting", pixels=full.valid_pixels):
        filled = lighting.fill(exact, lighting.light(exact, coarse, LIGHTS, threads=threads), threads=threads)
    near_filled = lighting.fill(near, lighting.light(near, coarse, LIGHTS))
    full_rate = lighting.light_dense(full, LIGHTS, threads=threads)
    requested, applied = _edges(full, rates, frame.primitive_id, threads)

    shown = [_display(image) for image in (dense, near_filled, full_rate)]
    differing = int((filled.view(np.uint32) != dense.view(np.uint32)).any(axis=2).sum())
    cost = lighting.lighting_cost(exact, lights=_LIGHTS)
    rows = [
        ("Pixels to light", str(full.valid_pixels)),
        ("Tiles with pixels to light", str(np.count_nonzero(exact.counts))),
        ("Invocations requested by the rates", str(requested.records.size)),
        ("Invocations applied, mesh edges included", str(applied.records.size)),
        ("Lit pixels, exact", str(exact.records.size)),
        (f"Lit pixels, within {_DELTA}", str(near.records.size)),
        ("Lit pixels per tile, exact (mean)", _mean_count(exact)),
        (f"Lit pixels per tile, within {_DELTA} (mean)", _mean_count(near)),
        *_loop_rows(exact, near),
        ("Pixels that differ from dense lighting, exact", str(differing)),
        (f"PSNR, within {_DELTA} (dB)", f"{metrics.psnr(shown[1], shown[0], where=full.valid):.2f}"),
        (f"Max error, within {_DELTA}", f"{metrics.max_error(shown[1], shown[0], where=full.valid):.4f}"),
        ("PSNR, coarse against full-rate G-buffer (dB)", f"{_psnr(shown[0], shown[2], full)}"),
        (f"Modelled saving of the pass, {_LIGHTS} lights (%)", f"{cost.gross_saving * 100:.1f}"),
        (f"Modelled saving with the scan, {_LIGHTS} lights (%)", f"{cost.net_saving * 100:.1f}"),
        *_path_rows(coarse, rates, frame.primitive_id, threads),
    ]
    return Chapter(
        _TITLE,
        "Coarse shading writes the same surface attributes into several pixels, so a deferred renderer "
        "would light them several times. The scan finds the distinct pixels of every quad of 2x2, lists them "
        "for each tile of 16x16, and notes where each result has to be copied. Here the G-buffer itself "
        "(albedo and normal of 4 bytes each) is written at the rates of the frame, one invocation for each "
        "primitive in a coarse pixel, and lit by three directional lights. In exact mode the picture is that "
        "of dense lighting, bit for bit; with a tolerance more pixels are alike. A saving exists only where "
        "the wave of a tile needs a loop less.",
        rows,
        _pictures(picture, coarse, exact, filled, requested, applied),
    )


def _picture(frame: Frame) -> npt.NDArray[np.float32]:
    """Give the frame as it was shown, or its albedo."""
    source = frame.color if frame.color is not None else frame.albedo
    assert source is not None
    return np.ascontiguousarray(source[..., :3])


def _display(radiance: Array) -> npt.NDArray[np.float32]:
    return np.asarray(np.clip(radiance, 0.0, 1.0) ** np.float32(1 / 2.2), np.float32)


def _mean_count(tiles: lighting.SparseTiles) -> str:
    return f"{tiles.counts[tiles.counts > 0].mean():.1f}"


def _psnr(image: Array, reference: Array, gbuffer: lighting.GBuffer) -> str:
    return f"{metrics.psnr(image, reference, where=gbuffer.valid):.2f}"


def _edges(
    full: lighting.GBuffer, rates: Array, primitive_id: Array | None, threads: int
) -> tuple[lighting.SparseTiles, lighting.SparseTiles]:
    """Scan a G-buffer in which every invocation is different: as one mesh, and with the frame's meshes."""
    own = np.arange(full.depth.size, dtype=np.uint32).reshape(full.shape)
    unique = lighting.GBuffer({"pixel": own}, full.depth, full.valid, full.depth_range)
    one_mesh = None if full.valid is None else full.valid.astype(np.int32) - 1
    requested, applied = (
        lighting.scan(
            lighting.coarse_gbuffer(unique, rates, primitive_id=ids, threads=threads),
            depth_delta=None,
            threads=threads,
        )
        for ids in (one_mesh, one_mesh if primitive_id is None else primitive_id)
    )
    return requested, applied


def _loop_rows(exact: lighting.SparseTiles, near: lighting.SparseTiles) -> list[tuple[str, str]]:
    rows = []
    for wave in _WAVES:
        dense = int(np.count_nonzero(exact.counts)) * 256 // wave
        rows.append((f"Wave loops, dense, Wave{wave}", str(dense)))
        for label, tiles in (("exact", exact), (f"within {_DELTA}", near)):
            loops = int(lighting.wave_loops(tiles.counts, wave).sum())
            rows.append((f"Wave loops, {label}, Wave{wave}", str(loops)))
            rows.append((f"Wave loops saved, {label}, Wave{wave} (%)", f"{(1 - loops / dense) * 100:.1f}"))
    return rows


def _path_rows(
    coarse: lighting.GBuffer, rates: Array, primitive_id: Array | None, threads: int
) -> list[tuple[str, str]]:
    paths = ["full_rate", "dcc_key"] + (["single_triangle"] if primitive_id is not None else [])
    slow = lighting.scan(coarse, threads=threads).stats
    fast = lighting.scan(
        coarse, rates=rates, primitive_id=primitive_id, fast_paths=paths, threads=threads
    ).stats
    rows = [(f"Tiles, path {name.replace('_', ' ')}", str(count)) for name, count in fast.path_tiles.items()]
    rows.append(("Bytes read by the scan", str(slow.bytes_read)))
    rows.append(("Bytes read with fast paths", str(fast.bytes_read)))
    return rows


def _pictures(
    picture: npt.NDArray[np.float32],
    coarse: lighting.GBuffer,
    exact: lighting.SparseTiles,
    filled: Array,
    requested: lighting.SparseTiles,
    applied: lighting.SparseTiles,
) -> list[Picture]:
    height, width = coarse.shape
    valid = np.ones(coarse.shape, np.bool_) if coarse.valid is None else coarse.valid
    whole = np.where(valid[..., None], _display(filled), picture)
    lit = exact.lit_mask()
    holes = np.where((valid & ~lit)[..., None], np.float32(0), whole)
    counts = pictures.enlarge(pictures.map_image(exact.counts, 0, 256, colormap="viridis"), 16)
    before, after = pictures.display_image(holes), pictures.display_image(whole)
    y, x = _varied_window(valid & ~lit, lit)
    detail = [
        pictures.enlarge(image[y : y + _DETAIL[0], x : x + _DETAIL[1]], _DETAIL_SCALE)
        for image in (before, after)
    ]
    grey = np.repeat(picture.mean(axis=2, keepdims=True), 3, axis=2) * 0.45
    extra = applied.lit_mask() & ~requested.lit_mask()
    grey[extra] = (1.0, 0.35, 0.0)
    return [
        Picture(
            "lighting_counts",
            "Lit pixels of every 16x16 tile: dark blue is none, yellow is all 256.",
            counts[:height, :width],
        ),
        Picture(
            "lighting_holes",
            "What the lighting pass writes, before the copies: the holes are black, the sky is not lit.",
            before,
        ),
        Picture(
            "lighting_filled", "Every hole filled by a copy from its own quad: no search, no filter.", after
        ),
        Picture(
            "lighting_detail",
            f"The same enlarged {_DETAIL_SCALE} times, before and after (from pixel {x}, {y}).",
            pictures.side_by_side(*detail),
        ),
        Picture(
            "lighting_edges",
            "The requested rate is not the applied rate: orange pixels need an invocation of their own only "
            "because primitives meet inside a coarse pixel.",
            pictures.display_image(grey),
        ),
    ]


def _varied_window(holes: npt.NDArray[np.bool_], lit: npt.NDArray[np.bool_]) -> tuple[int, int]:
    """Find the window (top, left) where the share of holes varies most from block to block."""
    step = 8
    rows, columns = (max(size // step, 1) for size in _DETAIL)
    missing, present = _block_sums(holes, step), _block_sums(lit, step)
    whole = missing + present == step * step
    share = np.where(whole, missing / (step * step), 0.0)
    window = (min(rows, share.shape[0]), min(columns, share.shape[1]))
    view = np.lib.stride_tricks.sliding_window_view
    spread = view(share, window).std(axis=(2, 3)) * view(whole, window).mean(axis=(2, 3))
    y, x = np.unravel_index(int(spread.argmax()), spread.shape)
    return int(y) * step, int(x) * step


def _block_sums(mask: npt.NDArray[np.bool_], step: int) -> npt.NDArray[np.int64]:
    height, width = mask.shape
    padded = np.pad(mask, ((0, -height % step), (0, -width % step)))
    blocks = padded.reshape(padded.shape[0] // step, step, padded.shape[1] // step, step)
    return np.asarray(blocks.sum(axis=(1, 3), dtype=np.int64))
