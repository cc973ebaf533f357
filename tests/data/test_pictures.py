"""The pictures of the scikit-image wheel and the stereo pair."""

import socket
import sys

import numpy as np
import pytest

from tilelab import data

pytest.importorskip("skimage")
pytest.importorskip("PIL")


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("a picture was asked for over the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)


def test_every_name_loads():
    names = data.names()
    assert names == sorted(names)
    assert {"astronaut", "brick", "camera", "chelsea", "coffee", "grass", "gravel"} <= set(names)
    for name in names:
        picture = data.load(name)
        assert picture.dtype == np.uint8
        assert min(picture.shape[:2]) > 0
        assert picture.ndim == 2 or picture.shape[2] in (3, 4)


def test_a_known_picture():
    assert data.load("brick").shape == (512, 512)
    assert data.load("coffee").shape == (400, 600, 3)
    assert data.load("coffee").flags.writeable


def test_unknown_names_are_refused():
    for name in ("Coffee", "../data/coffee", ""):
        with pytest.raises(ValueError, match="name must be one of 'astronaut', "):
            data.load(name)
    for name in (None, np.zeros(3)):
        with pytest.raises(TypeError, match="name must be a string"):
            data.load(name)


@pytest.mark.parametrize("call", [data.names, data.stereo_pair, lambda: data.load("brick")])
def test_without_scikit_image_the_error_says_how_to_install(call, monkeypatch):
    monkeypatch.setitem(sys.modules, "skimage", None)
    with pytest.raises(ImportError, match=r'pip install "tilelab\[scene\]"'):
        call()


def test_stereo_pair_has_real_depth_and_motion():
    frame, previous = data.stereo_pair()
    assert frame.shape == previous.shape == (500, 741)
    assert list(frame.channels) == ["color", "depth", "motion"]
    assert list(previous.channels) == ["color"]
    known = np.isfinite(frame.depth)
    assert (~known).sum() == 27226
    assert np.isnan(frame.depth[~known]).all()
    assert np.isnan(frame.motion[~known]).all()
    assert 2.1 < frame.depth[known].min() < 2.2
    assert 5.0 < frame.depth[known].max() < 5.1
    disparity = frame.motion[..., 0]
    assert (frame.motion[..., 1][known] == 0).all()
    # depth = 994.978 px * 0.193001 m / (disparity + 31.086 px)
    np.testing.assert_allclose(
        frame.depth[known] * (disparity[known] + 31.086), 994.978 * 0.193001, rtol=1e-6
    )


def test_stereo_motion_leads_to_the_same_point():
    frame, previous = data.stereo_pair()
    _height, width = frame.shape
    y, x = np.nonzero(np.isfinite(frame.depth))
    here = np.rint(x - frame.motion[y, x, 0]).astype(int)
    inside = (here >= 0) & (here < width)
    y, x, here = y[inside], x[inside], here[inside]
    followed = np.abs(frame.color[y, x] - previous.color[y, here]).mean()
    stayed = np.abs(frame.color[y, x] - previous.color[y, x]).mean()
    mirrored = np.abs(frame.color[y, x] - previous.color[y, np.clip(2 * x - here, 0, width - 1)]).mean()
    # what is left are occlusions and the difference of the two cameras
    assert followed < 0.035
    assert stayed > 4 * followed
    assert mirrored > 4 * followed
