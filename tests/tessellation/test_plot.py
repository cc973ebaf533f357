"""Pictures of patches: what is drawn, and refusals."""

from collections.abc import Iterator

import matplotlib.pyplot as plt
import numpy as np
import pytest

from tilelab import plot
from tilelab.tessellation import tessellate


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
