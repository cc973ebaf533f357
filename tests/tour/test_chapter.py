import numpy as np
import pytest

from tilelab import tour

IMAGE = np.zeros((4, 6, 3), np.uint8)


@pytest.mark.parametrize("name", ["", "Frame", "a b", "../a", "a.png", "-a", "a__b"])
def test_picture_names_are_file_stems(name: str) -> None:
    with pytest.raises(ValueError, match="name must be lower case words joined by _ or -"):
        tour.Picture(name, "caption", IMAGE)


@pytest.mark.parametrize("image", [IMAGE.astype(np.float32), IMAGE.tolist(), None, IMAGE.astype(np.int64)])
def test_picture_must_be_uint8(image: object) -> None:
    with pytest.raises(TypeError, match="image must be a uint8 array, got"):
        tour.Picture("a", "caption", image)  # type: ignore[arg-type]


@pytest.mark.parametrize("shape", [(4, 6), (4, 6, 2), (0, 6, 3), (4, 0, 4), (1, 4, 6, 3)])
def test_picture_shape(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"image must have shape \(H, W, 3\) or \(H, W, 4\), got"):
        tour.Picture("a", "caption", np.zeros(shape, np.uint8))


def test_figure_image_closes_a_pyplot_figure() -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    figure = pyplot.figure(figsize=(3, 2), dpi=50)
    image = tour.figure_image(figure)
    assert image.shape == (100, 150, 4)
    assert image.dtype == np.uint8
    assert not pyplot.fignum_exists(figure.number)
    tour.Picture("figure", "caption", image)
