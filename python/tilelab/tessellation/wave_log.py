"""The log of waves: which kinds there are, and which slot each wave had."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tilelab._validation import Array

__all__ = ["WAVE_KINDS", "wave_kinds", "wave_slots"]
__dir__ = __all__.copy

WAVE_KINDS = ("vertex", "hull", "domain on-chip", "domain off-chip")
"""Shader stages by number, domain-shader waves told apart by where they read."""


def wave_kinds(waves: Array) -> npt.NDArray[np.int64]:
    """Give the kind of every wave, an index into `WAVE_KINDS`."""
    kinds: npt.NDArray[np.int64] = waves["stage"].astype(np.int64) + waves["off_chip"]
    return kinds


def wave_slots(waves: Array) -> npt.NDArray[np.int64]:
    """Give every wave a slot of its SIMD, the lowest free one, so that no two waves of a slot overlap."""
    slots = np.zeros(len(waves), np.int64)
    busy_until: dict[tuple[int, int], list[int]] = {}
    order = np.lexsort((waves["end"], waves["start"]))
    columns = zip(
        order.tolist(),
        waves["cu"][order].tolist(),
        waves["simd"][order].tolist(),
        waves["start"][order].tolist(),
        waves["end"][order].tolist(),
        strict=True,
    )
    for row, cu, simd, start, end in columns:
        ends = busy_until.setdefault((cu, simd), [])
        slot = next((number for number, busy in enumerate(ends) if busy <= start), len(ends))
        if slot == len(ends):
            ends.append(end)
        else:
            ends[slot] = end
        slots[row] = slot
    return slots
