import numpy as np
import pytest

from tilelab import plot
from tilelab.addressing import TextureDesc, resource_layout, swizzle_equation, texel_offset

pyplot = pytest.importorskip("matplotlib.pyplot")

DESC = TextureDesc(width=40, height=24, format="R8G8B8A8_UNORM", mip_levels=2)


@pytest.fixture(autouse=True)
def close_figures() -> None:
    yield
    pyplot.close("all")


def test_walk_joins_neighbours_in_memory() -> None:
    ax = plot.address_walk(resource_layout(DESC, "SW_4KB_S"), width=8, height=8)
    jumps, path = ax.collections[:2]
    assert len(jumps.get_segments()) + len(path.get_segments()) == 63
    for (x0, y0), (x1, y1) in path.get_segments():
        offsets = texel_offset(
            resource_layout(DESC, "SW_4KB_S"), np.array([x0, x1], int), np.array([y0, y1], int)
        )
        assert offsets[1] - offsets[0] == 4
    assert ax.get_title() == "4KB_S"


def test_map_shows_the_addresses() -> None:
    layout = resource_layout(DESC, "SW_64KB_R_X")
    ax = plot.offset_map(layout, x=30, y=1, unit_bytes=256, modulo=32, colorbar=False)
    shown = ax.images[0].get_array()
    assert shown.shape == (23, 10)
    assert shown[2, 3] == int(texel_offset(layout, 33, 3)) // 256 % 32


def test_equation_cells_are_its_masks() -> None:
    equation = swizzle_equation("SW_64KB_S_X", 4)
    ax = plot.equation_bits(equation)
    filled = [
        patch for patch in ax.patches if patch.get_facecolor()[:3] != pytest.approx((0.957,) * 3, abs=0.01)
    ]
    masks = (*equation.x_masks, *equation.y_masks, *equation.z_masks)
    assert len(filled) == sum(int(mask).bit_count() for mask in masks)


def test_plots_take_axes_and_check_arguments() -> None:
    _, ax = pyplot.subplots()
    layout = resource_layout(DESC, "LINEAR")
    assert plot.address_walk(layout, width=4, height=4, mip=1, ax=ax) is ax
    assert plot.offset_map(layout, ax=ax) is ax
    with pytest.raises(ValueError, match="mip must be"):
        plot.offset_map(layout, mip=2)
    with pytest.raises(ValueError, match="x must be"):
        plot.address_walk(layout, x=40)
    with pytest.raises(TypeError, match="layout must be"):
        plot.offset_map(DESC)
    with pytest.raises(TypeError, match="equation must be"):
        plot.equation_bits(layout)
