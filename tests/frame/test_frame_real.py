"""A captured 1080p G-buffer goes into a Frame and through both kinds of file."""

import importlib.util

import numpy as np
import pytest

from tilelab.frame import Frame


@pytest.fixture(scope="module")
def real(shared_data):
    spec = importlib.util.spec_from_file_location("read_data", shared_data / "read_data.py")
    reader = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reader)
    stored = {}
    for part in ("color", "geom", "uv"):
        stored |= reader.read_npz(shared_data / "frames" / f"helmet_ship_1080p_f1_{part}.npz")
    return stored


def test_real_frame_round_trip(real, tmp_path):
    rows = slice(300, 700)  # a part of the picture keeps the test short
    cut = {name: array[rows] for name, array in real.items()}
    frame = Frame(
        color=cut["shaded"],
        albedo=cut["albedo"],
        sh_normal=cut["normal"],
        depth=cut["depth"],
        uv=cut["uv"],
        duv_dx=cut["grad"][..., :2],
        duv_dy=cut["grad"][..., 2:],
        motion=cut["motion"],
        material=np.where(cut["mat"] == 255, -1, cut["mat"].astype(np.int32)),
        primitive_id=cut["tri"].view(np.int32),
        origin="helmet_ship f1, rows 300 to 699",
    )
    assert frame.shape == (400, 1920)
    np.testing.assert_array_equal(frame.primitive_id == -1, np.isinf(frame.depth))
    frame.save(tmp_path / "frame.npz")
    assert Frame.load(tmp_path / "frame.npz") == frame
    pytest.importorskip("OpenEXR")
    frame.save(tmp_path / "frame.exr")
    assert Frame.load(tmp_path / "frame.exr") == frame


def test_unsigned_triangle_numbers_with_a_background_mark_are_refused(real):
    with pytest.raises(ValueError, match="primitive_id must hold integers in"):
        Frame(primitive_id=real["tri"])
