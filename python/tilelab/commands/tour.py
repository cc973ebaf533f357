"""``tilelab tour``: the whole pipeline on one frame."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from tilelab.commands import _arguments

if TYPE_CHECKING:
    from tilelab.tour import TourContext

__all__ = ["register", "run"]
__dir__ = __all__.copy

_DESCRIPTION = """\
Take a frame through every area of tilelab: predict its shading rates from the frame before it,
shade it coarsely, and measure the error, the work and the time. Prints one table, and writes
report.html (self-contained) and every picture as a PNG file.

Without --frame the tour takes the rendered frame pair that comes with the package."""

_EPILOG = """\
examples:
  tilelab tour
  tilelab tour --frame frame.exr --previous before.exr --out report
  tilelab tour --frame photograph.png
  tilelab tour --stereo"""


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the command line."""
    parser = subparsers.add_parser(
        "tour",
        help="take a real frame through every area: table, pictures, HTML report",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    origin = parser.add_mutually_exclusive_group()
    origin.add_argument(
        "--frame", type=Path, metavar="FILE", help="a frame (.npz, .exr) or a picture (.png, .jpg, ...)"
    )
    origin.add_argument(
        "--stereo",
        action="store_true",
        help="the photographed motorcycle pair with measured depth (needs the scene extra)",
    )
    origin.add_argument(
        "--render",
        action="store_true",
        help="render the built-in scene anew (needs the scene extra; takes a minute)",
    )
    parser.add_argument(
        "--previous", type=Path, metavar="FILE", help="the frame before --frame, of the same size"
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("tilelab-tour"),
        metavar="DIR",
        help="folder for the report and the pictures (default: tilelab-tour)",
    )
    _arguments.add_threads(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the command; returns the exit code."""
    from tilelab import _extras, tour
    from tilelab.tour.report import earlier_pictures

    for module in ("jinja2", "matplotlib", "PIL", "rich", "tqdm"):
        _extras.require(module, "plot")  # now, not after the work
    out: Path = arguments.out
    existing = next(path for path in (out, *out.absolute().parents) if path.exists())
    if not existing.is_dir():
        raise NotADirectoryError(f"--out must be a folder, got {out} at the file {existing}")
    if not os.access(existing, os.W_OK):
        raise PermissionError(f"--out must be a folder that can be written to, got {out}")
    earlier_pictures(out)  # refuses a folder whose report.html is of something else, before the work
    context = _context(arguments)
    result = tour.run(context)
    result.print()
    print(f"Report: {result.save(out)}")
    return 0


def _context(arguments: argparse.Namespace) -> TourContext:
    """Read, render or fetch the frames."""
    from tilelab import data
    from tilelab.tour import TourContext

    if arguments.previous is not None and arguments.frame is None:
        raise ValueError("--previous needs --frame")
    previous = None
    if arguments.frame is not None:
        frame = _arguments.read_frame(arguments.frame)
        if arguments.previous is not None:
            previous = _arguments.read_frame(arguments.previous)
    elif arguments.stereo:
        frame, previous = data.stereo_pair()
    elif arguments.render:
        from tilelab import scene

        frame, previous = scene.render_pair()
    else:
        frame, previous = data.frame_pair()
    source = frame.origin if arguments.frame is None else arguments.frame.name
    return TourContext(frame, previous, source=source, threads=arguments.threads)
