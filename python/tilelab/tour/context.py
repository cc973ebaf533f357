"""What a chapter is given: the frame, and a clock."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tilelab._validation import as_threads, fail, fail_type
from tilelab.frame import Frame

__all__ = ["Stage", "TourContext"]
__dir__ = __all__.copy


@dataclass(frozen=True)
class Stage:
    """One timed step of a chapter.

    Parameters
    ----------
    name : str
        What was done.
    seconds : float
        Wall-clock time.
    pixels : int or None
        Pixels handled, where a rate says something.
    """

    name: str
    seconds: float
    pixels: int | None = None

    @property
    def mpixels_per_second(self) -> float | None:
        """Pixels handled per microsecond, or None where no pixel count was given."""
        if self.pixels is None or self.seconds <= 0:
            return None
        return self.pixels / self.seconds / 1e6


class TourContext:
    """The input of every chapter.

    Parameters
    ----------
    frame : Frame
        The frame to work on.
    previous : Frame or None
        The frame before it, of the same size, where there is one.
    source : str
        Where the frame comes from, for the reader.
    threads : int, default 1
        Threads for the kernels; 0 = all cores.

    Raises
    ------
    TypeError
        `frame` or `previous` is no Frame.
    ValueError
        The two frames differ in size, or `threads` is negative.

    Attributes
    ----------
    stages : list of Stage
        The steps timed so far.
    """

    def __init__(
        self,
        frame: Frame,
        previous: Frame | None = None,
        *,
        source: str,
        threads: int = 1,
    ) -> None:
        for name, value in (("frame", frame), ("previous", previous)):
            if not isinstance(value, Frame) and (value is not None or name == "frame"):
                raise fail_type(name, "must be a Frame", type(value).__name__)
        if previous is not None and previous.shape != frame.shape:
            raise fail("previous", f"must have the shape of frame {frame.shape}", previous.shape)
        self.frame = frame
        self.previous = previous
        self.source = source
        self.threads = as_threads(threads)
        self.stages: list[Stage] = []
        self.progress: Any = None  # the running tour puts its bar here

    @contextmanager
    def stage(self, name: str, *, pixels: int | None = None) -> Iterator[None]:
        """Time the body of a ``with`` block and show its name beside the progress bar.

        Parameters
        ----------
        name : str
            What is done, in two or three words.
        pixels : int, optional
            Pixels handled: adds the speed in Mpixel/s to the table.
        """
        if self.progress is not None:
            self.progress.set_postfix_str(name)
        start = time.perf_counter()
        yield
        self.stages.append(Stage(name, time.perf_counter() - start, pixels))
