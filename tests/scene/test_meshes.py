"""The shapes that the courtyard is made of."""

import numpy as np
import pytest

from tilelab.scene import meshes


def face_normals(mesh):
    a, b, c = np.moveaxis(mesh.positions[mesh.faces], 1, 0)
    normal = np.cross(b - a, c - a)
    return normal / np.linalg.norm(normal, axis=1, keepdims=True)


@pytest.mark.parametrize(
    "mesh",
    [
        meshes.box((-1, -2, -3), (1, 2, 3)),
        meshes.ball(2.0, segments=12),
        meshes.lathe([(1, 0), (1, 2), (1, 2), (0, 2)], segments=9),
    ],
)
def test_closed_shapes_face_outward(mesh):
    middle = np.array([0, mesh.positions[:, 1].mean(), 0])
    outward = mesh.positions[mesh.faces].mean(axis=1) - middle
    assert (np.sum(face_normals(mesh) * outward, axis=1) > 0).all()
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1)
    assert (np.sum(face_normals(mesh)[:, None] * mesh.normals[mesh.faces], axis=2) > 0.5).all()


def test_a_panel_shows_an_image_upright():
    mesh = meshes.panel((0, 0, 0), (2, 0, 0), (0, 1, 0), repeats=(3, 2), cells=2)
    np.testing.assert_allclose(face_normals(mesh), np.broadcast_to([0, 0, 1], (8, 3)))
    top_left = np.flatnonzero((mesh.positions == [0, 1, 0]).all(axis=1))
    bottom_right = np.flatnonzero((mesh.positions == [2, 0, 0]).all(axis=1))
    assert mesh.uvs[top_left].tolist() == [[0, 0]]
    assert mesh.uvs[bottom_right].tolist() == [[3, 2]]


def test_a_box_repeats_the_image_by_the_metre():
    mesh = meshes.box((0, 0, 0), (4, 2, 1), repeats_per_metre=0.5)
    assert len(mesh.faces) == 12
    corners, uvs = mesh.positions[mesh.faces], mesh.uvs[mesh.faces]
    np.testing.assert_allclose(
        np.linalg.norm(np.diff(uvs, axis=1), axis=2), 0.5 * np.linalg.norm(np.diff(corners, axis=1), axis=2)
    )


def test_joined_meshes_keep_their_triangles():
    first, second = meshes.ball(1, segments=6), meshes.box((0, 0, 0), (1, 1, 1)).moved((5, 0, 0))
    joined = meshes.join([first, second])
    assert len(joined.faces) == len(first.faces) + len(second.faces)
    np.testing.assert_array_equal(
        joined.positions[joined.faces[len(first.faces) :]], second.positions[second.faces]
    )


def test_foliage_is_repeatable_and_inside_its_ellipsoid():
    one, two = (meshes.foliage((1, 2, 3), leaves=50, leaf_metres=0.05, seed=3) for _ in range(2))
    np.testing.assert_array_equal(one.positions, two.positions)
    assert len(one.faces) == 100
    assert (np.sum((one.positions / [1.1, 2.1, 3.1]) ** 2, axis=1) <= 1.05).all()
