"""The whole chain on real G-buffers; skipped when the shared data is absent."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from shared_frames import g_buffer_1080p, g_buffer_2160p

from tilelab.frame import Frame
from tilelab.reference import vrs as twin
from tilelab.vrs import count_invocations, luminance, rate_image, shade_coarse


@pytest.fixture(scope="module")
def frame(shared_data: Path) -> Frame:
    return g_buffer_1080p(shared_data, 1)


def plain_counts(primitive_id: np.ndarray, rates: np.ndarray, tile: int) -> np.ndarray:
    """Distinct (tile, coarse pixel, primitive) among the covered pixels, found by sorting."""
    y, x = np.nonzero(primitive_id >= 0)
    rate = rates[y // tile, x // tile]
    tiles = (y // tile) * rates.shape[1] + x // tile
    key = [tiles, primitive_id[y, x], y >> (rate & 3), x >> (rate >> 2)]
    cells = np.unique(np.stack(key), axis=1)
    return np.bincount(cells[0], minlength=rates.size).reshape(rates.shape)


@pytest.mark.parametrize("tile", [8, 16, 32])
def test_predicted_rates_equal_the_twin(shared_data: Path, frame: Frame, tile: int) -> None:
    previous = g_buffer_1080p(shared_data, 0)
    rates = rate_image(previous.color, tile=tile, motion=frame.motion, vote=2, threads=2)
    lum, unknown = twin.reproject(twin.luminance(previous.color), frame.motion)
    np.testing.assert_array_equal(rates, twin.rate_image(lum, tile=tile, no_history=unknown, vote=2))
    assert set(np.unique(rates)) == {0, 1, 4, 5}


def test_invocations_of_a_real_mesh(frame: Frame) -> None:
    rates = rate_image(frame.color)
    counts = count_invocations(rates, frame.shape, primitive_id=frame.primitive_id, threads=2)
    np.testing.assert_array_equal(counts, plain_counts(frame.primitive_id, rates, 8))
    result = shade_coarse(frame.color, rates, primitive_id=frame.primitive_id, threads=2)
    np.testing.assert_array_equal(result.invocations, counts)
    covered = frame.primitive_id >= 0
    assert (np.isnan(result.image).all(axis=-1) == ~covered).all()
    fine = shade_coarse(frame.color, None, primitive_id=frame.primitive_id)
    np.testing.assert_array_equal(fine.image[covered], frame.color[covered])
    assert fine.ratio == 1.0
    assert result.ratio < 1.0


@pytest.mark.slow
def test_4k_frame_equals_the_twin(shared_data: Path, every_target: Callable[[], Iterator[str]]) -> None:
    frame = g_buffer_2160p(shared_data)
    wanted = twin.rate_image(luminance(frame.color, threads=2))
    for _ in every_target():
        np.testing.assert_array_equal(rate_image(frame.color, threads=2), wanted)
