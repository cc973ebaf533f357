"""Frame: what it accepts, what it refuses, how it shows itself."""

import pickle
from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest

from tilelab.frame import CHANNELS, Frame


def example_channels(rng, height=5, width=7):
    channels = {}
    for name, rule in CHANNELS.items():
        shape = (height, width) if rule.components == (0,) else (height, width, rule.components[0])
        if rule.dtype is np.int32:
            channels[name] = rng.integers(-1, 2**31, shape).astype(np.int32)
        else:
            channels[name] = rng.standard_normal(shape).astype(np.float32)
    return channels


def test_fields_are_the_channels_and_the_origin():
    assert [field.name for field in fields(Frame)] == [*CHANNELS, "origin"]


def test_keeps_the_arrays_and_shows_them_read_only(rng):
    channels = example_channels(rng)
    frame = Frame(**channels, origin="test")
    assert frame.shape == (5, 7)
    assert list(frame.channels) == list(CHANNELS)
    for name, array in channels.items():
        kept = getattr(frame, name)
        assert np.shares_memory(kept, array)
        assert not kept.flags.writeable
        assert array.flags.writeable
    with pytest.raises(FrozenInstanceError):
        frame.depth = None
    assert repr(frame).startswith("Frame(7x5: color, albedo")


def test_equality_is_by_bits(rng):
    channels = example_channels(rng)
    channels["depth"][0, 0] = np.nan
    frame = Frame(**channels)
    assert frame == Frame(**channels)
    assert frame == pickle.loads(pickle.dumps(frame))
    assert frame != Frame(**channels, origin="other")
    assert frame != Frame(**{**channels, "depth": channels["depth"] + 1})
    assert frame != Frame(depth=channels["depth"])
    zero = Frame(depth=np.zeros((1, 1), np.float32))
    assert zero != Frame(depth=np.full((1, 1), -0.0, np.float32))
    assert zero != "frame"
    with pytest.raises(TypeError):
        hash(frame)


def test_bytes_stay_bytes():
    codes = np.array([[[0, 51, 255]]], np.uint8)
    frame = Frame(albedo=codes, color=codes)
    assert frame.albedo.dtype == frame.color.dtype == np.uint8
    assert frame == Frame(albedo=codes.copy(), color=codes.copy())
    assert frame != Frame(albedo=codes, color=codes.astype(np.float32))
    assert frame.thumbnail().tolist() == codes.tolist()
    with pytest.raises(TypeError, match="albedo must be an array of float32"):
        Frame(albedo=codes.astype(np.uint16))


def test_conversions_that_are_documented():
    assert Frame(depth=np.ones((2, 2), np.float64)).depth.dtype == np.float32
    assert Frame(depth=np.ones((2, 2), np.float16)).depth.dtype == np.float32
    assert Frame(material=np.ones((2, 2), np.uint8)).material.dtype == np.int32
    turned = Frame(depth=np.arange(6, dtype=np.float32).reshape(2, 3).T)
    assert turned.depth.flags.c_contiguous
    assert turned.depth.tolist() == [[0, 3], [1, 4], [2, 5]]
    assert Frame(color=np.zeros((1, 1, 4), np.float32)).color.shape == (1, 1, 4)


@pytest.mark.parametrize(
    ("name", "value", "error", "message"),
    [
        (
            "color",
            np.zeros((4, 5), np.float32),
            ValueError,
            "color must have 3 dimensions",
        ),
        (
            "color",
            np.zeros((4, 5, 2), np.float32),
            ValueError,
            r"color must have shape \(H, W, 3\|4\), got float32 of shape \(4, 5, 2\)",
        ),
        ("color", np.zeros((4, 5, 3), np.int32), TypeError, "color must be an array of float32"),
        ("color", np.zeros((4, 5, 3), np.complex64), TypeError, "color must be an array of float32"),
        ("depth", np.zeros((4, 5), np.uint8), TypeError, "depth must be an array of float32"),
        (
            "depth",
            np.zeros((4, 5, 1), np.float32),
            ValueError,
            "depth must have 2 dimensions",
        ),
        ("depth", np.zeros((0, 5), np.float32), ValueError, "depth must have sides of 1..16384"),
        (
            "depth",
            np.broadcast_to(np.float32(0), (1, 16385)),
            ValueError,
            "depth must have sides of 1..16384",
        ),
        ("depth", "deep", TypeError, "depth must be an array of float32"),
        ("depth", np.array([[None]]), TypeError, "depth must be an array of float32"),
        (
            "uv",
            np.zeros((4, 5, 3), np.float32),
            ValueError,
            r"uv must have shape \(H, W, 2\), got float32",
        ),
        ("primitive_id", np.zeros((4, 5), np.float32), TypeError, "primitive_id must be an array of int32"),
        ("primitive_id", np.zeros((4, 5), bool), TypeError, "primitive_id must be an array of int32"),
        ("primitive_id", np.full((4, 5), -2), ValueError, "primitive_id must hold numbers from -1"),
        (
            "material",
            np.full((4, 5), 0xFFFFFFFF, np.uint32),
            ValueError,
            "material must hold integers in",
        ),
    ],
)
def test_bad_channels_are_refused_by_name(name, value, error, message):
    with pytest.raises(error, match=message):
        Frame(**{name: value})


def test_bad_frames_are_refused():
    with pytest.raises(ValueError, match="at least one channel of color, albedo"):
        Frame()
    with pytest.raises(
        ValueError, match=r"material must have the height and width of depth, \(2, 3\), got \(3, 2\)"
    ):
        Frame(depth=np.zeros((2, 3), np.float32), material=np.zeros((3, 2), np.int32))
    with pytest.raises(TypeError, match="origin must be a str"):
        Frame(depth=np.zeros((2, 3), np.float32), origin=3)


def test_to_xarray_labels_the_axes(rng):
    pytest.importorskip("xarray")
    channels = example_channels(rng)
    dataset = Frame(**channels, origin="test").to_xarray()
    assert dataset.attrs["origin"] == "test"
    assert dataset["color"].dims == ("y", "x", "rgb")
    assert dataset["sh_normal"].dims == ("y", "x", "xyz")
    assert dataset["duv_dx"].dims == ("y", "x", "uv_axis")
    assert dataset["motion"].dims == ("y", "x", "xy")
    assert dataset["primitive_id"].dims == ("y", "x")
    assert dataset["x"].values.tolist() == [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5]
    np.testing.assert_array_equal(dataset["uv"].sel(uv_axis="v").values, channels["uv"][..., 1])


@pytest.mark.parametrize("name", CHANNELS)
def test_every_channel_has_a_thumbnail_and_a_repr(name, rng):
    pytest.importorskip("PIL")
    array = example_channels(rng, 40, 60)[name]
    if array.dtype == np.float32:
        array[0, 0], array[0, 1] = np.nan, np.inf
    frame = Frame(**{name: array}, origin="<b>")
    assert frame.thumbnail(width=30).shape == (20, 30, 3)
    assert frame.thumbnail(width=29).shape == (14, 20, 3)
    text = frame._repr_html_()
    assert "Frame 60 x 40" in text
    assert "data:image/png;base64," in text
    assert "&lt;b&gt;" in text


def test_thumbnail_of_nothing_finite():
    frame = Frame(depth=np.full((2, 2), np.inf, np.float32))
    assert frame.thumbnail().dtype == np.uint8
    with pytest.raises(ValueError, match="width must be at least 1, got 0"):
        frame.thumbnail(width=0)
