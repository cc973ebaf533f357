"""A schedule as a Chrome trace: every wave a slice, every CU a process, every wave slot a thread."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tilelab._validation import as_path
from tilelab.tessellation.wave_log import WAVE_KINDS, wave_kinds, wave_slots

if TYPE_CHECKING:
    from tilelab.tessellation.schedule import Schedule

__all__ = ["chrome_trace", "write_chrome_trace"]
__dir__ = __all__.copy


def chrome_trace(schedule: Schedule) -> dict[str, Any]:
    """Build the trace object of a schedule (Trace Event Format, complete and counter events).

    Parameters
    ----------
    schedule : Schedule
        What to show. A wave takes about 200 bytes of JSON.

    Returns
    -------
    dict
        ``traceEvents``, ``displayTimeUnit`` and ``otherData``. Times are microseconds at the configured
        clock; a slice's arguments give its cycles.
    """
    config = schedule.config
    per_cycle = 1.0 / config.clock_mhz
    events: list[dict[str, Any]] = []
    groups_process = config.cu_count

    def name_process(process: int, name: str) -> None:
        events.append({"ph": "M", "pid": process, "name": "process_name", "args": {"name": name}})
        events.append(
            {"ph": "M", "pid": process, "name": "process_sort_index", "args": {"sort_index": process}}
        )

    for cu in range(config.cu_count):
        name_process(cu, f"CU {cu}")
        for thread in range(config.wave_slots_per_cu):
            simd, slot = divmod(thread, config.wave_slots_per_simd)
            label = {"name": f"SIMD {simd} slot {slot}"}
            events.append({"ph": "M", "pid": cu, "tid": thread, "name": "thread_name", "args": label})
    name_process(groups_process, "thread groups (LDS held)")

    waves = schedule.waves
    threads = waves["simd"].astype(np.int64) * config.wave_slots_per_simd + wave_slots(waves)
    for wave, kind, thread in zip(waves, wave_kinds(waves).tolist(), threads.tolist(), strict=True):
        start, end = int(wave["start"]), int(wave["end"])
        events.append(
            {
                "ph": "X",
                "name": WAVE_KINDS[kind],
                "cat": WAVE_KINDS[kind],
                "pid": int(wave["cu"]),
                "tid": thread,
                "ts": start * per_cycle,
                "dur": (end - start) * per_cycle,
                "args": {
                    "group": int(wave["group"]),
                    "draw": int(wave["draw"]),
                    "wave": int(wave["index"]),
                    "start": start,
                    "ready": int(wave["ready"]),
                    "issue": int(wave["issue"]),
                    "end": end,
                },
            }
        )
    for number, group in enumerate(schedule.groups):
        span = {"cat": "group", "id": number, "name": f"group {number}", "pid": groups_process, "tid": 0}
        args = {
            "cu": int(group["cu"]),
            "lds_bytes": int(group["lds_bytes"]),
            "off_chip": bool(group["off_chip"]),
            "factor_mean": float(group["factor_mean"]),
        }
        events.append({**span, "ph": "b", "ts": int(group["launch"]) * per_cycle, "args": args})
        events.append({**span, "ph": "e", "ts": int(group["lds_release"]) * per_cycle})
    for row in schedule.timeline():
        counter = {"ph": "C", "pid": int(row["cu"]), "tid": 0, "ts": int(row["time"]) * per_cycle}
        counts = row[["vertex_waves", "hull_waves", "on_chip_waves", "off_chip_waves"]].tolist()
        events.append({**counter, "name": "LDS bytes", "args": {"held": int(row["lds_bytes"])}})
        events.append({**counter, "name": "waves", "args": dict(zip(WAVE_KINDS, counts, strict=True))})
    return {
        "traceEvents": events,
        "displayTimeUnit": "ns",
        "otherData": {"makespan_cycles": schedule.makespan_cycles, "clock_mhz": config.clock_mhz},
    }


def write_chrome_trace(schedule: Schedule, path: str | Path) -> None:
    """Write the trace of a schedule as JSON, compressed when the name ends in ``.gz``."""
    path = Path(as_path("path", path))
    text = json.dumps(chrome_trace(schedule), separators=(",", ":")).encode()
    path.write_bytes(gzip.compress(text, mtime=0) if path.suffix == ".gz" else text)
