"""Pictures of patches and schedules: what is drawn, and refusals."""

from collections.abc import Iterator

import matplotlib.pyplot as plt
import numpy as np
import pytest
from tessellation.scheduler_cases import skewed

from tilelab import plot
from tilelab.tessellation import SchedulerConfig, advise, simulate, tessellate


@pytest.fixture(autouse=True)
def _close_figures() -> Iterator[None]:
    yield
    plt.close("all")


@pytest.mark.parametrize("color_by", ["order", "area", "none"])
@pytest.mark.parametrize(
    ("domain", "topology"),
    [("tri", "triangle_cw"), ("quad", "triangle_ccw"), ("isoline", "line"), ("quad", "point")],
)
def test_everything_is_drawn(domain: str, topology: str, color_by: str) -> None:
    width = {"isoline": 2, "tri": 4, "quad": 6}[domain]
    made = tessellate(domain, "fractional_odd", np.full((2, width), 5.0), topology=topology)
    ax = plot.tessellated_patch(made, 1, color_by=color_by)
    ax.figure.canvas.draw()
    shapes, points = ax.collections[:-1], ax.collections[-1]
    assert len(points.get_offsets()) == len(made.patch(1)[0])
    assert len(shapes) == (topology != "point")
    if shapes:
        assert len(shapes[0].get_paths()) == len(made.patch(1)[1])
    low, high = np.array([ax.get_xlim(), ax.get_ylim()]).T
    assert (points.get_offsets() >= low).all()
    assert (points.get_offsets() <= high).all()


def test_a_tri_patch_is_equilateral() -> None:
    ax = plot.tessellated_patch(tessellate("tri", "integer", [1, 1, 1, 1]))
    corners = np.asarray(ax.collections[-1].get_offsets())
    sides = np.hypot(*(corners - np.roll(corners, 1, axis=0)).T)
    np.testing.assert_allclose(sides, 1.0)


def test_the_callers_axes_are_used_and_a_culled_patch_says_so() -> None:
    _, ax = plt.subplots()
    assert plot.tessellated_patch(tessellate("quad", "integer", [0, 1, 1, 1, 1, 1]), ax=ax) is ax
    assert ax.get_title() == "culled"


def test_bad_arguments_are_named() -> None:
    made = tessellate("tri", "integer", [1, 1, 1, 1])
    with pytest.raises(TypeError, match="tessellation must be a Tessellation"):
        plot.tessellated_patch(made.uv)
    with pytest.raises(ValueError, match=r"patch must be in \[-1, 0\], got 1"):
        plot.tessellated_patch(made, 1)
    with pytest.raises(ValueError, match="color_by must be one of"):
        plot.tessellated_patch(made, color_by="rings")


def test_a_timeline_has_a_row_a_wave_slot() -> None:
    result = simulate(skewed(), SchedulerConfig(mode="off_chip"))
    ax = plot.scheduler_timeline(result)
    image = ax.images[0].get_array()
    assert image.shape[0] == 12 * 40
    assert len(np.unique(image.reshape(-1, 3), axis=0)) > 8
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names[:4] == ["vertex", "hull", "domain on-chip", "domain off-chip"]
    own = plt.figure().add_subplot()
    assert plot.scheduler_timeline(simulate([], SchedulerConfig()), ax=own) is own
    with pytest.raises(TypeError, match="schedule must be a Schedule, got NoneType"):
        plot.scheduler_timeline(None)


@pytest.mark.parametrize("layout", [None, "constrained"])
@pytest.mark.parametrize("size", [(10, 5), (14, 6)])
def test_timelines_stay_inside_their_figure(size: tuple[float, float], layout: str | None) -> None:
    result = simulate(skewed(), SchedulerConfig(mode="off_chip"))
    figure, axes = plt.subplots(1, 2, figsize=size, layout=layout)
    for own in axes:
        plot.scheduler_timeline(result, ax=own)
    figure.draw_without_rendering()
    for own in axes:  # panel, title and the LDS panel with its labels
        box = own.get_tightbbox()
        assert -1 <= box.y0 < box.y1 <= figure.bbox.height + 1


@pytest.mark.parametrize("inches", [5.0, 8.45, 9.5, 12.0])
def test_the_legend_is_no_wider_than_its_panel(inches: float) -> None:
    figure, ax = plt.subplots(figsize=(inches, 6), layout="constrained")
    plot.scheduler_timeline(simulate(skewed(), SchedulerConfig(mode="off_chip")), ax=ax)
    figure.draw_without_rendering()
    assert ax.get_legend().get_window_extent().width <= ax.get_window_extent().width


def test_the_trade_off_of_advice() -> None:
    advice = advise(skewed(), SchedulerConfig(), tf_thresholds=[0, 4, 65], ds_wave_thresholds=[0, 4])
    assert plot.scheduler_trade_off(advice).get_xlabel().startswith("bytes")
    with pytest.raises(TypeError, match="advice must be an Advice, got Schedule"):
        plot.scheduler_trade_off(simulate(skewed(), SchedulerConfig()))
