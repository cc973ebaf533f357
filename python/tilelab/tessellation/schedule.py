"""The result of a simulation: the log of every wave and group, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab import _extras
from tilelab._core.tessellation import Stage as Stage
from tilelab._picture import result_html
from tilelab._validation import Array, ceil_div
from tilelab.tessellation.chrome_trace import chrome_trace, write_chrome_trace
from tilelab.tessellation.draw_call import DrawCall
from tilelab.tessellation.schedule_picture import schedule_picture
from tilelab.tessellation.schedule_text import heading, summary, summary_rows
from tilelab.tessellation.scheduler_config import SchedulerConfig
from tilelab.tessellation.tessellation_parameters import TessellationParameters
from tilelab.tessellation.threadgroup import ThreadgroupSize
from tilelab.tessellation.wave_log import wave_kinds

__all__ = ["Schedule", "Stage"]
__dir__ = __all__.copy

TIMELINE_DTYPE = np.dtype(
    [
        ("cu", np.int32),
        ("time", np.int64),
        ("vertex_waves", np.int32),
        ("hull_waves", np.int32),
        ("on_chip_waves", np.int32),
        ("off_chip_waves", np.int32),
        ("lds_bytes", np.int64),
    ]
)


@dataclass(frozen=True, eq=False)
class Schedule:
    """What happened when draw calls ran, wave by wave.

    Every number below is derived from the two tables `waves` and `groups`.

    Parameters
    ----------
    config : SchedulerConfig
        The machine simulated.
    draw_calls : tuple of DrawCall
        What ran, in order.
    threadgroup_sizes : tuple of ThreadgroupSize
        Patches per group, reason and LDS account, one a draw call.
    waves : structured array, shape (waves,)
        One row a wave, in order of group, stage and number inside the stage: ``draw``, ``group``, ``stage``
        (`Stage`), ``off_chip`` (a domain-shader wave that reads memory), ``cu``, ``simd``, ``index`` and the
        cycles ``start`` (takes a slot), ``ready`` (joins the issue queue), ``issue`` (gets the port), ``end``
        (frees the slot).
    groups : structured array, shape (groups,)
        One row a thread group, in launch order: ``draw``, ``patches``, ``cu``, ``factor_mean``, ``off_chip``,
        ``vertex_waves``, ``hull_waves``, ``domain_waves``, ``on_chip_waves`` (of the domain shader, reading
        LDS), ``lds_bytes``, ``bytes_written``, ``bytes_read``, ``channel_bytes``, the cycles ``launch``,
        ``hull_ready``, ``hull_start``, ``hull_end``, ``lds_release``, ``end``, and ``stall_lds``,
        ``stall_slots``, ``stall_both``, ``stall_gap``: cycles in which it was the next to launch and could
        not because no CU had the LDS, no CU had the wave slots, no CU had both at once, or the launch gap had
        not passed.
    makespan_cycles : int
        End of the last wave, and of the last memory transfer if that is later.
    events : int
        Events the engine handled.
    channel_busy_cycles : int
        Cycles in which the memory channel moved data.
    """

    config: SchedulerConfig
    draw_calls: tuple[DrawCall, ...]
    threadgroup_sizes: tuple[ThreadgroupSize, ...]
    waves: Array
    groups: Array
    makespan_cycles: int
    events: int
    channel_busy_cycles: int

    @property
    def makespan_us(self) -> float:
        """Makespan in microseconds at `clock_mhz`."""
        return self.makespan_cycles / self.config.clock_mhz

    @cached_property
    def on_chip_waves(self) -> int:
        """Domain-shader waves that read LDS."""
        return int(self.groups["on_chip_waves"].sum(dtype=np.int64))

    @cached_property
    def off_chip_waves(self) -> int:
        """Domain-shader waves that read memory."""
        return int(self.groups["domain_waves"].sum(dtype=np.int64)) - self.on_chip_waves

    @property
    def off_chip_groups(self) -> int:
        """Thread groups that wrote their hull-shader output to memory."""
        return int(np.count_nonzero(self.groups["off_chip"]))

    @property
    def groups_kept_by_threshold(self) -> int:
        """Thread groups that stayed on-chip in off-chip mode: their factor mean was below the threshold."""
        return len(self.groups) - self.off_chip_groups if self.config.mode == "off_chip" else 0

    @cached_property
    def bytes_written(self) -> int:
        """Bytes of hull-shader output written to memory."""
        return int(self.groups["bytes_written"].sum())

    @cached_property
    def bytes_read(self) -> int:
        """Bytes requested from memory by off-chip domain-shader waves."""
        return int(self.groups["bytes_read"].sum())

    @cached_property
    def channel_bytes(self) -> int:
        """Bytes that crossed the memory channel: writes, reads past L2, and the factor ring if counted."""
        return int(self.groups["channel_bytes"].sum())

    @cached_property
    def wasted_write_bytes(self) -> int:
        """Bytes written by off-chip groups of which no wave read them."""
        unread = self.groups["off_chip"] & (self.groups["on_chip_waves"] == self.groups["domain_waves"])
        return int(self.groups["bytes_written"][unread].sum())

    def _per_cu(self, cu: Array, values: Array) -> npt.NDArray[np.int64]:
        totals = np.zeros(self.config.cu_count, np.int64)
        np.add.at(totals, cu, values)
        return totals

    @cached_property
    def issue_cycles(self) -> npt.NDArray[np.int64]:
        """Issue cycles of every CU, shape (cu_count,)."""
        return self._per_cu(self.waves["cu"], self._wave_issue)

    @cached_property
    def _wave_issue(self) -> npt.NDArray[np.int64]:
        config, stage = self.config, self.waves["stage"]
        issue: npt.NDArray[np.int64] = np.array(config.issue_by_stage)[stage]
        if config.mode == "off_chip" and config.hs_decide_issue:
            issue[(stage == Stage.HULL) & (self.waves["index"] == 0)] += config.hs_decide_issue
        return issue

    @cached_property
    def lds_byte_cycles(self) -> npt.NDArray[np.int64]:
        """LDS held by thread groups, integrated over time, of every CU, shape (cu_count,)."""
        return self._per_cu(self.groups["cu"], self.groups["lds_bytes"] * self.group_lds_cycles)

    @property
    def group_lds_cycles(self) -> npt.NDArray[np.int64]:
        """Cycles for which every group held its LDS, shape (groups,)."""
        return np.asarray(self.groups["lds_release"] - self.groups["launch"])

    @cached_property
    def peak_lds_bytes(self) -> npt.NDArray[np.int64]:
        """Most LDS held at one time on every CU, shape (cu_count,)."""
        rows = self.timeline()
        peak = np.zeros(self.config.cu_count, np.int64)
        np.maximum.at(peak, rows["cu"], rows["lds_bytes"])
        return peak

    @property
    def imbalance(self) -> float:
        """Highest issue cycles of a CU over the mean of all CUs; 1 when nothing was issued."""
        cycles = self.issue_cycles
        total = int(cycles.sum())
        return int(cycles.max()) * len(cycles) / total if total else 1.0

    @cached_property
    def bounds(self) -> dict[str, int]:
        """Lower bounds of the makespan in cycles.

        ``issue``: all issue cycles over all SIMDs. ``group``: the longest group by itself. ``channel``: the
        memory channel's bytes at full bandwidth. ``residency``: the shortest stay of every wave over all wave
        slots. Each holds whatever the order of events (derived).
        """
        config, groups = self.config, self.groups
        simds, slots = config.simd_per_cu, config.cu_count * config.wave_slots_per_cu
        issue = int(self._wave_issue.sum())
        latency = np.array(config.latency_by_stage, np.int64)
        stay = issue + int(latency[self.waves["stage"]].sum())
        alone = 0
        if len(groups):
            vertex, hull, domain = (
                groups[name].astype(np.int64) for name in ("vertex_waves", "hull_waves", "domain_waves")
            )
            in_turn = np.where(groups["off_chip"], np.minimum(domain, 1), ceil_div(domain, simds))
            cycles = ceil_div(vertex, simds) * config.vs_issue + config.vs_latency
            cycles += ceil_div(hull, simds) * config.hs_issue + config.hs_latency
            cycles += in_turn * config.ds_issue + np.where(domain > 0, config.ds_latency, 0)
            alone = int(cycles.max())
        rate = config.memory_bytes_per_clock
        return {
            "issue": ceil_div(issue, config.cu_count * simds),
            "group": alone,
            "channel": ceil_div(self.channel_bytes, rate) if rate else 0,
            "residency": ceil_div(stay, slots),
        }

    @property
    def best_bound(self) -> int:
        """Largest of `bounds`."""
        return max(self.bounds.values())

    @property
    def bound_ratio(self) -> float:
        """Makespan over the best bound: 1 is perfect; 1 too when there is nothing to do."""
        return self.makespan_cycles / self.best_bound if self.best_bound else 1.0

    @cached_property
    def stall_cycles(self) -> dict[str, int]:
        """Cycles in which the next group could not launch, by reason: "lds", "slots", "both", "gap"."""
        return {name: int(self.groups["stall_" + name].sum()) for name in ("lds", "slots", "both", "gap")}

    @property
    def parameters(self) -> tuple[TessellationParameters, ...]:
        """Last used values of every draw call, as HSGetLastUsedTessellationParameters gives them back."""
        with np.errstate(over="ignore"):
            threshold = float(np.float32(self.config.tf_threshold))
        return tuple(
            TessellationParameters(
                patches_per_threadgroup=size.patches,
                tf_threshold=threshold,
                ds_wave_threshold=self.config.ds_wave_threshold,
            )
            for size in self.threadgroup_sizes
        )

    def timeline(self) -> Array:
        """Waves and LDS of every CU over time.

        Returns
        -------
        structured array, shape (rows,)
            ``cu``, ``time`` and, from that cycle to the CU's next row, the resident waves ``vertex_waves``,
            ``hull_waves``, ``on_chip_waves`` and ``off_chip_waves`` (of the domain shader, by where they
            read), and ``lds_bytes`` (held by groups). Sorted by CU and time; a row a time at which something
            changed.

        Examples
        --------
        >>> import numpy as np
        >>> from tilelab.tessellation import DrawCall, SchedulerConfig, simulate
        >>> draw = DrawCall(domain="quad", partitioning="integer", factors=np.full((1, 6), 4.0),
        ...                 in_control_points=4, out_control_points=4, in_stride=32, out_stride=32,
        ...                 patch_constant_bytes=24)
        >>> rows = simulate(draw, SchedulerConfig(cu_count=1)).timeline()
        >>> rows[["time", "vertex_waves", "hull_waves", "lds_bytes"]]
        array([(   0, 1, 0, 4608), ( 800, 0, 1, 4608), (1500, 0, 0, 4608),
               (2900, 0, 0,    0)], dtype=...)
        """
        waves, groups = self.waves, self.groups
        kind = wave_kinds(waves)
        cu = np.concatenate([waves["cu"], waves["cu"], groups["cu"], groups["cu"]]).astype(np.int64)
        time = np.concatenate([waves["start"], waves["end"], groups["launch"], groups["lds_release"]])
        column = np.concatenate([kind, kind, np.full(2 * len(groups), 4)])
        ones = np.ones(len(waves), np.int64)
        change = np.concatenate([ones, -ones, groups["lds_bytes"], -groups["lds_bytes"]])
        order = np.lexsort((time, cu))
        cu, time, column, change = cu[order], time[order], column[order], change[order]
        new_cu = np.ones(len(cu), bool)
        new_cu[1:] = cu[1:] != cu[:-1]
        last = np.ones(len(cu), bool)  # of the changes at one time
        last[:-1] = new_cu[1:] | (time[1:] != time[:-1])
        rows = np.zeros(np.count_nonzero(last), TIMELINE_DTYPE)
        rows["cu"], rows["time"] = cu[last], time[last]
        # Everything a CU takes it gives back, so one running sum over all CUs starts each of them at zero.
        for number, name in enumerate(TIMELINE_DTYPE.names[2:]):  # type: ignore[index]
            rows[name] = np.cumsum(np.where(column == number, change, 0))[last]
        return rows

    def summary(self) -> str:
        """Describe the run in text, for a reader who knows GPUs.

        Returns
        -------
        str
            Several lines: time and bounds, waves and groups by path, memory, LDS, balance and stalls.
        """
        return summary(self)

    def save_chrome_trace(self, path: str | Path) -> None:
        """Write the run as a Chrome trace, to be opened in a trace viewer (Perfetto, chrome://tracing).

        Parameters
        ----------
        path : str or Path
            JSON file; gzip-compressed when the name ends in ``.gz``. An existing file is replaced.

        Raises
        ------
        OSError
            The file cannot be written.
        """
        write_chrome_trace(self, path)

    def chrome_trace(self) -> dict[str, Any]:
        """Build the Chrome trace as an object for ``json.dump``.

        Returns
        -------
        dict
            ``traceEvents``: one process a CU with one thread a wave slot, counters for LDS and waves.
        """
        return chrome_trace(self)

    def __repr__(self) -> str:
        return (
            f"Schedule({self.makespan_cycles} cycles, {len(self.groups)} groups, {len(self.waves)} waves, "
            f"{self.on_chip_waves} on-chip and {self.off_chip_waves} off-chip domain-shader waves)"
        )

    def _repr_html_(self) -> str:
        return result_html(heading(self), summary_rows(self), pictures=[schedule_picture(self)])

    def to_xarray(self) -> Any:
        """Give groups, CUs and the timeline with labelled axes as an xarray.Dataset; needs xarray.

        Returns
        -------
        xarray.Dataset
            The columns of `groups` over group; ``issue_cycles``, ``lds_byte_cycles`` and ``peak_lds_bytes``
            over cu; the timeline over change, its columns as ``resident_vertex_waves`` to
            ``resident_lds_bytes``, with the coordinates ``change_cu`` and ``change_time`` (cycles).

        Raises
        ------
        ImportError
            xarray is not installed.
        """
        xarray = _extras.require("xarray", "sweep")
        timeline = self.timeline()
        data = {name: ("group", self.groups[name]) for name in self.groups.dtype.names or ()}
        for name in ("issue_cycles", "lds_byte_cycles", "peak_lds_bytes"):
            data[name] = ("cu", getattr(self, name))
        for name in timeline.dtype.names or ():
            data[f"resident_{name}"] = ("change", timeline[name])
        cu, time = data.pop("resident_cu"), data.pop("resident_time")
        data["group_cu"] = data.pop("cu")  # cu is a dimension
        return xarray.Dataset(data, coords={"change_cu": cu, "change_time": time})
