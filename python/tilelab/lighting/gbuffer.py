"""What sparse lighting reads: the channels to compare, depth, and which pixels are lit at all."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab import _extras
from tilelab._core.lighting import DepthRange
from tilelab._picture import image_html, result_html, unorm8
from tilelab._validation import (
    Array,
    as_array,
    as_float,
    as_instance,
    as_names,
    as_regular,
    ceil_div,
    describe,
    fail,
    fail_type,
)
from tilelab.frame import Frame

__all__ = ["GBuffer"]
__dir__ = __all__.copy

CHANNEL_DTYPES = (np.uint8, np.uint16, np.uint32, np.float16, np.float32)

_THUMBNAIL = 240  # largest width in pixels


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

    def to_xarray(self) -> Any:
        """Give channels, depth and validity as an xarray.Dataset; needs xarray.

        Returns
        -------
        xarray.Dataset
            Variables over y and x (pixel centres); channels of several components have an axis
            ``<name>_component`` more. The depth range is among the attributes.

        Raises
        ------
        ValueError
            A channel has the name of another variable, ``depth`` or ``valid``.
        """
        xarray = _extras.require("xarray", "sweep")
        variables: dict[str, Any] = {"depth": (("y", "x"), self.depth)}
        if self.valid is not None:
            variables["valid"] = (("y", "x"), self.valid)
        for name, channel in self.channels.items():
            if name in ("depth", "valid"):
                raise fail("channels", "must not be named depth or valid in a Dataset", repr(name))
            variables[name] = (("y", "x", f"{name}_component")[: channel.ndim], channel)
        return xarray.Dataset(
            variables,
            coords=pixel_centers(self.shape),
            attrs={"depth_range": self.depth_range},
        )

    def _repr_html_(self) -> str:
        height, width = self.shape
        near, far = self.depth_range
        pictures = [_thumbnail(name, channel) for name, channel in self.channels.items()]
        rows = [
            ("size (pixels)", f"{width} x {height}"),
            ("pixels to light", self.valid_pixels),
            ("depth range", f"{near:g} to {far:g}"),
            *((f"bytes per pixel, {name}", size) for name, size in self.channel_bytes.items()),
        ]
        return result_html("G-buffer", rows, pictures=pictures)

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
        shown = as_instance("frame", frame, Frame).channels
        names = as_names("channels", channels)
        for name in ("depth", *names):
            if name not in shown:
                raise fail("frame", f"must have the channel {name!r}", ", ".join(shown))
        depth = shown["depth"]
        valid = np.isfinite(depth)
        if frame.primitive_id is not None:
            valid &= frame.primitive_id >= 0
        if not valid.any():
            raise fail("frame", "must show something: a finite depth and a primitive", "only background")
        if depth_range is None:
            depth_range = (0.0, float(depth[valid].max()))
        return cls({name: _stored(name, shown[name]) for name in names}, depth, valid, depth_range)


def pixel_bytes(pixels: Array, axes: int = 2) -> npt.NDArray[np.uint8]:
    """View pixels in C order as bytes: their first `axes` axes, and one of the bytes of a pixel."""
    size = pixels.itemsize * math.prod(pixels.shape[axes:])
    return pixels.view(np.uint8).reshape(*pixels.shape[:axes], size)


def pixel_centers(shape: tuple[int, int]) -> dict[str, Any]:
    """Give the coordinates of an image's Dataset."""
    return {
        axis: (axis, np.arange(size) + 0.5, {"units": "pixel"})
        for axis, size in zip("yx", shape, strict=True)
    }


def kernel_range(gbuffer: GBuffer) -> DepthRange:
    """Give the depth range as kernels take it; far - near is rounded to float32 once."""
    near, far = gbuffer.depth_range
    return DepthRange(near=near, span=far - near)


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


def _with_alpha(codes: npt.NDArray[np.uint8], missing: int) -> Array:
    """Fill up to four components."""
    height, width, components = codes.shape
    return np.concatenate([codes, np.full((height, width, 4 - components), missing, np.uint8)], axis=2)


def _stored(name: str, values: Array) -> Array:
    if name == "albedo" or values.dtype == np.uint8:
        return _with_alpha(unorm8(values), 255)
    if name == "sh_normal":
        return _with_alpha(unorm8(values * np.float32(0.5) + np.float32(0.5)), 0)
    if values.dtype == np.int32:
        return values.view(np.uint32)
    with np.errstate(over="ignore"):
        return values.astype(np.float16)


def _thumbnail(name: str, channel: Array) -> str:
    """Give the picture of a channel that is one, else nothing."""
    step = ceil_div(channel.shape[1], _THUMBNAIL)
    small = channel[::step, ::step]
    if channel.dtype == np.uint32 or channel.shape[2:] not in ((), (1,), (3,), (4,)):
        return ""
    if channel.dtype == np.uint16:
        small = (small >> np.uint16(8)).astype(np.uint8)
    codes = small if small.dtype == np.uint8 else unorm8(small)
    codes = codes[..., 0] if channel.shape[2:] == (1,) else codes[..., :3] if channel.ndim == 3 else codes
    return image_html(np.ascontiguousarray(codes), f"channel {name}")
