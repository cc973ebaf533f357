"""Factor tuples as the golden sets draw them: ordinary, integer, nearly integer, and hostile."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

Draw = Callable[[np.random.Generator, int, int], npt.NDArray[np.float32]]

SPECIALS = np.array(
    [
        np.nan,
        np.inf,
        -np.inf,
        0.0,
        -0.0,
        -1.0,
        -1e-40,
        1e-40,
        0.25,
        0.999999,
        1.0,
        1.0001,
        62.5,
        63.0001,
        64.00001,
    ]
    + [65.0, 1e6, 3.4e38, 1 + 2.0**-18, 1 + 2.0**-17, 1 + 1.5 * 2.0**-17, 1 + 2.0**-16, 2 + 2.0**-17],
    np.float32,
)


def _draw(rng: np.random.Generator, count: int, width: int) -> npt.NDArray[np.float32]:
    shape = (count, width)
    kinds = [
        rng.uniform(0.5, 66, shape),
        rng.integers(1, 65, shape),
        2.0 ** rng.uniform(0, 6, shape),
        np.nextafter(rng.integers(1, 65, shape).astype(np.float32), np.float32(rng.choice([0, 100]))),
        np.repeat(rng.uniform(1, 20, (count, 1)), width, axis=1),
        rng.uniform(1, 5, shape),
    ]
    factors = np.stack(kinds).astype(np.float32)[rng.integers(len(kinds), size=count), np.arange(count)]
    hostile = rng.random(shape) < np.where(rng.random((count, 1)) < 0.3, 0.3, 0.0)
    return np.where(hostile, rng.choice(SPECIALS, shape), factors)


@pytest.fixture
def draw_factors() -> Draw:
    return _draw
