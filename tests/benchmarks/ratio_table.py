"""Speed as a ratio: calls timed in turn, and memory traffic of a known size to divide by."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab import _core


def _words(array: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
    """The bytes of an array as 64-bit words."""
    assert array.flags.c_contiguous, "a copy would be measured instead"
    return array.reshape(-1).view(np.uint64)


def reference_read(*arrays: npt.NDArray[Any]) -> int:
    """Read every byte of the arrays once; the sum is returned so that no read can be left out."""
    return sum(_core.core.probe_read(_words(array)) for array in arrays)


def reference_copy(out: npt.NDArray[Any], source: npt.NDArray[Any]) -> None:
    """Copy `source` to `out` (both C-contiguous, equal bytes): one memcpy."""
    np.copyto(_words(out), _words(source))


def reference_triad(out: npt.NDArray[Any], a: npt.NDArray[Any], b: npt.NDArray[Any]) -> None:
    """Read two arrays and write a third of the same number of bytes."""
    _core.core.probe_triad(_words(a), _words(b), _words(out))


@dataclass
class RatioTable:
    """Times several calls in turn and prints each as a ratio to a reference measured in the same run.

    The calls are interleaved (A, B, C, A, B, C, ...), so that a slow moment of the machine meets all of
    them. Single-thread rows use the CPU time of the thread, others the wall clock.

    Parameters
    ----------
    title : str
        Printed above the table.
    rounds : int
        Rounds to measure; a number to quote takes 7 or more.

    Examples
    --------
    >>> table = RatioTable("sum of a million floats", rounds=1)
    >>> data = np.ones(1 << 20, np.float32)
    >>> table.add("one read", lambda: reference_read(data), bytes_moved=data.nbytes)
    >>> table.add("numpy.sum", lambda: data.sum(), reference="one read", limit=50.0)
    >>> rows = table.run(show=False)
    """

    title: str
    rounds: int = 9
    _rows: list[dict[str, Any]] = field(default_factory=list)

    def add(
        self,
        label: str,
        call: Callable[[], object],
        *,
        reference: str | None = None,
        bytes_moved: int | None = None,
        items: int | None = None,
        limit: float | None = None,
        wall_clock: bool = False,
        before: Callable[[], object] | None = None,
    ) -> None:
        """Add a row: `limit` is the aim for the ratio, `before` runs untimed before each round."""
        self._rows.append(
            {
                "label": label,
                "call": call,
                "reference": reference,
                "bytes": bytes_moved,
                "items": items,
                "limit": limit,
                "clock": time.perf_counter if wall_clock else time.thread_time,
                "before": before,
                "times": [],
            }
        )

    def run(self, *, show: bool = True) -> dict[str, float]:
        """Measure all rows and give label -> ratio of minima (or seconds for rows without reference)."""
        for row in self._rows:
            row["call"]()
        for _ in range(self.rounds):
            for row in self._rows:
                if row["before"] is not None:
                    row["before"]()
                start = row["clock"]()
                row["call"]()
                row["times"].append(row["clock"]() - start)
        best = {row["label"]: min(row["times"]) for row in self._rows}
        middle = {row["label"]: statistics.median(row["times"]) for row in self._rows}
        result: dict[str, float] = {}
        lines = [
            self.title,
            f"  {'':44s} {'min ms':>9s} {'median':>9s} {'GB/s':>7s} {'M/s':>9s} {'ratio':>7s} {'aim':>6s}",
        ]
        for row in self._rows:
            label, seconds = row["label"], max(best[row["label"]], 1e-9)
            base = row["reference"]
            ratio = best[label] / best[base] if base else None
            result[label] = ratio if ratio is not None else seconds
            rate = f"{row['bytes'] / seconds / 1e9:7.1f}" if row["bytes"] else " " * 7
            item = f"{row['items'] / seconds / 1e6:9.1f}" if row["items"] else " " * 9
            text = f"{ratio:7.2f}" if ratio is not None else " " * 7
            aim = f"{row['limit']:6.2f}" if row["limit"] else " " * 6
            verdict = ""
            if ratio is not None and row["limit"]:
                verdict = "  ok" if ratio <= row["limit"] else "  over"
            times = f"{seconds * 1e3:9.3f} {middle[label] * 1e3:9.3f}"
            lines.append(f"  {label:44s} {times} {rate} {item} {text} {aim}{verdict}")
        if show:
            print("\n".join(lines), flush=True)
        return result
