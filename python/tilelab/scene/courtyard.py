"""The built-in scene: a courtyard with a gallery of photographs, a pergola, a lawn, pots and a tree."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilelab import _skimage
from tilelab._validation import as_float
from tilelab.frame import Frame
from tilelab.scene.camera import Camera
from tilelab.scene.color_pass import reporter
from tilelab.scene.meshes import Mesh, ball, box, foliage, join, lathe, panel
from tilelab.scene.mitsuba import render_frame

__all__ = ["camera_path", "render_pair", "scene"]
__dir__ = __all__.copy

STEPS = 120
PAIR_STEPS = (18, 17)  # the frame of `render_pair` and its predecessor: 4.5 cm apart

# Direction in which light travels, and irradiance.
Light = tuple[tuple[float, float, float], tuple[float, float, float]]
_SUN: Light = ((0.40, -0.92, -0.70), (3.1, 2.8, 2.35))
_SKY_IRRADIANCE = (0.26, 0.30, 0.37)


def camera_path(t: float) -> Camera:
    """Return the camera at a point of its path through the courtyard.

    Parameters
    ----------
    t : float
        0 = the start, 1 = the end, about 5 metres later.

    Examples
    --------
    >>> from tilelab.scene import courtyard
    >>> courtyard.camera_path(0.5).horizontal_fov_deg
    62.0
    """
    t = as_float("t", t, low=0.0, high=1.0)
    return Camera(
        position=(-2.8 + 4.2 * t, 1.8 + 0.25 * math.sin(math.pi * t), 8.9 - 1.7 * t),
        target=(-0.7 + 0.9 * t, 1.15, -1.0),
        horizontal_fov_deg=62.0,
        far=200.0,
    )


def render_pair(
    width: int = 960,
    height: int = 540,
    spp: int = 16,
    progress: bool | Callable[[int, int], None] = True,
) -> tuple[Frame, Frame]:
    """Render two neighbouring frames of the camera path, each with every channel.

    Parameters
    ----------
    width, height : int, default 960 and 540
        Size in pixels.
    spp : int, default 16
        Samples per pixel and light.
    progress : bool or callable, default True
        True shows a bar when a terminal or a notebook is there; a callable gets (rows done, rows in all).

    Returns
    -------
    frame, previous : Frame
        The later and the earlier frame.

    Raises
    ------
    ImportError
        If Mitsuba or scikit-image is not installed.
    """

    def render(step: int) -> Frame:
        start = 0 if step == PAIR_STEPS[1] else 1  # the earlier frame comes first

        def report(done: int, total: int) -> None:
            advance(start * total + done, 2 * total)

        return render_frame(
            scene,
            camera=camera_path(step / STEPS),
            previous_camera=camera_path((step - 1) / STEPS),
            width=width,
            height=height,
            spp=spp,
            separate_lights=True,
            progress=report,
            origin=f"tilelab courtyard, camera path step {step} of {STEPS}, rendered with Mitsuba 3",
        )

    with reporter(progress, "render") as advance:
        previous = render(PAIR_STEPS[1])
        return render(PAIR_STEPS[0]), previous


def scene(mi: Any) -> dict[str, Any]:
    """Describe the courtyard for Mitsuba: pass this function to `tilelab.scene.render_frame`.

    Parameters
    ----------
    mi : module
        ``mitsuba`` with the variant selected.

    Returns
    -------
    dict
        For ``mitsuba.load_dict``. The sky dome has sampling weight 0: it is seen but lights nothing, since
        directional lights stand for it.
    """
    world: dict[str, Any] = {"type": "scene"}
    materials = {name: mi.load_dict(bsdf) for name, bsdf in _materials(mi).items()}
    for name, (material, mesh) in _objects().items():
        world[name] = _mitsuba_mesh(mi, name, mesh, materials[material])
    for number, (direction, irradiance) in enumerate(_lights()):
        world[f"light_{number}"] = {
            "type": "directional",
            "direction": list(direction),
            "irradiance": {"type": "rgb", "value": list(irradiance)},
        }
    world["sky"] = {"type": "envmap", "bitmap": mi.Bitmap(_sky()), "sampling_weight": 0.0}
    return world


def _lights() -> list[Light]:
    """Return the sun and six weak lights for the sky: four high ones, two low ones from the front."""
    turns = (2 * math.pi * (index + 0.3) / 4 for index in range(4))
    directions = [(0.8 * math.cos(turn), -1.0, 0.8 * math.sin(turn)) for turn in turns]
    directions += [(0.8, -0.45, -1.0), (-1.2, -0.40, -0.8)]
    return [_SUN, *((direction, _SKY_IRRADIANCE) for direction in directions)]


def geometry() -> tuple[Mesh, NDArray[np.int32]]:
    """Return all triangles in the order of their primitive numbers, and the material number of each."""
    objects = dict(sorted(_objects().items()))
    materials = list(dict.fromkeys(material for material, _ in objects.values()))
    numbers = [np.full(len(mesh.faces), materials.index(name), np.int32) for name, mesh in objects.values()]
    return join(mesh for _, mesh in objects.values()), np.concatenate(numbers)


def _objects() -> dict[str, tuple[str, Mesh]]:
    """Return material and mesh of every object."""
    slabs: dict[str, list[Mesh]] = {tone: [] for tone in _PAVING}
    for number in range(3 * 8):
        x, z = -2.35 + 1.38 * (number % 3), 7.4 - 1.38 * (number // 3)
        slab = box((x, 0, z - 1.34), (x + 1.34, 0.05, z))
        slabs[_PAVING[number * 7 % 5 % len(_PAVING)]].append(slab)
    kerb = [
        box((1.9, 0, 2.4), (5.7, 0.14, 2.55)),
        box((1.9, 0, -3.3), (2.05, 0.14, 2.4)),
        box((5.55, 0, -3.3), (5.7, 0.14, 2.4)),
    ]
    slats = [box((x, 2.86, -3.95), (x + 0.07, 3.0, -1.5)) for x in np.arange(-1.8, 1.75, 0.27)]
    beams = [box((-1.95, 2.7, z), (1.85, 2.86, z + 0.14)) for z in (-1.9, -3.75)]
    posts = [
        lathe([(0.012, 1.0), (0.012, 1.62)], segments=6).moved((6.2, 0, z))
        for z in np.arange(-3.9, 6.0, 0.14)
    ]
    rail = [box((6.16, 1.62, -4.0), (6.24, 1.67, 6.0)), box((6.17, 1.06, -4.0), (6.23, 1.09, 6.0))]
    photographs = [
        ("chelsea", -5.75, 1.08, 1.80, 1.2),
        ("astronaut", -3.5, 0.95, 1.45, 1.45),
        ("coffee", 2.35, 1.15, 1.65, 1.1),
        ("rocket", 4.25, 1.15, 1.65, 1.1),
    ]
    objects: dict[str, tuple[str, Mesh]] = {
        "ground": ("gravel", panel((-6.2, 0, 11), (12.4, 0, 0), (0, 0, -15.1), repeats=(5.5, 6.7), cells=28)),
        "wall_back": ("brick", box((-6.6, 0, -4.5), (6.6, 3.3, -4.0), repeats_per_metre=0.6)),
        "wall_left": ("plaster", box((-6.6, 0, -4.0), (-6.2, 3.3, 9.0))),
        "wall_right": ("brick", box((6.0, 0, -4.0), (6.4, 1.0, 9.0), repeats_per_metre=0.6)),
        "coping": (
            "stone",
            join([box((-6.7, 3.3, -4.6), (6.7, 3.4, -3.9)), box((5.95, 1.0, -4), (6.45, 1.06, 9))]),
        ),
        "lawn": (
            "grass",
            panel((2.05, 0.10, 2.4), (3.5, 0, 0), (0, 0, -5.7), repeats=(1.75, 2.85), cells=12),
        ),
        "kerb": ("stone", join(kerb)),
        "pergola": ("wood", join(slats + beams)),
        "railing": ("iron", join(posts + rail)),
        "columns": ("marble", join(_column().moved((x, 0, -1.83)) for x in (-1.65, 1.55))),
        "pedestal": ("marble", _pedestal().moved((0.2, 0, 0.3))),
        "moon": ("moon", ball(0.46, segments=48).moved((0.2, 1.52, 0.3))),
        "pots": ("terracotta", join(_pot(size).moved(place) for size, place in _POTS)),
        "shrubs": (
            "leaves",
            join(
                foliage(
                    (0.52 * size, 0.48 * size, 0.52 * size), leaves=520, leaf_metres=0.07, seed=number
                ).moved((x, 0.86 * size + 0.3 * size, z))
                for number, (size, (x, _, z)) in enumerate(_POTS[:2])
            ),
        ),
        "trunk": ("bark", lathe([(0.10, 0), (0.07, 0.5), (0.06, 1.9)], segments=12).moved((4.0, 0, -0.7))),
        "crown": (
            "leaves",
            foliage((1.1, 0.95, 1.1), leaves=2600, leaf_metres=0.10, seed=7).moved((4.0, 2.35, -0.7)),
        ),
        "ball_red": ("red", ball(0.30, segments=40).moved((-1.75, 0.35, 3.0))),
        "ball_yellow": ("yellow", ball(0.20, segments=32).moved((-1.2, 0.25, 3.5))),
        "ball_blue": ("blue", ball(0.42, segments=48).moved((1.25, 0.47, 3.1))),
        "board": ("wood", box((-5.05, 0.0, -0.75), (-3.55, 1.62, -0.68))),
        "page": ("page", panel((-4.95, 0.62, -0.675), (1.3, 0, 0), (0, 0.9, 0), cells=2)),
        "table": ("white", lathe(_TABLE, segments=40).moved((4.35, 0, 3.6))),
    }
    for tone, parts in slabs.items():
        objects[f"terrace_{tone}"] = (tone, join(parts))
    for name, x, y, width, height in photographs:
        frame = box((x - 0.07, y - 0.07, -4.0), (x + width + 0.07, y + height + 0.07, -3.94))
        objects[f"frame_{name}"] = ("iron", frame)
        objects[f"photo_{name}"] = (name, panel((x, y, -3.935), (width, 0, 0), (0, height, 0), cells=4))
    return objects


_PAVING = ("sandstone", "limestone", "slate")
_POTS: tuple[tuple[float, tuple[float, float, float]], ...] = (
    (1.0, (-4.9, 0.0, 1.6)),
    (0.78, (-3.6, 0.0, 0.9)),
    (0.62, (-2.9, 0.0, 0.1)),
    (0.9, (2.75, 0.0, 4.0)),
)
_TABLE = [
    (0.3, 0),
    (0.3, 0.03),
    (0.3, 0.03),
    (0.05, 0.08),
    (0.05, 0.7),
    (0.5, 0.72),
    (0.5, 0.72),
    (0.5, 0.76),
    (0.5, 0.76),
    (0, 0.76),
]


def _column() -> Mesh:
    profile = [(0.24, 0), (0.24, 0.12), (0.24, 0.12), (0.2, 0.12), (0.2, 0.12), (0.21, 0.18), (0.165, 0.24)]
    profile += [
        (0.16, 0.9),
        (0.14, 2.4),
        (0.14, 2.4),
        (0.165, 2.43),
        (0.165, 2.43),
        (0.2, 2.55),
        (0.2, 2.55),
        (0.2, 2.7),
    ]
    return lathe(profile, segments=40)


def _pedestal() -> Mesh:
    profile = [(0.75, 0), (0.75, 0.14), (0.75, 0.14), (0.55, 0.14), (0.55, 0.14), (0.55, 0.28), (0.55, 0.28)]
    profile += [
        (0.3, 0.28),
        (0.24, 0.4),
        (0.2, 0.8),
        (0.24, 0.98),
        (0.34, 1.02),
        (0.34, 1.02),
        (0.34, 1.1),
        (0.34, 1.1),
        (0, 1.1),
    ]
    return lathe(profile, segments=48)


def _pot(size: float) -> Mesh:
    profile = [
        (0.0, 0.0),
        (0.22, 0.0),
        (0.22, 0.0),
        (0.36, 0.25),
        (0.42, 0.52),
        (0.36, 0.78),
        (0.30, 0.88),
        (0.36, 0.96),
    ]
    profile += [(0.36, 0.96), (0.31, 0.96), (0.31, 0.96), (0.26, 0.86), (0.3, 0.7), (0.0, 0.7)]
    return lathe([(size * radius, size * height) for radius, height in profile], segments=44)


def _materials(mi: Any) -> dict[str, dict[str, Any]]:
    """Return the BSDFs by name; pictures come from scikit-image."""

    def texture(picture: NDArray[np.uint8], shrink: int) -> dict[str, Any]:
        bitmap = mi.Bitmap(_shrunk(picture, shrink))
        return {"type": "bitmap", "bitmap": bitmap, "wrap_mode": "repeat", "filter_type": "bilinear"}

    def matte(color: tuple[float, float, float]) -> dict[str, Any]:
        return {"type": "diffuse", "reflectance": {"type": "rgb", "value": list(color)}}

    def glazed(color: tuple[float, float, float], roughness: float = 0.12) -> dict[str, Any]:
        reflectance = {"type": "rgb", "value": list(color)}
        return {"type": "roughplastic", "diffuse_reflectance": reflectance, "alpha": roughness}

    materials = {
        "brick": {"type": "diffuse", "reflectance": texture(np.rot90(_tinted("brick", (178, 112, 88))), 3)},
        "gravel": {"type": "diffuse", "reflectance": texture(_tinted("gravel", (176, 164, 146)), 2)},
        "grass": {"type": "diffuse", "reflectance": texture(_tinted("grass", (98, 138, 58)), 2)},
        "leaves": {
            "type": "twosided",
            "bsdf": {"type": "diffuse", "reflectance": texture(_tinted("grass", (86, 128, 52)), 2)},
        },
        "bark": {"type": "diffuse", "reflectance": texture(_tinted("gravel", (104, 78, 58)), 2)},
        "moon": {
            "type": "diffuse",
            "reflectance": texture(_tinted("moon", (196, 190, 178), contrast=2.2), 2),
        },
        "page": {"type": "diffuse", "reflectance": texture(_tinted("page", (226, 220, 204)), 1)},
        "plaster": matte((0.80, 0.55, 0.30)),
        "stone": matte((0.52, 0.49, 0.44)),
        "sandstone": matte((0.50, 0.42, 0.33)),
        "limestone": matte((0.46, 0.44, 0.40)),
        "slate": matte((0.33, 0.34, 0.35)),
        "wood": matte((0.26, 0.15, 0.08)),
        "marble": glazed((0.72, 0.70, 0.66), 0.3),
        "terracotta": glazed((0.52, 0.22, 0.12), 0.25),
        "white": glazed((0.78, 0.78, 0.76)),
        "iron": matte((0.035, 0.036, 0.04)),
        "red": glazed((0.62, 0.05, 0.04)),
        "yellow": glazed((0.75, 0.52, 0.05)),
        "blue": glazed((0.05, 0.14, 0.42)),
    }
    for name in ("chelsea", "astronaut", "coffee", "rocket"):
        materials[name] = {"type": "diffuse", "reflectance": texture(_skimage.load(name), 3)}
    return materials


def _shrunk(picture: NDArray[np.uint8], factor: int) -> NDArray[np.uint8]:
    """Return the means of factor x factor texels, since the renderer does not filter minified textures."""
    height, width = (side // factor for side in picture.shape[:2])
    blocks = picture[: height * factor, : width * factor].reshape(height, factor, width, factor, 3)
    means: NDArray[np.uint8] = np.rint(blocks.mean(axis=(1, 3))).astype(np.uint8)
    return means


def _tinted(name: str, color: tuple[int, int, int], *, contrast: float = 1.0) -> NDArray[np.uint8]:
    """Return a grey picture coloured so that its mean is `color` (sRGB)."""
    grey = _skimage.load(name).astype(np.float64)
    shade = 1 + contrast * (grey / grey.mean() - 1)
    tinted: NDArray[np.uint8] = np.clip(np.rint(shade[..., None] * np.asarray(color)), 0, 255).astype(
        np.uint8
    )
    return tinted


def _sky() -> NDArray[np.float32]:
    """Return a latitude-longitude picture: haze at the horizon, blue above, soft clouds, dim ground below."""
    height, width = 256, 512
    elevation = np.pi / 2 - (np.arange(height)[:, None] + 0.5) / height * np.pi
    up = np.clip(np.sin(elevation), 0, 1)[..., None]
    blend = up**0.5
    sky = (1 - blend) * np.array([0.74, 0.82, 0.90]) + blend * np.array([0.10, 0.27, 0.66])
    cover = np.clip((_smooth_noise(height, width, seed=11) - 0.52) / 0.22, 0, 1)[..., None] * np.clip(
        6 * up, 0, 1
    )
    sky = sky + 0.8 * cover * (np.array([1.0, 0.99, 0.97]) - sky)
    return np.where(elevation[..., None] > 0, sky, np.array([0.30, 0.33, 0.27])).astype(np.float32)


def _smooth_noise(height: int, width: int, *, seed: int) -> NDArray[np.float64]:
    """Return noise of 0..1 that repeats along x: octaves of cosine-interpolated random grids."""
    random = np.random.default_rng(seed)
    total = np.zeros((height, width))
    for octave in range(5):
        rows, columns = 8 << octave, 7 << octave
        grid = random.uniform(size=(rows + 1, columns))
        grid = np.concatenate([grid, grid[:, :1]], axis=1)
        for axis, (count, cells) in enumerate(((height, rows), (width, columns))):
            place = (np.arange(count) + 0.5) / count * cells
            first = place.astype(np.int64)
            weight = 0.5 - 0.5 * np.cos(np.pi * (place - first))
            weight = weight[:, None] if axis == 0 else weight
            grid = np.take(grid, first, axis) * (1 - weight) + np.take(grid, first + 1, axis) * weight
        total += grid * 0.5 ** (octave + 1)
    return total / (1 - 0.5**5)


def _mitsuba_mesh(mi: Any, name: str, mesh: Mesh, bsdf: Any) -> Any:
    properties = mi.Properties()
    properties["bsdf"] = bsdf
    properties.set_id(name)
    built = mi.Mesh(
        name,
        vertex_count=len(mesh.positions),
        face_count=len(mesh.faces),
        has_vertex_normals=True,
        has_vertex_texcoords=True,
        props=properties,
    )
    parameters = mi.traverse(built)
    parameters["vertex_positions"] = mesh.positions.astype(np.float32).ravel()
    parameters["vertex_normals"] = mesh.normals.astype(np.float32).ravel()
    parameters["vertex_texcoords"] = mesh.uvs.astype(np.float32).ravel()
    parameters["faces"] = mesh.faces.astype(np.uint32).ravel()
    parameters.update()
    return built
