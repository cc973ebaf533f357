import numpy as np
import pytest

from tilelab.frame import Frame
from tilelab.tour import TourContext
from tilelab.tour.addressing import chapter


@pytest.mark.parametrize("shape", [(70, 150, 3), (1, 1, 3), (33, 9, 4)])
def test_the_chapter_counts_and_draws(shape: tuple[int, ...], rng: np.random.Generator) -> None:
    pytest.importorskip("matplotlib")
    frame = Frame(color=rng.random(shape, np.float32))
    made = chapter(TourContext(frame, source="noise", threads=2))
    rows = dict(made.rows)
    assert len(rows) == len(made.rows)
    assert rows["Texture width (texels)"] == str(shape[1])
    assert rows["Bytes that differ after the round trip"] == "0"
    assert int(rows["64KB_R_X: surface (bytes)"]) % 65536 == 0
    assert [picture.name for picture in made.pictures] == ["addressing_walk", "addressing_memory"]


def test_a_frame_without_colour_has_the_chapter_too() -> None:
    pytest.importorskip("matplotlib")
    made = chapter(TourContext(Frame(depth=np.ones((8, 8), np.float32)), source="depth alone"))
    assert "no colour" in made.intro
