"""The colour of a frame: passes over its lights, in bands of rows that show progress."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tilelab._progress import progress_bar
from tilelab._validation import as_bool, fail, unsupported
from tilelab.scene.camera import View

__all__ = ["light_passes", "render", "render_color", "reporter", "sensor_of", "srgb_encode"]
__dir__ = __all__.copy

_BAND_ROWS = 64


def srgb_encode(color: NDArray[np.float32]) -> NDArray[np.float32]:
    """Encode linear colour for display (IEC 61966-2-1), clipped to 0..1."""
    unit = np.clip(color.astype(np.float64), 0, 1)
    encoded = np.where(unit <= 0.0031308, 12.92 * unit, 1.055 * unit ** (1 / 2.4) - 0.055)
    return encoded.astype(np.float32)


@contextlib.contextmanager
def reporter(
    progress: bool | Callable[[int, int], None], description: str
) -> Iterator[Callable[[int, int], None]]:
    """Yield a function of (done, total): the caller's own, one that moves a bar, or one that does nothing."""
    if callable(progress):
        yield progress
    elif as_bool("progress", progress):
        with progress_bar(desc=description, unit="row") as bar:

            def advance(done: int, total: int) -> None:
                bar.total = total
                bar.update(done - bar.n)

            yield advance
    else:
        yield lambda done, total: None


def sensor_of(mi: Any, view: View, sampler: dict[str, Any], rows: tuple[int, int]) -> Any:
    """Build a sensor for the rows [first, last) of the view."""
    return mi.load_dict(
        {
            "type": "perspective",
            "fov": view.horizontal_fov_deg,
            "fov_axis": "x",
            "near_clip": view.near,
            "far_clip": view.far,
            "principal_point_offset_x": view.principal_point_offset[0],
            "principal_point_offset_y": view.principal_point_offset[1],
            "to_world": mi.ScalarTransform4f(view.to_world),
            "film": {
                "type": "hdrfilm",
                "width": view.size[0],
                "height": view.size[1],
                "crop_width": view.crop_size[0],
                "crop_height": rows[1] - rows[0],
                "crop_offset_x": view.crop_offset[0],
                "crop_offset_y": view.crop_offset[1] + rows[0],
                "pixel_format": "rgb",
                "component_format": "float32",
                "rfilter": {"type": "box"},
            },
            "sampler": sampler,
        },
        parallel=False,
    )


def render(mi: Any, scene: Any, **options: Any) -> NDArray[np.float32]:
    """Call the renderer; what it cannot do is an error of the scene."""
    try:
        return np.array(mi.render(scene, **options))
    except RuntimeError as error:
        raise fail("scene", f"must be renderable with {mi.variant()}", str(error).strip()) from error


# A colour pass: the light that is sampled in it (None = all as the scene says), and its integrator.
Pass: TypeAlias = tuple[str | None, dict[str, Any]]
_WEIGHT = ".sampling_weight"


def light_passes(mi: Any, scene: Any) -> list[Pass]:
    """Return one pass for each light that has sampling weight, and one for what the lights look like."""
    if any(shape.is_emitter() for shape in scene.shapes()):
        raise unsupported("separate_lights", "must have lights without surfaces", "a shape that emits light")
    weights = dict(_light_weights(mi, scene))
    method = {"type": "direct", "emitter_samples": 1, "bsdf_samples": 0, "hide_emitters": True}
    passes: list[Pass] = [(key, method) for key, weight in weights.items() if weight > 0]
    return [*passes, (None, {"type": "path", "max_depth": 1})]


def _light_weights(mi: Any, scene: Any) -> list[tuple[str, float]]:
    parameters = mi.traverse(scene)
    return [
        (key, float(np.ravel(parameters[key])[0])) for key, _ in parameters.items() if key.endswith(_WEIGHT)
    ]


@contextlib.contextmanager
def _only_light(mi: Any, scene: Any, light: str | None) -> Iterator[None]:
    """Give one light all the sampling, and put the weights back afterwards: the scene may be the caller's."""
    if light is None:
        yield
        return
    before = _light_weights(mi, scene)

    def assign(weights: list[tuple[str, float]]) -> None:
        parameters = mi.traverse(scene)
        for key, weight in weights:
            parameters[key] = weight
        parameters.update()

    try:
        assign([(key, float(key == light)) for key, _ in before])
        yield
    finally:
        assign(before)


def render_color(
    mi: Any,
    scene: Any,
    view: View,
    passes: list[Pass],
    spp: int,
    seed: int,
    progress: bool | Callable[[int, int], None],
) -> NDArray[np.float32]:
    """Render in bands of rows, so that the caller sees progress and Ctrl-C is answered."""
    width, height = view.crop_size
    color = np.zeros((height, width, 3), np.float32)
    bands = [(first, min(first + _BAND_ROWS, height)) for first in range(0, height, _BAND_ROWS)]
    with reporter(progress, "render") as advance:
        for done, (light, integrator) in enumerate(passes):
            method = _load_integrator(mi, integrator)
            with _only_light(mi, scene, light):
                for number, rows in enumerate(bands):
                    sensor = sensor_of(mi, view, {"type": "multijitter", "sample_count": spp}, rows)
                    # every pass has the same seeds, so its edges fall on the same samples
                    seeds = (seed + number) % 2**32
                    band = render(mi, scene, sensor=sensor, integrator=method, spp=spp, seed=seeds)
                    color[rows[0] : rows[1]] += band[..., :3]
                    advance(done * height + rows[1], height * len(passes))
    return color


def _load_integrator(mi: Any, integrator: dict[str, Any]) -> Any:
    try:
        method = mi.load_dict(integrator, parallel=False)
    except RuntimeError as error:
        raise fail("integrator", "must be a valid Mitsuba integrator", str(error).strip()) from error
    if not isinstance(method, mi.Integrator):
        raise fail("integrator", "must be a Mitsuba integrator", type(method).__name__)
    return method
