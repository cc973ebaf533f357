"""Where to put the two thresholds: simulate a grid of them and explain the pairs worth having."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab import _extras
from tilelab._core import core as _core
from tilelab._picture import result_html, table_html
from tilelab._validation import Array, as_float, as_int, as_list, as_threads, fail
from tilelab.tessellation.draw_call import DrawCall
from tilelab.tessellation.scheduler import as_config, as_draw_calls, run
from tilelab.tessellation.scheduler_config import HARDWARE_WAVE_THRESHOLD, SchedulerConfig
from tilelab.tessellation.workload import decide, make_workload

__all__ = ["Advice", "advise"]
__dir__ = __all__.copy

TF_THRESHOLDS = (0.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, float("inf"))
DS_WAVE_THRESHOLDS = (0, 1, 2, 3, 4, 6, 8, 12, 15)

ADVICE_DTYPE = np.dtype(
    [
        ("tf_threshold", np.float64),
        ("ds_wave_threshold", np.int64),
        ("makespan_cycles", np.int64),
        ("memory_bytes", np.int64),
        ("lds_byte_cycles", np.int64),
        ("wasted_write_bytes", np.int64),
        ("off_chip_groups", np.int64),
        ("off_chip_waves", np.int64),
        ("imbalance", np.float64),
        ("bound_ratio", np.float64),
        ("on_front", np.bool_),
    ],
    align=True,
)
OBJECTIVES = ("makespan_cycles", "memory_bytes", "lds_byte_cycles")


@dataclass(frozen=True, eq=False)
class Advice:
    """Result of `advise`.

    Parameters
    ----------
    config : SchedulerConfig
        The machine, with the recommended pair of thresholds set.
    table : structured array, shape (pairs,)
        One row a pair: ``tf_threshold``, ``ds_wave_threshold``, ``makespan_cycles``, ``memory_bytes``
        (written and requested), ``lds_byte_cycles`` (all CUs), ``wasted_write_bytes``, ``off_chip_groups``,
        ``off_chip_waves``, ``imbalance``, ``bound_ratio``, ``on_front``.
    front : structured array, shape (pairs on the front,)
        The rows of `table` on the Pareto front of time, memory bytes and LDS byte-cycles, fastest first.
    reasons : tuple of str
        Why each row of `front` is there.
    recommended : int
        Index into `front` of the pair to take.
    """

    config: SchedulerConfig
    table: Array
    front: Array
    reasons: tuple[str, ...]
    recommended: int

    @property
    def best(self) -> Any:
        """The recommended row of `front`."""
        return self.front[self.recommended]

    def summary(self) -> str:
        """Describe the front, one pair a line, the recommended one marked.

        Returns
        -------
        str
            Several lines of text.
        """
        least = max(int(self.front["lds_byte_cycles"].min()), 1)
        lines = [
            f"{len(self.front)} of {len(self.table)} threshold pairs are worth having (* = recommended)",
            "  TfThreshold  DsWaveThreshold      cycles   memory bytes  LDS held  why",
        ]
        for number, (row, reason) in enumerate(zip(self.front, self.reasons, strict=True)):
            mark = "*" if number == self.recommended else " "
            lines.append(
                f"{mark} {row['tf_threshold']:11g}  {row['ds_wave_threshold']:15d}"
                f"  {row['makespan_cycles']:10,d}"
                f"  {row['memory_bytes']:13,d}  {row['lds_byte_cycles'] / least:6.2f} x  {reason}"
            )
        return "\n".join(lines)

    def to_xarray(self) -> Any:
        """Give the table as a grid with labelled axes.

        Returns
        -------
        xarray.Dataset
            Dimensions ``tf_threshold`` and ``ds_wave_threshold``, a variable a measured field of `table`.

        Raises
        ------
        ImportError
            xarray is not installed.
        """
        xarray = _extras.require("xarray", "sweep")
        dims = ("tf_threshold", "ds_wave_threshold")
        axes = {name: list(dict.fromkeys(self.table[name].tolist())) for name in dims}
        shape = tuple(len(values) for values in axes.values())
        fields = [name for name in ADVICE_DTYPE.names or () if name not in dims]
        grids = {name: (dims, self.table[name].reshape(shape).copy()) for name in fields}
        return xarray.Dataset(grids, coords=axes)

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        best = self.best
        return (
            f"Advice({len(self.front)} of {len(self.table)} pairs on the front, recommended TfThreshold "
            f"{best['tf_threshold']:g}, DsWaveThreshold {best['ds_wave_threshold']}: "
            f"{best['makespan_cycles']} cycles)"
        )

    def _repr_html_(self) -> str:
        best = self.best
        rows = [
            ("TfThreshold", float(best["tf_threshold"])),
            ("DsWaveThreshold", int(best["ds_wave_threshold"])),
            ("time (cycles)", int(best["makespan_cycles"])),
            ("memory traffic (bytes)", int(best["memory_bytes"])),
            ("LDS held (byte-cycles)", int(best["lds_byte_cycles"])),
            ("pairs tried", len(self.table)),
        ]
        head = ("TfThreshold", "DsWaveThreshold", "cycles", "memory bytes", "LDS byte-cycles", "why")
        front = [
            (*(row[name].item() for name in ("tf_threshold", "ds_wave_threshold", *OBJECTIVES)), reason)
            for row, reason in zip(self.front, self.reasons, strict=True)
        ]
        return result_html("Thresholds advised", rows) + table_html(head, front)


def advise(
    draw_calls: DrawCall | Iterable[DrawCall],
    config: SchedulerConfig,
    *,
    tf_thresholds: Sequence[float] | None = None,
    ds_wave_thresholds: Sequence[int] | None = None,
    time_slack: float = 0.02,
    threads: int = 1,
) -> Advice:
    """Find the threshold pairs on the Pareto front of time, memory bytes and LDS held.

    Parameters
    ----------
    draw_calls : DrawCall or sequence of DrawCall
        The workload.
    config : SchedulerConfig
        The machine; its mode and thresholds are replaced.
    tf_thresholds : sequence of float, optional
        Values to try. Default: 0 (never keep a group on-chip) to inf (always), denser where means usually
        lie.
    ds_wave_thresholds : sequence of int, optional
        Values to try, 0 to 15. Default: 0, 1, 2, 3, 4, 6, 8, 12, 15.
    time_slack : float, default 0.02
        How much slower than the fastest pair the recommended one may be, as a part of its time.
    threads : int, default 1
        Simulations at a time, 0 = all cores. The result does not depend on it.

    Returns
    -------
    Advice
        The whole table, the front with reasons, and the recommended pair.

    Raises
    ------
    TypeError, ValueError
        As `simulate`; an empty list of thresholds; a value outside its range.

    Notes
    -----
    Modelled, as `simulate` is. A pair is on the front when no other is at least as good in makespan, bytes
    written and requested, and LDS byte-cycles, and better in one; of pairs that behave alike the first is
    taken. Recommended is, of the pairs within `time_slack` of the fastest, the one with the least sum of
    bytes and LDS held, each scaled to [0, 1] over the front.

    Examples
    --------
    >>> import numpy as np
    >>> from tilelab.tessellation import DrawCall, SchedulerConfig, advise
    >>> factors = np.full((400, 6), 3.0)
    >>> factors[:16] = 40.0
    >>> draw = DrawCall(domain="quad", partitioning="integer", factors=factors, in_control_points=4,
    ...                 out_control_points=4, in_stride=32, out_stride=32, patch_constant_bytes=24)
    >>> advice = advise(draw, SchedulerConfig(), tf_thresholds=[0, 4, 64.5], ds_wave_thresholds=[0, 4])
    >>> advice.config.tf_threshold, int(advice.best["off_chip_groups"])
    (4.0, 1)
    """
    draws = as_draw_calls(draw_calls)
    config = as_config(config).replace(mode="off_chip")
    factors = _values("tf_thresholds", tf_thresholds, TF_THRESHOLDS, _as_tf_threshold)
    waves = _values("ds_wave_thresholds", ds_wave_thresholds, DS_WAVE_THRESHOLDS, _as_wave_threshold)
    slack = as_float("time_slack", time_slack, low=0.0)
    workers = _core.resolve_threads(as_threads(threads))
    workload = make_workload(draws, config)

    pairs = [(factor, wave) for factor in factors for wave in waves]
    configs = [config.replace(tf_threshold=factor, ds_wave_threshold=wave) for factor, wave in pairs]
    # Pairs that send the same groups and waves off-chip are one simulation.
    same: dict[bytes, int] = {}
    representative = []
    for number, candidate in enumerate(configs):
        groups = decide(workload, candidate).groups
        representative.append(same.setdefault(groups.tobytes(), number))

    def measure(number: int) -> tuple[float, ...]:
        schedule = run(draws, configs[number], workload)
        return (
            schedule.makespan_cycles,
            schedule.bytes_written + schedule.bytes_read,
            int(schedule.lds_byte_cycles.sum()),
            schedule.wasted_write_bytes,
            schedule.off_chip_groups,
            schedule.off_chip_waves,
            schedule.imbalance,
            schedule.bound_ratio,
        )

    with ThreadPoolExecutor(max_workers=workers) as pool:
        measured = dict(zip(same.values(), pool.map(measure, same.values()), strict=True))
    table = np.array(
        [(*pair, *measured[first], False) for pair, first in zip(pairs, representative, strict=True)],
        ADVICE_DTYPE,
    )
    table["on_front"] = _on_front(table, np.array(sorted(set(representative))))
    front = table[table["on_front"]]
    front = front[np.lexsort([front[name] for name in reversed(OBJECTIVES)])]
    recommended = _recommended(front, slack)
    chosen = front[recommended]
    return Advice(
        config=config.replace(
            tf_threshold=float(chosen["tf_threshold"]), ds_wave_threshold=int(chosen["ds_wave_threshold"])
        ),
        table=table,
        front=front,
        reasons=_reasons(front, len(workload.groups)),
        recommended=recommended,
    )


def _as_tf_threshold(name: str, value: object) -> float:
    return as_float(name, value, low=0.0, finite=False)


def _as_wave_threshold(name: str, value: object) -> int:
    return as_int(name, value, low=0, high=HARDWARE_WAVE_THRESHOLD)


def _values(name: str, values: Any, default: Any, check: Any) -> list[Any]:
    given = default if values is None else as_list(name, values)
    chosen = list(dict.fromkeys(check(name, value) for value in given))
    if not chosen:
        raise fail(name, "must not be empty", values)
    return chosen


def _on_front(table: Array, candidates: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Mark the candidates that no other candidate beats; of equals, the first."""
    cost = np.stack([table[name][candidates] for name in OBJECTIVES], axis=1)
    no_worse = (cost[:, None] <= cost[None]).all(axis=2)  # [a, b]: a is nowhere worse than b
    better = (cost[:, None] < cost[None]).any(axis=2)
    beaten = (no_worse & better).any(axis=0)
    repeated = (no_worse & ~better & (np.arange(len(cost))[:, None] < np.arange(len(cost)))).any(axis=0)
    marks = np.zeros(len(table), bool)
    marks[candidates] = ~(beaten | repeated)
    return marks


def _recommended(front: Array, slack: float) -> int:
    cost = np.stack([front[name].astype(np.float64) for name in OBJECTIVES[1:]], axis=1)
    low, high = cost.min(axis=0), cost.max(axis=0)
    scaled = ((cost - low) / np.where(high > low, high - low, 1.0)).sum(axis=1)
    time = front["makespan_cycles"]
    return int(np.where(time <= time.min() * (1.0 + slack), scaled, np.inf).argmin())


def _reasons(front: Array, groups: int) -> tuple[str, ...]:
    time, memory, lds = (front[name] for name in OBJECTIVES)
    reasons = []
    for row in front:
        parts = []
        if row["makespan_cycles"] == time.min():
            parts.append("fastest")
        else:
            slower = row["makespan_cycles"] / max(int(time.min()), 1) - 1.0
            parts.append(f"{100.0 * slower:.1f} % over the fastest")
        if row["memory_bytes"] == 0:
            parts.append("no memory traffic")
        elif row["memory_bytes"] == memory.min():
            parts.append("least memory traffic")
        if row["lds_byte_cycles"] == lds.min():
            parts.append("least LDS held")
        away, balance = int(row["off_chip_groups"]), f"busiest CU {row['imbalance']:.2f} x the mean"
        if away == 0:
            cause = f"all {groups:,} groups stay on-chip: {balance}"
        else:
            waves = int(row["off_chip_waves"])
            cause = f"{away:,} of {groups:,} groups go off-chip and spread {waves:,} waves: {balance}"
        reasons.append(", ".join(parts) + "; " + cause)
    return tuple(reasons)
