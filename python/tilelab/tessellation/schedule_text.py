"""A schedule in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from tilelab.tessellation.schedule import Schedule

__all__ = ["heading", "summary", "summary_rows"]
__dir__ = __all__.copy


def _bytes(count: float) -> str:
    for unit in ("B", "KB", "MB"):
        if abs(count) < 10240:
            return f"{count:,.0f} {unit}" if unit == "B" else f"{count:,.1f} {unit}"
        count /= 1024
    return f"{count:,.1f} GB"


def _share(part: float, whole: float) -> str:
    return f"{100.0 * part / whole:.1f} %" if whole else "0 %"


def summary_rows(schedule: Schedule) -> list[tuple[str, str]]:
    """Label and text of every line of the summary."""
    config, groups = schedule.config, schedule.groups
    makespan = schedule.makespan_cycles
    kept, away = schedule.on_chip_waves, schedule.off_chip_waves
    bounds = schedule.bounds
    binding = max(bounds, key=lambda name: bounds[name])
    limits = {
        "issue": "issue ports",
        "group": "longest thread group alone",
        "channel": "memory bandwidth",
        "residency": "wave slots",
    }
    issue_share = _share(int(schedule.issue_cycles.sum()), makespan * config.cu_count * config.simd_per_cu)
    lds = int(schedule.lds_byte_cycles.sum())
    capacity = makespan * config.cu_count * config.available_lds_bytes
    peak = int(schedule.peak_lds_bytes.max(initial=0))
    rows = [
        ("time", f"{makespan:,} cycles, {schedule.makespan_us:,.2f} us at {config.clock_mhz:g} MHz"),
        (
            "limit",
            f"{schedule.best_bound:,} cycles ({limits[binding]}); time is {schedule.bound_ratio:.3f} x that",
        ),
    ]
    for draw, size in zip(schedule.draw_calls, schedule.threadgroup_sizes, strict=True):
        label = draw.name or "draw call"
        domain = draw.domain.name.lower()
        rows.append(
            (
                label,
                f"{draw.patches:,} {domain} patches, {size.patches} a group ({size.reason}), "
                f"{size.lds_bytes:,} B of LDS a group, {size.groups_per_cu} groups a CU",
            )
        )
    rows += [
        (
            "thread groups",
            f"{len(groups):,}: {schedule.off_chip_groups:,} off-chip, "
            f"{len(groups) - schedule.off_chip_groups:,} on-chip"
            + (f" (factor mean below {config.tf_threshold:g})" if config.mode == "off_chip" else ""),
        ),
        (
            "waves",
            f"vertex {int(groups['vertex_waves'].sum()):,}, hull {int(groups['hull_waves'].sum()):,}, "
            f"domain {kept:,} on-chip + {away:,} off-chip ({_share(away, kept + away)} off-chip)",
        ),
        (
            "memory",
            f"{_bytes(schedule.bytes_written)} written ({_bytes(schedule.wasted_write_bytes)} for nothing), "
            f"{_bytes(schedule.bytes_read)} read; "
            f"channel busy {_share(schedule.channel_busy_cycles, makespan)}",
        ),
        (
            "LDS",
            f"{_share(lds, capacity)} of byte-cycles held, peak {_bytes(peak)} of "
            f"{_bytes(config.available_lds_bytes)} a CU; a group holds it "
            f"{_mean(schedule.group_lds_cycles):,.0f} cycles on average",
        ),
        ("balance", f"busiest CU {schedule.imbalance:.2f} x the mean; issue ports busy {issue_share}"),
        ("launch stalls", _stalls(schedule)),
    ]
    return rows


def _mean(values: Iterable[int]) -> float:
    array = np.asarray(values)
    return float(array.mean()) if array.size else 0.0


def _stalls(schedule: Schedule) -> str:
    names = {"lds": "no LDS", "slots": "no wave slots", "both": "no CU with both", "gap": "launch gap"}
    total = schedule.makespan_cycles
    found = [
        f"{names[name]} {cycles:,} cycles ({_share(cycles, total)})"
        for name, cycles in schedule.stall_cycles.items()
        if cycles
    ]
    return ", ".join(found) or "none"


def heading(schedule: Schedule) -> str:
    """Mode and machine in one line."""
    mode = schedule.config.mode.replace("_", "-")
    return f"{mode} schedule on {schedule.config.cu_count} CUs"


def summary(schedule: Schedule) -> str:
    """Text of `Schedule.summary`."""
    rows = summary_rows(schedule)
    width = max(len(label) for label, _ in rows)
    lines = [heading(schedule)]
    lines += [f"  {label:{width}s}  {text}" for label, text in rows]
    return "\n".join(lines)
