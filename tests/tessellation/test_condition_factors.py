"""condition_factors: measured rows, the slow twin, hostile input."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import tilelab
from tilelab.reference import tessellation as twin
from tilelab.tessellation import Domain, Partitioning, condition_factors, tessellation_counts

Draw = Callable[[np.random.Generator, int, int], npt.NDArray[np.float32]]
REDUCTIONS = ("min", "max", "average")
SHAPES = [(Domain.TRI, 1), (Domain.QUAD, 1), (Domain.QUAD, 2)]


def assert_same_bits(found: npt.NDArray[np.float32], wanted: npt.NDArray[np.float32]) -> None:
    np.testing.assert_array_equal(found.view(np.uint32), wanted.view(np.uint32))


@pytest.mark.parametrize(("domain", "axes"), SHAPES)
@pytest.mark.parametrize("partitioning", Partitioning)
def test_every_measured_row(
    golden: Callable[[str], Path], domain: Domain, axes: int, partitioning: Partitioning
) -> None:
    rows = np.load(golden("tessellation/hlsl_factors.npz"))
    for code, reduction in enumerate(REDUCTIONS):
        chosen = (rows["domain"] == domain) & (rows["partitioning"] == partitioning)
        chosen &= (rows["reduction"] == code) & (rows["axis"] == axes - 1)
        assert chosen.any()
        edges = rows["edge_bits"][chosen][:, : domain.edge_count].view(np.float32)
        scales = rows["scale_bits"][chosen][:, :axes].view(np.float32)
        rounded, unrounded = condition_factors(
            domain, partitioning, edges, scales, reduction=reduction, axes=axes
        )
        width = domain.factor_count
        assert_same_bits(rounded, rows["rounded_bits"][chosen][:, :width].copy().view(np.float32))
        assert_same_bits(unrounded, rows["unrounded_bits"][chosen][:, :width].copy().view(np.float32))
        counts = tessellation_counts(domain, partitioning, rounded)
        np.testing.assert_array_equal(counts["points"], rows["n_points"][chosen])
        np.testing.assert_array_equal(counts["primitives"], rows["n_tris"][chosen])


@pytest.mark.parametrize(("domain", "axes"), SHAPES)
@pytest.mark.parametrize("partitioning", Partitioning)
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_the_twin_agrees(
    rng: np.random.Generator,
    draw_factors: Draw,
    domain: Domain,
    axes: int,
    partitioning: Partitioning,
    reduction: str,
) -> None:
    edges = draw_factors(rng, 101, domain.edge_count)
    scales = np.where(rng.random((101, axes)) < 0.2, draw_factors(rng, 101, axes), rng.random((101, axes)))
    scales = scales.astype(np.float32)
    found = condition_factors(domain, partitioning, edges, scales, reduction=reduction, axes=axes, threads=2)
    expected = twin.condition_factors(
        domain.name.lower(), partitioning.name.lower(), edges, scales, reduction=reduction, axes=axes
    )
    for one, other in zip(found, expected, strict=True):
        assert_same_bits(one, other)


def test_threads_change_nothing(rng: np.random.Generator, draw_factors: Draw, threads: int) -> None:
    edges, scales = draw_factors(rng, 20_001, 4), rng.random((20_001, 2), np.float32)
    one = condition_factors("quad", "fractional_odd", edges, scales, axes=2)
    many = condition_factors("quad", "fractional_odd", edges, scales, axes=2, threads=threads)
    assert_same_bits(one[0], many[0])
    assert_same_bits(one[1], many[1])


def test_scales_broadcast() -> None:
    edges = np.full((2, 5, 4), 8.0)
    rounded, unrounded = condition_factors("quad", "integer", edges, [0.5, 0.25], axes=2)
    assert rounded.shape == unrounded.shape == (2, 5, 6)
    np.testing.assert_array_equal(rounded[1, 4], [8, 8, 8, 8, 4, 2])
    assert condition_factors("tri", "integer", [2, 3, 4], [1])[0].shape == (4,)


def test_culled_edges_stay_as_they_came() -> None:
    edges = np.array([[0x7FC12345, 0x40000000, 0x40000000]], np.uint32).view(np.float32)
    rounded, unrounded = condition_factors("tri", "integer", edges, [[1.0]])
    assert not rounded.any()
    assert unrounded.view(np.uint32).tolist() == [[0x7FC12345, 0x40000000, 0x40000000, 0]]


@pytest.mark.parametrize(
    ("error", "match", "arguments"),
    [
        (ValueError, r"edges must have shape \(\.\.\., 4\) for domain quad", {"edges": [[1.0] * 3]}),
        (ValueError, r"scales must have shape \(\.\.\., 1\) for axes=1", {"scales": [[1.0, 1.0]]}),
        (ValueError, r"scales must have shape \(\.\.\., 2\) for axes=2", {"axes": 2}),
        (
            ValueError,
            r"scales must broadcast against edges",
            {"scales": np.ones((3, 1)), "edges": np.ones((2, 4))},
        ),
        (TypeError, r"edges must be an array of float32", {"edges": np.ones((1, 4), complex)}),
        (TypeError, r"scales must be an array of float32", {"scales": [["x"]]}),
        (ValueError, r"reduction must be one of 'min', 'max', 'average', got 'mean'", {"reduction": "mean"}),
        (TypeError, r"reduction must be a string", {"reduction": 0}),
        (ValueError, r"axes must be in \[1, 2\], got 3", {"axes": 3}),
        (TypeError, r"axes must be an integer", {"axes": 1.0}),
        (
            ValueError,
            r"axes must be 1 for domain tri",
            {"domain": "tri", "edges": np.ones((1, 3)), "axes": 2},
        ),
        (tilelab.UnsupportedError, r"domain must be tri or quad", {"domain": "isoline"}),
    ],
)
def test_bad_arguments_are_named(error: type[Exception], match: str, arguments: dict[str, Any]) -> None:
    good: dict[str, Any] = {
        "domain": "quad",
        "partitioning": "integer",
        "edges": np.ones((1, 4), np.float32),
        "scales": np.ones((1, 1), np.float32),
    }
    with pytest.raises(error, match=match):
        condition_factors(**(good | arguments))
