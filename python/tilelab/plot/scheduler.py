"""Pictures of tessellation schedules: what every CU did, what LDS was held, what the thresholds trade."""

from __future__ import annotations

import math
from typing import Any

from tilelab import _extras
from tilelab._validation import as_instance, ceil_div
from tilelab.plot._axes import axes_or_new
from tilelab.tessellation import Advice, Schedule
from tilelab.tessellation.schedule_picture import (
    KIND_COLOURS,
    LATENCY_TINT,
    QUEUED_TINT,
    WAITING_FOR_MEMORY,
    lds_share,
    picture_instants,
    tint,
    wave_image,
)

__all__ = ["scheduler_timeline", "scheduler_trade_off"]
__dir__ = __all__.copy

LDS_PANEL = 0.32  # height with its gap, in heights of the panel above
LEGEND_INCHES = 8.3  # width of the legend in one row
USUAL_MARGIN_INCHES = 0.3  # above Axes, for a title of one line


def scheduler_timeline(schedule: Schedule, *, ax: Any = None) -> Any:
    """Draw what every wave slot of every CU did over time, and the LDS held below.

    Parameters
    ----------
    schedule : Schedule
        Result of `tilelab.tessellation.simulate`.
    ax : matplotlib.axes.Axes, optional
        Where to draw; the LDS panel takes the lower part of it. Default: a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        The upper panel. A band is a CU, a line in it a wave slot. Full colour: the wave holds the issue port;
        paler: it waits for its latency; palest: it waits for the port; grey: it waits for memory. The dashed
        line is the best lower bound of the time.

    Raises
    ------
    ImportError
        matplotlib is not installed.
    TypeError
        `schedule` is no Schedule.
    """
    config = as_instance("schedule", schedule, Schedule).config
    ax = axes_or_new(ax, size=(12.0, 7.0))
    width = ax.get_window_extent().width / ax.figure.dpi
    legend_rows = math.ceil(LEGEND_INCHES / width)
    pad = 10 + 16 * legend_rows  # points between the panel and its title
    separator = " " if legend_rows == 1 else "\n"
    patches = _extras.require("matplotlib.patches", "plot")
    end = max(schedule.makespan_cycles, 1)
    instants = picture_instants(schedule)
    slots = config.wave_slots_per_cu
    ax.imshow(
        wave_image(schedule, instants),
        extent=(0, end, config.cu_count * slots, 0),
        aspect="auto",
        interpolation="nearest",
        rasterized=True,
    )
    for cu in range(1, config.cu_count):
        ax.axhline(cu * slots, color="white", linewidth=1.6)
    step = ceil_div(config.cu_count, 24)
    shown = range(0, config.cu_count, step)
    ax.set_yticks([(cu + 0.5) * slots for cu in shown], [f"CU {cu}" for cu in shown])
    ax.tick_params(axis="y", length=0)
    ax.tick_params(axis="x", labelbottom=False)
    bound = schedule.best_bound
    if bound:
        ax.axvline(bound, color="black", linewidth=1.0, linestyle=(0, (4, 3)))

    text = "on-chip"
    if config.mode == "off_chip":
        text = f"off-chip, TfThreshold {config.tf_threshold:g}, DsWaveThreshold {config.ds_wave_threshold}"
    ax.set_title(
        f"{text}:{separator}"
        f"{schedule.makespan_cycles:,} cycles, {schedule.bound_ratio:.2f} x the lower bound, "
        f"{schedule.off_chip_waves:,} of {int(schedule.groups['domain_waves'].sum()):,} "
        "domain waves off-chip",
        loc="left",
        fontsize="medium",
        pad=pad,
    )
    entries = [patches.Patch(color=colour, label=name) for name, colour in KIND_COLOURS.items()]
    grey = KIND_COLOURS["domain off-chip"]
    entries += [
        patches.Patch(color=tint(grey, LATENCY_TINT), label="latency (paler)"),
        patches.Patch(color=tint(grey, QUEUED_TINT), label="queued (palest)"),
        patches.Patch(color=WAITING_FOR_MEMORY, label="waits for memory"),
    ]
    ax.legend(
        handles=entries,
        loc="lower left",
        bbox_to_anchor=(0.0, 1.0),
        ncols=math.ceil(len(entries) / legend_rows),
        frameon=False,
        fontsize="small",
        borderaxespad=0.2,
        handlelength=1.2,
        columnspacing=1.2,
    )

    if ax.figure.get_layout_engine() is None:  # an engine makes room by itself
        box = ax.get_position()
        above = (pad + 14 * len(ax.get_title(loc="left").splitlines())) / 72 - USUAL_MARGIN_INCHES
        top = box.y1 - max(above, 0.0) * ax.figure.dpi / ax.figure.bbox.height
        height = (top - box.y0) / (1.0 + LDS_PANEL)
        ax.set_position((box.x0, top - height, box.width, height))
    lds = ax.inset_axes((0.0, -LDS_PANEL, 1.0, LDS_PANEL - 0.03))
    share = 100.0 * lds_share(schedule, instants)
    lds.fill_between(
        instants, share.min(axis=0), share.max(axis=0), color="#c9b8e8", linewidth=0, label="min to max"
    )
    lds.plot(instants, share.mean(axis=0), color="#5b2a9d", linewidth=1.4, label="mean of the CUs")
    if bound:
        lds.axvline(bound, color="black", linewidth=1.0, linestyle=(0, (4, 3)), label="lower bound")
    lds.set_ylim(0, 105)
    lds.set_xlim(0, end)
    lds.set_ylabel("LDS held (%)")
    lds.set_xlabel(f"cycles ({schedule.makespan_us:,.1f} us in all)")
    lds.grid(axis="y", color="#dddddd", linewidth=0.6)
    lds.legend(loc="upper right", fontsize="small", framealpha=0.85)
    for panel in (ax, lds):
        for side in ("top", "right"):
            panel.spines[side].set_visible(False)
    # A layout engine must have seen the lower panel in place once to know its height.
    if hasattr(ax.figure, "draw_without_rendering"):
        ax.figure.draw_without_rendering()
    return ax


def scheduler_trade_off(advice: Advice, *, ax: Any = None) -> Any:
    """Draw time against memory traffic of every threshold pair, LDS held as colour, the Pareto front joined.

    Parameters
    ----------
    advice : Advice
        Result of `tilelab.tessellation.advise`.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Default: a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Labels are TfThreshold / DsWaveThreshold; the star is the recommended pair.

    Raises
    ------
    ImportError
        matplotlib is not installed.
    TypeError
        `advice` is no Advice.
    """
    as_instance("advice", advice, Advice)
    ax = axes_or_new(ax, size=(9.0, 5.5))
    table, front = advice.table, advice.front
    colours = table["lds_byte_cycles"] / max(int(table["lds_byte_cycles"].min()), 1)
    megabytes = 1.0 / 2**20
    points = ax.scatter(
        table["memory_bytes"] * megabytes,
        table["makespan_cycles"],
        c=colours,
        cmap="viridis_r",
        s=36,
        linewidths=0,
        zorder=2,
    )
    ax.figure.colorbar(points, ax=ax, label="LDS byte-cycles over the least")
    ax.scatter(
        front["memory_bytes"] * megabytes,
        front["makespan_cycles"],
        facecolors="none",
        edgecolors="black",
        s=80,
        label="Pareto front of time, bytes and LDS",
        zorder=3,
    )
    best = advice.best
    ax.scatter(
        [best["memory_bytes"] * megabytes],
        [best["makespan_cycles"]],
        marker="*",
        s=260,
        color="#d62728",
        label=f"recommended: {best['tf_threshold']:g} / {best['ds_wave_threshold']}",
        zorder=4,
    )
    ends = {
        int(front["makespan_cycles"].argmin()),
        int(front["memory_bytes"].argmin()),
        int(front["lds_byte_cycles"].argmin()),
    }
    for number in sorted(ends - {advice.recommended}):
        row = front[number]
        ax.annotate(
            f"{row['tf_threshold']:g} / {row['ds_wave_threshold']}",
            (row["memory_bytes"] * megabytes, row["makespan_cycles"]),
            xytext=(10, 14),
            textcoords="offset points",
            fontsize="small",
            arrowprops={"arrowstyle": "-", "linewidth": 0.6},
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.0},
            zorder=5,
        )
    ax.set_xlabel("bytes written and requested (MB)")
    ax.set_ylabel("makespan (cycles)")
    ax.grid(color="#e5e5e5", linewidth=0.6, zorder=0)
    ax.legend(fontsize="small")
    return ax
