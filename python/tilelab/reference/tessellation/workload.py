"""Slow, obvious twin of the preparation of a simulation: draw calls cut into thread groups and waves."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

__all__ = [
    "Group",
    "available_lds",
    "domain_waves",
    "factor_mean",
    "group_lds_bytes",
    "make_groups",
    "patch_lds_bytes",
    "patches_per_group",
]
__dir__ = __all__.copy

WAVE_SIZE = 64


@dataclass
class Group:
    """One thread group: what it asks for, then where it is."""

    draw: int
    patches: int
    vertex_waves: int
    hull_waves: int
    lds_bytes: int
    mean: float
    off_chip: bool
    bytes_written: int
    factor_bytes: int
    lanes: list[int]
    touched_patches: list[int]
    on_chip_waves: int
    channel_read_bytes: list[int]
    cu: int = -1
    launch: int = -1
    vertex_left: int = 0
    hull_left: int = 0
    on_chip_left: int = 0
    next_wave: int = 0
    points_ready: int = 0
    points_start: int = 0
    vertex_done: bool = False
    hull_started: bool = False
    hull_done: bool = False
    writes_usable: bool = False
    hull_start: int = -1
    hull_end: int = -1
    lds_release: int = -1
    stalls: dict[str, int] = field(default_factory=lambda: {"lds": 0, "slots": 0, "both": 0, "gap": 0})


def patch_lds_bytes(draw: Any, config: Any) -> int:
    """LDS of one patch: inputs, constants, and outputs unless a pass-through hull shader overlays them."""
    outputs = 0 if config.hs_passthrough else draw.out_control_points * draw.out_stride
    return int(draw.in_control_points * draw.in_stride + outputs + draw.patch_constant_bytes)


def available_lds(config: Any) -> int:
    """LDS of a CU that thread groups can have."""
    unit = config.lds_granularity
    others = (config.lds_pixel_interpolants, config.lds_compute, config.lds_on_chip_gs)
    return int(config.lds_bytes_per_cu - config.lds_reserved - sum(-(-n // unit) * unit for n in others))


def group_lds_bytes(patches: int, draw: Any, config: Any) -> int:
    """LDS of a thread group, rounded up to the allocation unit."""
    unit: int = config.lds_granularity
    return -(-patches * patch_lds_bytes(draw, config) // unit) * unit


def patches_per_group(draw: Any, config: Any) -> int:
    """Find the largest patch count that meets every limit, by counting up."""
    widest = max(draw.in_control_points, draw.out_control_points)
    off_chip_patch = draw.out_control_points * draw.out_stride + draw.patch_constant_bytes

    def fits(n: int) -> bool:
        ok: bool = n * widest <= config.max_control_points_per_threadgroup
        ok = ok and -(-n * widest // WAVE_SIZE) <= config.simd_per_cu * config.wave_slots_per_simd
        ok = ok and n * patch_lds_bytes(draw, config) <= config.max_lds_per_threadgroup
        ok = ok and group_lds_bytes(n, draw, config) <= available_lds(config)
        if config.mode == "off_chip" and n > 1:
            ok = ok and n * off_chip_patch <= config.offchip_block_bytes
        if config.patches_per_threadgroup == 0:
            return ok and n <= config.auto_patch_limit
        return ok and n <= config.patches_per_threadgroup

    best = 0
    while fits(best + 1):
        best += 1
    if best == 0:
        raise ValueError("one patch does not fit")
    return best


def factor_mean(factors: Any, edges: int, which: str) -> float:
    """Give the number compared with the threshold, from the factors (P, F) of one group."""
    chosen = {"all": slice(None), "edge": slice(0, edges), "inside": slice(edges, None)}.get(
        which, slice(None)
    )
    rows = []
    for patch in factors[:, chosen]:
        rows.append([0.0 if math.isnan(f) else min(max(float(f), 0.0), 64.0) for f in patch])
    if which == "max":
        return max(max(row) for row in rows)
    values = [max(row) for row in rows] if which == "patch_max" else [f for row in rows for f in row]
    total = 0.0
    for value in values:
        total += value
    return total / len(values)


def domain_waves(points: list[int], grouping: str) -> tuple[list[int], list[int]]:
    """Lanes and number of touched patches of each domain-shader wave of one group."""
    if grouping == "patch":
        lanes = [min(WAVE_SIZE, n - first) for n in points for first in range(0, n, WAVE_SIZE)]
        return lanes, [1] * len(lanes)
    owner = [patch for patch, n in enumerate(points) for _ in range(n)]
    waves = [owner[first : first + WAVE_SIZE] for first in range(0, len(owner), WAVE_SIZE)]
    return [len(wave) for wave in waves], [len(set(wave)) for wave in waves]


def make_groups(draw_calls: Any, config: Any, points: Any) -> list[Group]:
    """Cut every draw call into thread groups and decide each group's mode."""
    groups = []
    for number, (draw, draw_points) in enumerate(zip(draw_calls, points, strict=True)):
        size = patches_per_group(draw, config)
        patch_bytes = draw.out_control_points * draw.out_stride + draw.patch_constant_bytes
        threshold = float(np.float32(config.tf_threshold))
        keep = config.ds_wave_threshold
        if config.ds_wave_threshold_scope == "simd":
            keep *= config.simd_per_cu
        for first in range(0, len(draw.factors), size):
            factors = draw.factors[first : first + size]
            count = len(factors)
            duplicated = [
                math.ceil(int(n) * config.ds_duplication) for n in draw_points[first : first + size]
            ]
            lanes, touched = domain_waves(duplicated, config.ds_grouping)
            mean = factor_mean(factors, draw.domain.edge_count, config.factor_mean)
            off_chip = config.mode == "off_chip" and not mean < threshold
            hull_threads = count * (1 if config.hs_passthrough else draw.out_control_points)
            groups.append(
                Group(
                    draw=number,
                    patches=count,
                    vertex_waves=math.ceil(draw.in_control_points * count / WAVE_SIZE),
                    hull_waves=math.ceil(hull_threads / WAVE_SIZE),
                    lds_bytes=group_lds_bytes(count if config.shrink_last_group else size, draw, config),
                    mean=mean,
                    off_chip=off_chip,
                    bytes_written=count * patch_bytes if off_chip else 0,
                    factor_bytes=4 * factors.size if config.count_tf_ring else 0,
                    lanes=lanes,
                    touched_patches=touched,
                    on_chip_waves=min(keep, len(lanes)) if off_chip else len(lanes),
                    channel_read_bytes=[math.ceil(n * patch_bytes * (1.0 - config.l2_hit)) for n in touched],
                )
            )
    return groups
