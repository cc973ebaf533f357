"""Results show themselves in one line, as tables in notebooks, and as labelled arrays."""

import re
from typing import Any

import numpy as np
import pytest

import tilelab.addressing as ta


@pytest.fixture
def layout() -> ta.ResourceLayout:
    desc = ta.TextureDesc(width=300, height=200, mip_levels=0, format="R24G8_TYPELESS")
    return ta.resource_layout(desc, "64KB_Z_X")


def results(layout: ta.ResourceLayout) -> list[Any]:
    plane = layout.planes[0]
    return [layout, plane, plane.mips[0], plane.mips[-1], layout.desc, layout.desc.format] + [
        ta.swizzle_equation("64KB_R_X", 4),
        ta.swizzle_modes(),
        ta.locality(layout),
    ]


def test_each_shows_one_line(layout: ta.ResourceLayout) -> None:
    for result in results(layout):
        if isinstance(result, ta.SwizzleEquation):
            continue  # shows its bits, one a line
        text = repr(result)
        assert text.startswith(f"{type(result).__name__}(")
        assert len(text.splitlines()) == 1
        assert len(text) < 200


def test_the_lines_say_what_matters(layout: ta.ResourceLayout) -> None:
    assert repr(layout) == (
        "ResourceLayout(SW_64KB_Z_X on anaconda: 2d, 300 x 200, R24G8_TYPELESS, 9 mips; 983040 bytes)"
    )
    depth, stencil = layout.planes
    assert repr(depth) == "PlaneLayout(DEPTH: 9 mips, 655360 bytes at 0)"
    assert repr(stencil) == "PlaneLayout(STENCIL: 9 mips, 327680 bytes at 655360)"
    assert repr(depth.mips[0]) == "MipLayout(300 x 200 elements at 262144, pitch 1536 bytes)"
    assert "in the tail block, slot" in repr(depth.mips[-1])
    assert repr(ta.swizzle_modes()) == "SwizzleModeTable(32 modes, 17 supported)"
    near = ta.locality(ta.resource_layout(ta.TextureDesc(width=64, height=64, format="R8_UNORM"), "LINEAR"))
    assert repr(near) == "Locality(median distance 1 x 256 bytes, 8 lines per 8 x 8)"


def test_each_is_a_well_formed_table(layout: ta.ResourceLayout) -> None:
    for result in results(layout):
        text = result._repr_html_()
        assert "<table>" in text
        tags = re.findall(r"<(/?)(\w+)[^>]*?(/?)>", text)
        opened: list[str] = []
        for closing, tag, empty in tags:
            if closing:
                assert opened.pop() == tag
            elif not empty:
                opened.append(tag)
        assert opened == []


def test_a_layout_draws_each_chain_and_its_tail(layout: ta.ResourceLayout) -> None:
    text = layout._repr_html_()
    assert text.count("<svg") == 2
    assert text.count("tail block</title>") == 2
    assert all(text.count(f"mip {number}: ") == 2 for number in range(9))
    assert "655,360 bytes at 0" in text
    linear = ta.resource_layout(ta.TextureDesc(width=30, height=20, format="R8_UNORM"), "LINEAR")
    assert "tail" not in linear._repr_html_()


def test_the_bar_of_a_chain_is_filled(layout: ta.ResourceLayout) -> None:
    boxes = re.findall(r'<rect x="([\d.]+)" y="1" width="([\d.]+)"', layout.planes[0]._repr_html_())
    begins, widths = np.array(boxes, float).T
    order = np.argsort(begins)
    np.testing.assert_allclose(begins[order][1:], (begins + widths)[order][:-1], atol=0.11)
    assert widths.sum() == pytest.approx(718, abs=0.5)


def test_tables_name_what_they_show(layout: ta.ResourceLayout) -> None:
    plane = layout.planes[0]
    assert "<td style='text-align:left'>SW_64KB_Z_X</td>" in plane.mips[0]._repr_html_()
    assert "300 x 200 x 1" in layout.desc._repr_html_()
    html = layout.desc.format._repr_html_()
    assert "DXGI 44" in html
    assert "STENCIL" in html
    assert "no DXGI number" in ta.Format("S8_UINT")._repr_html_()
    assert ">y4 ^ x6 ^ z2<" in ta.swizzle_equation("64KB_S_X", 4)._repr_html_()
    modes = ta.swizzle_modes()._repr_html_()
    assert modes.count("<tr>") == 33
    assert "SW_64KB_R_X" in modes
    assert "<th>takes 1d</th>" in modes
    assert "524,288" in modes


def test_labelled_layouts(layout: ta.ResourceLayout) -> None:
    pytest.importorskip("xarray")
    data = layout.to_xarray()
    assert dict(data.sizes) == {"plane": 2, "mip": 9}
    assert data.attrs["swizzle_mode"] == "SW_64KB_Z_X"
    for plane in layout.planes:
        mine = data.sel(plane=str(plane.usage))
        assert int(mine["plane_size_bytes"]) == plane.size_bytes
        alone = plane.to_xarray()
        assert alone.attrs["size_bytes"] == plane.size_bytes
        for number, mip in enumerate(plane.mips):
            for name in alone.data_vars:
                assert alone[name].sel(mip=number) == getattr(mip, name) == mine[name].sel(mip=number)
    assert bool(data["is_mip_tail"].sel(plane="DEPTH", mip=8))


def test_labelled_modes_equations_and_distances(layout: ta.ResourceLayout) -> None:
    pytest.importorskip("xarray")
    modes = ta.swizzle_modes("lockhart").to_xarray()
    assert int(modes["block_bytes"].sel(mode="SW_VAR_R_X")) == 131072
    assert set(modes["mode"].values[modes["depth_stencil"]]) == {"SW_64KB_Z_X", "SW_VAR_Z_X"}
    equation = ta.swizzle_equation("64KB_R_X", 4)
    masks = equation.to_xarray()
    assert dict(masks.sizes) == {"bit": 16}
    np.testing.assert_array_equal(masks["y_masks"], equation.y_masks)
    near = ta.locality(layout)
    labelled = near.to_xarray()
    assert float(labelled["median_distance"].sel(axis="y")) == near.median_distance_y
    assert float(labelled["lines_per_8x8"]) == near.lines_per_8x8
