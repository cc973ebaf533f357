"""tessellate: measured lists, recorded hardware, the slow twin, geometry, hostile input."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilelab.reference import tessellation as twin
from tilelab.tessellation import (
    Domain,
    Partitioning,
    Tessellation,
    Topology,
    tessellate,
    tessellation_counts,
)

Draw = Callable[[np.random.Generator, int, int], npt.NDArray[np.float32]]
FULL = [(d, t) for d in Domain for t in Topology if t == Topology.POINT or (t == Topology.LINE) == (d == 0)]


def assert_same(found: Tessellation, expected: tuple[npt.NDArray[Any], ...]) -> None:
    arrays = (found.points_fixed, found.indices, found.point_offsets, found.index_offsets)
    for one, other in zip(arrays, expected, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


def test_every_measured_list(golden: Callable[[str], Path], target: str) -> None:
    rows = dict(np.load(golden("tessellation/full.npz")))
    cases = len(rows["domain"])
    assert cases == 180
    for k in range(cases):
        domain, partitioning = Domain(rows["domain"][k]), Partitioning(rows["partitioning"][k])
        factors = rows["factor_bits"][k, : domain.factor_count].copy().view(np.float32)
        made = tessellate(domain, partitioning, factors, topology=Topology(rows["topology"][k]))
        points = rows["uv_fixed"][rows["point_ptr"][k] : rows["point_ptr"][k + 1]]
        indices = rows["indices"][rows["index_ptr"][k] : rows["index_ptr"][k + 1]]
        np.testing.assert_array_equal(made.points_fixed, points, err_msg=f"case {k}")
        np.testing.assert_array_equal(made.indices, indices, err_msg=f"case {k}")
        np.testing.assert_array_equal(made.uv, points.astype(np.float64) / 65536)


def _hardware_rows(golden: Callable[[str], Path], domain: Domain, spacing: int) -> Any:
    """Recorded rows of one domain and spacing: row numbers, factors, and the file."""
    rows = dict(np.load(golden("gpu/tessellation/tessellation.npz")))
    code = {Domain.TRI: 0, Domain.QUAD: 1, Domain.ISOLINE: 2}[domain]
    chosen = np.flatnonzero((rows["domain"] == code) & (rows["spacing"] == spacing))
    factors = np.concatenate(
        [
            rows["outer"][chosen, : domain.edge_count],
            rows["inner"][chosen, : domain.factor_count - domain.edge_count],
        ],
        axis=1,
    )
    return chosen, factors, rows


def _canonical(primitives: npt.NDArray[np.int64]) -> list[tuple[int, ...]]:
    """Turn each row to its smallest rotation, then sort the rows."""
    rows = [tuple(row) for row in primitives.tolist()]
    return sorted(min(row[turn:] + row[:turn] for turn in range(len(row))) for row in rows)


@pytest.mark.parametrize("domain", Domain)
@pytest.mark.parametrize("spacing", [0, 1, 2])
def test_recorded_hardware(golden: Callable[[str], Path], domain: Domain, spacing: int) -> None:
    chosen, factors, rows = _hardware_rows(golden, domain, spacing)
    partitioning = (Partitioning.INTEGER, Partitioning.FRACTIONAL_ODD, Partitioning.FRACTIONAL_EVEN)[spacing]
    lines = domain is Domain.ISOLINE
    made = tessellate(
        domain, partitioning, factors, topology="line" if lines else "triangle_ccw", isoline_order="vulkan"
    )
    counts = tessellation_counts(domain, partitioning, factors, isoline_order="vulkan")
    compared = 0
    for k, row in enumerate(chosen):
        assert counts["primitives"][k] == rows["clip_invocations"][row], factors[k]
        first = rows["point_first"][row]
        recorded = rows["point_uv"][first : first + rows["points"][row]].astype(np.int64)
        points = made.points_fixed[made.point_offsets[k] : made.point_offsets[k + 1]].astype(np.int64)
        assert len(points) == counts["points"][k]
        np.testing.assert_array_equal(np.unique(points, axis=0), np.unique(recorded, axis=0))
        if rows["has_prims"][row]:
            first = rows["prim_first"][row]
            captured = rows["prims"][first : first + rows["prims_captured"][row]].astype(np.int64)
            if lines:
                captured = captured[:, :2]
            mine = made.patch(k)[1].astype(np.int64)
            keys = (points[:, 1] * 65537 + points[:, 0], recorded[:, 1] * 65537 + recorded[:, 0])
            assert _canonical(keys[0][mine]) == _canonical(keys[1][captured]), factors[k]
            compared += len(captured)
    assert compared > 1000


@pytest.mark.parametrize("partitioning", Partitioning)
@pytest.mark.parametrize(("domain", "topology"), FULL)
def test_the_twin_agrees(
    rng: np.random.Generator,
    draw_factors: Draw,
    every_target: Callable[[], Iterator[str]],
    domain: Domain,
    topology: Topology,
    partitioning: Partitioning,
) -> None:
    factors = draw_factors(rng, 14, domain.factor_count)
    factors = np.concatenate(
        [factors, np.minimum(factors, 6.0), factors[:3]]
    )  # small ones and repetitions too
    expected = twin.tessellate(
        domain.name.lower(), partitioning.name.lower(), factors, topology=topology.name.lower()
    )
    for _ in every_target():
        assert_same(tessellate(domain, partitioning, factors, topology=topology), expected)


def test_every_pair_of_inside_segments(every_target: Callable[[], Iterator[str]]) -> None:
    pairs = [(u, v) for u in (*range(1, 9), 33) for v in (*range(1, 9), 34)]
    factors = np.array([(1 + u % 5, 2, 1 + v % 4, 3, u, v) for u, v in pairs], np.float32)
    expected = twin.tessellate("quad", "integer", factors, topology="triangle_cw")
    for _ in every_target():
        assert_same(tessellate("quad", "integer", factors), expected)


@settings(max_examples=40, deadline=None)
@given(
    domain=st.sampled_from(Domain),
    partitioning=st.sampled_from(Partitioning),
    factors=st.lists(st.floats(0.25, 20, width=32), min_size=6, max_size=6),
)
def test_any_patch(domain: Domain, partitioning: Partitioning, factors: list[float]) -> None:
    row = np.array(factors, np.float32)[None, : domain.factor_count]
    topology = Topology.LINE if domain is Domain.ISOLINE else Topology.TRIANGLE_CCW
    expected = twin.tessellate(
        domain.name.lower(), partitioning.name.lower(), row, topology=topology.name.lower()
    )
    made = tessellate(domain, partitioning, row, topology=topology)
    assert_same(made, expected)
    counts = tessellation_counts(domain, partitioning, row)
    assert len(made.points_fixed) == counts["points"].sum()
    assert len(made.primitives) == counts["primitives"].sum()


def test_threads_change_nothing(rng: np.random.Generator, draw_factors: Draw, threads: int) -> None:
    factors = np.minimum(draw_factors(rng, 700, 6), 12.0)
    one = tessellate("quad", "fractional_odd", factors)
    many = tessellate("quad", "fractional_odd", factors, threads=threads)
    assert_same(many, (one.points_fixed, one.indices, one.point_offsets, one.index_offsets))


@pytest.mark.parametrize("partitioning", Partitioning)
@pytest.mark.parametrize("domain", [Domain.TRI, Domain.QUAD])
def test_triangles_cover_the_domain_once(
    rng: np.random.Generator, domain: Domain, partitioning: Partitioning
) -> None:
    factors = rng.uniform(1, 64, (12, domain.factor_count))
    made = tessellate(domain, partitioning, factors, topology="triangle_cw")
    for k in range(made.patch_count):
        first, last = made.point_offsets[k : k + 2]
        points = made.points_fixed[first:last].astype(np.int64)
        a, b, c = (points[made.patch(k)[1][:, corner].astype(np.int64)] for corner in range(3))
        doubled = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
        # Rings of a triangle are rounded to 1/65536, so a sliver may turn over; the sum stays exact.
        assert abs(doubled.sum()) == 65536**2 * (2 if domain is Domain.QUAD else 1)
        assert np.array_equal(np.unique(made.patch(k)[1]), np.arange(len(points)))


def test_windings_differ_by_two_corners(rng: np.random.Generator) -> None:
    factors = rng.uniform(1, 30, (20, 4))
    cw = tessellate("tri", "fractional_even", factors)
    ccw = tessellate("tri", "fractional_even", factors, topology="triangle_ccw")
    np.testing.assert_array_equal(ccw.primitives[:, [0, 2, 1]], cw.primitives)


def test_shapes_and_views() -> None:
    one = tessellate("quad", "integer", [2, 2, 2, 2, 2, 2])
    assert one.patch_count == 1
    assert one.uv.dtype == np.float32
    assert one.primitives.base is not None
    many = tessellate("quad", "integer", np.broadcast_to([2, 2, 2, 2, 2, 2], (3, 2, 6)))
    assert many.patch_count == 6
    np.testing.assert_array_equal(many.point_offsets, np.arange(7) * 9)
    uv, primitives = many.patch(-1)
    np.testing.assert_array_equal(uv, one.uv)
    np.testing.assert_array_equal(primitives, one.primitives)
    np.testing.assert_array_equal(many.mesh_indices.reshape(6, -1)[4], one.indices + 36)
    with pytest.raises(IndexError, match=r"k must be in \[0, 5\], got 6"):
        many.patch(6)
    with pytest.raises(TypeError, match="k must be an integer, got None"):
        many.patch(None)  # type: ignore[arg-type]
    none = tessellate("tri", "integer", np.empty((0, 4), np.float32))
    assert none.points_fixed.shape == (0, 2)
    assert none.indices.shape == (0,)
    culled = tessellate("tri", "integer", [0, 1, 1, 1])
    assert culled.point_offsets.tolist() == [0, 0]


def test_out_is_written_over() -> None:
    first = tessellate("tri", "fractional_odd", np.full((5, 4), 6.5))
    wanted = tessellate("tri", "fractional_odd", np.full((5, 4), 5.5))
    again = tessellate("tri", "fractional_odd", np.full((5, 4), 5.5), out=first)
    assert again.points_fixed is first.points_fixed
    assert_same(again, (wanted.points_fixed, wanted.indices, wanted.point_offsets, wanted.index_offsets))
    before = first.points_fixed.copy()
    with pytest.raises(ValueError, match=r"out\.points_fixed must have shape"):
        tessellate("tri", "fractional_odd", np.full((5, 4), 8.5), out=first)
    np.testing.assert_array_equal(first.points_fixed, before)


def test_points_and_indices_of_out_are_apart() -> None:
    patch = tessellate("quad", "integer", [2] * 6)
    shared = patch.points_fixed.view(np.uint16).reshape(-1)[: len(patch.indices)]
    out = Tessellation(patch.points_fixed, shared, patch.point_offsets, patch.index_offsets)
    with pytest.raises(ValueError, match=r"out\.indices must not overlap out\.points_fixed"):
        tessellate("quad", "integer", [2] * 6, out=out)


def test_isoline_orders() -> None:
    wanted = tessellate("isoline", "fractional_even", [3.0, 5.5])
    for order, factors in (("gl", [3.0, 5.5]), ("vulkan", [3.0, 5.5]), ("amd", [5.5, 3.0])):
        made = tessellate("isoline", "fractional_even", factors, isoline_order=order)
        np.testing.assert_array_equal(made.points_fixed, wanted.points_fixed)


@pytest.mark.parametrize(
    ("error", "match", "arguments"),
    [
        (ValueError, r"factors must have shape \(\.\.\., 6\) for domain quad", {"factors": np.ones((1, 4))}),
        (ValueError, r"factors must have shape", {"factors": []}),
        (TypeError, r"factors must be an array of float32", {"factors": np.ones((1, 6), object)}),
        (
            ValueError,
            r"topology must be 'point' or 'triangle_cw' or 'triangle_ccw' for",
            {"topology": "line"},
        ),
        (
            ValueError,
            r"topology must be 'point' or 'line'",
            {"domain": "isoline", "factors": [1, 1], "topology": 2},
        ),
        (ValueError, r"topology must be one of point, line", {"topology": "triangles"}),
        (ValueError, r"partitioning must be one of integer, pow2", {"partitioning": "odd"}),
        (TypeError, r"partitioning must be a Partitioning", {"partitioning": 1.5}),
        (ValueError, r"threads must be in", {"threads": -2}),
        (TypeError, r"out must be a Tessellation", {"out": np.zeros(3)}),
    ],
)
def test_bad_arguments_are_named(error: type[Exception], match: str, arguments: dict[str, Any]) -> None:
    good: dict[str, Any] = {
        "domain": "quad",
        "partitioning": "integer",
        "factors": np.ones((1, 6), np.float32),
    }
    with pytest.raises(error, match=match):
        tessellate(**(good | arguments))


def test_too_many_points_are_refused_before_any_memory_is_taken() -> None:
    factors = np.full((508_401, 6), 64, np.float32)  # one patch more than 2**31 points hold
    with pytest.raises(
        ValueError, match=r"factors must make at most 2147483648 points in one call, got 2147994225"
    ):
        tessellate("quad", "integer", factors)


def test_the_result_shows_itself() -> None:
    patches = tessellate("tri", "integer", [[3, 3, 3, 3]] * 4 + [[0, 3, 3, 3]])
    assert repr(patches) == "Tessellation(5 patches: 48 points, 156 indices, triangle_cw)"
    cell = patches._repr_html_()
    for label, value in (("patches culled", 1), ("points", 48), ("primitives", 52)):
        assert f"{label}</td><td style='text-align:right'>{value}<" in cell
    assert "not said" in Tessellation(np.empty((0, 2)), np.empty(0), np.zeros(1), np.zeros(1))._repr_html_()


@pytest.mark.parametrize(
    ("domain", "topology"), [("tri", "triangle_ccw"), ("isoline", "line"), ("quad", "point")]
)
def test_points_and_primitives_with_labelled_axes(domain: str, topology: str) -> None:
    pytest.importorskip("xarray")
    width = Domain[domain.upper()].factor_count
    made = tessellate(domain, "integer", [[3] * width, [0] * width, [2] * width], topology=topology)
    grid = made.to_xarray()
    np.testing.assert_array_equal(grid["uv"].sel(axis="v"), made.uv[:, 1])
    last = grid.where(grid["primitive_patch"] == 2, drop=True)["primitives"]
    np.testing.assert_array_equal(last - made.point_offsets[2], made.patch(2)[1])
    assert (grid["point_patch"] == 1).sum() == 0
