"""The rendered frame pair that comes with the package, and how its file is packed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilelab._validation import fail
from tilelab.frame import Frame
from tilelab.io._atomic import replace_when_complete
from tilelab.scene import courtyard
from tilelab.scene.camera import Camera
from tilelab.scene.meshes import Mesh
from tilelab.scene.visibility import resolve

__all__ = ["frame_pair"]
__dir__ = __all__.copy

FILE = Path(__file__).with_name("courtyard_960x540.npz")
_BACKGROUND = 0xFFFF


def frame_pair() -> tuple[Frame, Frame]:
    """Return two neighbouring frames of the built-in courtyard scene, 960 x 540, with every channel.

    Returns
    -------
    frame, previous : Frame
        The later and the earlier frame; the camera moves 4.5 cm between them. ``frame.motion`` leads from
        `frame` to `previous`.

    Notes
    -----
    Rendered with Mitsuba 3 (`tilelab.scene.render_pair`): one sample per pixel centre for the geometry, 16
    per pixel and light for the colour; brick, grass, gravel, moon and the photographs are pictures of
    scikit-image. To stay small, the file keeps colour and albedo as 8-bit sRGB codes (albedo is decoded to
    linear), the primitive numbers, and the visible triangles in float32;
    `tilelab.scene.visibility.resolve` computes the other channels from those, equal to the renderer's up to
    float32 rounding. ``python -m tilelab.data`` makes the file again.

    Examples
    --------
    >>> frame, previous = frame_pair()
    >>> frame.shape, len(frame.channels)
    ((540, 960), 10)
    """
    with np.load(FILE, allow_pickle=False) as archive:
        stored = {name: archive[name] for name in archive.files}
    ids, material = stored["ids"], stored["material"]
    corners = [stored[name].astype(np.float64) for name in ("positions", "normals", "uvs")]
    mesh = Mesh(corners[0], corners[1], corners[2], stored["faces"].astype(np.int64))
    frames = []
    for number in range(2):
        color = _decode_picture(stored[f"color_{number}"]) / np.float32(255)
        height, width = color.shape[:2]
        compact = np.cumsum(stored[f"primitive_{number}"], axis=0, dtype=np.uint16).astype(np.int64)
        compact[compact == _BACKGROUND] = -1
        views = [
            Camera(position=row[:3], target=row[3:6], horizontal_fov_deg=row[6]).view(width, height)
            for row in stored["cameras"][number : number + 2]
        ]
        channels = resolve(mesh, material, compact, *views)
        channels["primitive_id"] = np.where(compact >= 0, ids[compact], -1).astype(np.int32)
        albedo = _LINEAR[_decode_picture(stored[f"albedo_{number}"])]
        frames.append(Frame(color=color, albedo=albedo, **channels, origin=str(stored[f"origin_{number}"])))
    return frames[0], frames[1]


def write(
    path: Path, frames: tuple[Frame, Frame], cameras: list[Camera], mesh: Mesh, material: NDArray[Any]
) -> None:
    """Write a rendered pair.

    Parameters
    ----------
    path : Path
        The .npz file to make.
    frames : (Frame, Frame)
        The later and the earlier frame.
    cameras : list of 3 Camera
        Of the later frame, the earlier one, and the one before that.
    mesh : Mesh
        All triangles of the scene.
    material : (F,) int
        Material number of each triangle.
    """
    ids = np.unique(np.concatenate([np.ravel(frame.channels["primitive_id"]) for frame in frames]))
    ids = ids[ids >= 0]
    vertices, faces = np.unique(mesh.faces[ids], return_inverse=True)
    stored: dict[str, Any] = {
        "ids": ids.astype(np.int32),
        "material": material[ids].astype(np.uint8),
        "faces": faces.reshape(-1, 3).astype(np.uint16),
        "positions": mesh.positions[vertices].astype(np.float32),
        "normals": mesh.normals[vertices].astype(np.float32),
        "uvs": mesh.uvs[vertices].astype(np.float32),
        "cameras": np.array([[*c.position, *c.target, c.horizontal_fov_deg] for c in cameras]),
    }
    if max(len(ids), len(vertices)) >= _BACKGROUND:
        raise fail("frames", f"must show fewer than {_BACKGROUND} triangles and vertices", len(ids))
    for number, frame in enumerate(frames):
        primitive, color, albedo = (frame.channels[name] for name in ("primitive_id", "color", "albedo"))
        compact = np.where(primitive >= 0, np.searchsorted(ids, primitive), _BACKGROUND).astype(np.uint16)
        stored[f"primitive_{number}"] = np.diff(compact, axis=0, prepend=np.uint16(0))
        stored[f"color_{number}"] = _encode_picture(np.rint(color * 255).astype(np.uint8))
        codes = np.searchsorted((_LINEAR[1:] + _LINEAR[:-1]) / 2, albedo).astype(np.uint8)
        stored[f"albedo_{number}"] = _encode_picture(codes)
        stored[f"origin_{number}"] = np.array(frame.origin)
    with replace_when_complete(str(path)) as fresh, open(fresh, "xb") as file:
        np.savez_compressed(file, **stored)


def _srgb_decoded() -> NDArray[np.float32]:
    """Return the linear value of every 8-bit sRGB code (IEC 61966-2-1)."""
    code = np.arange(256) / 255
    return np.where(code <= 0.04045, code / 12.92, ((code + 0.055) / 1.055) ** 2.4).astype(np.float32)


_LINEAR = _srgb_decoded()


def _encode_picture(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return planes (G, R - G, B - G) of differences along the rows, modulo 256: small numbers pack well."""
    green = picture[..., 1]
    planes = np.stack([green, picture[..., 0] - green, picture[..., 2] - green])
    return np.diff(planes, axis=2, prepend=np.uint8(0))


def _decode_picture(planes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    green, red, blue = np.cumsum(planes, axis=2, dtype=np.uint8)
    return np.stack([red + green, green, blue + green], axis=2)


def render() -> None:
    """Render the pair and replace the file."""
    steps = [courtyard.PAIR_STEPS[0] - back for back in range(3)]
    cameras = [courtyard.camera_path(step / courtyard.STEPS) for step in steps]
    write(FILE, courtyard.render_pair(), cameras, *courtyard.geometry())
    print(f"{FILE}: {FILE.stat().st_size} bytes")
