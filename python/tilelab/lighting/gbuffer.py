"""What sparse lighting reads: the channels to compare, depth, and which pixels are lit at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab._validation import as_array, as_float, as_names, as_regular, describe, fail, fail_type
from tilelab.frame import Frame

Array = npt.NDArray[Any]

#: Channel types and how tolerance mode compares them.
CHANNEL_DTYPES = (np.uint8, np.uint16, np.uint32, np.float16, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class GBuffer:
    """The stored surface attributes of a frame.

    Parameters
    ----------
    channels : mapping of str to ndarray, (H, W) or (H, W, C)
        The channels that decide whether two pixels are the same, of dtype uint8, uint16 (UNORM), uint32
        (bit fields), float16 or float32; the types may mix. Nothing is converted; arrays not in C order are
        copied.
    depth : array_like of float32, (H, W)
        Depth in the unit of `depth_range`. float16 and float64 become float32.
    valid : array_like of bool, (H, W), optional
        Pixels that are lit. The others (sky, unlit) get no record and are never written. Default: all.
    depth_range : (float, float)
        Near and far. Records and the depth gate use ``(depth - near) / (far - near)``, held inside [0, 1].

    Raises
    ------
    TypeError
        A channel, `depth` or `valid` has an unsupported dtype, or `channels` is no mapping.
    ValueError
        The shapes differ, the frame is empty, there is no channel, or near is not below far.

    Notes
    -----
    The normalised depth is computed in float32. Depths outside the range are clamped and NaN counts as near;
    :func:`scan` counts both. (modelled: the layout of a real G-buffer is the application's choice)

    Examples
    --------
    >>> import numpy as np
    >>> from tilelab import lighting
    >>> albedo = np.zeros((4, 6, 4), np.uint8)
    >>> lighting.GBuffer({"albedo": albedo}, np.ones((4, 6), np.float32), depth_range=(0.0, 10.0))
    GBuffer(6x4: albedo uint8x4, depth 0..10)
    """

    channels: Mapping[str, Array]
    depth: Array
    valid: Array | None = None
    depth_range: tuple[float, float] = (0.0, 1.0)

    def __post_init__(self) -> None:
        depth = as_array("depth", self.depth, dtype=np.float32, ndim=2, allow_empty=False)
        object.__setattr__(self, "depth", depth)
        if not isinstance(self.channels, Mapping):
            raise fail_type("channels", "must be a mapping of names to arrays", type(self.channels).__name__)
        if not self.channels:
            raise fail("channels", "must hold at least one channel", "none")
        object.__setattr__(
            self, "channels", {name: _channel(name, c, depth.shape) for name, c in self.channels.items()}
        )
        if self.valid is not None:
            valid = as_array("valid", self.valid, dtype=np.bool_, shape=depth.shape)
            object.__setattr__(self, "valid", valid)
        object.__setattr__(self, "depth_range", _depth_range(self.depth_range))

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width in pixels."""
        height, width = self.depth.shape
        return height, width

    @property
    def valid_pixels(self) -> int:
        """Number of pixels that are lit."""
        return self.depth.size if self.valid is None else int(np.count_nonzero(self.valid))

    @property
    def channel_bytes(self) -> dict[str, int]:
        """Bytes of one pixel of every channel."""
        return {name: c.itemsize * c[0, 0].size for name, c in self.channels.items()}

    def __repr__(self) -> str:
        height, width = self.shape
        names = [
            f"{name} {c.dtype}{f'x{c.shape[2]}' if c.ndim == 3 else ''}" for name, c in self.channels.items()
        ]
        near, far = self.depth_range
        valid = "" if self.valid is None else f", {self.valid_pixels} valid"
        return f"GBuffer({width}x{height}: {', '.join(names)}, depth {near:g}..{far:g}{valid})"

    @classmethod
    def from_frame(
        cls,
        frame: Frame,
        *,
        channels: Iterable[str] = ("albedo", "sh_normal"),
        depth_range: tuple[float, float] | None = None,
    ) -> GBuffer:
        """Store channels of a rendered frame as a game would.

        Parameters
        ----------
        frame : Frame
            A frame with depth and the named channels.
        channels : iterable of str
            Frame channels. ``albedo`` becomes four uint8 UNORM (alpha 1 where the frame has none),
            ``sh_normal`` four uint8 UNORM of ``n / 2 + 1 / 2``, ids uint32, everything else float16.
        depth_range : (float, float), optional
            Near and far in metres. Default: 0 and the largest depth of a valid pixel.

        Returns
        -------
        GBuffer
            `valid` marks pixels with a finite depth and, where the frame knows, a primitive.

        Raises
        ------
        TypeError
            `frame` is no Frame.
        ValueError
            The frame lacks depth or a channel, or no pixel is valid.

        Examples
        --------
        >>> import numpy as np
        >>> from tilelab import frame, lighting
        >>> rendered = frame.Frame(albedo=np.ones((2, 2, 3), np.float32), depth=np.ones((2, 2), np.float32))
        >>> lighting.GBuffer.from_frame(rendered, channels=["albedo"])
        GBuffer(2x2: albedo uint8x4, depth 0..1, 4 valid)
        """
        if not isinstance(frame, Frame):
            raise fail_type("frame", "must be a tilelab.frame.Frame", type(frame).__name__)
        names = as_names("channels", channels)
        for name in ("depth", *names):
            if name not in frame.channels:
                raise fail("frame", f"must have the channel {name!r}", ", ".join(frame.channels))
        assert frame.depth is not None
        valid = np.isfinite(frame.depth)
        if frame.primitive_id is not None:
            valid &= frame.primitive_id >= 0
        if not valid.any():
            raise fail("frame", "must show something: a finite depth and a primitive", "only background")
        if depth_range is None:
            depth_range = (0.0, float(frame.depth[valid].max()))
        stored = {name: _store(name, frame.channels[name]) for name in names}
        return cls(stored, frame.depth, valid, depth_range)


def pixel_bytes(image: Array) -> npt.NDArray[np.uint8]:
    """View an image in C order as (H, W, bytes per pixel)."""
    height, width = image.shape[:2]
    return image.view(np.uint8).reshape(height, width, -1)


def _channel(name: object, value: Any, shape: tuple[int, ...]) -> Array:
    if not isinstance(name, str):
        raise fail_type("channels", "must have names of type str", repr(name))
    label = f"channels[{name!r}]"
    array = as_regular(label, value)
    if array.dtype not in CHANNEL_DTYPES:
        raise fail_type(label, "must be of dtype uint8, uint16, uint32, float16 or float32", describe(array))
    if array.ndim not in (2, 3) or array.shape[:2] != shape or 0 in array.shape:
        raise fail(
            label, f"must have shape {shape} or {(*shape, 'C')} like depth".replace("'", ""), array.shape
        )
    return np.ascontiguousarray(array)


def _depth_range(value: Any) -> tuple[float, float]:
    try:
        near, far = value
    except (TypeError, ValueError):
        raise fail_type("depth_range", "must be a pair (near, far)", repr(value)) from None
    near, far = as_float("depth_range", near), as_float("depth_range", far)
    with np.errstate(over="ignore"):
        span = np.float32(far - near)
    if not (span > 0 and np.isfinite(span)):
        raise fail("depth_range", "must be (near, far) with near below far", (near, far))
    return near, far


def _unorm8(values: Array, missing: float) -> Array:
    unit = np.nan_to_num(values.astype(np.float32), nan=0.0)
    codes = np.rint(np.clip(unit, 0.0, 1.0) * np.float32(255.0)).astype(np.uint8)
    height, width, components = codes.shape
    alpha = np.full((height, width, 4 - components), round(missing * 255), np.uint8)
    return np.concatenate([codes, alpha], axis=2)


def _store(name: str, values: Array) -> Array:
    if name == "albedo":
        return _unorm8(values, 1.0)
    if name == "sh_normal":
        return _unorm8(values * np.float32(0.5) + np.float32(0.5), 0.0)
    if values.dtype == np.int32:
        return values.view(np.uint32)
    with np.errstate(over="ignore"):
        return values.astype(np.float16)
