"""The built-in scene, rendered small, against the resolved visibility buffer and the frames that ship."""

import numpy as np
import pytest

from tilelab.scene import courtyard, render_pair
from tilelab.scene.visibility import resolve

pytest.importorskip("mitsuba")
pytest.importorskip("skimage")

WIDTH, HEIGHT = 64, 36


@pytest.fixture(scope="module")
def rendered():
    told = []
    pair = render_pair(WIDTH, HEIGHT, 1, lambda done, total: told.append((done, total)))
    return pair, told


def camera(back, width=WIDTH, height=HEIGHT):
    step = courtyard.PAIR_STEPS[0] - back
    return courtyard.camera_path(step / courtyard.STEPS).view(width, height)


def test_the_pair_has_every_channel_and_tells_its_progress(rendered):
    (frame, previous), told = rendered
    assert frame.shape == previous.shape == (HEIGHT, WIDTH)
    assert len(frame.channels) == len(previous.channels) == 10
    assert frame.origin != previous.origin
    done = [part for part, _ in told]
    assert done == sorted(done)
    assert {total for _, total in told} == {done[-1]}


def test_the_renderer_agrees_with_the_resolved_visibility_buffer(rendered):
    mesh, material = courtyard.geometry()
    for back, frame in enumerate(rendered[0]):
        channels = resolve(mesh, material, frame.primitive_id, camera(back), camera(back + 1))
        hit = frame.primitive_id >= 0
        assert len(np.unique(frame.material)) > 12
        np.testing.assert_array_equal(channels["material"], frame.material)
        np.testing.assert_array_equal(channels["primitive_id"], frame.primitive_id)
        # a leaf seen edge-on has huge gradients, and float32 there is worth less
        gradient = np.maximum(np.abs(channels["duv_dx"]).max(axis=2), np.abs(channels["duv_dy"]).max(axis=2))
        usual = gradient < 1
        assert usual.mean() > 0.98
        for name, rtol, atol in (
            ("depth", 2e-5, 0),
            ("uv", 0, 5e-5),
            ("sh_normal", 0, 2e-3),
            ("motion", 0, 1e-4),
            ("duv_dx", 2e-3, 1e-5),
            ("duv_dy", 2e-3, 1e-5),
        ):
            np.testing.assert_allclose(
                channels[name][usual], getattr(frame, name)[usual], rtol=rtol, atol=atol, err_msg=name
            )
        assert (np.isinf(channels["depth"]) == ~hit).all()


def test_the_picture_is_good_to_look_at(rendered):
    (frame, _), _ = rendered
    luminance = frame.color @ np.float32([0.2126, 0.7152, 0.0722])
    assert 0.25 < luminance.mean() < 0.6
    assert (luminance < 0.02).mean() < 0.05
    assert (luminance > 0.98).mean() < 0.02
    assert 0.1 < (frame.primitive_id < 0).mean() < 0.35  # some sky


def test_the_camera_path_moves_smoothly():
    path = np.array([courtyard.camera_path(t).position for t in np.linspace(0, 1, 121)])
    steps = np.linalg.norm(np.diff(path, axis=0), axis=1)
    assert steps.min() > 0.03
    assert steps.max() < 0.05
    with pytest.raises(ValueError, match="t must be at most 1"):
        courtyard.camera_path(1.5)


@pytest.mark.slow
def test_the_shipped_pair_is_what_the_command_renders(frame_pair):
    for fresh, shipped in zip(render_pair(progress=False), frame_pair, strict=True):
        same = fresh.primitive_id == shipped.primitive_id
        assert same.mean() > 0.9999
        assert fresh.origin == shipped.origin
        np.testing.assert_array_equal(fresh.material[same], shipped.material[same])
        np.testing.assert_allclose(fresh.depth[same], shipped.depth[same], rtol=1e-4)
        np.testing.assert_allclose(fresh.motion, shipped.motion, atol=1e-2)
        assert np.quantile(np.abs(fresh.uv - shipped.uv), 0.999) < 1e-4
        assert np.quantile(np.abs(fresh.duv_dx - shipped.duv_dx), 0.999) < 1e-4
        # 8-bit codes: linear albedo is at most half a step of the sRGB curve away, 0.0045 at white
        assert np.quantile(np.abs(fresh.color - shipped.color), 0.999) <= 0.5 / 255 + 1e-6
        assert np.quantile(np.abs(fresh.albedo - shipped.albedo), 0.999) <= 0.0046
