"""Two sliders over a workload: move a threshold, see the schedule."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Any

from tilelab import _extras
from tilelab._picture import data_uri, result_html
from tilelab.plot.scheduler import scheduler_timeline
from tilelab.tessellation import DrawCall, Schedule, SchedulerConfig, simulate
from tilelab.tessellation.schedule_picture import MAX_PICTURE_WAVES
from tilelab.tessellation.schedule_text import heading, summary_rows
from tilelab.tessellation.scheduler import as_config, as_draw_calls

__all__ = ["scheduler_explorer"]
__dir__ = __all__.copy


def scheduler_explorer(draw_calls: DrawCall | Iterable[DrawCall], config: SchedulerConfig) -> Any:
    """Show the schedule of a workload under sliders for TfThreshold and DsWaveThreshold.

    Parameters
    ----------
    draw_calls : DrawCall or sequence of DrawCall
        The workload.
    config : SchedulerConfig
        The machine; the sliders start at its thresholds, and the mode is off-chip.

    Returns
    -------
    ipywidgets.VBox
        The sliders above the timeline and the summary; both follow when a slider is let go.

    Raises
    ------
    ImportError
        ipywidgets or matplotlib is not installed.
    TypeError
        An argument has the wrong kind.
    """
    draws, config = as_draw_calls(draw_calls), as_config(config)
    widgets = _extras.require("ipywidgets", "notebooks")
    _extras.require("matplotlib", "plot")
    factor = widgets.FloatSlider(
        min(config.tf_threshold, 65.0),
        min=0.0,
        max=65.0,
        step=0.5,
        description="TfThreshold",
        continuous_update=False,
    )
    waves = widgets.IntSlider(
        min(config.ds_wave_threshold, 15),
        min=0,
        max=15,
        description="DsWaveThreshold",
        continuous_update=False,
    )
    for slider in (factor, waves):
        slider.style.description_width = "130px"
        slider.layout.width = "420px"
    shown = widgets.HTML()

    def update(_: object = None) -> None:
        chosen = config.replace(mode="off_chip", tf_threshold=factor.value, ds_wave_threshold=waves.value)
        shown.value = _cell(simulate(draws, chosen))

    for slider in (factor, waves):
        slider.observe(update, names="value")
    update()
    return widgets.VBox([widgets.HBox([factor, waves]), shown])


def _cell(schedule: Schedule) -> str:
    """Give the timeline, where it can be read, above the summary."""
    picture = ""
    if 0 < len(schedule.waves) <= MAX_PICTURE_WAVES:
        figure = _extras.require("matplotlib.figure", "plot").Figure(figsize=(11, 6), layout="constrained")
        _extras.require("matplotlib.backends.backend_agg", "plot").FigureCanvasAgg(figure)
        scheduler_timeline(schedule, ax=figure.add_subplot())
        file = io.BytesIO()
        figure.savefig(file, format="png", dpi=90)
        picture = f'<img alt="timeline" src="{data_uri(file.getvalue())}">'
    return result_html(heading(schedule), summary_rows(schedule), pictures=[picture])
