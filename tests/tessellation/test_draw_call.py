"""Draw calls: values, refusals, and how they show themselves."""

import pickle
from typing import Any

import numpy as np
import pytest
from tessellation.scheduler_cases import make_draw

from tilelab.tessellation import Partitioning, patch_count


@pytest.mark.parametrize(
    ("changes", "error", "text"),
    [
        ({"in_control_points": 0}, ValueError, "in_control_points must be in [1, 32], got 0"),
        ({"out_control_points": 33}, ValueError, "out_control_points must be in [1, 32], got 33"),
        ({"in_control_points": 4.0}, TypeError, "in_control_points must be an integer"),
        ({"in_stride": -16}, ValueError, "in_stride must be in"),
        ({"patch_constant_bytes": -1}, ValueError, "patch_constant_bytes must be in"),
        ({"factors": np.ones((3, 4))}, ValueError, "factors must have shape (..., 6)"),
        ({"factors": np.float32(1)}, ValueError, "factors must have shape"),
        ({"factors": np.ones((3, 6), complex)}, TypeError, "factors must be an array"),
        ({"domain": "hexagon"}, ValueError, "domain must be one of"),
        ({"partitioning": 1.5}, TypeError, "partitioning must be"),
        ({"name": 3}, TypeError, "name must be a string"),
    ],
)
def test_bad_draw_calls(changes: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error) as caught:
        make_draw(**changes)
    assert text in str(caught.value)


def test_draw_calls_are_values() -> None:
    draw = make_draw()
    assert draw == pickle.loads(pickle.dumps(draw))
    assert hash(draw) == hash(make_draw(partitioning=Partitioning.INTEGER))
    assert draw != make_draw(factors=np.full((40, 6), 5.5))
    with pytest.raises(ValueError, match="read-only"):
        draw.factors[:] = 0
    assert make_draw(factors=np.ones((2, 3, 6))).patches == 6


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_draw_call_keeps_its_own_factors(dtype: type) -> None:
    factors = np.ones((3, 6), dtype)
    draw = make_draw(factors=factors)
    factors[:] = 7
    assert (draw.factors == 1).all()


def test_patch_count() -> None:
    assert [patch_count(v, 3) for v in (0, 2, 3, 8)] == [0, 0, 1, 2]
    assert patch_count(8, 3, instances=5) == 10


def test_a_draw_call_shows_itself() -> None:
    draw = make_draw(name="<rock>")
    assert repr(draw) == "DrawCall(<rock>: 40 patches, quad, integer, 4 -> 4 control points)"
    cell = draw._repr_html_()
    assert "Draw call &lt;rock&gt;" in cell
    assert "4 -&gt; 4" in cell


@pytest.mark.parametrize(("domain", "last"), [("isoline", "detail"), ("tri", "inside"), ("quad", "inside V")])
def test_factors_by_the_names_of_their_edges(domain: str, last: str) -> None:
    pytest.importorskip("xarray")
    width = {"isoline": 2, "tri": 4, "quad": 6}[domain]
    grid = make_draw(domain=domain, factors=np.arange(2 * width).reshape(2, width)).to_xarray()
    assert grid.dims == ("patch", "factor")
    assert grid.sel(factor=last).values.tolist() == [width - 1, 2 * width - 1]
