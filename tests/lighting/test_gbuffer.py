"""What a G-buffer stores of a frame, how it shows itself, and how it turns into labelled arrays."""

import numpy as np
import pytest

from tilelab import lighting
from tilelab.frame import Frame


def test_frames_are_stored_as_games_store_them() -> None:
    albedo = np.array([[[0.0, 0.5, 1.0], [-1.0, 2.0, np.nan]]], np.float32)
    normal = np.array([[[0, 0, 1], [0, -1, 0]]], np.float32)
    frame = Frame(
        albedo=albedo,
        sh_normal=normal,
        depth=np.array([[2.0, np.inf]]),
        material=np.array([[3, -1]], np.int32),
        uv=np.array([[[0.25, 70000.0], [0, 0]]], np.float32),
    )
    stored = lighting.GBuffer.from_frame(frame, channels=("albedo", "sh_normal", "material", "uv"))
    assert stored.channels["albedo"].tolist() == [[[0, 128, 255, 255], [0, 255, 0, 255]]]
    assert stored.channels["sh_normal"].tolist() == [[[128, 128, 255, 0], [128, 0, 128, 0]]]
    assert stored.channels["material"].tolist() == [[3, 2**32 - 1]]
    assert stored.channels["uv"][0, 0].tolist() == [0.25, np.inf]
    assert [channel.dtype for channel in stored.channels.values()] == ["uint8", "uint8", "uint32", "float16"]
    assert stored.valid is not None
    assert stored.valid.tolist() == [[True, False]]
    assert stored.depth_range == (0.0, 2.0)


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32", "float16", "float32"])
def test_arrays_in_c_order_are_shared(dtype: str) -> None:
    image, depth = np.zeros((4, 6, 3), dtype), np.zeros((4, 6), np.float32)
    valid = np.ones((4, 6), bool)
    gbuffer = lighting.GBuffer({"c": image}, depth, valid)
    assert gbuffer.channels["c"] is image
    assert gbuffer.depth is depth
    assert gbuffer.valid is valid


def test_the_page_shows_the_channels_that_are_pictures() -> None:
    shape = (3, 5)
    gbuffer = lighting.GBuffer(
        {
            "albedo": np.zeros((*shape, 4), np.uint8),
            "height": np.zeros((*shape, 1), np.uint16),
            "normal": np.full((*shape, 3), np.nan, np.float16),
            "motion": np.zeros((*shape, 2), np.float32),
            "id": np.zeros(shape, np.uint32),
        },
        np.zeros(shape),
        depth_range=(0.5, 20.0),
    )
    page = gbuffer._repr_html_()
    for name, shown in (("albedo", 1), ("height", 1), ("normal", 1), ("motion", 0), ("id", 0)):
        assert page.count(f'alt="channel {name}"') == shown, name
    for text in (
        "5 x 3</td>",
        "0.5 to 20</td>",
        "bytes per pixel, normal</td><td style='text-align:right'>6<",
    ):
        assert text in page


def test_gbuffer_as_labelled_arrays() -> None:
    pytest.importorskip("xarray")
    channels = {"albedo": np.arange(18, dtype=np.uint8).reshape(2, 3, 3), "id": np.ones((2, 3), np.uint32)}
    gbuffer = lighting.GBuffer(channels, np.full((2, 3), 0.5), np.eye(2, 3) > 0, (0.0, 2.0))
    found = gbuffer.to_xarray()
    assert found.albedo.dims == ("y", "x", "albedo_component")
    assert found.id.dims == found.depth.dims == found.valid.dims == ("y", "x")
    np.testing.assert_array_equal(found.albedo, channels["albedo"])
    np.testing.assert_array_equal(found.valid, gbuffer.valid)
    assert (float(found.y[1]), float(found.x[2])) == (1.5, 2.5)
    assert found.attrs == {"depth_range": (0.0, 2.0)}
    assert "valid" not in lighting.GBuffer(channels, np.zeros((2, 3))).to_xarray()
    with pytest.raises(
        ValueError, match="channels must not be named depth or valid in a Dataset, got 'depth'"
    ):
        lighting.GBuffer({"depth": channels["id"]}, np.zeros((2, 3))).to_xarray()


def test_colours_of_bytes_are_stored_as_they_are(rng: np.random.Generator) -> None:
    codes = rng.integers(0, 256, (4, 6, 3)).astype(np.uint8)
    depth = np.ones((4, 6), np.float32)
    stored = lighting.GBuffer.from_frame(
        Frame(albedo=codes, color=codes, depth=depth), channels=["albedo", "color"]
    )
    floats = lighting.GBuffer.from_frame(
        Frame(albedo=codes / np.float32(255), depth=depth), channels=["albedo"]
    )
    for name in ("albedo", "color"):
        np.testing.assert_array_equal(stored.channels[name], floats.channels["albedo"])
