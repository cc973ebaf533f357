"""tessellation_counts: measured rows, the slow twin, closed forms, hostile input."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tilelab
from tilelab.reference import tessellation as twin
from tilelab.tessellation import COUNTS_DTYPE, Domain, Partitioning, tessellation_counts

Draw = Callable[[np.random.Generator, int, int], npt.NDArray[np.float32]]


def test_every_measured_row(golden: Callable[[str], Path], target: str) -> None:
    rows = np.load(golden("tessellation/counts.npz"))
    for domain in Domain:
        for partitioning in Partitioning:
            chosen = (rows["domain"] == domain) & (rows["partitioning"] == partitioning)
            assert chosen.sum() == 1500
            factors = rows["factor_bits"][chosen][:, : domain.factor_count].view(np.float32)
            counts = tessellation_counts(domain, partitioning, factors)
            np.testing.assert_array_equal(counts["points"], rows["n_points"][chosen])
            np.testing.assert_array_equal(counts["primitives"], rows["n_prims"][chosen])
            np.testing.assert_array_equal(counts["culled"], rows["n_points"][chosen] == 0)


@pytest.mark.parametrize("domain", Domain)
@pytest.mark.parametrize("partitioning", Partitioning)
@pytest.mark.parametrize("count", [0, 1, 3, 37])
def test_the_twin_agrees(
    rng: np.random.Generator,
    draw_factors: Draw,
    every_target: Callable[[], Iterator[str]],
    domain: Domain,
    partitioning: Partitioning,
    count: int,
) -> None:
    factors = draw_factors(rng, count, domain.factor_count)
    expected = twin.tessellation_counts(domain.name.lower(), partitioning.name.lower(), factors)
    for _ in every_target():
        counts = tessellation_counts(domain, partitioning, factors)
        for name, column in zip(COUNTS_DTYPE.names or (), expected, strict=True):
            np.testing.assert_array_equal(counts[name], column, err_msg=name)


@settings(max_examples=60, deadline=None)
@given(
    domain=st.sampled_from(Domain),
    partitioning=st.sampled_from(Partitioning),
    bits=st.lists(st.integers(0, 2**32 - 1), min_size=6, max_size=6),
    floats=st.lists(st.floats(0.5, 65, width=32), min_size=6, max_size=6),
    raw=st.integers(0, 63),
)
def test_any_bit_pattern(
    domain: Domain, partitioning: Partitioning, bits: list[int], floats: list[float], raw: int
) -> None:
    patterns = np.array(bits, np.uint32).view(np.float32)
    chosen = (raw >> np.arange(6)) & 1 == 1
    factors = np.where(chosen, patterns, np.array(floats, np.float32))[None, : domain.factor_count]
    counts = tessellation_counts(domain, partitioning, factors)
    points, primitives, culled = twin.tessellation_counts(
        domain.name.lower(), partitioning.name.lower(), factors
    )
    assert (counts["points"], counts["primitives"], counts["culled"]) == (points, primitives, culled)


def test_threads_change_nothing(rng: np.random.Generator, draw_factors: Draw, threads: int) -> None:
    factors = draw_factors(rng, 70_001, 6)
    one = tessellation_counts("quad", "fractional_odd", factors)
    np.testing.assert_array_equal(
        tessellation_counts("quad", "fractional_odd", factors, threads=threads), one
    )


@pytest.mark.parametrize(
    ("factor", "tri", "quad", "isoline"),
    [
        (1, (3, 1), (4, 2), (2, 1)),
        (2, (7, 6), (9, 8), (6, 4)),
        (3, (12, 13), (16, 18), (12, 9)),
        (15, (192, 337), (256, 450), (240, 225)),
        (16, (217, 384), (289, 512), (272, 256)),
        (63, (3072, 5953), (4096, 7938), (4032, 3969)),
        (64, (3169, 6144), (4225, 8192), (4160, 4096)),
    ],
)
def test_documented_uniform_factors(
    factor: int, tri: tuple[int, int], quad: tuple[int, int], isoline: tuple[int, int]
) -> None:
    for domain, expected in (("tri", tri), ("quad", quad), ("isoline", isoline)):
        width = Domain[domain.upper()].factor_count
        row = tessellation_counts(domain, "integer", [factor] * width)
        assert (row["points"], row["primitives"], row["culled"]) == (*expected, False)


def test_leading_axes_and_out() -> None:
    factors = np.full((2, 3, 4), 4.0, np.float32)
    out = np.zeros((2, 3), COUNTS_DTYPE)
    assert tessellation_counts("tri", "pow2", factors, out=out) is out
    assert (out["points"] == 19).all()
    assert tessellation_counts("tri", "pow2", factors.tolist()[0]).shape == (3,)
    assert tessellation_counts("tri", "pow2", np.zeros((0, 4))).shape == (0,)


def test_isoline_orders() -> None:
    d3d = tessellation_counts("isoline", "integer", [3, 5])
    assert (d3d["points"], d3d["primitives"]) == (18, 15)
    assert tessellation_counts("isoline", "integer", [3, 5], isoline_order="gl") == d3d
    assert tessellation_counts("isoline", "integer", [3, 5], isoline_order="vulkan") == d3d
    assert tessellation_counts("isoline", "integer", [5, 3], isoline_order="amd") == d3d


def test_wide_numbers_saturate_silently() -> None:
    row = tessellation_counts("tri", "integer", [1e300, 2.0**70, 64, -1e300])
    assert (row["points"], row["culled"]) == (193, False)
    assert tessellation_counts("tri", "integer", np.array([10**12, 64, 64, 64]))["points"] == 3169


@pytest.mark.parametrize(
    ("error", "match", "arguments"),
    [
        (ValueError, r"factors must have shape \(\.\.\., 4\) for domain tri", {"factors": [1.0] * 6}),
        (ValueError, r"factors must have shape", {"factors": 4.0}),
        (ValueError, r"factors must be a regular array", {"factors": [[1.0, 2.0, 3.0, 4.0], [1.0]]}),
        (TypeError, r"factors must be an array of float32", {"factors": ["a"] * 4}),
        (TypeError, r"factors must be an array of float32", {"factors": [True] * 4}),
        (TypeError, r"factors must be an array of float32", {"factors": [1j] * 4}),
        (TypeError, r"factors must be an array of float32", {"factors": [None] * 4}),
        (ValueError, r"domain must be one of isoline, tri, quad, got 'patch'", {"domain": "patch"}),
        (TypeError, r"domain must be a Domain", {"domain": None}),
        (ValueError, r"domain must be one of", {"domain": 3}),
        (ValueError, r"partitioning must be one of", {"partitioning": "even"}),
        (ValueError, r"threads must be in", {"threads": -1}),
        (TypeError, r"threads must be an integer", {"threads": 1.0}),
        (ValueError, r"isoline_order must be one of", {"isoline_order": "dx"}),
        (ValueError, r"isoline_order must be 'd3d' for domain tri", {"isoline_order": "amd"}),
        (ValueError, r"out must have shape \(1,\)", {"out": np.zeros(2, COUNTS_DTYPE)}),
        (TypeError, r"out must be an array of", {"out": np.zeros(1, np.int32)}),
        (TypeError, r"out must be a NumPy array", {"out": [0]}),
    ],
)
def test_bad_arguments_are_named(error: type[Exception], match: str, arguments: dict[str, Any]) -> None:
    good: dict[str, Any] = {
        "domain": "tri",
        "partitioning": "integer",
        "factors": np.ones((1, 4), np.float32),
    }
    with pytest.raises(error, match=match):
        tilelab.tessellation.tessellation_counts(**(good | arguments))
