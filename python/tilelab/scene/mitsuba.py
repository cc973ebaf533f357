"""Frames with every channel, rendered by Mitsuba 3."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tilelab._channels import MAX_SIDE
from tilelab._extras import require
from tilelab._validation import as_bool, as_int, fail, fail_type, unsupported
from tilelab.frame import Frame
from tilelab.scene.camera import Camera, View
from tilelab.scene.color_pass import Pass, light_passes, render, render_color, sensor_of, srgb_encode

__all__ = ["render_frame"]
__dir__ = __all__.copy

CameraLike: TypeAlias = Camera | Mapping[str, Any] | int | Any

# The channels of the geometry pass, in the order of Mitsuba's `aov` integrator, with their component counts.
_AOVS = {
    "albedo": ("albedo", 3),
    "sh_normal": ("sh_normal", 3),
    "position": ("position", 3),
    "distance": ("depth", 1),  # Mitsuba calls the distance along the ray "depth"
    "uv": ("uv", 2),
    "dp_du": ("dp_du", 3),
    "dp_dv": ("dp_dv", 3),
    "geo_normal": ("geo_normal", 3),
    "prim_index": ("prim_index", 1),
    "shape_index": ("shape_index", 1),
}
_EXACT_IN_FLOAT32 = 1 << 24


def render_frame(
    scene: Mapping[str, Any] | str | os.PathLike[str] | Any,
    *,
    camera: CameraLike = 0,
    previous_camera: CameraLike | None = None,
    width: int | None = None,
    height: int | None = None,
    spp: int = 16,
    integrator: Mapping[str, Any] | None = None,
    separate_lights: bool = False,
    linear: bool = False,
    variant: str | None = None,
    seed: int = 0,
    progress: bool | Callable[[int, int], None] = True,
    origin: str = "",
) -> Frame:
    """Render one frame of any Mitsuba 3 scene with every channel.

    Parameters
    ----------
    scene : dict, path, XML text, mitsuba.Scene or callable
        A dictionary as for ``mitsuba.load_dict``, the path of an XML file, XML text, a loaded scene, or a
        function that makes one of these from the ``mitsuba`` module with its variant selected.
    camera : Camera, dict, int or mitsuba.Sensor, default 0
        A `Camera`, a perspective sensor as a Mitsuba dictionary, a loaded one, or the number of one of the
        scene's own.
    previous_camera : Camera, dict, int or mitsuba.Sensor, optional
        The camera of the frame before. Without it the frame has no motion channel.
    width, height : int, optional
        Size of the picture in pixels. Needed with a `Camera`; other cameras bring one.
    spp : int, default 16
        Colour samples per pixel. Mitsuba's bitmap texture does not filter minified texels, so fewer than 16
        leave distant textures aliased.
    integrator : dict, optional
        Integrator of the colour pass, as a Mitsuba dictionary; the default is ``{"type": "direct"}``.
    separate_lights : bool, default False
        True: sample each light in a pass of its own, of `spp` samples, and add the passes. Nothing is left to
        chance then, so point, spot and directional lights bring no noise. Lights of sampling weight 0 only
        show themselves. Needs lights without surfaces, and excludes `integrator`.
    linear : bool, default False
        False: colour as it is shown, sRGB encoded and clipped to 0..1. True: the renderer's linear radiance.
    variant : str, optional
        Mitsuba variant; by default the one of a loaded scene, else scalar_rgb. The variant that was active is
        restored; where none was, this one stays active, since Mitsuba cannot deselect.
    seed : int, default 0
        Seed of the colour pass.
    progress : bool or callable, default True
        True shows a bar when a terminal or a notebook is there; a callable gets (rows done, rows in all).
    origin : str, default ""
        Origin of the returned frame.

    Returns
    -------
    Frame
        All channels; ``motion`` only with `previous_camera`. ``albedo`` is linear diffuse reflectance.
        ``primitive_id`` counts the primitives of all shapes in the order of their ids; ``material`` counts
        the scene's BSDFs in order of first use by those shapes.

    Raises
    ------
    ImportError
        If Mitsuba is not installed.
    TypeError, ValueError
        If an argument is wrong, the scene cannot be loaded, or none of the camera's rays hits anything.
    UnsupportedError
        If a camera is not a perspective pinhole, or the scene has instances or above 2**24 primitives.
    OSError
        If the scene file cannot be read.

    Notes
    -----
    Geometry comes from one pass with one sample at each pixel's centre (spp 1, box filter, stratified sampler
    without jitter), so its channels are exact there and never blended across an edge; colour comes from a
    second pass. Depth is the distance along the camera's forward axis. ``duv_dx`` and ``duv_dy`` are the
    differences to the uv that the pixel's plane has under the next pixel to the right and below, as shading
    hardware takes them inside a quad. The scene stands still: motion is where the pixel's point is now minus
    where the previous camera saw it; background counts as infinitely far. Points behind the previous camera
    have NaN motion. Texture coordinates are the shapes' own; (0, 0) is the first texel of a bitmap's first
    row, as in D3D.

    Examples
    --------
    >>> from tilelab.scene import Camera, render_frame
    >>> ball = {"type": "scene", "ball": {"type": "sphere"}, "light": {"type": "constant"}}
    >>> camera = Camera(position=(0, 0, 4), target=(0, 0, 0), horizontal_fov_deg=40)
    >>> frame = render_frame(ball, camera=camera, width=32, height=18, progress=False)
    >>> bool(3.0 <= frame.depth.min() < 3.01)
    True
    """
    spp, seed = as_int("spp", spp, low=1), as_int("seed", seed, low=0, high=2**32 - 1)
    linear, separate_lights = as_bool("linear", linear), as_bool("separate_lights", separate_lights)
    if integrator is not None and not isinstance(integrator, Mapping):
        raise fail_type("integrator", "must be a dictionary", type(integrator).__name__)
    if integrator is not None and separate_lights:
        raise fail("integrator", "must not be given together with separate_lights", dict(integrator))
    size = _size(width, height)
    mi = require("mitsuba", "scene")
    with _variant(mi, variant, scene):
        loaded = _load_scene(mi, scene)
        view = _view(mi, loaded, "camera", camera, size)
        before = None
        if previous_camera is not None:
            before = _view(mi, loaded, "previous_camera", previous_camera, size)
        raw = _render_geometry(mi, loaded, view)
        channels = _geometry_channels(loaded, raw, view)
        if before is not None:
            channels["motion"] = _motion(raw["position"], channels["primitive_id"] >= 0, view, before)
        settings: dict[str, Any] = dict(integrator) if integrator is not None else {"type": "direct"}
        passes: list[Pass] = light_passes(mi, loaded) if separate_lights else [(None, settings)]
        color = render_color(mi, loaded, view, passes, spp, seed, progress)
    return Frame(color=color if linear else srgb_encode(color), **channels, origin=origin)


def _size(width: int | None, height: int | None) -> tuple[int, int] | None:
    if (width is None) != (height is None):
        missing = "width" if width is None else "height"
        raise fail(missing, "must be given together with the other side", None)
    if width is None or height is None:
        return None
    return as_int("width", width, low=1, high=MAX_SIDE), as_int("height", height, low=1, high=MAX_SIDE)


@contextlib.contextmanager
def _variant(mi: Any, variant: str | None, scene: Any) -> Iterator[None]:
    if variant is None:
        loaded = hasattr(scene, "variant_name") and hasattr(scene, "ray_intersect")
        variant = scene.variant_name() if loaded else "scalar_rgb"
    if variant not in mi.variants():
        raise fail("variant", f"must be one of {', '.join(mi.variants())}", repr(variant))
    active = mi.variant()
    try:
        mi.set_variant(variant)
    except ImportError as error:
        raise fail("variant", "must run on this machine", f"{variant}: {error}") from error
    try:
        yield
    finally:
        if active is not None and active != variant:
            mi.set_variant(active)


def _load_scene(mi: Any, scene: Any) -> Any:
    try:
        if callable(scene):
            scene = scene(mi)
        if isinstance(scene, mi.Scene):
            return scene
        if isinstance(scene, Mapping):
            # one thread and no merging: the same order of shapes and the same ids every time
            loaded = mi.load_dict(dict(scene), parallel=False, optimize=False)
        elif isinstance(scene, str) and scene.lstrip().startswith("<"):
            loaded = mi.load_string(scene, parallel=False, optimize=False)
        elif isinstance(scene, str | os.PathLike):
            with open(scene, "rb"):  # a missing or forbidden file is an OSError
                pass
            loaded = mi.load_file(os.fspath(scene), parallel=False, optimize=False)
        else:
            raise fail_type(
                "scene", "must be a dictionary, a path, XML text or a scene", type(scene).__name__
            )
    except RuntimeError as error:
        raise fail("scene", "must be a valid Mitsuba scene", str(error).strip()) from error
    if not isinstance(loaded, mi.Scene):
        raise fail("scene", "must have the type scene", type(loaded).__name__)
    return loaded


def _view(mi: Any, scene: Any, name: str, camera: Any, size: tuple[int, int] | None) -> View:
    if isinstance(camera, Camera):
        if size is None:
            raise fail("width", "must be given with a Camera", None)
        return camera.view(*size)
    sensor = _sensor(mi, scene, name, camera)
    if sensor.class_name() != "PerspectiveCamera":
        raise unsupported(name, "must be a perspective sensor", sensor.class_name())
    parameters = mi.traverse(sensor)
    film = sensor.film()
    if size is None:
        size, crop_size, crop_offset = (
            (int(pair[0]), int(pair[1])) for pair in (film.size(), film.crop_size(), film.crop_offset())
        )
    else:
        crop_size, crop_offset = size, (0, 0)

    def number(key: str) -> float:
        return float(np.ravel(np.array(parameters[key]))[0])

    return View(
        to_world=np.array(sensor.world_transform().matrix, np.float64).reshape(4, 4),
        horizontal_fov_deg=number("x_fov"),
        near=number("near_clip"),
        far=number("far_clip"),
        size=size,
        crop_size=crop_size,
        crop_offset=crop_offset,
        principal_point_offset=(number("principal_point_offset_x"), number("principal_point_offset_y")),
    )


def _sensor(mi: Any, scene: Any, name: str, camera: Any) -> Any:
    if isinstance(camera, mi.Sensor):
        return camera
    if isinstance(camera, Mapping):
        try:
            sensor = mi.load_dict(dict(camera), parallel=False)
        except RuntimeError as error:
            raise fail(name, "must be a valid Mitsuba sensor", str(error).strip()) from error
        if not isinstance(sensor, mi.Sensor):
            raise fail(name, "must be a Mitsuba sensor", type(sensor).__name__)
        return sensor
    try:
        number = as_int(name, camera)
    except TypeError:
        rule = "must be a Camera, a Mitsuba sensor or its number"
        raise fail_type(name, rule, type(camera).__name__) from None
    sensors = scene.sensors()
    if not 0 <= number < len(sensors):
        raise fail(name, f"must be the number of one of the scene's {len(sensors)} sensors", number)
    return sensors[number]


def _render_geometry(mi: Any, scene: Any, view: View) -> dict[str, NDArray[np.float32]]:
    sampler = {"type": "stratified", "sample_count": 1, "jitter": False}
    sensor = sensor_of(mi, view, sampler, (0, view.crop_size[1]))
    aovs = ",".join(f"{name}:{aov}" for name, (aov, _) in _AOVS.items())
    integrator = mi.load_dict({"type": "aov", "aovs": aovs})
    image = render(mi, scene, sensor=sensor, integrator=integrator, spp=1)
    raw: dict[str, NDArray[np.float32]] = {}
    start = 0
    for name, (_, count) in _AOVS.items():
        plane = image[..., start : start + count]
        raw[name] = np.ascontiguousarray(plane[..., 0] if count == 1 else plane)
        start += count
    return raw


def _geometry_channels(
    scene: Any, raw: dict[str, NDArray[np.float32]], view: View
) -> dict[str, NDArray[Any]]:
    shape_index = raw["shape_index"].astype(np.int64) - 1  # Mitsuba writes 0 for background
    hit = raw["distance"] > 0
    if not hit.any():
        raise fail("scene", "must be hit by at least one ray of the camera", "none")
    if any(shape.class_name() == "Instance" for shape in scene.shapes()):
        raise unsupported("scene", "must not have instances: their primitives cannot be told apart", "some")
    first_id, material = _numbering(scene)
    known = np.where(hit, shape_index, 0)
    primitive = np.where(hit, first_id[known] + raw["prim_index"].astype(np.int64), -1)
    _, depth = view.project(raw["position"])
    channels = {name: raw[name] for name in ("albedo", "sh_normal", "uv")}
    channels["duv_dx"], channels["duv_dy"] = _uv_gradients(raw, depth, hit, view)
    for values in channels.values():
        values[~hit] = 0
    return {
        **channels,
        "depth": np.where(hit, depth, np.inf).astype(np.float32),
        "material": np.where(hit, material[known], -1).astype(np.int32),
        "primitive_id": primitive.astype(np.int32),
    }


def _uv_gradients(
    raw: dict[str, NDArray[np.float32]], depth: NDArray[np.float64], hit: NDArray[np.bool_], view: View
) -> list[NDArray[np.float32]]:
    """Return the uv differences to the next pixel to the right and below, on the plane of this pixel.

    Mitsuba's own duv_dx and duv_dy start their differential rays on the near plane, which makes them too
    small by near / distance, and they lose digits in float32; hence only the tangents are taken from it.
    """
    tangents = np.stack([raw["dp_du"][hit], raw["dp_dv"][hit]], axis=2).astype(np.float64)
    normal = raw["geo_normal"][hit].astype(np.float64)
    directions, z = view.pixel_directions()[hit], depth[hit][:, None]
    facing = np.sum(directions * normal, axis=1, keepdims=True)
    gram = np.swapaxes(tangents, 1, 2) @ tangents
    determinant = gram[:, 0, 0] * gram[:, 1, 1] - gram[:, 0, 1] ** 2
    flat = determinant > 0
    adjugate = np.stack([gram[:, 1, 1], -gram[:, 0, 1], -gram[:, 0, 1], gram[:, 0, 0]], axis=1).reshape(
        -1, 2, 2
    )
    inverse = np.divide(
        adjugate, determinant[:, None, None], out=np.zeros_like(adjugate), where=flat[:, None, None]
    )
    gradients = []
    for step in view.pixel_steps():
        neighbour = directions + step
        with np.errstate(divide="ignore", invalid="ignore"):  # a ray along the plane meets it nowhere: inf
            move = z * (facing / np.sum(neighbour * normal, axis=1, keepdims=True) * neighbour - directions)
            along = inverse @ np.sum(tangents * move[..., None], axis=1)[..., None]
        gradient = np.zeros(raw["uv"].shape, np.float32)
        gradient[hit] = along[..., 0]
        gradients.append(gradient)
    return gradients


def _numbering(scene: Any) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return each shape's first primitive number and its material number, in the scene's order of shapes."""
    shapes = scene.shapes()
    order = sorted(range(len(shapes)), key=lambda index: (shapes[index].id(), index))
    first_id, material = np.zeros(len(shapes), np.int64), np.zeros(len(shapes), np.int64)
    materials: list[Any] = []
    total = 0
    for index in order:
        first_id[index] = total
        count = shapes[index].primitive_count()
        total += count
        bsdf = shapes[index].bsdf()
        if not any(bsdf is known for known in materials):
            materials.append(bsdf)
        material[index] = next(number for number, known in enumerate(materials) if bsdf is known)
        if count > _EXACT_IN_FLOAT32:
            raise unsupported("scene", f"must have at most {_EXACT_IN_FLOAT32} primitives in a shape", count)
    if total > np.iinfo(np.int32).max:
        raise unsupported("scene", "must have at most 2147483647 primitives", total)
    return first_id, material


def _motion(
    position: NDArray[np.float32], hit: NDArray[np.bool_], view: View, before: View
) -> NDArray[np.float32]:
    # both projections start from the same rounded point, so equal cameras give exactly 0
    motion = view.project(position)[0] - before.project(position)[0]
    directions = view.pixel_directions()
    far = view.project_directions(directions) - before.project_directions(directions)
    return np.where(hit[..., None], motion, far).astype(np.float32)
