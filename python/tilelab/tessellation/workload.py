"""Draw calls cut into thread groups and waves: everything the engine needs that does not depend on timing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tilelab._core import tessellation as _core
from tilelab._validation import Array, ceil_div, fail, unsupported
from tilelab.tessellation.counts import COUNTS_DTYPE
from tilelab.tessellation.draw_call import DrawCall
from tilelab.tessellation.scheduler_config import WAVE_SIZE, SchedulerConfig
from tilelab.tessellation.threadgroup import ThreadgroupSize, threadgroup_size

__all__ = ["Decision", "Workload", "decide", "make_workload"]
__dir__ = __all__.copy

MAX_WAVES = 2**31 - 1


@dataclass(frozen=True)
class Workload:
    """Thread groups of all draw calls in launch order, before any of them is sent on-chip or off-chip.

    The thresholds do not matter here, so one workload serves a sweep over them.
    """

    sizes: list[ThreadgroupSize]
    groups: Array  # THREADGROUP_WORK with on_chip_waves, off_chip and bytes_written still 0
    patches: npt.NDArray[np.int64]  # per group
    patch_bytes: npt.NDArray[np.int64]  # per group: off-chip bytes of one patch
    means: npt.NDArray[np.float64]  # per group
    wave_start: npt.NDArray[np.int64]  # (groups + 1,): first domain-shader wave of a group
    lanes: npt.NDArray[np.int32]  # per domain-shader wave
    touched_patches: npt.NDArray[np.int32]  # per domain-shader wave


def factor_means(draw_call: DrawCall, size: int, which: str) -> npt.NDArray[np.float64]:
    """Give the number every group compares with the threshold, accumulated in float64 in patch order."""
    edges = draw_call.domain.edge_count
    factors = draw_call.factors
    if which == "inside" and factors.shape[1] == edges:
        rule = "must be one of 'all', 'edge', 'patch_max', 'max' for isolines, which have no inside factors"
        raise unsupported("factor_mean", rule, repr(which))
    chosen = {"edge": factors[:, :edges], "inside": factors[:, edges:]}.get(which, factors)
    with np.errstate(invalid="ignore"):
        values = np.minimum(np.fmax(chosen, np.float32(0.0)), np.float32(64.0))  # fmax drops NaN
    if which in ("patch_max", "max"):
        values = values.max(axis=1, keepdims=True)
    groups = ceil_div(len(values), size)
    padded = np.zeros((groups * size, values.shape[1]), np.float64)
    padded[: len(values)] = values
    rows = padded.reshape(groups, size * values.shape[1])
    if which == "max":
        return np.asarray(rows.max(axis=1))
    # cumsum adds strictly from left to right (sum does not); the zeros at a short group's end change nothing.
    totals = rows.cumsum(axis=1)[:, -1]
    return np.asarray(totals / (_patches_of_groups(len(values), size) * values.shape[1]))


def _patches_of_groups(patches: int, size: int) -> npt.NDArray[np.int64]:
    groups = ceil_div(patches, size)
    counts = np.full(groups, size, np.int64)
    if groups:
        counts[-1] = patches - (groups - 1) * size
    return counts


def domain_points(draw_call: DrawCall, duplication: float) -> npt.NDArray[np.int64]:
    """Domain-shader threads of every patch."""
    counts: Array = np.empty(draw_call.patches, COUNTS_DTYPE)
    _core.tessellation_counts(draw_call.domain, draw_call.partitioning, draw_call.factors, counts, 1)
    return np.ceil(counts["points"].astype(np.float64) * duplication).astype(np.int64)


def domain_waves(
    points: npt.NDArray[np.int64], size: int, grouping: str
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Waves of every group, then lanes and touched patches of every wave."""
    groups = ceil_div(len(points), size)
    group_of_patch = np.arange(len(points)) // size
    if grouping == "patch":
        waves_of_patch = ceil_div(points, WAVE_SIZE)
        per_group = np.bincount(group_of_patch, weights=waves_of_patch, minlength=groups).astype(np.int64)
        total = int(waves_of_patch.sum())
        lanes = np.full(total, WAVE_SIZE, np.int32)
        used = waves_of_patch > 0
        last = np.cumsum(waves_of_patch)[used] - 1
        lanes[last] = (points - (waves_of_patch - 1) * WAVE_SIZE)[used]
        return per_group, lanes, np.ones(total, np.int32)
    # Lay the patches with points end to end, every group starting at a multiple of the wave size.
    points_of_group = np.bincount(group_of_patch, weights=points, minlength=groups).astype(np.int64)
    per_group = ceil_div(points_of_group, WAVE_SIZE)
    first_wave = np.cumsum(per_group) - per_group
    before = np.cumsum(points) - points
    group_before = before[::size]
    start = before - group_before[group_of_patch] + first_wave[group_of_patch] * WAVE_SIZE
    start = start[points > 0]
    total = int(per_group.sum())
    lanes = np.full(total, WAVE_SIZE, np.int32)
    used = per_group > 0
    lanes[(first_wave + per_group - 1)[used]] = (points_of_group - (per_group - 1) * WAVE_SIZE)[used]
    first_point = np.arange(total, dtype=np.int64) * WAVE_SIZE
    first_patch = np.searchsorted(start, first_point, side="right")
    last_patch = np.searchsorted(start, first_point + lanes - 1, side="right")
    return per_group, lanes, (last_patch - first_patch + 1).astype(np.int32)


def make_workload(draw_calls: Sequence[DrawCall], config: SchedulerConfig) -> Workload:
    """Cut draw calls into groups and waves; the thresholds of `config` are not used."""
    sizes: list[ThreadgroupSize] = []
    groups: list[Array] = []
    patches, patch_bytes, means, per_group, lanes, touched = [], [], [], [], [], []
    for number, draw in enumerate(draw_calls):
        size = threadgroup_size(draw, config)
        points = domain_points(draw, config.ds_duplication)
        counts = _patches_of_groups(draw.patches, size.patches)
        waves, wave_lanes, wave_touched = domain_waves(points, size.patches, config.ds_grouping)
        if len(waves) and int(waves.max()) > MAX_WAVES:
            raise fail("draw_calls", f"must have at most {MAX_WAVES} waves", int(waves.max()))
        work: Array = np.zeros(len(counts), _core.THREADGROUP_WORK)
        hull_threads = counts * (1 if config.hs_passthrough else draw.out_control_points)
        work["draw"] = number
        work["vertex_waves"] = ceil_div(counts * draw.in_control_points, WAVE_SIZE)
        work["hull_waves"] = ceil_div(hull_threads, WAVE_SIZE)
        work["domain_waves"] = waves
        work["lds_bytes"] = size.lds_bytes
        if config.shrink_last_group and len(counts):
            total = int(counts[-1]) * sum(size.patch_bytes.values())
            work["lds_bytes"][-1] = config.lds_allocation(total)
        if config.count_tf_ring:
            work["factor_bytes"] = counts * draw.factors.shape[1] * draw.factors.itemsize
        sizes.append(size)
        groups.append(work)
        patches.append(counts)
        patch_bytes.append(np.full(len(counts), draw.off_chip_patch_bytes, np.int64))
        means.append(factor_means(draw, size.patches, config.factor_mean))
        per_group.append(waves)
        lanes.append(wave_lanes)
        touched.append(wave_touched)
    waves_of_group = _join(per_group, np.int64)
    return Workload(
        sizes=sizes,
        groups=_join(groups, _core.THREADGROUP_WORK),
        patches=_join(patches, np.int64),
        patch_bytes=_join(patch_bytes, np.int64),
        means=_join(means, np.float64),
        wave_start=np.concatenate([[0], np.cumsum(waves_of_group)]).astype(np.int64),
        lanes=_join(lanes, np.int32),
        touched_patches=_join(touched, np.int32),
    )


def _join(parts: list[Array], dtype: npt.DTypeLike) -> Array:
    return np.concatenate(parts) if parts else np.zeros(0, dtype)


@dataclass(frozen=True)
class Decision:
    """What the thresholds make of a workload."""

    groups: Array  # THREADGROUP_WORK, complete
    requested_bytes: npt.NDArray[np.int64]  # per domain-shader wave, 0 where it reads LDS
    channel_bytes: npt.NDArray[np.int64]  # the part of it that reaches the memory channel


def decide(workload: Workload, config: SchedulerConfig) -> Decision:
    """Send every group on-chip or off-chip."""
    groups = workload.groups.copy()
    with np.errstate(over="ignore"):
        threshold = np.float64(np.float32(config.tf_threshold))
    off_chip = workload.means >= threshold if config.mode == "off_chip" else np.zeros(len(groups), bool)
    waves = groups["domain_waves"]
    groups["off_chip"] = off_chip
    groups["on_chip_waves"] = np.where(off_chip, np.minimum(waves, config.kept_waves), waves)
    groups["bytes_written"] = np.where(off_chip, workload.patches * workload.patch_bytes, 0)
    number = np.arange(len(workload.lanes)) - np.repeat(workload.wave_start[:-1], waves)
    reads = number >= np.repeat(groups["on_chip_waves"], waves)
    requested = np.where(reads, workload.touched_patches * np.repeat(workload.patch_bytes, waves), 0)
    channel = np.ceil(requested * (1.0 - config.l2_hit)).astype(np.int64)
    return Decision(groups=groups, requested_bytes=requested.astype(np.int64), channel_bytes=channel)
