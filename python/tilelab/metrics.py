"""How far an image is from its reference."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from tilelab._validation import as_array, as_float

__all__ = ["absolute_error", "max_error", "psnr"]


def absolute_error(
    image: npt.ArrayLike, reference: npt.ArrayLike, *, where: npt.ArrayLike | None = None
) -> npt.NDArray[np.float64]:
    """Return the largest absolute difference over the channels of every pixel.

    Parameters
    ----------
    image, reference : array_like of float or uint8, shape (H, W) or (H, W, C)
        uint8 counts as UNORM: ``value / 255``.
    where : array_like of bool, shape (H, W), optional
        Pixels that count; the others get 0.

    Returns
    -------
    ndarray of float64, shape (H, W)
        Errors from 0.

    Raises
    ------
    TypeError
        An image is neither floating point nor uint8, or `where` is not bool.
    ValueError
        The shapes differ.

    Examples
    --------
    >>> absolute_error([[0.5, 0.25]], [[0.5, 1.0]])
    array([[0.  , 0.75]])
    """
    a, b, counted = _operands(image, reference, where)
    error = np.abs(a - b)
    if error.ndim == 3:
        error = error.max(axis=2)
    return error if counted is None else np.where(counted, error, 0.0)


def max_error(image: npt.ArrayLike, reference: npt.ArrayLike, *, where: npt.ArrayLike | None = None) -> float:
    """Return the largest absolute difference of any pixel and channel.

    Parameters
    ----------
    image, reference, where
        As for `absolute_error`.

    Returns
    -------
    float
        0 for equal images, and where no pixel counts.

    Examples
    --------
    >>> max_error([[0.5, 0.25]], [[0.5, 1.0]])
    0.75
    """
    return float(absolute_error(image, reference, where=where).max(initial=0.0))


def psnr(
    image: npt.ArrayLike,
    reference: npt.ArrayLike,
    *,
    peak: float = 1.0,
    where: npt.ArrayLike | None = None,
) -> float:
    """Return the peak signal-to-noise ratio in dB.

    Parameters
    ----------
    image, reference, where
        As for `absolute_error`.
    peak : float, default 1.0
        The largest value the images can take.

    Returns
    -------
    float
        Infinity for equal images, and where no pixel counts.

    Raises
    ------
    TypeError
        An image is neither floating point nor uint8, or `where` is not bool.
    ValueError
        The shapes differ, or `peak` is not positive.

    Notes
    -----
    ``10 log10(peak^2 / MSE)``, the mean square error over all channels of the counted pixels, in float64.

    Examples
    --------
    >>> psnr([[0.0, 0.0]], [[0.1, 0.1]])
    20.0
    """
    top = as_float("peak", peak)
    if not top > 0:
        raise ValueError(f"peak must be positive, got {top}")
    a, b, counted = _operands(image, reference, where)
    square = np.square(a - b)
    if counted is not None:
        square = square[counted]
    mean = float(square.mean()) if square.size else 0.0
    return 10.0 * math.log10(top * top / mean) if mean > 0 else (math.nan if math.isnan(mean) else math.inf)


def _operands(
    image: npt.ArrayLike, reference: npt.ArrayLike, where: npt.ArrayLike | None
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.bool_] | None]:
    a, b = _unit("image", image), _unit("reference", reference)
    if a.shape != b.shape:
        raise ValueError(f"reference must have the shape of image {a.shape}, got {b.shape}")
    if where is None:
        return a, b, None
    counted = np.asarray(where)
    if counted.dtype != np.bool_:
        raise TypeError(f"where must be a bool array, got {counted.dtype}")
    if counted.shape != a.shape[:2]:
        raise ValueError(f"where must have shape {a.shape[:2]}, got {counted.shape}")
    return a, b, counted


def _unit(name: str, value: npt.ArrayLike) -> npt.NDArray[np.float64]:
    array = np.asarray(value)
    if array.dtype == np.uint8:
        return as_array(name, array, dtype=np.uint8, ndim=(2, 3)) / 255.0
    return as_array(name, array, dtype=np.float64, ndim=(2, 3))
