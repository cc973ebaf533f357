"""Resolve a visibility buffer: from primitive numbers and triangles to every geometric channel of a frame."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilelab.scene.camera import View
from tilelab.scene.meshes import Mesh

__all__ = ["resolve"]
__dir__ = __all__.copy


def resolve(
    mesh: Mesh, material: NDArray[np.integer], primitive_id: NDArray[np.integer], view: View, before: View
) -> dict[str, NDArray[Any]]:
    """Compute the geometric channels of a frame from what each pixel shows.

    Parameters
    ----------
    mesh : Mesh
        All triangles of the scene; triangle k is primitive k.
    material : (F,) int
        Material number of each triangle.
    primitive_id : (H, W) int
        The triangle at each pixel's centre, -1 for background.
    view, before : View
        The camera of this frame and of the frame before.

    Returns
    -------
    dict
        Frame channels ``sh_normal``, ``depth``, ``uv``, ``duv_dx``, ``duv_dy``, ``motion``, ``material``,
        ``primitive_id``, with the conventions of `tilelab.scene.render_frame`.

    Notes
    -----
    With directions d whose forward component is 1, the ray o + z d meets the triangle's plane at view depth
    z, so Cramer's rule (Moeller and Trumbore, "Fast, minimum storage ray/triangle intersection", 1997) gives
    depth and barycentric coordinates at once, in float64. The uv gradients are the differences to the plane's
    uv under the next pixel to the right and below: the forward differences that shading hardware takes inside
    a quad.
    """
    hit = primitive_id >= 0
    faces = mesh.faces[primitive_id[hit]]
    corners = mesh.positions[faces]
    origin = corners[:, 0]
    edges = corners[:, 1] - origin, corners[:, 2] - origin
    offset = view.to_world[:3, 3] - origin
    cross = np.cross(offset, edges[0])

    def meet(directions: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return view depth and barycentric coordinates of the three corners."""
        across = np.cross(directions, edges[1])
        scale = 1 / np.sum(across * edges[0], axis=1)
        second = np.sum(across * offset, axis=1) * scale
        third = np.sum(cross * directions, axis=1) * scale
        depth = np.sum(cross * edges[1], axis=1) * scale
        return depth, np.stack([1 - second - third, second, third], axis=1)[..., None]

    directions = view.pixel_directions()
    depth, weights = meet(directions[hit])
    uv_corners = mesh.uvs[faces]
    uv = np.sum(weights * uv_corners, axis=1)
    normal = np.sum(weights * mesh.normals[faces], axis=1)
    right, down = view.pixel_steps()
    duv = [np.sum(meet(directions[hit] + step)[1] * uv_corners, axis=1) - uv for step in (right, down)]

    motion = view.project_directions(directions) - before.project_directions(directions)
    point = view.to_world[:3, 3] + depth[:, None] * directions[hit]
    motion[hit] = view.project(point)[0] - before.project(point)[0]

    def image(values: NDArray[Any], dtype: type[np.generic], background: float) -> NDArray[Any]:
        full = np.full(hit.shape + values.shape[1:], background, dtype)
        full[hit] = values
        return full

    return {
        "sh_normal": image(normal / np.linalg.norm(normal, axis=1, keepdims=True), np.float32, 0),
        "depth": image(depth, np.float32, np.inf),
        "uv": image(uv, np.float32, 0),
        "duv_dx": image(duv[0], np.float32, 0),
        "duv_dy": image(duv[1], np.float32, 0),
        "motion": motion.astype(np.float32),
        "material": image(material[primitive_id[hit]], np.int32, -1),
        "primitive_id": primitive_id.astype(np.int32),
    }
