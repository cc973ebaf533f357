"""A ready-made lighting function: directional lights on a matt surface."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab._validation import Array, as_array, fail, fail_type

__all__ = ["DirectionalLights"]
__dir__ = __all__.copy


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DirectionalLights:
    """Lambert shading by lights at infinity: a function of albedo and normal alone.

    Parameters
    ----------
    directions : array_like of float32, (L, 3)
        Directions towards the lights; they are normalised.
    colors : array_like of float32, (L, 3)
        Radiance that a white surface facing the light reflects.
    ambient : array_like of float32, (3,)
        The same for light from everywhere.
    albedo, normal : str
        Names of the channels, (H, W, 3) or more components. Unsigned channels are UNORM, a normal stored as
        ``n / 2 + 1 / 2``.

    Raises
    ------
    TypeError, ValueError
        A parameter of another dtype or shape, or a direction of length zero.

    Notes
    -----
    ``albedo * (ambient + sum_l color_l * max(0, n . l))`` in float32, component by component and in this
    order, so that a pixel's result never depends on its neighbours in the array: exact scans are lossless.

    Examples
    --------
    >>> import numpy as np
    >>> from tilelab import lighting
    >>> lamp = lighting.DirectionalLights(directions=[(0, 0, 2)], colors=[(1, 1, 1)], ambient=(0.5, 0, 0))
    >>> channels = {"albedo": np.ones((1, 3), np.float32), "sh_normal": np.array([[0, 0, 1]], np.float32)}
    >>> lamp(channels, None, None, None)
    array([[1.5, 1. , 1. ]], dtype=float32)
    """

    directions: npt.ArrayLike
    colors: npt.ArrayLike
    ambient: npt.ArrayLike = (0.1, 0.1, 0.1)
    albedo: str = "albedo"
    normal: str = "sh_normal"

    def __post_init__(self) -> None:
        directions = as_array("directions", self.directions, dtype=(np.float32, np.int64), shape=(None, 3))
        lengths = np.sqrt(np.square(directions.astype(np.float64)).sum(axis=1, keepdims=True))
        if not (np.isfinite(lengths).all() and (lengths > 0).all()):
            raise fail("directions", "must be finite and longer than zero", "another direction")
        object.__setattr__(self, "directions", (directions / lengths).astype(np.float32))
        for name, shape in (("colors", directions.shape), ("ambient", (3,))):
            value = as_array(name, getattr(self, name), dtype=(np.float32, np.int64), shape=shape)
            object.__setattr__(self, name, value.astype(np.float32))
        for name in ("albedo", "normal"):
            if not isinstance(getattr(self, name), str):
                raise fail_type(name, "must be the name of a channel", repr(getattr(self, name)))

    def __call__(self, channels: dict[str, Array], x: Any, y: Any, depth: Any) -> npt.NDArray[np.float32]:
        """Light the pixels: float32 (N, 3)."""
        albedo, normal = self._channel(channels, self.albedo), self._channel(channels, self.normal)
        if channels[self.normal].dtype.kind == "u":
            normal = normal * np.float32(2) - np.float32(1)
        nx, ny, nz = (np.ascontiguousarray(normal[:, axis]) for axis in range(3))
        light = np.empty(albedo.shape, np.float32)
        light[:] = self.ambient
        for (lx, ly, lz), color in zip(np.asarray(self.directions), np.asarray(self.colors), strict=True):
            facing = np.maximum(nx * lx + ny * ly + nz * lz, np.float32(0))
            light += facing[:, None] * color
        return albedo * light

    def _channel(self, channels: dict[str, Array], name: str) -> npt.NDArray[np.float32]:
        if name not in channels:
            raise fail("channels", f"must hold {name!r}", ", ".join(channels))
        values = channels[name]
        if values.ndim != 2 or values.shape[1] < 3:
            raise fail(f"channels[{name!r}]", "must have at least 3 components", values.shape)
        unit = values[:, :3].astype(np.float32)
        if values.dtype.kind == "u":
            unit /= np.float32(np.iinfo(values.dtype).max)
        return unit
