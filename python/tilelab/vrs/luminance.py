"""Luminance of a picture."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab import _core
from tilelab._validation import (
    Array,
    as_array,
    as_choice,
    as_out,
    as_regular,
    as_threads,
    describe,
    fail,
    fail_type,
)

__all__ = ["luminance"]
__dir__ = __all__.copy

COLOR_WEIGHTS = {
    "bt709": (0.2126, 0.7152, 0.0722),  # Rec. ITU-R BT.709
    "nvidia": (0.299, 0.587, 0.114),  # NVIDIA adaptive shading sample
    "fidelityfx": (0.30, 0.59, 0.11),  # AMD FidelityFX Variable Shading
}


def as_weights(weights: Any) -> tuple[float, float, float]:
    """Give the factors of red, green and blue."""
    if isinstance(weights, str):
        return COLOR_WEIGHTS[as_choice("weights", weights, tuple(COLOR_WEIGHTS))]
    values = as_array("weights", weights, dtype=(np.float64, np.int64), shape=(3,))
    if not np.isfinite(values).all():
        raise fail("weights", "must be finite", values.tolist())
    return float(values[0]), float(values[1]), float(values[2])


def as_pixels(name: str, value: npt.ArrayLike, ndim: tuple[int, ...] | None = None) -> Array:
    """Give float32 or uint8 pixels; wider integers have no agreed scale and are refused."""
    pixels = as_regular(name, value)
    if pixels.dtype.kind in "iu" and pixels.dtype != np.uint8:
        raise fail_type(name, "must be an array of float32 or uint8", describe(pixels))
    return as_array(name, pixels, dtype=(np.float32, np.uint8), ndim=ndim)


def luminance(
    rgb: npt.ArrayLike,
    weights: str | Sequence[float] = "bt709",
    *,
    out: npt.NDArray[np.float32] | None = None,
    threads: int = 1,
) -> npt.NDArray[np.float32]:
    """Weighted sum of red, green and blue.

    Parameters
    ----------
    rgb : array_like of float32 or uint8, (..., 3 or 4)
        Colours. float16 and float64 are converted to float32; uint8 is UNORM; alpha is ignored.
    weights : {"bt709", "nvidia", "fidelityfx"} or three floats
        Factors of red, green and blue.
    out : ndarray of float32, (...), optional
        Receives the result.
    threads : int
        0 for all cores.

    Returns
    -------
    ndarray of float32, (...)
        Luminance, `out` if given.

    Raises
    ------
    TypeError, ValueError
        Wrong dtype, no 3 or 4 channels, unknown weights, or `out` unfit.

    Notes
    -----
    ``(wr * R + wg * G) + wb * B`` in float32, uint8 as ``float32(v) / 255``. Whether the colours are linear
    or display-encoded is the caller's choice: nothing is decoded and nothing is clamped.

    Examples
    --------
    >>> import numpy as np
    >>> from tilelab.vrs import luminance
    >>> float(luminance(np.array([0, 255, 0], np.uint8)))
    0.7152000069618225
    """
    color = as_pixels("rgb", rgb)
    if color.ndim < 1 or color.shape[-1] not in (3, 4):
        raise fail("rgb", "must have shape (..., 3) or (..., 4)", describe(color))
    factors = as_weights(weights)
    count = as_threads(threads)
    shape = color.shape[:-1]
    if out is None:
        out = np.empty(shape, np.float32)
    else:
        as_out("out", out, dtype=np.float32, shape=shape, inputs=[("rgb", color)])
    _core.vrs.luminance(color.reshape(-1, color.shape[-1]), factors, out.reshape(-1), count)
    return out
