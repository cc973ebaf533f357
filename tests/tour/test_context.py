import numpy as np
import pytest

from tilelab import tour
from tilelab.frame import Frame

FRAME = Frame(color=np.zeros((4, 6, 3), np.float32))


def test_stage_is_timed() -> None:
    context = tour.TourContext(FRAME, source="test")
    with context.stage("first", pixels=24):
        pass
    with context.stage("second"):
        pass
    first, second = context.stages
    assert first.name == "first"
    assert first.seconds > 0
    assert first.mpixels_per_second == pytest.approx(24e-6 / first.seconds)
    assert second.mpixels_per_second is None


def test_stage_that_fails_is_not_listed() -> None:
    context = tour.TourContext(FRAME, source="test")
    with pytest.raises(KeyError), context.stage("broken"):
        raise KeyError
    assert context.stages == []


def test_previous_of_another_size_is_refused() -> None:
    other = Frame(color=np.zeros((4, 5, 3), np.float32))
    with pytest.raises(ValueError, match=r"previous must have the shape of frame \(4, 6\), got \(4, 5\)"):
        tour.TourContext(FRAME, other, source="test")


def test_bad_threads() -> None:
    with pytest.raises(ValueError, match="threads must be"):
        tour.TourContext(FRAME, source="test", threads=-1)


def test_only_frames_are_taken() -> None:
    with pytest.raises(TypeError, match="frame must be a Frame, got int"):
        tour.TourContext(5, source="test")
    with pytest.raises(TypeError, match="previous must be a Frame, got ndarray"):
        tour.TourContext(FRAME, np.zeros((4, 6, 3), np.float32), source="test")
