import numpy as np
import pytest

from tilelab import plot


def test_colours_of_the_source() -> None:
    wanted = {"1x1": [255, 0, 0], "2x1": [0, 255, 255], "1x2": [255, 255, 0], "2x2": [0, 0, 0]}
    for name, color in wanted.items():
        assert plot.rate_overlay([[name]])[0, 0].tolist() == color
    shown = plot.rate_overlay([["1x1", "1x2", "2x1", "2x2", "2x4", "4x2", "4x4"]])[0, ::8]
    assert len(np.unique(shown, axis=0)) == 7


def test_overlay_is_cut_to_the_picture() -> None:
    picture = np.zeros((17, 30, 3), np.float32)
    overlay = plot.rate_overlay(np.zeros((2, 2), np.uint8), picture, tile=16, opacity=1.0)
    assert overlay.shape == (17, 30, 3)
    assert (overlay == [255, 0, 0]).all()
    assert (plot.rate_overlay(np.zeros((2, 2), np.uint8), picture, tile=16, opacity=0.0) == 0).all()


def test_rate_image_draws_on_the_given_axes() -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    figure, ax = pyplot.subplots()
    rates = np.array([[0, 4], [5, 5]], np.uint8)
    assert plot.rate_image(rates, np.full((16, 16), 0.5), ax=ax) is ax
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "1x1  25.0 %",
        "2x1  25.0 %",
        "2x2  50.0 %",
    ]
    pyplot.close(figure)


def test_bad_input() -> None:
    with pytest.raises(ValueError, match="rates must have one element for each tile of a 20x16 image"):
        plot.rate_overlay([[0]], np.zeros((16, 20)))
    with pytest.raises(ValueError, match="image must have shape"):
        plot.rate_overlay([[0]], np.zeros((8, 8, 2)))
    with pytest.raises(ValueError, match="opacity must be at most 1"):
        plot.rate_overlay([[0]], opacity=2.0)
    with pytest.raises(ValueError, match="tile must be one of"):
        plot.rate_image([[0]], tile=3)
