"""One rendered frame: named, validated per-pixel channels that travel between the areas."""

from __future__ import annotations

import html
import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tilelab._channels import CHANNELS, MAX_SIDE, ChannelRule
from tilelab._extras import require
from tilelab._picture import image_html, table_html, unorm8
from tilelab._validation import as_array, as_int, as_names, as_path, ceil_div, describe, fail, fail_type

if TYPE_CHECKING:
    import xarray

__all__ = ["CHANNELS", "ChannelRule", "Frame"]
__dir__ = __all__.copy

PathLike: TypeAlias = str | os.PathLike[str]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Frame:
    """Named channels of one rendered frame; every channel is optional, at least one must be given.

    Parameters
    ----------
    color, albedo : (H, W, 3) or (H, W, 4) float32 or uint8, optional
        Shaded colour and base colour. uint8 is UNORM, means ``value / 255``, and is kept as it is.
    sh_normal : (H, W, 3) float32, optional
        Shading normal in world space.
    depth : (H, W) float32, optional
        View depth in metres: the distance along the camera's forward axis, not along the ray.
        ``+inf`` is background, NaN is unknown.
    uv, duv_dx, duv_dy : (H, W, 2) float32, optional
        Texture coordinates (not wrapped) and their change per pixel to the right and per pixel down.
    motion : (H, W, 2) float32, optional
        This pixel's position minus where the same point was in the previous frame, in pixels (x right,
        y down). NaN is unknown.
    material, primitive_id : (H, W) int32, optional
        Numbers from 0; -1 marks pixels that show nothing. Primitive numbers are unique over the scene.
    origin : str, optional
        Where the frame comes from, in one sentence; travels with the file.

    Raises
    ------
    TypeError
        If a channel is not an array of a fitting kind.
    ValueError
        If a channel has another shape than its rule or than the other channels, a side is 0 or above 16384,
        an id is below -1 or does not fit int32, or no channel is given.

    Notes
    -----
    float16 and float64 become float32, and other integer types become int32 when every value fits; arrays
    that are not in C order are copied. Otherwise the arrays are shared, and seen read-only through the frame.
    Two frames are equal when they have the same channels with the same bits.

    Examples
    --------
    >>> import numpy as np
    >>> frame = Frame(color=np.zeros((4, 6, 3), np.float32), depth=np.ones((4, 6), np.float32))
    >>> frame.shape, list(frame.channels)
    ((4, 6), ['color', 'depth'])
    >>> Frame(color=np.zeros((4, 6, 3), np.float32), depth=np.ones((4, 5), np.float32))
    Traceback (most recent call last):
    ...
    ValueError: depth must have the height and width of color, (4, 6), got (4, 5)
    """

    color: NDArray[Any] | None = None
    albedo: NDArray[Any] | None = None
    sh_normal: NDArray[Any] | None = None
    depth: NDArray[Any] | None = None
    uv: NDArray[Any] | None = None
    duv_dx: NDArray[Any] | None = None
    duv_dy: NDArray[Any] | None = None
    motion: NDArray[Any] | None = None
    material: NDArray[Any] | None = None
    primitive_id: NDArray[Any] | None = None
    origin: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.origin, str):
            raise fail_type("origin", "must be a str", type(self.origin).__name__)
        first = ""
        for name, rule in CHANNELS.items():
            value = getattr(self, name)
            if value is None:
                continue
            array = _channel_array(name, value, rule)
            if first and array.shape[:2] != self.shape:
                raise fail(name, f"must have the height and width of {first}, {self.shape}", array.shape[:2])
            first = first or name
            object.__setattr__(self, name, array)
        if not first:
            raise fail("a Frame", f"must have at least one channel of {', '.join(CHANNELS)}", "none")

    @property
    def channels(self) -> dict[str, NDArray[Any]]:
        """The channels that are present, by name, in the order of the class."""
        return {name: array for name in CHANNELS if (array := getattr(self, name)) is not None}

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width in pixels."""
        height, width = next(iter(self.channels.values())).shape[:2]
        return height, width

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Frame):
            return NotImplemented
        mine, theirs = self.channels, other.channels
        return (
            self.origin == other.origin
            and mine.keys() == theirs.keys()
            and all(
                mine[name].shape == theirs[name].shape
                and mine[name].dtype == theirs[name].dtype
                and np.array_equal(mine[name].view(np.uint8), theirs[name].view(np.uint8))
                for name in mine
            )
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        height, width = self.shape
        return f"Frame({width}x{height}: {', '.join(self.channels)})"

    @classmethod
    def load(
        cls, path: PathLike, *, channels: Iterable[str] | None = None, max_bytes: int = 4 << 30
    ) -> Frame:
        """Read a frame from an .npz or .exr file.

        Parameters
        ----------
        path : str or os.PathLike
            The file; the ending decides the format.
        channels : iterable of str, optional
            Read these channels only and leave everything else in the file alone. Without it every channel is
            read, and a file that holds anything a Frame does not know is refused.
        max_bytes : int, default 4 GiB
            Most memory the channels may need. It is checked against the file's headers before any is taken.

        Returns
        -------
        Frame

        Raises
        ------
        OSError
            If the file cannot be opened.
        ValueError
            If the file is truncated, damaged, contradicts itself, is too large, or is no frame.

        Notes
        -----
        .npz: one array per channel under the channel's name; pickled objects are never loaded.
        .exr: one part; ``color.R``, ``albedo.R``, ``N.X``, ``Z``, ``uv.U``, ``duv_dx.U``, ``motion.X``,
        ``material``, ``primitive_id``; plain ``R``, ``G``, ``B``, ``A`` is read as color. uint8 colours are
        codes in UINT channels. It needs OpenEXR.
        """
        wanted = None if channels is None else _channel_names(channels)
        max_bytes = as_int("max_bytes", max_bytes, low=1)
        arrays, origin = _format_of(path).read(os.fspath(path), wanted, max_bytes)
        try:
            return cls(**arrays, origin=origin)
        except (TypeError, ValueError) as error:
            raise fail("path", "must hold a valid frame", f"{os.fspath(path)}: {error}") from error

    def save(self, path: PathLike) -> None:
        """Write the frame to an .npz or .exr file; `load` gives the same bits back.

        Parameters
        ----------
        path : str or os.PathLike
            The file; the ending decides the format. An existing file is replaced only when the new one is
            complete, so a failure leaves it as it was.

        Raises
        ------
        OSError
            If the file cannot be written.
        ValueError
            If the ending is neither .npz nor .exr.

        Examples
        --------
        >>> import numpy as np, os, tempfile
        >>> frame = Frame(depth=np.ones((2, 3), np.float32), origin="an example")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     frame.save(os.path.join(folder, "frame.npz"))
        ...     Frame.load(os.path.join(folder, "frame.npz")) == frame
        True
        """
        _format_of(path).write(os.fspath(path), self.channels, self.origin)

    def to_xarray(self) -> xarray.Dataset:
        """Return the channels as an xarray Dataset with dimensions y, x and named components.

        Returns
        -------
        xarray.Dataset
            Coordinates ``y`` and ``x`` are pixel centres (index + 0.5); component dimensions are ``rgb`` or
            ``rgba``, ``xyz``, ``uv_axis`` and ``xy``.

        Raises
        ------
        ImportError
            If xarray is not installed.
        """
        xr = require("xarray", "sweep")
        variables = {}
        for name, array in self.channels.items():
            dims = ("y", "x") if array.ndim == 2 else ("y", "x", _component_axis(name, array.shape[2]))
            variables[name] = (dims, array, {"long_name": CHANNELS[name].meaning})
        used = {dims[2] for dims, _, _ in variables.values() if len(dims) == 3}
        coords: dict[str, Any] = {axis: (axis, list(axis.removesuffix("_axis"))) for axis in sorted(used)}
        coords["y"] = ("y", np.arange(self.shape[0]) + 0.5, {"units": "pixel"})
        coords["x"] = ("x", np.arange(self.shape[1]) + 0.5, {"units": "pixel"})
        dataset: xarray.Dataset = xr.Dataset(variables, coords=coords, attrs={"origin": self.origin})
        return dataset

    def thumbnail(self, *, width: int = 320) -> NDArray[np.uint8]:
        """Return a small picture of the frame: colour, else albedo, normal, depth or the ids.

        Parameters
        ----------
        width : int, default 320
            Largest width in pixels; the picture is never enlarged.

        Returns
        -------
        (h, w, 3) uint8
            Every k-th pixel of the channel, k = ceil(W / width); numbers outside 0..1 are clipped.
        """
        width = as_int("width", width, low=1)
        step = ceil_div(self.shape[1], width)
        channels = self.channels
        name = next(name for name in ("color", "albedo", "sh_normal", "depth", *channels) if name in channels)
        return _picture(name, channels[name][::step, ::step])

    def _repr_html_(self) -> str:
        height, width = self.shape
        rows = [(name, a.dtype, a.shape, CHANNELS[name].meaning) for name, a in self.channels.items()]
        origin = f"<div>{html.escape(self.origin)}</div>" if self.origin else ""
        picture = f"<div>{image_html(self.thumbnail(), 'frame')}</div>"
        table = table_html(("channel", "dtype", "shape", "meaning"), rows)
        return f"<div><b>Frame {width} x {height}</b>{origin}{picture}{table}</div>"


def _channel_array(name: str, value: object, rule: ChannelRule) -> NDArray[Any]:
    dtype = np.uint8 if rule.unorm and getattr(value, "dtype", None) == np.uint8 else rule.dtype
    scalar = rule.components == (0,)
    array = as_array(name, value, dtype=dtype, ndim=2 if scalar else 3)  # type: ignore[arg-type]
    if not scalar and array.shape[2] not in rule.components:
        raise fail(name, f"must have shape {rule.describe_shape()}", describe(array))
    if not all(1 <= side <= MAX_SIDE for side in array.shape[:2]):
        raise fail(name, f"must have sides of 1..{MAX_SIDE}", describe(array))
    if rule.dtype is np.int32 and array.min() < -1:
        raise fail(name, "must hold numbers from -1", array.min())
    view = array.view()
    view.flags.writeable = False
    return view


def _channel_names(channels: Iterable[str]) -> tuple[str, ...]:
    names = as_names("channels", channels)
    for name in names:
        if name not in CHANNELS:
            raise fail("channels", f"must be of {', '.join(CHANNELS)}", repr(name))
    if not names:
        raise fail("channels", "must name at least one channel", "none")
    return names


def _format_of(path: PathLike) -> Any:
    ending = os.path.splitext(as_path("path", path))[1].lower()
    if ending == ".npz":
        from tilelab.io import frame_npz

        return frame_npz
    if ending == ".exr":
        from tilelab.io import frame_exr

        return frame_exr
    raise fail("path", "must end in .npz or .exr", repr(os.fspath(path)))


def _component_axis(name: str, count: int) -> str:
    if CHANNELS[name].unorm:
        return "rgb" if count == 3 else "rgba"
    return {"sh_normal": "xyz", "motion": "xy"}.get(name, "uv_axis")


def _picture(name: str, array: NDArray[Any]) -> NDArray[np.uint8]:
    if array.dtype == np.uint8:
        return np.ascontiguousarray(array[..., :3])
    values = array.astype(np.float64)
    if CHANNELS[name].unorm:
        unit = values[..., :3]
    elif name == "sh_normal":
        unit = values * 0.5 + 0.5
    else:
        finite = np.isfinite(values)
        low, high = (values[finite].min(), values[finite].max()) if finite.any() else (0.0, 1.0)
        unit = (values - low) / max(high - low, np.finfo(np.float64).tiny)
        unit = 1.0 - unit if name == "depth" else unit
        if unit.ndim == 2:
            unit = unit[..., None]
        unit = np.concatenate([unit, unit[..., -1:].repeat(3 - unit.shape[2], axis=2)], axis=2)
    return unorm8(unit)
