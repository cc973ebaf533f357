"""Triangle meshes made from a few numbers: boxes, panels, lathed bodies, leaves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Mesh", "ball", "box", "foliage", "join", "lathe", "panel"]
__dir__ = __all__.copy

Vector = Sequence[float]


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """Vertices with normals and texture coordinates, and triangles that index them.

    Parameters
    ----------
    positions, normals : (N, 3) float64
        Metres; unit vectors.
    uvs : (N, 2) float64
        Texture coordinates: (0, 0) is the first texel of the image's first row; whole numbers repeat it.
    faces : (F, 3) int64
        Vertex numbers, counter-clockwise seen from outside.
    """

    positions: NDArray[np.float64]
    normals: NDArray[np.float64]
    uvs: NDArray[np.float64]
    faces: NDArray[np.int64]

    def moved(self, offset: Vector) -> Mesh:
        """Return the mesh moved by `offset`."""
        return Mesh(self.positions + np.asarray(offset, np.float64), self.normals, self.uvs, self.faces)


def join(meshes: Iterable[Mesh]) -> Mesh:
    """Return one mesh made of several."""
    parts = list(meshes)
    starts = np.cumsum([0] + [len(part.positions) for part in parts[:-1]])
    return Mesh(
        np.concatenate([part.positions for part in parts]),
        np.concatenate([part.normals for part in parts]),
        np.concatenate([part.uvs for part in parts]),
        np.concatenate([part.faces + start for part, start in zip(parts, starts, strict=True)]),
    )


def panel(
    corner: Vector, right: Vector, up: Vector, *, repeats: tuple[float, float] = (1, 1), cells: int = 1
) -> Mesh:
    """Return a flat parallelogram that shows an image upright.

    Parameters
    ----------
    corner : (3,) float
        The lower left corner, seen from the front.
    right, up : (3,) float
        The lower and the left edge; the front is where ``cross(right, up)`` points.
    repeats : (float, float)
        How often the image repeats along `right` and `up`.
    cells : int, default 1
        Cells along each edge, of two triangles each.
    """
    ticks = np.linspace(0, 1, cells + 1)
    s, t = np.tile(ticks, cells + 1), np.repeat(ticks, cells + 1)
    edges = np.asarray([right, up], np.float64)
    positions = np.asarray(corner, np.float64) + np.stack([s, t], axis=1) @ edges
    normal = np.cross(edges[0], edges[1])
    normals = np.broadcast_to(normal / np.linalg.norm(normal), positions.shape)
    uvs = np.stack([s * repeats[0], (1 - t) * repeats[1]], axis=1)
    return Mesh(positions, normals, uvs, _grid_faces(cells, cells))


def box(low: Vector, high: Vector, *, repeats_per_metre: float = 1.0) -> Mesh:
    """Return an axis-aligned box; one image repeat is ``1 / repeats_per_metre`` metres on every side."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    dx, dy, dz = x1 - x0, y1 - y0, z1 - z0
    sides = [
        ((x0, y0, z1), (dx, 0, 0), (0, dy, 0)),
        ((x1, y0, z0), (-dx, 0, 0), (0, dy, 0)),
        ((x1, y0, z1), (0, 0, -dz), (0, dy, 0)),
        ((x0, y0, z0), (0, 0, dz), (0, dy, 0)),
        ((x0, y1, z1), (dx, 0, 0), (0, 0, -dz)),
        ((x0, y0, z0), (dx, 0, 0), (0, 0, dz)),
    ]
    return join(
        panel(
            corner,
            right,
            up,
            repeats=(
                repeats_per_metre * float(np.linalg.norm(right)),
                repeats_per_metre * float(np.linalg.norm(up)),
            ),
        )
        for corner, right, up in sides
    )


def lathe(
    profile: Sequence[tuple[float, float]], *, segments: int, repeats: tuple[float, float] = (1, 1)
) -> Mesh:
    """Return the surface that a profile sweeps around the y axis, smooth along the profile.

    Parameters
    ----------
    profile : sequence of (radius, height)
        From the bottom up, outside to the right; a repeated point makes a sharp edge.
    segments : int
        Segments around the axis.
    repeats : (float, float)
        How often the image repeats around the axis and along the profile.
    """
    points = np.asarray(profile, np.float64)
    steps = np.diff(points, axis=0)
    length = np.concatenate([[0], np.cumsum(np.linalg.norm(steps, axis=1))])
    slopes = _profile_normals(points, steps)
    angle = np.linspace(np.pi, 3 * np.pi, segments + 1)  # the seam is at the back, -z
    around = np.stack([np.sin(angle), np.cos(angle)], axis=1)
    rows, columns = len(points), segments + 1
    positions, normals = np.empty((rows, columns, 3)), np.empty((rows, columns, 3))
    for target, values in ((positions, points), (normals, slopes)):
        target[..., 0] = values[:, :1] * around[:, 0]
        target[..., 1] = values[:, 1:]
        target[..., 2] = values[:, :1] * around[:, 1]
    uvs = np.empty((rows, columns, 2))
    uvs[..., 0] = np.linspace(0, repeats[0], columns)
    uvs[..., 1] = ((1 - length / length[-1]) * repeats[1])[:, None]
    faces = _grid_faces(segments, rows - 1)
    corners = positions.reshape(-1, 3)[faces]
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    return Mesh(positions.reshape(-1, 3), normals.reshape(-1, 3), uvs.reshape(-1, 2), faces[area > 1e-12])


def ball(radius: float, *, segments: int, repeats: tuple[float, float] = (1, 1)) -> Mesh:
    """Return a sphere around the origin, an image wrapped around it."""
    latitude = np.linspace(-np.pi / 2, np.pi / 2, segments // 2 + 1)
    profile = list(zip(radius * np.cos(latitude), radius * np.sin(latitude), strict=True))
    return lathe(profile, segments=segments, repeats=repeats)


def foliage(radii: Vector, *, leaves: int, leaf_metres: float, seed: int) -> Mesh:
    """Return leaves of two triangles each, scattered through the outer part of an ellipsoid."""
    random = np.random.default_rng(seed)
    direction = random.standard_normal((leaves, 3))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    center = direction * random.uniform(0.72, 1.0, (leaves, 1)) * np.asarray(radii, np.float64)
    facing = direction + 0.6 * random.standard_normal((leaves, 3))
    facing /= np.linalg.norm(facing, axis=1, keepdims=True)
    along = np.cross(facing, random.standard_normal((leaves, 3)))
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    across = np.cross(facing, along)
    size = leaf_metres * random.uniform(0.7, 1.3, (leaves, 1))
    corners = [
        center - size * along,
        center + 0.45 * size * across,
        center + size * along,
        center - 0.45 * size * across,
    ]
    start = random.uniform(0, 0.9, (leaves, 2))
    offsets = [(0.0, 0.0), (0.1, 0.0), (0.1, 0.1), (0.0, 0.1)]
    positions = np.stack(corners, axis=1).reshape(-1, 3)
    uvs = np.stack([start + offset for offset in offsets], axis=1).reshape(-1, 2)
    # a leaf is lit like the crown it belongs to, from both sides
    normals = np.repeat(direction, 4, axis=0)
    first = 4 * np.arange(leaves)
    quads = [np.stack([first, first + 3, first + 2], axis=1), np.stack([first, first + 2, first + 1], axis=1)]
    return Mesh(positions, normals, uvs, np.concatenate(quads))


def _profile_normals(points: NDArray[np.float64], steps: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the outward normals (radial, up) of the profile's points, split at repeated points."""
    outward = np.stack([steps[:, 1], -steps[:, 0]], axis=1)
    lengths = np.linalg.norm(outward, axis=1, keepdims=True)
    unit = np.divide(outward, lengths, out=np.zeros_like(outward), where=lengths > 0)
    normals = np.zeros_like(points)
    normals[:-1] += unit
    normals[1:] += unit
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return normals


def _grid_faces(columns: int, rows: int) -> NDArray[np.int64]:
    """Return two triangles for each cell of a grid of vertices stored row by row."""
    column, row = np.meshgrid(np.arange(columns), np.arange(rows))
    first = (row * (columns + 1) + column).ravel()
    above = first + columns + 1
    pairs = np.stack([first, first + 1, above + 1, first, above + 1, above], axis=1)
    return pairs.reshape(-1, 3).astype(np.int64)
