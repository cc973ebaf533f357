"""Two sliders over a workload: move a threshold, see the schedule."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tilelab import _extras
from tilelab.tessellation import DrawCall, SchedulerConfig, simulate
from tilelab.tessellation.scheduler import as_config, as_draw_calls

__all__ = ["scheduler_explorer"]


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
        shown.value = simulate(draws, chosen)._repr_html_()

    for slider in (factor, waves):
        slider.observe(update, names="value")
    update()
    return widgets.VBox([widgets.HBox([factor, waves]), shown])
