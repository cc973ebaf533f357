"""Chapter: a terrain's patches on the compute units, on-chip, off-chip, and with the thresholds advised."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilelab import plot
from tilelab.tessellation import (
    Advice,
    DrawCall,
    Schedule,
    SchedulerConfig,
    advise,
    simulate,
    terrain_draw_call,
    tessellation_counts,
)
from tilelab.tour import pictures
from tilelab.tour.chapter import Chapter, Picture, figure_image
from tilelab.tour.context import TourContext

__all__ = ["chapter"]
__dir__ = __all__.copy

_TITLE = "Tessellation scheduling"
_SIDE = 128  # patches
_CAMERA = 1
_FIGURE = (11.0, 6.0)
_SCALE = 4


def chapter(context: TourContext) -> Chapter:
    """Run the chapter.

    Parameters
    ----------
    context : TourContext
        Only its thread count and clock are used: a frame does not say which patches it was made from.

    Returns
    -------
    Chapter
        Patches, waves, time, memory and LDS of three schedules; factors, two timelines, the trade-off.
    """
    draw = terrain_draw_call(_SIDE, camera=_CAMERA)
    config = SchedulerConfig.preset("xbox_one")
    with context.stage("tessellation counts"):
        counts = tessellation_counts(draw.domain, draw.partitioning, draw.factors)
    with context.stage("schedules"):
        on_chip = simulate(draw, config)
        default = simulate(draw, config.replace(mode="off_chip"))
    with context.stage("advice"):
        advice = advise(draw, config, threads=context.threads)
        advised = simulate(draw, advice.config)

    with context.stage("timelines"):
        shown = _pictures(draw, on_chip, advised, advice)
    rows = [
        ("Patches", str(draw.patches)),
        ("Patches culled", str(int(counts["culled"].sum()))),
        ("Domain points", str(int(counts["points"].sum()))),
        ("Triangles", str(int(counts["primitives"].sum()))),
        ("Patches per thread group", str(on_chip.threadgroup_sizes[0].patches)),
        ("Thread groups", str(len(on_chip.groups))),
        ("Domain shader waves", str(on_chip.on_chip_waves)),
        *_rows("on-chip", on_chip),
        *_rows("TfThreshold 4, DsWaveThreshold 4", default),
        ("TfThreshold advised", f"{advice.best['tf_threshold']:g}"),
        ("DsWaveThreshold advised", str(int(advice.best["ds_wave_threshold"]))),
        *_rows("advised", advised),
    ]
    return Chapter(
        _TITLE,
        "On Xbox One class hardware a thread group of patches keeps its hull shader's output in the "
        "local memory of one compute unit, and its domain shader runs there, unless its tessellation "
        "factors are large enough (TfThreshold) to write that output to memory and let every compute "
        "unit help (beyond DsWaveThreshold waves). A frame does not say which patches it was made "
        "from, so the patches here are a built-in terrain. The schedule is modelled, with "
        "demonstration costs.",
        rows,
        shown,
    )


def _rows(name: str, schedule: Schedule) -> list[tuple[str, str]]:
    return [
        (f"Time {name} (cycles)", str(schedule.makespan_cycles)),
        (f"Lower bound {name} (cycles)", str(schedule.best_bound)),
        (f"Memory traffic {name} (bytes)", str(schedule.bytes_written + schedule.bytes_read)),
        (f"LDS held {name} (byte cycles)", str(int(schedule.lds_byte_cycles.sum()))),
        (f"Load imbalance {name}", f"{schedule.imbalance:.4f}"),
    ]


def _timeline(schedule: Schedule) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=_FIGURE, dpi=100, layout="constrained")
    plot.scheduler_timeline(schedule, ax=figure.add_subplot())
    return figure_image(figure)


def _pictures(draw: DrawCall, on_chip: Schedule, advised: Schedule, advice: Advice) -> list[Picture]:
    from matplotlib.figure import Figure

    means = draw.factors.mean(axis=1).reshape(_SIDE, _SIDE)
    largest = float(np.log2(max(float(means.max()), 2.0)))
    factors = pictures.map_image(np.log2(np.maximum(means, 1.0)), 0.0, largest, colormap="magma")
    trade_off = Figure(figsize=(9.0, 5.0), dpi=100, layout="constrained")
    plot.scheduler_trade_off(advice, ax=trade_off.add_subplot())
    return [
        Picture(
            "tessellation_factors",
            "Mean tessellation factor of every patch from above, logarithmic scale. Dark: 1 or culled.",
            pictures.enlarge(factors, _SCALE),
        ),
        Picture(
            "tessellation_on_chip",
            "Every wave slot of every compute unit over time, all groups on-chip; local memory held below.",
            _timeline(on_chip),
        ),
        Picture(
            "tessellation_advised",
            "The same patches with the thresholds advised: large groups are shared by all compute units.",
            _timeline(advised),
        ),
        Picture(
            "tessellation_trade_off",
            "Time against memory traffic of every pair of thresholds; colour: local memory held.",
            figure_image(trade_off),
        ),
    ]
