"""The tour as one table in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilelab import _extras

if TYPE_CHECKING:
    from tilelab.tour.run import Tour

__all__ = ["print_table"]
__dir__ = __all__.copy


def print_table(tour: Tour, console: Any = None) -> None:
    """Print the numbers of every chapter as one table, label first.

    Parameters
    ----------
    tour : Tour
        The finished tour.
    console : rich.console.Console, optional
        Where to print; default: standard output.
    """
    console_module = _extras.require("rich.console", "plot")
    table_module = _extras.require("rich.table", "plot")
    text = _extras.require("rich.text", "plot").Text
    box = _extras.require("rich.box", "plot")

    height, width = tour.shape
    table = table_module.Table(
        box=box.SIMPLE_HEAD,
        show_header=False,
        pad_edge=False,
    )
    table.add_column("quantity", overflow="fold")
    table.add_column("value", justify="right", overflow="fold")
    for result in tour.chapters:
        table.add_section()
        table.add_row(text(result.chapter.title, style="bold cyan"), "")
        if not result.chapter.rows:
            table.add_row(text("  " + result.chapter.intro), "")
        for label, value in result.chapter.rows:
            table.add_row(text("  " + label), text(value, style="bold"))
        for label, value in result.timing_rows:
            table.add_row(text("  " + label, style="dim"), text(value, style="dim"))
    console = console or console_module.Console()
    console.print(text(f"{tour.source}, {width}x{height}", style="bold"))
    console.print(table)
