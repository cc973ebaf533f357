"""How far an image is from its reference."""

from __future__ import annotations

import math
from functools import reduce

import numpy as np
import numpy.typing as npt

from tilelab._validation import as_array, as_float, as_regular, fail, fail_type

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
    error, _ = _difference(image, reference, where)
    np.abs(error, out=error)
    if error.ndim == 2:
        return error
    # One channel after the other: a reduction along an axis of three takes ten times as long.
    return reduce(np.maximum, (error[..., channel] for channel in range(error.shape[2])))


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
        raise fail("peak", "must be positive", top)
    error, count = _difference(image, reference, where)
    mean = float(np.square(error, out=error).sum()) / max(count, 1)
    if mean == 0:
        return math.inf
    return 20.0 * math.log10(top) - 10.0 * math.log10(mean)


def _difference(
    image: npt.ArrayLike, reference: npt.ArrayLike, where: npt.ArrayLike | None
) -> tuple[npt.NDArray[np.float64], int]:
    """Give image - reference, 0 where nothing counts, and how many numbers count."""
    a, b = _unit("image", image), _unit("reference", reference)
    if a.shape != b.shape:
        raise fail("reference", f"must have the shape of image {a.shape}", b.shape)
    counted = None if where is None else as_regular("where", where)
    if counted is not None and counted.dtype != np.bool_:
        raise fail_type("where", "must be a bool array", counted.dtype)
    if counted is not None and counted.shape != a.shape[:2]:
        raise fail("where", f"must have shape {a.shape[:2]}", counted.shape)
    with np.errstate(invalid="ignore"):  # inf - inf is NaN, and is reported as that
        error = np.subtract(a, b, dtype=np.float64)
    if counted is None:
        return error, error.size
    np.copyto(error, 0.0, where=~(counted if error.ndim == 2 else counted[..., None]))
    return error, int(counted.sum()) * (1 if error.ndim == 2 else error.shape[2])


def _unit(name: str, value: npt.ArrayLike) -> npt.NDArray[np.floating]:
    array = as_regular(name, value)
    if array.dtype == np.uint8:
        return as_array(name, array, dtype=np.uint8, ndim=(2, 3)) / 255.0
    return as_array(name, array, dtype=(np.float64, np.float32), ndim=(2, 3))
