"""Run draw calls through the discrete-event model of thread groups, CUs, LDS and memory."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from tilelab._core import tessellation as _core
from tilelab._validation import Array, as_instance, ceil_div, fail, fail_type
from tilelab.tessellation.draw_call import DrawCall
from tilelab.tessellation.schedule import Schedule
from tilelab.tessellation.scheduler_config import SchedulerConfig
from tilelab.tessellation.workload import MAX_WAVES, Workload, decide, make_workload

__all__ = ["simulate"]
__dir__ = __all__.copy

GROUP_DTYPE = np.dtype(
    [
        ("draw", np.int32),
        ("patches", np.int32),
        ("cu", np.int32),
        ("off_chip", np.bool_),
        ("factor_mean", np.float64),
        ("vertex_waves", np.int32),
        ("hull_waves", np.int32),
        ("domain_waves", np.int32),
        ("on_chip_waves", np.int32),
        ("lds_bytes", np.int64),
        ("bytes_written", np.int64),
        ("bytes_read", np.int64),
        ("channel_bytes", np.int64),
        ("launch", np.int64),
        ("hull_ready", np.int64),
        ("hull_start", np.int64),
        ("hull_end", np.int64),
        ("lds_release", np.int64),
        ("end", np.int64),
        ("stall_lds", np.int64),
        ("stall_slots", np.int64),
        ("stall_both", np.int64),
        ("stall_gap", np.int64),
    ],
    align=True,
)


def as_draw_calls(draw_calls: DrawCall | Iterable[DrawCall]) -> tuple[DrawCall, ...]:
    """Give the draw calls as a tuple."""
    if isinstance(draw_calls, DrawCall):
        return (draw_calls,)
    try:
        draws = tuple(draw_calls)
    except TypeError:
        rule = "must be a DrawCall or a sequence of them"
        raise fail_type("draw_calls", rule, type(draw_calls).__name__) from None
    for draw in draws:
        if not isinstance(draw, DrawCall):
            raise fail_type("draw_calls", "must hold DrawCall objects", type(draw).__name__)
    return draws


def as_config(config: object) -> SchedulerConfig:
    """Give the configuration, or say that it is none."""
    return as_instance("config", config, SchedulerConfig)


def simulate(draw_calls: DrawCall | Iterable[DrawCall], config: SchedulerConfig) -> Schedule:
    """Simulate draw calls, one after the other without a barrier between them.

    Parameters
    ----------
    draw_calls : DrawCall or sequence of DrawCall
        What runs, in order.
    config : SchedulerConfig
        The machine, the tunables and the costs.

    Returns
    -------
    Schedule
        Every wave and group with its times, and the statistics that follow.

    Raises
    ------
    TypeError
        An argument has the wrong kind.
    ValueError
        One patch of a draw call does not fit the LDS a thread group may have.
    UnsupportedError
        `config.factor_mean` is "inside" and a draw call has isolines.

    Notes
    -----
    Modelled; integer cycles, no random numbers. A wave takes a slot on the SIMD with the fewest resident
    waves, joins its first-in first-out issue queue (an off-chip domain-shader wave only when its data has
    arrived), holds the port for its issue cost, waits its latency and frees the slot. The hull shader starts
    when all vertex waves of its group have ended and the CU has slots for all its waves at once. In off-chip
    mode a group with factor mean >= `tf_threshold` writes its output to memory when its hull shader ends; its
    first `ds_wave_threshold` domain-shader waves run on its CU, the others on the CU with the fewest resident
    waves once the writes are usable. LDS is freed when the last domain-shader wave on the group's CU ends, or
    at the end of the hull shader if there is none.

    At each time the events are handled in the order they were created, answers of the memory included, even
    when memory costs nothing; then hull shaders start, oldest group first, then domain-shader waves, oldest
    group first, then new groups launch in order, scanning the CUs from a round-robin pointer. A transfer of n
    bytes takes ceil(n / bandwidth) cycles on one first-in first-out channel.

    Examples
    --------
    >>> import numpy as np
    >>> from tilelab.tessellation import DrawCall, SchedulerConfig, simulate
    >>> factors = np.full((400, 6), 3.0)
    >>> factors[:16] = 40.0
    >>> draw = DrawCall(domain="quad", partitioning="integer", factors=factors, in_control_points=4,
    ...                 out_control_points=4, in_stride=32, out_stride=32, patch_constant_bytes=24)
    >>> on_chip = simulate(draw, SchedulerConfig())
    >>> off_chip = simulate(draw, SchedulerConfig(mode="off_chip", ds_wave_threshold=4))
    >>> on_chip.makespan_cycles, off_chip.makespan_cycles, off_chip.bytes_written
    (67100, 8900, 2432)
    """
    draws = as_draw_calls(draw_calls)
    return run(draws, as_config(config), make_workload(draws, config))


def run(draws: tuple[DrawCall, ...], config: SchedulerConfig, workload: Workload) -> Schedule:
    """Simulate a workload made for these draw calls and this configuration, thresholds aside."""
    decision = decide(workload, config)
    work = decision.groups
    total = int((work["vertex_waves"].astype(np.int64) + work["hull_waves"] + work["domain_waves"]).sum())
    if total > MAX_WAVES:
        raise fail("draw_calls", f"must have at most {MAX_WAVES} waves", total)
    waves = np.zeros(total, _core.WAVE_RECORD)  # zeros, so that equal logs are equal byte for byte
    stalls: Array = np.empty(len(work), _core.THREADGROUP_STALL)
    totals = _core.simulate_threadgroups(
        config.machine(), work, workload.lanes, decision.channel_bytes, waves, stalls
    )
    groups: Array = np.zeros(len(work), GROUP_DTYPE)
    for name in GROUP_DTYPE.names or ():
        if name in (work.dtype.names or ()):
            groups[name] = work[name]
    groups["patches"] = workload.patches
    groups["factor_mean"] = workload.means
    groups["bytes_read"] = _sum_of_groups(decision.requested_bytes, workload.wave_start)
    # The factor ring is written once and read once.
    channel_reads = _sum_of_groups(decision.channel_bytes, workload.wave_start)
    groups["channel_bytes"] = work["bytes_written"] + channel_reads + 2 * work["factor_bytes"]
    _add_times(groups, waves)
    for name in ("lds", "slots", "both", "gap"):
        groups["stall_" + name] = stalls[name]
    for table in (waves, groups):
        table.flags.writeable = False
    return Schedule(
        config=config,
        draw_calls=draws,
        threadgroup_sizes=tuple(workload.sizes),
        waves=waves,
        groups=groups,
        makespan_cycles=totals.makespan_cycles,
        events=totals.events,
        channel_busy_cycles=_busy_cycles(work, decision.channel_bytes, config.memory_bytes_per_clock),
    )


def _add_times(groups: Array, waves: Array) -> None:
    """Read where and when every group ran off its rows of the wave log, which lie vertex, hull, domain."""
    if not len(groups):
        return
    hull = groups["vertex_waves"].astype(np.int64)
    domain = hull + groups["hull_waves"]
    count = domain + groups["domain_waves"]
    first = np.cumsum(count) - count
    groups["cu"] = waves["cu"][first]
    groups["launch"] = waves["start"][first]
    groups["hull_start"] = waves["start"][first + hull]
    end = waves["end"]
    groups["hull_ready"] = _latest(end, first, first + hull)
    groups["hull_end"] = _latest(end, first + hull, first + domain)
    groups["end"] = _latest(end, first, first + count)
    # The domain-shader waves that stay come first, and none ends before the hull shader.
    groups["lds_release"] = _latest(end, first + hull, first + domain + groups["on_chip_waves"])


def _latest(
    values: npt.NDArray[np.int64], first: npt.NDArray[np.int64], stop: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Maximum of every non-empty range; the ranges ascend and do not overlap."""
    if not len(first):
        return np.zeros(0, np.int64)
    edges = np.empty(2 * len(first), np.int64)
    edges[0::2], edges[1::2] = first, stop
    if edges[-1] == len(values):  # the last range then ends by itself
        edges = edges[:-1]
    return np.asarray(np.maximum.reduceat(values, edges)[::2])


def _sum_of_groups(values: npt.NDArray[np.int64], start: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    running = np.concatenate([[0], np.cumsum(values)])
    return np.asarray(running[start[1:]] - running[start[:-1]])


def _busy_cycles(work: Array, channel_bytes: npt.NDArray[np.int64], rate: int) -> int:
    if rate == 0:
        return 0
    transfers = (work["bytes_written"], work["factor_bytes"], work["factor_bytes"], channel_bytes)
    return int(sum(int(ceil_div(transfer, rate).sum()) for transfer in transfers))
