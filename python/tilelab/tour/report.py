"""The tour as one self-contained HTML file and a folder of PNG pictures."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from tilelab import _core, _extras
from tilelab._picture import data_uri, encode_png
from tilelab._validation import ceil_div, fail
from tilelab.io._atomic import replace_when_complete
from tilelab.tour.chapter import Picture

if TYPE_CHECKING:
    from tilelab.tour.run import Tour

__all__ = ["earlier_pictures", "label_and_unit", "save_report"]
__dir__ = __all__.copy

_WIDEST_EMBEDDED = 1920
# The line of a report that names its pictures, so that the next tour in the same folder can remove them.
_HEAD = re.compile(rb'<meta name="tilelab-tour" content="([^"]*)">')
_HEAD_BYTES = 4096


@dataclass(frozen=True)
class _Figure:
    file: str
    caption: str
    note: str
    uri: str
    width: int
    height: int
    png: bytes


def save_report(tour: Tour, folder: Path) -> Path:
    """Write ``report.html`` and the PNG files; everything is made before the first byte is written.

    Parameters
    ----------
    tour : Tour
        The finished tour.
    folder : Path
        Made when it is absent. Pictures that an earlier tour left there are removed.

    Returns
    -------
    Path
        The report.
    """
    jinja2 = _extras.require("jinja2", "plot")
    figures = [[_figure(picture) for picture in result.chapter.pictures] for result in tour.chapters]
    files = {figure.file: figure.png for chapter in figures for figure in chapter}
    for name, count in Counter(figure.file for chapter in figures for figure in chapter).items():
        if count > 1:
            raise fail("picture names", "must be unique in the tour", f"{count} of {name}")

    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    environment.filters["label_and_unit"] = label_and_unit
    template = resources.files("tilelab.tour").joinpath("templates/report.html.j2")
    html = environment.from_string(template.read_text(encoding="utf-8")).render(
        tour=tour,
        chapters=list(zip(tour.chapters, figures, strict=True)),
        files=" ".join(files),
        version=_core.__version__,
        target=_core.core.current_target(),
    )
    report = folder / "report.html"
    earlier = earlier_pictures(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name in earlier - set(files):
        (folder / name).unlink(missing_ok=True)
    for name, png in files.items():
        _write(folder / name, png)
    _write(report, html.encode("utf-8"))
    return report


def earlier_pictures(folder: Path) -> set[str]:
    """Give the names of the pictures that an earlier tour left in a folder.

    Raises
    ------
    ValueError
        The folder holds a ``report.html`` that no tour wrote.
    """
    report = folder / "report.html"
    if not report.is_file():
        return set()
    found = _HEAD.search(report.read_bytes()[:_HEAD_BYTES])
    if found is None:
        raise fail("the folder", "must not hold a report.html of something else", str(folder))
    names = found[1].decode("utf-8", "replace").split()
    return {name for name in names if name.endswith(".png") and Path(name).name == name}


def label_and_unit(label: str) -> tuple[str, str]:
    """Split ``"PSNR (dB)"`` into ``("PSNR", "dB")``; no unit gives an empty string."""
    head, bracket, unit = label.rpartition(" (")
    return (head, unit[:-1]) if bracket and unit.endswith(")") else (label, "")


def _figure(picture: Picture) -> _Figure:
    png = encode_png(picture.image)
    height, width = picture.image.shape[:2]
    factor = ceil_div(width, _WIDEST_EMBEDDED)
    embedded, note = png, ""
    if factor > 1:
        embedded = encode_png(picture.image, shrink=factor)
        note = f"Shown at 1/{factor} of its size; the PNG file has every pixel."
    return _Figure(f"{picture.name}.png", picture.caption, note, data_uri(embedded), width, height, png)


def _write(path: Path, data: bytes) -> None:
    with replace_when_complete(str(path)) as fresh:
        Path(fresh).write_bytes(data)
