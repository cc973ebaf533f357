"""The chapters of the tour, in reading order."""

from collections.abc import Callable

from tilelab.tour import addressing, lighting, tessellation, vrs
from tilelab.tour.chapter import Chapter
from tilelab.tour.context import TourContext

__all__ = ["CHAPTERS"]
__dir__ = __all__.copy

CHAPTERS: tuple[Callable[[TourContext], Chapter], ...] = (
    vrs.chapter,
    lighting.chapter,
    addressing.chapter,
    tessellation.chapter,
)
"""What `tilelab.tour.run` runs when it is not told otherwise."""
