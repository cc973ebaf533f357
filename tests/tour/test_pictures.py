import numpy as np

from tilelab.tour import pictures


def test_display_image_rounds_clips_and_drops_alpha() -> None:
    color = np.array([[[0.0, 1.0, 0.5, 0.3], [-1.0, 7.0, np.nan, 1.0]]], np.float32)
    assert pictures.display_image(color).tolist() == [[[0, 255, 128], [0, 255, 0]]]
    assert pictures.display_image(np.array([[0.2, np.inf]])).tolist() == [[[51] * 3, [255] * 3]]


def test_map_image_uses_both_ends_of_the_colour_map() -> None:
    image = pictures.map_image(np.array([[0.0, 1.0, 2.0, np.nan, -1.0]]), 0.0, 2.0, colormap="gray")
    assert image[0, :, 0].tolist() == [0, 127, 255, 0, 0]


def test_map_image_of_one_value_is_the_first_colour() -> None:
    assert not pictures.map_image(np.zeros((2, 2)), 0.0, 0.0, colormap="gray").any()


def test_side_by_side_and_enlarge() -> None:
    left = np.zeros((2, 3, 3), np.uint8)
    both = pictures.side_by_side(left, left, gap=2)
    assert both.shape == (2, 8, 3)
    assert both[:, 3:5].min() == 255
    assert pictures.enlarge(np.array([[1, 2]]), 2).tolist() == [[1, 1, 2, 2], [1, 1, 2, 2]]
