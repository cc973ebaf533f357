"""Properties that hold for every picture."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tilelab.reference import vrs as twin
from tilelab.vrs import ShadingRate, count_invocations, rate_image, shade_coarse

# Scenes take rate images of any size and combiners that leave a source out, on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:.*(no effect under|those outside are 1x1)")

SIDES = st.tuples(st.integers(1, 40), st.integers(1, 40))
FEW = settings(max_examples=40, deadline=None)


@st.composite
def any_picture(draw: Any) -> np.ndarray:
    """Any float32 bits at all: denormals, infinities and NaNs of every payload."""
    shape = draw(SIDES)
    return draw(hnp.arrays(np.uint32, shape, elements=st.integers(0, 2**32 - 1), fill=st.nothing())).view(
        np.float32
    )


@FEW
@given(
    lum=any_picture(),
    tile=st.sampled_from([8, 16, 32]),
    threshold=st.floats(0, 3),
    vote=st.one_of(st.integers(0, 70), st.floats(0, 1)),
    differences=st.booleans(),
)
def test_any_bits_give_the_rates_of_the_twin(
    lum: np.ndarray, tile: int, threshold: float, vote: Any, differences: bool
) -> None:
    rates = rate_image(
        lum, tile=tile, threshold=threshold, vote=vote, estimator="sobel+diff" if differences else "sobel"
    )
    wanted = twin.rate_image(lum, tile=tile, threshold=threshold, vote=vote, differences=differences)
    np.testing.assert_array_equal(rates, wanted)


@FEW
@given(size=SIDES, seed=st.integers(0, 2**32 - 1), primitives=st.integers(1, 6))
def test_invocations_are_a_partition_of_the_covered_pixels(
    size: tuple[int, int], seed: int, primitives: int
) -> None:
    rng = np.random.default_rng(seed)
    ids = rng.integers(-1, primitives, size).astype(np.int32)
    rates = rng.choice(np.array(ShadingRate, np.uint8), (5, 5))
    result = shade_coarse(lambda x, y, p: p, rates, primitive_id=ids)
    np.testing.assert_array_equal(result.image[ids >= 0], ids[ids >= 0])
    np.testing.assert_array_equal(result.pixel_invocation < 0, ids < 0)
    covered = int((ids >= 0).sum())
    assert sum(mask.bit_count() for mask in result.masks.tolist()) == covered
    assert len(result.rates) == result.invocations.sum() <= covered
    assert (result.lanes >= result.invocations).all()
    assert (result.lanes <= 4 * result.invocations).all()
    np.testing.assert_array_equal(count_invocations(rates, size, primitive_id=ids), result.invocations)


@FEW
@given(seed=st.integers(0, 2**32 - 1), vote=st.integers(0, 60), more=st.integers(0, 10))
def test_more_votes_allowed_is_never_finer(seed: int, vote: int, more: int) -> None:
    lum = np.random.default_rng(seed).random((24, 24), dtype=np.float32)
    strict, loose = (
        rate_image(lum, threshold=0.3, vote=vote),
        rate_image(lum, threshold=0.3, vote=vote + more),
    )
    assert ((strict >> 2) <= (loose >> 2)).all()
    assert ((strict & 3) <= (loose & 3)).all()
