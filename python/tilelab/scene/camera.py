"""A pinhole camera: where it stands, and which pixel a point of the world falls on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilelab._validation import as_float, as_list, fail

__all__ = ["Camera", "View"]
__dir__ = __all__.copy


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    """A pinhole camera described by what a person would say about it.

    Parameters
    ----------
    position : (3,) float
        Where the camera stands, metres.
    target : (3,) float
        The point in the middle of the picture.
    up : (3,) float, default (0, 1, 0)
        A direction that is up in the picture.
    horizontal_fov_deg : float, default 60
        Angle of view across the width of the picture, degrees, between 0 and 180.
    near, far : float, default 0.01 and 1000
        Nothing closer or farther is seen, metres.

    Examples
    --------
    >>> Camera(position=(0, 1.6, 5), target=(0, 1, 0)).to_world()[:3, 3]
    array([0. , 1.6, 5. ])
    """

    position: Sequence[float]
    target: Sequence[float]
    up: Sequence[float] = (0.0, 1.0, 0.0)
    horizontal_fov_deg: float = 60.0
    near: float = 0.01
    far: float = 1000.0

    def __post_init__(self) -> None:
        for name in ("position", "target", "up"):
            numbers = as_list(name, getattr(self, name))
            if len(numbers) != 3:
                raise fail(name, "must be 3 finite numbers", getattr(self, name))
            object.__setattr__(self, name, tuple(as_float(name, number) for number in numbers))
        fov = as_float("horizontal_fov_deg", self.horizontal_fov_deg)
        if not 0 < fov < 180:
            raise fail("horizontal_fov_deg", "must be between 0 and 180", fov)
        near, far = as_float("near", self.near), as_float("far", self.far)
        if not 0 < near < far:
            raise fail("near", "must be above 0 and below far", f"near = {near}, far = {far}")
        forward = np.subtract(self.target, self.position)
        if not np.linalg.norm(forward):
            raise fail("target", "must differ from position", self.target)
        side = np.linalg.norm(np.cross(self.up, forward))
        if side <= 1e-9 * np.linalg.norm(self.up) * np.linalg.norm(forward):
            raise fail("up", "must not be parallel to the line of sight", self.up)

    def view(self, width: int, height: int) -> View:
        """Return the camera with a picture size."""
        return View(
            to_world=self.to_world(),
            horizontal_fov_deg=self.horizontal_fov_deg,
            near=self.near,
            far=self.far,
            size=(width, height),
            crop_size=(width, height),
        )

    def to_world(self) -> NDArray[np.float64]:
        """Return the matrix from camera space (x left, y up, z forward) to the world, float64 (4, 4)."""
        forward = np.subtract(self.target, self.position)
        forward = forward / np.linalg.norm(forward)
        left = np.cross(self.up, forward)
        left = left / np.linalg.norm(left)
        matrix = np.eye(4)
        matrix[:3, 0], matrix[:3, 1], matrix[:3, 2] = left, np.cross(forward, left), forward
        matrix[:3, 3] = self.position
        return matrix


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class View:
    """A camera with a picture size: everything that projecting a point needs.

    Parameters
    ----------
    to_world : (4, 4) float64
        Camera space (x left, y up, z forward) to world space; a rotation and a translation.
    horizontal_fov_deg, near, far : float
        As in `Camera`; the angle spans the full width, before cropping.
    size, crop_size, crop_offset : (width, height) or (x, y)
        The full picture and the part of it that is rendered, in pixels.
    principal_point_offset : (x, y)
        Offset of the optical axis relative to the full picture's width and height.
    """

    to_world: NDArray[np.float64]
    horizontal_fov_deg: float
    near: float
    far: float
    size: tuple[int, int]
    crop_size: tuple[int, int]
    crop_offset: tuple[int, int] = (0, 0)
    principal_point_offset: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        rotation = self.to_world[:3, :3]
        if not (
            np.isfinite(self.to_world).all() and np.allclose(rotation.T @ rotation, np.eye(3), atol=1e-4)
        ):
            raise fail("camera", "must have a to_world of rotation and translation", self.to_world.tolist())

    def project(self, points: NDArray[np.floating]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Project points of the world.

        Parameters
        ----------
        points : (..., 3) float
            World positions, metres.

        Returns
        -------
        pixels : (..., 2) float64
            x to the right and y down from the top left corner of the rendered part; NaN where the point
            is not in front of the camera.
        depth : (...) float64
            Distance along the forward axis, metres.
        """
        return self._project(np.asarray(points, np.float64) - self.to_world[:3, 3])

    def project_directions(self, directions: NDArray[np.floating]) -> NDArray[np.float64]:
        """Project points at infinity, given by their directions (..., 3); NaN behind the camera."""
        return self._project(np.asarray(directions, np.float64))[0]

    def pixel_directions(self) -> NDArray[np.float64]:
        """Return the world direction through every pixel centre, forward component 1: (H, W, 3) float64."""
        width, height = self.crop_size
        x = (np.arange(width) + 0.5 + self.crop_offset[0]) / self.size[0] + self.principal_point_offset[0]
        y = (np.arange(height) + 0.5 + self.crop_offset[1]) / self.size[1] + self.principal_point_offset[1]
        half_x, half_y = self._half_extents()
        local = np.ones((height, width, 3))
        local[..., 0] = half_x * (1 - 2 * x)
        local[..., 1] = (half_y * (1 - 2 * y))[:, None]
        directions: NDArray[np.float64] = local @ self.to_world[:3, :3].T
        return directions

    def pixel_steps(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the change of `pixel_directions` per pixel to the right and per pixel down: two (3,)."""
        steps = [
            -2 * half / size * self.to_world[:3, axis]
            for axis, (half, size) in enumerate(zip(self._half_extents(), self.size, strict=True))
        ]
        return steps[0], steps[1]

    def _half_extents(self) -> tuple[float, float]:
        half_x = math.tan(math.radians(self.horizontal_fov_deg) / 2)
        return half_x, half_x * self.size[1] / self.size[0]

    def _project(self, relative: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        local = relative @ self.to_world[:3, :3]
        depth = local[..., 2]
        ahead = np.where(depth > 0, depth, np.nan)
        pixels = np.empty(local.shape[:-1] + (2,))
        for axis, half in enumerate(self._half_extents()):
            unit = 0.5 * (1 - local[..., axis] / (half * ahead)) - self.principal_point_offset[axis]
            pixels[..., axis] = unit * self.size[axis] - self.crop_offset[axis]
        return pixels, depth
