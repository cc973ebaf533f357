"""The notebook cell of a schedule: what every wave slot did over time, above the summary."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tilelab._picture import image_html
from tilelab.tessellation.chrome_trace import wave_slots
from tilelab.tessellation.schedule_text import summary

if TYPE_CHECKING:
    from tilelab.tessellation.schedule import Schedule

__all__ = ["picture_instants", "schedule_html", "tint", "wave_image"]
__dir__ = __all__.copy

MAX_PICTURE_WAVES = 200_000  # above it a notebook cell shows the text alone
COLUMNS = 1800

BACKGROUND = (0.965, 0.965, 0.975)
WAITING_FOR_MEMORY = (0.80, 0.80, 0.84)
# Colour while the wave holds the issue port; queued and waiting for its latency are tints of it.
STAGES = {
    "VS": (0.13, 0.40, 0.67),
    "HS": (0.95, 0.60, 0.10),
    "DS on-chip": (0.11, 0.56, 0.36),
    "DS off-chip": (0.76, 0.16, 0.45),
}
QUEUED_TINT, LATENCY_TINT = 0.22, 0.55


def tint(colour: tuple[float, float, float], strength: float) -> tuple[float, ...]:
    """Mix a colour with white; strength 1 leaves it as it is."""
    return tuple(1.0 - strength * (1.0 - channel) for channel in colour)


def _palette() -> npt.NDArray[np.uint8]:
    """Background, waiting for memory, then queued, issuing and latency of every stage."""
    rows: list[tuple[float, ...]] = [BACKGROUND, WAITING_FOR_MEMORY]
    for colour in STAGES.values():
        rows += [tint(colour, QUEUED_TINT), colour, tint(colour, LATENCY_TINT)]
    palette: npt.NDArray[np.uint8] = np.rint(np.array(rows) * 255).astype(np.uint8)
    return palette


def picture_instants(schedule: Schedule) -> npt.NDArray[np.float64]:
    """Cycle that each column of the picture shows, evenly spread over the run."""
    columns: npt.NDArray[np.float64] = np.arange(COLUMNS, dtype=np.float64)
    return (columns + 0.5) * (max(schedule.makespan_cycles, 1) / COLUMNS)


def wave_image(schedule: Schedule, instants: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """RGB colour of every wave slot (row, the slots of CU 0 first) at every instant (column)."""
    config, waves = schedule.config, schedule.waves
    row = (waves["cu"].astype(np.int64) * config.simd_per_cu + waves["simd"]) * config.wave_slots_per_simd
    row += wave_slots(schedule)
    kind = (waves["stage"] + waves["off_chip"]).astype(np.int64)
    cost = np.array([config.vs_issue, config.hs_issue, config.ds_issue])[waves["stage"]]
    times = [waves["start"], waves["ready"], waves["issue"], waves["issue"] + cost, waves["end"]]
    columns = [np.searchsorted(instants, time, side="left") for time in times]
    phases = [np.ones_like(kind), 2 + 3 * kind, 3 + 3 * kind, 4 + 3 * kind]
    # Slots never overlap, so steps up and down summed along time give the index.
    steps = np.zeros((config.cu_count * config.wave_slots_per_cu, len(instants) + 1), np.int32)
    for code, first, last in zip(phases, columns[:-1], columns[1:], strict=True):
        np.add.at(steps, (row, first), code)
        np.add.at(steps, (row, last), -code)
    image: npt.NDArray[np.uint8] = _palette()[steps[:, :-1].cumsum(axis=1)]
    return image


def schedule_html(schedule: Schedule) -> str:
    """Notebook cell: the picture, when Pillow is there and it can be read, above the summary."""
    text = f"<pre>{html.escape(summary(schedule))}</pre>"
    if not 0 < len(schedule.waves) <= MAX_PICTURE_WAVES:
        return text
    image = wave_image(schedule, picture_instants(schedule))
    by_cu = image.reshape(schedule.config.cu_count, -1, COLUMNS, 3)
    spaced = np.pad(by_cu, ((0, 0), (0, 1), (0, 0), (0, 0)), constant_values=255)
    picture = image_html(spaced.reshape(-1, COLUMNS, 3), "timeline")
    return f"{picture}{_legend()}{text}" if picture else text


def _legend() -> str:
    colours = {**STAGES, "waits for memory": WAITING_FOR_MEMORY}
    entries = [
        f'<span style="color: rgb({", ".join(f"{255 * channel:.0f}" for channel in colour)})">&#9632;</span> '
        f"{name}"
        for name, colour in colours.items()
    ]
    return (
        f"<div>{' '.join(entries)}; paler: latency; palest: queued. "
        "A band is a CU, a line in it a wave slot; time runs to the right.</div>"
    )
