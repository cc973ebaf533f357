"""The tour: a frame goes through every area and comes out as numbers, pictures and a report.

A chapter is a function ``chapter(context: TourContext) -> Chapter`` in a file of its own; `CHAPTERS`
lists them in reading order.

Examples
--------
>>> from tilelab import data, tour
>>> frame, previous = data.frame_pair()
>>> made = tour.run(tour.TourContext(frame, previous, source=frame.origin))
>>> made.chapters[0].chapter.title
'Variable rate shading'
"""

from tilelab.tour.chapter import Chapter, Picture, figure_image
from tilelab.tour.chapters import CHAPTERS
from tilelab.tour.context import Stage, TourContext
from tilelab.tour.run import ChapterResult, Tour, run

__all__ = [
    "CHAPTERS",
    "Chapter",
    "ChapterResult",
    "Picture",
    "Stage",
    "Tour",
    "TourContext",
    "figure_image",
    "run",
]
__dir__ = __all__.copy
