import inspect

import numpy as np
import pytest

from tilelab import plot

pyplot = pytest.importorskip("matplotlib.pyplot")


def test_axes_are_checked() -> None:
    figure, axes = pyplot.subplots(1, 2)
    with pytest.raises(TypeError, match="ax must be matplotlib Axes, got ndarray"):
        plot.rate_image(np.zeros((1, 1), np.uint8), ax=axes)
    assert plot.rate_image(np.zeros((1, 1), np.uint8), ax=axes[1]) is axes[1]
    pyplot.close(figure)


def test_axes_are_given_by_name() -> None:
    helpers = ("axes_or_new", "image_axes")
    for name in set(plot.__all__) - set(helpers):
        function = getattr(plot, name)
        if callable(function) and "ax" in inspect.signature(function).parameters:
            assert inspect.signature(function).parameters["ax"].kind is inspect.Parameter.KEYWORD_ONLY, name
