"""The real G-buffers of the shared data folder as frames; each is read once in a process."""

import functools
import importlib.util
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tilelab.frame import Frame


@functools.cache
def g_buffer_1080p(shared_data: Path, index: int) -> Frame:
    """Frame 0 or 1 at 1920x1080 with every channel; the colour is tone-mapped and display-encoded."""
    parts = {}
    for part in ("color", "geom", "uv"):
        parts.update(_read(shared_data, f"helmet_ship_1080p_f{index}_{part}.npz"))
    grad = parts["grad"]
    return Frame(
        color=_display(parts["shaded"]),
        albedo=parts["albedo"],
        sh_normal=parts["normal"],
        depth=parts["depth"],
        uv=parts["uv"],
        duv_dx=grad[..., 0:2],
        duv_dy=grad[..., 2:4],
        motion=parts["motion"],
        material=_ids(parts["mat"]),
        primitive_id=_ids(parts["tri"]),
        origin=f"helmet_ship, frame {index}",
    )


def g_buffer_2160p(shared_data: Path) -> Frame:
    """The 3840x2160 frame: colour, normals, depth and ids; it has no uv, albedo or motion."""
    halves = [
        _read(shared_data, f"helmet_ship_2160p_color_{half}.npz")["shaded"] for half in ("top", "bottom")
    ]
    parts = _read(shared_data, "helmet_ship_2160p_geom.npz")
    return Frame(
        color=_display(np.concatenate(halves)),
        sh_normal=parts["normal_snorm8"].astype(np.float32) / np.float32(127),
        depth=parts["depth"],
        material=_ids(parts["mat"]),
        primitive_id=_ids(parts["tri"]),
        origin="helmet_ship, 3840x2160",
    )


def _read(shared_data: Path, name: str) -> dict[str, npt.NDArray]:
    spec = importlib.util.spec_from_file_location("read_data", shared_data / "read_data.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.read_npz(shared_data / "frames" / name)


def _display(radiance: npt.NDArray) -> npt.NDArray[np.float32]:
    linear = radiance.astype(np.float32)
    return (linear / (1 + linear)) ** np.float32(1 / 2.2)


def _ids(numbers: npt.NDArray) -> npt.NDArray[np.int32]:
    """Background is the largest unsigned number; a frame marks it with -1."""
    return np.where(numbers == np.iinfo(numbers.dtype).max, -1, numbers.astype(np.int64)).astype(np.int32)
