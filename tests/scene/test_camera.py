"""Cameras, and the projection that motion and depth rest on."""

import numpy as np
import pytest

from tilelab.scene import Camera
from tilelab.scene.camera import View


def test_the_axes_are_left_up_forward():
    matrix = Camera(position=(0, 1, 5), target=(0, 1, 0)).to_world()
    np.testing.assert_allclose(matrix[:3, :3], np.diag([-1, 1, -1]))
    matrix = Camera(position=(1, 2, 3), target=(4, 0, -2), up=(0.1, 1, 0)).to_world()
    np.testing.assert_allclose(matrix[:3, :3].T @ matrix[:3, :3], np.eye(3), atol=1e-12)
    assert np.linalg.det(matrix) == pytest.approx(1)


def test_known_pixels():
    view = Camera(position=(0, 0, 5), target=(0, 0, 0), horizontal_fov_deg=90).view(200, 100)
    points = [(0, 0, 0), (5, 0, 0), (-5, 2.5, 0), (0, 0, 6)]
    pixels, depth = view.project(np.array(points))
    np.testing.assert_allclose(pixels[:3], [(100, 50), (200, 50), (0, 0)], atol=1e-12)
    assert np.isnan(pixels[3]).all()
    np.testing.assert_allclose(depth, [5, 5, 5, -1])


def test_directions_are_the_inverse_of_projection(rng):
    matrix = Camera(position=(1, 2, 3), target=(4, 0, -2), up=(0.1, 1, 0)).to_world()
    view = View(
        to_world=matrix,
        horizontal_fov_deg=50,
        near=0.1,
        far=10,
        size=(64, 36),
        crop_size=(20, 10),
        crop_offset=(7, 5),
        principal_point_offset=(0.1, -0.05),
    )
    directions = view.pixel_directions()
    assert directions.shape == (10, 20, 3)
    y, x = np.mgrid[:10, :20] + 0.5
    np.testing.assert_allclose(view.project_directions(directions), np.stack([x, y], axis=2), atol=1e-9)
    pixels, depth = view.project(matrix[:3, 3] + 3 * directions)
    np.testing.assert_allclose(depth, 3)
    np.testing.assert_allclose(pixels, np.stack([x, y], axis=2), atol=1e-9)
    right, down = view.pixel_steps()
    np.testing.assert_allclose(np.diff(directions, axis=1), np.broadcast_to(right, (10, 19, 3)), atol=1e-12)
    np.testing.assert_allclose(np.diff(directions, axis=0), np.broadcast_to(down, (9, 20, 3)), atol=1e-12)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"position": (0, 0)}, "position must be 3 finite numbers"),
        ({"position": (0, 0, np.nan)}, "position must be finite"),
        ({"up": (0, 0, 10**400)}, "up must be finite"),
        ({"target": (0, 0, 5)}, "target must differ from position"),
        ({"up": (0, 0, 1)}, "up must not be parallel to the line of sight"),
        ({"up": (0, 0, 0)}, "up must not be parallel to the line of sight"),
        ({"horizontal_fov_deg": 180}, "horizontal_fov_deg must be between 0 and 180"),
        ({"near": 0}, "near must be above 0 and below far"),
        ({"near": 2, "far": 1}, "near must be above 0 and below far"),
    ],
)
def test_bad_cameras_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        Camera(**{"position": (0, 0, 5), "target": (0, 0, 0), **changes})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"position": None}, "position must be a sequence, got None"),
        ({"position": (0, 0, 1j)}, "position must be a real number"),
        ({"target": "abc"}, "target must be a sequence, got 'abc'"),
        ({"up": (0, "1", 0)}, "up must be a real number, got '1'"),
    ],
)
def test_cameras_of_the_wrong_kind_are_refused(changes, message):
    with pytest.raises(TypeError, match=message):
        Camera(**{"position": (0, 0, 5), "target": (0, 0, 0), **changes})


def test_a_view_must_be_rigid():
    with pytest.raises(ValueError, match="camera must have a to_world of rotation and translation"):
        View(
            to_world=np.diag([2.0, 2, 2, 1]),
            horizontal_fov_deg=50,
            near=0.1,
            far=10,
            size=(4, 4),
            crop_size=(4, 4),
        )
