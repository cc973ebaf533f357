"""Workloads to schedule: factors of a built-in terrain, and factors read from a file."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tilelab._validation import as_float, as_int, as_path, fail
from tilelab.tessellation.draw_call import DrawCall

__all__ = ["load_factors", "terrain_draw_call", "terrain_factors"]
__dir__ = __all__.copy

TERRAIN_SIZE = 1000.0
VIEW_WIDTH, VIEW_HEIGHT = 1920, 1080
FIELD_OF_VIEW = 60.0  # degrees, vertical
# Eye and target in units of the terrain's size, x and z from its centre; the eye's y is over the ground.
CAMERAS = (
    ((-0.40, 0.03, -0.42), (0.1, 0.05, 0.1)),
    ((0.02, 0.006, -0.20), (0.0, 0.03, 0.4)),
    ((0.0, 0.55, -0.45), (0.0, 0.0, 0.0)),
)
# Wave length, direction (radians) and height of the terrain's ridges, in units of its size.
RIDGES = (
    (0.71, 0.4, 0.060),
    (0.37, 1.9, 0.035),
    (0.19, 2.7, 0.018),
    (0.083, 0.9, 0.008),
    (0.041, 2.2, 0.004),
)

Vectors = npt.NDArray[np.float64]


def _height(x: Vectors, z: Vectors) -> Vectors:
    total = np.zeros(np.broadcast(x, z).shape)
    for length, angle, height in RIDGES:
        phase = (x * np.cos(angle) + z * np.sin(angle)) * (2.0 * np.pi / length)
        total += height * (1.0 - np.abs(np.sin(phase)))
    return total


def terrain_factors(
    patches: int = 128, *, camera: int = 0, target_edge_pixels: float = 8.0
) -> npt.NDArray[np.float32]:
    """Give the tessellation factors of a terrain of square patches seen by a camera.

    Parameters
    ----------
    patches : int, default 128
        Patches along each side.
    camera : int, default 0
        0 = low over the ground, along the diagonal; 1 = at eye level in a valley; 2 = from high above.
    target_edge_pixels : float, default 8.0
        Length on the screen (1920x1080) that one segment of an edge should have.

    Returns
    -------
    ndarray of float32, shape (patches * patches, 6)
        Quad factors in hardware order, patches row by row. An edge's factor is the size in pixels of a sphere
        of its length put at its middle, divided by the target and clamped to [1, 64]; an inside factor is the
        mean of the two opposite edges. A patch out of view has zeros: it is culled.

    Raises
    ------
    ValueError
        An argument is outside its range.

    Examples
    --------
    >>> from tilelab.tessellation import terrain_factors
    >>> factors = terrain_factors(32)
    >>> factors.shape, bool((factors[factors[:, 0] > 0] >= 1).all())
    ((1024, 6), True)
    """
    count = as_int("patches", patches, low=1, high=1024)
    eye_at, target_at = CAMERAS[as_int("camera", camera, low=0, high=len(CAMERAS) - 1)]
    pixels = as_float("target_edge_pixels", target_edge_pixels, low=0.01)

    grid = np.linspace(-0.5, 0.5, count + 1)
    x, z = np.meshgrid(grid, grid)
    corners = np.stack([x, _height(x, z), z], axis=-1) * TERRAIN_SIZE

    eye = np.array(eye_at)
    eye[1] += _height(eye[:1], eye[2:])[0]
    eye *= TERRAIN_SIZE
    forward = np.array(target_at) * TERRAIN_SIZE - eye
    forward /= np.linalg.norm(forward)
    right = np.cross((0.0, 1.0, 0.0), forward)
    right /= np.linalg.norm(right)
    up = np.cross(forward, right)
    focal = 0.5 * VIEW_HEIGHT / np.tan(np.radians(FIELD_OF_VIEW) / 2)

    def edge(a: Vectors, b: Vectors) -> Vectors:
        depth = np.maximum(((a + b) / 2 - eye) @ forward, 1.0)
        size = np.linalg.norm(b - a, axis=-1) * focal / depth
        return np.asarray(np.clip(size / pixels, 1.0, 64.0))

    c00, c10, c01, c11 = corners[:-1, :-1], corners[:-1, 1:], corners[1:, :-1], corners[1:, 1:]
    edges = np.stack([edge(c00, c01), edge(c00, c10), edge(c10, c11), edge(c01, c11)], axis=-1)
    inside = np.stack([(edges[..., 1] + edges[..., 3]) / 2, (edges[..., 0] + edges[..., 2]) / 2], axis=-1)
    factors = np.concatenate([edges, inside], axis=-1)

    centre = (c00 + c10 + c01 + c11) / 4
    radius = np.linalg.norm(np.stack([c00, c10, c01, c11]) - centre, axis=-1).max(axis=0)
    offset = centre - eye
    depth = offset @ forward
    outside = depth < -radius
    for axis, half in ((right, VIEW_WIDTH / 2), (up, VIEW_HEIGHT / 2)):
        slant = np.hypot(focal, half)  # distance to the side planes of the view pyramid
        across = np.abs(offset @ axis)
        outside |= (across * focal - np.maximum(depth, 0.0) * half) / slant > radius
    factors[outside] = 0.0
    return factors.reshape(-1, 6).astype(np.float32)


def terrain_draw_call(patches: int = 128, *, camera: int = 0, target_edge_pixels: float = 8.0) -> DrawCall:
    """Give the draw call of a terrain: quads of four control points, cut at fractional odd factors.

    Parameters
    ----------
    patches, camera, target_edge_pixels
        As for :func:`terrain_factors`.

    Returns
    -------
    DrawCall
        Two vec4s a control point in and out, and no patch constants but the factors.

    Raises
    ------
    ValueError
        An argument is outside its range.

    Examples
    --------
    >>> from tilelab.tessellation import terrain_draw_call
    >>> terrain_draw_call(16)
    DrawCall(terrain: 256 patches, quad, fractional_odd, 4 -> 4 control points)
    """
    return DrawCall(
        name="terrain",
        domain="quad",
        partitioning="fractional_odd",
        factors=terrain_factors(patches, camera=camera, target_edge_pixels=target_edge_pixels),
        in_control_points=4,
        out_control_points=4,
        in_stride=32,
        out_stride=32,
        patch_constant_bytes=24,
    )


def load_factors(path: str | Path, *, camera: int = 0) -> npt.NDArray[np.float32]:
    """Read the factors of one camera from a file of edge and inside factors.

    Parameters
    ----------
    path : str or Path
        An .npz file with arrays ``edge_K`` (patches, 4 or 3) and ``inside_K`` (patches, 2) or (patches,),
        both float32, for camera K.
    camera : int, default 0
        Which K.

    Returns
    -------
    ndarray of float32, shape (patches, 6) or (patches, 4)
        Quad or triangle factors in hardware order.

    Raises
    ------
    OSError
        The file cannot be read.
    ValueError
        The file is no .npz archive, has no such camera, or its arrays do not fit together.

    Examples
    --------
    >>> import tempfile, numpy as np
    >>> from tilelab.tessellation import load_factors
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.savez(folder + "/two.npz", edge_0=np.full((2, 3), 4, "f4"), inside_0=np.full(2, 5, "f4"))
    ...     load_factors(folder + "/two.npz")
    array([[4., 4., 4., 5.],
           [4., 4., 4., 5.]], dtype=float32)
    """
    number = as_int("camera", camera, low=0)
    try:
        file = np.load(as_path("path", path), allow_pickle=False)
    except (ValueError, EOFError, zipfile.BadZipFile) as error:
        raise fail("path", "must be an .npz archive", f"{path} ({error})") from None
    if not isinstance(file, np.lib.npyio.NpzFile):
        raise fail("path", "must be an .npz archive", f"{path} (one array)")
    with file:
        names = (f"edge_{number}", f"inside_{number}")
        missing = [name for name in names if name not in file.files]
        if missing:
            raise fail(
                "camera", "must be one whose factors the file has", f"{number} (no {missing[0]} in {path})"
            )
        edges, inside = (np.asarray(file[name], np.float32) for name in names)
    inside = inside.reshape(len(inside), -1)
    if (
        edges.ndim != 2
        or len(edges) != len(inside)
        or (edges.shape[1], inside.shape[1]) not in ((4, 2), (3, 1))
    ):
        got = f"{edges.shape} and {inside.shape}"
        raise fail("path", "must hold edge factors (N, 4) with inside (N, 2), or (N, 3) with (N,)", got)
    return np.concatenate([edges, inside], axis=1)
