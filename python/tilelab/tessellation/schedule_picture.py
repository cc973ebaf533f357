"""The picture of a schedule: what every wave slot did over time, and the LDS held meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tilelab._picture import image_html
from tilelab._validation import ceil_div
from tilelab.tessellation.wave_log import WAVE_KINDS, wave_kinds, wave_slots

if TYPE_CHECKING:
    from tilelab.tessellation.schedule import Schedule

__all__ = ["lds_share", "picture_instants", "schedule_picture", "tint", "wave_image"]
__dir__ = __all__.copy

MAX_PICTURE_WAVES = 200_000  # above it a notebook cell shows the table alone
COLUMNS = 1800

Colour = tuple[float, float, float]

BACKGROUND = (0.965, 0.965, 0.975)
WAITING_FOR_MEMORY = (0.80, 0.80, 0.84)
LDS_HELD = (0.36, 0.16, 0.62)
# Colour while the wave holds the issue port; queued and waiting for its latency are tints of it.
KIND_COLOURS = dict(
    zip(
        WAVE_KINDS,
        ((0.13, 0.40, 0.67), (0.95, 0.60, 0.10), (0.11, 0.56, 0.36), (0.76, 0.16, 0.45)),
        strict=True,
    )
)
QUEUED_TINT, LATENCY_TINT = 0.22, 0.55

# A notebook cell: pixels.
CELL_COLUMNS = 900
CELL_ROWS = 480
LDS_ROWS = 24


def tint(colour: Colour, strength: float) -> Colour:
    """Mix a colour with white; strength 1 leaves it as it is."""
    red, green, blue = (1.0 - strength * (1.0 - channel) for channel in colour)
    return red, green, blue


def picture_instants(schedule: Schedule, columns: int = COLUMNS) -> npt.NDArray[np.float64]:
    """Cycle that each column of a picture shows, evenly spread over the run."""
    numbers: npt.NDArray[np.float64] = np.arange(columns, dtype=np.float64)
    return (numbers + 0.5) * (max(schedule.makespan_cycles, 1) / columns)


def wave_image(schedule: Schedule, instants: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """RGB colour of every wave slot (row, the slots of CU 0 first) at every instant (column)."""
    config, waves = schedule.config, schedule.waves
    row = (waves["cu"].astype(np.int64) * config.simd_per_cu + waves["simd"]) * config.wave_slots_per_simd
    row += wave_slots(waves)
    kind = wave_kinds(waves)
    cost = np.array(config.issue_by_stage)[waves["stage"]]
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


def _palette() -> npt.NDArray[np.uint8]:
    """Background, waiting for memory, then queued, issuing and latency of every kind."""
    rows = [BACKGROUND, WAITING_FOR_MEMORY]
    for colour in KIND_COLOURS.values():
        rows += [tint(colour, QUEUED_TINT), colour, tint(colour, LATENCY_TINT)]
    palette: npt.NDArray[np.uint8] = np.rint(np.array(rows) * 255).astype(np.uint8)
    return palette


def lds_share(schedule: Schedule, instants: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Part of a CU's available LDS that groups hold, shape (cu_count, instants)."""
    rows = schedule.timeline()
    share = np.zeros((schedule.config.cu_count, len(instants)))
    for cu in range(schedule.config.cu_count):
        own = rows[rows["cu"] == cu]
        if len(own):
            last = np.searchsorted(own["time"], instants, side="right") - 1
            share[cu] = np.where(last >= 0, own["lds_bytes"][last], 0)
    return share / schedule.config.available_lds_bytes


def schedule_picture(schedule: Schedule) -> str:
    """HTML of the picture with its legend, or nothing where it could not be read or drawn."""
    if not 0 < len(schedule.waves) <= MAX_PICTURE_WAVES:
        return ""
    instants = picture_instants(schedule, CELL_COLUMNS)
    picture = image_html(
        np.concatenate([_bands(schedule, instants), _lds_strip(schedule, instants)]), "timeline"
    )
    return picture and picture + _legend(schedule)


def _bands(schedule: Schedule, instants: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """Wave slots, about CELL_ROWS pixels high, with a white line between CUs that are high enough for it."""
    image = wave_image(schedule, instants)
    image = image[:: max(len(image) // CELL_ROWS, 1)].repeat(ceil_div(CELL_ROWS, len(image)), axis=0)
    cu_count = schedule.config.cu_count
    if len(image) < 4 * cu_count:
        return image
    return np.insert(image, np.arange(1, cu_count) * len(image) // cu_count, 255, axis=0)


def _lds_strip(schedule: Schedule, instants: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """LDS held, mean of the CUs: white for none, full colour for all."""
    share = lds_share(schedule, instants).mean(axis=0)[None, :, None]
    strip: npt.NDArray[np.uint8] = np.rint(255 * (1.0 - share * (1.0 - np.array(LDS_HELD)))).astype(np.uint8)
    gap = np.full((3, *strip.shape[1:]), 255, np.uint8)
    return np.concatenate([gap, strip.repeat(LDS_ROWS, axis=0)])


def _legend(schedule: Schedule) -> str:
    colours = {**KIND_COLOURS, "waits for memory": WAITING_FOR_MEMORY, "LDS held": LDS_HELD}
    entries = [
        f'<span style="color: rgb({", ".join(f"{255 * channel:.0f}" for channel in colour)})">&#9632;</span> '
        f"{name}"
        for name, colour in colours.items()
    ]
    return (
        f"<div>0 to {schedule.makespan_cycles:,} cycles from left to right. {' '.join(entries)}; paler: "
        "latency; palest: queued. A band is a CU, a line in it a wave slot; below, the LDS held.</div>"
    )
