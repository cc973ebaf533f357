"""Run the chapters, gather the result."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tilelab._progress import progress_bar
from tilelab.tour.chapter import Chapter
from tilelab.tour.chapters import CHAPTERS
from tilelab.tour.context import Stage, TourContext
from tilelab.tour.report import save_report
from tilelab.tour.terminal import print_table

__all__ = ["ChapterResult", "Tour", "run"]
__dir__ = __all__.copy


@dataclass(frozen=True)
class ChapterResult:
    """A chapter with the time its stages took.

    Parameters
    ----------
    chapter : Chapter
        Numbers and pictures.
    stages : tuple of Stage
        Its timed steps, in order.
    """

    chapter: Chapter
    stages: tuple[Stage, ...]

    @property
    def timing_rows(self) -> list[tuple[str, str]]:
        """Time and speed of every stage, one quantity a row."""
        rows = []
        for stage in self.stages:
            rows.append((f"Time, {stage.name} (ms)", f"{stage.seconds * 1e3:.2f}"))
            if stage.mpixels_per_second is not None:
                rows.append((f"Speed, {stage.name} (Mpixel/s)", f"{stage.mpixels_per_second:.1f}"))
        return rows


@dataclass(frozen=True)
class Tour:
    """The finished tour.

    Parameters
    ----------
    source : str
        Where the frame comes from.
    shape : tuple of int
        (H, W) of the frame.
    threads : int
        Threads the kernels were given; 0 = all cores.
    seconds : float
        Wall-clock time of all chapters.
    chapters : tuple of ChapterResult
        In order.
    """

    source: str
    shape: tuple[int, int]
    threads: int
    seconds: float
    chapters: tuple[ChapterResult, ...]

    def save(self, folder: str | Path) -> Path:
        """Write ``report.html`` and one PNG file per picture.

        Parameters
        ----------
        folder : path
            Made when it is absent. What an earlier tour left there is replaced or removed.

        Returns
        -------
        Path
            The report.
        """
        return save_report(self, Path(folder))

    def print(self) -> None:
        """Print the numbers as one table."""
        print_table(self)


def run(context: TourContext, chapters: Sequence[Callable[[TourContext], Chapter]] | None = None) -> Tour:
    """Run the tour on one frame.

    Parameters
    ----------
    context : TourContext
        Frame, previous frame and threads.
    chapters : sequence of callable, optional
        Functions ``chapter(context) -> Chapter``; default `tilelab.tour.CHAPTERS`.

    Returns
    -------
    Tour
        Numbers and pictures; `Tour.print` and `Tour.save` show them.
    """
    if chapters is None:
        chapters = CHAPTERS
    results = []
    start = time.perf_counter()
    with progress_bar(total=len(chapters), desc="tour", unit=" chapter") as bar:
        context.progress = bar
        for chapter in chapters:
            first = len(context.stages)
            made = chapter(context)
            results.append(ChapterResult(made, tuple(context.stages[first:])))
            bar.update()
    return Tour(
        source=context.source,
        shape=context.frame.shape,
        threads=context.threads,
        seconds=time.perf_counter() - start,
        chapters=tuple(results),
    )
