"""The frame pair that comes with the package."""

import subprocess
import sys

import numpy as np

from tilelab.data import rendered
from tilelab.frame import CHANNELS


def test_both_frames_have_every_channel(frame_pair):
    for frame in frame_pair:
        assert frame.shape == (540, 960)
        assert list(frame.channels) == list(CHANNELS)
        assert "Mitsuba" in frame.origin
        hit = frame.primitive_id >= 0
        assert 0.7 < hit.mean() < 0.9
        np.testing.assert_array_equal(frame.material >= 0, hit)
        np.testing.assert_array_equal(np.isfinite(frame.depth), hit)
        assert (frame.depth[~hit] == np.inf).all()
        for name in ("sh_normal", "uv", "duv_dx", "duv_dy", "albedo"):
            assert (getattr(frame, name)[~hit] == 0).all(), name
        np.testing.assert_allclose(np.linalg.norm(frame.sh_normal[hit], axis=1), 1, atol=1e-6)
        assert np.isfinite(frame.motion).all()
        for name in ("color", "albedo"):
            assert getattr(frame, name).min() >= 0
            assert getattr(frame, name).max() <= 1


def test_the_file_is_small_and_needs_numpy_alone():
    assert rendered.FILE.stat().st_size <= 3_000_000
    code = (
        "import sys\n"
        "for name in ('mitsuba', 'skimage', 'PIL', 'OpenEXR', 'xarray'): sys.modules[name] = None\n"
        "from tilelab import data; print(data.frame_pair()[0].shape)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "(540, 960)"


def test_motion_leads_to_the_same_triangle(frame_pair):
    frame, previous = frame_pair
    height, width = frame.shape
    y, x = np.mgrid[:height, :width]
    old_x = np.rint(x - frame.motion[..., 0]).astype(int)
    old_y = np.rint(y - frame.motion[..., 1]).astype(int)
    inside = (old_x >= 0) & (old_x < width) & (old_y >= 0) & (old_y < height)
    there = old_y[inside], old_x[inside]
    assert (previous.material[there] == frame.material[inside]).mean() > 0.98
    assert (previous.primitive_id[there] == frame.primitive_id[inside]).mean() > 0.93
    followed = np.abs(previous.color[there] - frame.color[inside]).mean()
    stayed = np.abs(previous.color[inside] - frame.color[inside]).mean()
    assert stayed > 1.8 * followed
    assert 1 < np.linalg.norm(frame.motion, axis=2).mean() < 3


def test_gradients_are_differences_inside_triangles(frame_pair):
    for frame in frame_pair:
        for gradient, axis in ((frame.duv_dx, 1), (frame.duv_dy, 0)):
            here = [slice(None), slice(None)]
            here[axis] = slice(None, -1)
            same = (np.diff(frame.primitive_id, axis=axis) == 0) & (frame.primitive_id[tuple(here)] >= 0)
            difference = np.diff(frame.uv, axis=axis)
            assert same.mean() > 0.5
            np.testing.assert_allclose(gradient[tuple(here)][same], difference[same], atol=5e-6)


def test_pictures_survive_packing(rng):
    picture = rng.integers(0, 256, (5, 7, 3), dtype=np.uint8)
    planes = rendered._encode_picture(picture)
    assert planes.dtype == np.uint8
    np.testing.assert_array_equal(rendered._decode_picture(planes), picture)
