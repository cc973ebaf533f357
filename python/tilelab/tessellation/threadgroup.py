"""How many patches a thread group takes, and what LDS that costs."""

from __future__ import annotations

from dataclasses import dataclass

from tilelab._picture import result_html
from tilelab._validation import as_instance, as_int, fail
from tilelab.tessellation.draw_call import DrawCall
from tilelab.tessellation.scheduler_config import WAVE_SIZE, SchedulerConfig

__all__ = ["ThreadgroupSize", "pixel_interpolant_bytes", "threadgroup_size"]
__dir__ = __all__.copy


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadgroupSize:
    """Patches per thread group of one draw call, why, and its LDS account.

    Parameters
    ----------
    patches : int
        Patches of a full group.
    reason : str
        The limit that decided, in words.
    limits : dict of str to int
        Every limit in patches; `patches` is the smallest.
    patch_bytes : dict of str to int
        LDS bytes of one patch by use: "inputs", "outputs", "constants".
    lds_bytes : int
        LDS bytes of a full group, rounded up to the allocation unit.
    rounding_bytes : int
        Part of `lds_bytes` lost to rounding.
    available_lds_bytes : int
        LDS bytes of a CU that groups can have, after all reserves.
    reserved_bytes : dict of str to int
        LDS bytes of a CU held by others: "pixel_interpolants", "compute", "on_chip_gs", "other".
    groups_per_cu : int
        Groups that fit into one CU's LDS at a time.
    """

    patches: int
    reason: str
    limits: dict[str, int]
    patch_bytes: dict[str, int]
    lds_bytes: int
    rounding_bytes: int
    available_lds_bytes: int
    reserved_bytes: dict[str, int]
    groups_per_cu: int

    def __repr__(self) -> str:
        return (
            f"ThreadgroupSize({self.patches} patches: {self.reason}; {self.lds_bytes} LDS bytes, "
            f"{self.groups_per_cu} groups a CU)"
        )

    def _repr_html_(self) -> str:
        rows: list[tuple[str, object]] = [("patches", self.patches), ("decided by", self.reason)]
        rows += [(f"limit: {name}", patches) for name, patches in self.limits.items()]
        rows += [(f"LDS bytes of a patch: {use}", size) for use, size in self.patch_bytes.items()]
        rows += [("LDS bytes of a group", self.lds_bytes), ("of these by rounding", self.rounding_bytes)]
        rows += [(f"LDS bytes of a CU: {use}", size) for use, size in self.reserved_bytes.items()]
        rows += [("LDS bytes of a CU for groups", self.available_lds_bytes)]
        rows += [("groups a CU", self.groups_per_cu)]
        return result_html("Thread group", rows)


def patch_lds_bytes(draw_call: DrawCall, config: SchedulerConfig) -> dict[str, int]:
    """LDS bytes of one patch by use."""
    outputs = 0 if config.hs_passthrough else draw_call.out_control_points * draw_call.out_stride
    return {
        "inputs": draw_call.in_control_points * draw_call.in_stride,
        "outputs": outputs,
        "constants": draw_call.patch_constant_bytes,
    }


def threadgroup_size(draw_call: DrawCall, config: SchedulerConfig) -> ThreadgroupSize:
    """Choose the patches per thread group of a draw call and account for its LDS.

    Parameters
    ----------
    draw_call : DrawCall
        The draw call.
    config : SchedulerConfig
        `patches_per_threadgroup` 0 chooses; another value is clamped by the same limits except the automatic
        one.

    Returns
    -------
    ThreadgroupSize
        Patches, reason, every limit, and where the LDS goes.

    Raises
    ------
    ValueError
        One patch does not fit into the LDS a group may have.

    Notes
    -----
    With m = max(in, out) control points: N = min(256/m, LDS limit / LDS of a patch, off-chip block / off-
    chip bytes of a patch (off-chip mode), wave slots * 64 / m, 16 if automatic), at least 1. LDS of a patch
    = input and output control points and patch constants; a group's is rounded up to the allocation unit.
    Documented: the formulas are those of public drivers; modelled: our choice among them. The wave-slot
    limit only matters for machines smaller than the real one.

    Examples
    --------
    >>> import numpy as np
    >>> from tilelab.tessellation import DrawCall, SchedulerConfig, threadgroup_size
    >>> draw = DrawCall(domain="tri", partitioning="integer", factors=np.ones((10, 4)), in_control_points=3,
    ...                 out_control_points=3, in_stride=48, out_stride=48, patch_constant_bytes=16)
    >>> size = threadgroup_size(draw, SchedulerConfig())
    >>> size.patches, size.lds_bytes, size.groups_per_cu
    (16, 5120, 12)
    >>> size.reason
    'automatic limit of 16 patches'
    """
    as_instance("draw_call", draw_call, DrawCall)
    as_instance("config", config, SchedulerConfig)
    widest = max(draw_call.in_control_points, draw_call.out_control_points)
    patch_bytes = patch_lds_bytes(draw_call, config)
    patch_total = sum(patch_bytes.values())
    unit, available = config.lds_granularity, config.available_lds_bytes
    one_patch = config.lds_allocation(patch_total)
    limit = min(config.max_lds_per_threadgroup, available)
    if patch_total > config.max_lds_per_threadgroup or one_patch > available:
        raise fail(
            "draw_calls",
            f"must have patches that fit the {limit} LDS bytes a thread group may have",
            f"{patch_total} bytes a patch, {one_patch} when rounded up to {unit}",
        )
    candidates = [
        (
            config.max_control_points_per_threadgroup // widest,
            f"{config.max_control_points_per_threadgroup} control points per thread group",
            "control_points",
        ),
        (
            config.wave_slots_per_cu * WAVE_SIZE // widest,
            f"{config.wave_slots_per_cu} wave slots of a CU",
            "wave_slots",
        ),
    ]
    if patch_total:
        candidates += [
            (
                config.max_lds_per_threadgroup // patch_total,
                f"{config.max_lds_per_threadgroup} LDS bytes per thread group at {patch_total} bytes a patch",
                "lds_threadgroup",
            ),
            (
                available // unit * unit // patch_total,
                f"{available} free LDS bytes of a CU at {patch_total} bytes a patch",
                "lds_cu",
            ),
        ]
    if config.mode == "off_chip" and draw_call.off_chip_patch_bytes:
        block, patch = config.offchip_block_bytes, draw_call.off_chip_patch_bytes
        candidates.append(
            (max(block // patch, 1), f"{block} byte off-chip block at {patch} bytes a patch", "offchip_block")
        )
    if config.patches_per_threadgroup == 0:
        limit = config.auto_patch_limit
        candidates.append((limit, f"automatic limit of {limit} patches", "automatic"))
    else:
        asked = config.patches_per_threadgroup
        candidates.insert(0, (asked, f"patches_per_threadgroup={asked} as asked", "asked"))
    patches, reason, _ = min(candidates, key=lambda candidate: candidate[0])
    lds_bytes = config.lds_allocation(patches * patch_total)
    reserves = {
        "pixel_interpolants": config.lds_allocation(config.lds_pixel_interpolants),
        "compute": config.lds_allocation(config.lds_compute),
        "on_chip_gs": config.lds_allocation(config.lds_on_chip_gs),
        "other": config.lds_reserved,
    }
    by_slots = config.wave_slots_per_cu
    return ThreadgroupSize(
        patches=patches,
        reason=reason,
        limits={name: value for value, _, name in candidates},
        patch_bytes=patch_bytes,
        lds_bytes=lds_bytes,
        rounding_bytes=lds_bytes - patches * patch_total,
        available_lds_bytes=available,
        reserved_bytes=reserves,
        groups_per_cu=available // lds_bytes if lds_bytes else by_slots,
    )


def pixel_interpolant_bytes(attributes: int, primitives: int) -> int:
    """LDS bytes that pixel-shader interpolants take for a number of primitives in flight.

    Parameters
    ----------
    attributes : int
        vec4 attributes the pixel shader interpolates.
    primitives : int
        Primitives in flight on a CU.

    Returns
    -------
    int
        For `lds_pixel_interpolants`: 48 bytes (three vec4: P0, P10, P20) an attribute and primitive
        (derived).

    Examples
    --------
    >>> from tilelab.tessellation import pixel_interpolant_bytes
    >>> pixel_interpolant_bytes(attributes=6, primitives=32)
    9216
    """
    return 48 * as_int("attributes", attributes, low=0) * as_int("primitives", primitives, low=0)
