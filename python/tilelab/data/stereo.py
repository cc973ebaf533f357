"""The Middlebury "Motorcycle" stereo pair: a real second view with measured disparity."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tilelab._skimage import folder, load
from tilelab._validation import describe, fail
from tilelab.frame import Frame

__all__ = ["stereo_pair"]
__dir__ = __all__.copy

# Calibration of the quarter-size pictures, as documented by scikit-image (skimage.data.stereo_motorcycle) for
# the Middlebury 2014 set: focal length, difference of the principal points' x, baseline.
FOCAL_LENGTH_PIXELS = 994.978
PRINCIPAL_POINT_DX_PIXELS = 31.086
BASELINE_METRES = 0.193001


def stereo_pair() -> tuple[Frame, Frame]:
    """Return the two views of the motorcycle as a frame and its predecessor.

    Returns
    -------
    frame : Frame
        The left view, 741 x 500: ``color``, ``depth`` in metres (2.1 to 5.0) and ``motion``. Where the set
        has no measured disparity (7.3 % of the pixels) depth and motion are NaN.
    previous : Frame
        The right view, 741 x 500: ``color`` (the set measures depth for the left view alone).

    Raises
    ------
    ImportError
        If scikit-image or Pillow is not installed.
    ValueError
        If the installed scikit-image carries no disparity of the expected form.

    Notes
    -----
    The views are rectified: the point at column x of the left view is at x - d of the right view, d being the
    disparity, so ``motion`` is (d, 0): the pair acts as two frames of a camera that slid 193 mm to the left.
    ``depth = focal_length * baseline / (d + dx)`` with dx the difference of the principal points' columns
    (documented: Middlebury 2014 calibration). Measured by Scharstein et al., "High-resolution stereo datasets
    with subpixel-accurate ground truth", GCPR 2014.

    Examples
    --------
    >>> frame, previous = stereo_pair()
    >>> frame.shape == previous.shape == (500, 741)
    True
    """
    left, right = (load(f"motorcycle_{side}") / np.float32(255) for side in ("left", "right"))
    disparity = _disparity(left.shape[:2])
    known = np.isfinite(disparity)
    focal = FOCAL_LENGTH_PIXELS * BASELINE_METRES
    depth = np.where(known, focal / (disparity.astype(np.float64) + PRINCIPAL_POINT_DX_PIXELS), np.nan)
    motion = np.stack([np.where(known, disparity, np.nan), np.where(known, 0.0, np.nan)], axis=2)
    origin = "Middlebury 2014 stereo set, Motorcycle, {} view at quarter size (scikit-image)"
    frame = Frame(color=left, depth=depth, motion=motion, origin=origin.format("left"))
    return frame, Frame(color=right, origin=origin.format("right"))


def _disparity(shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Return the left view's disparity in pixels; +inf where it was not measured."""
    path = folder() / "motorcycle_disp.npz"
    with np.load(path, allow_pickle=False) as archive:
        disparity = np.asarray(archive["arr_0"])
    if disparity.shape != shape or disparity.dtype != np.float32:
        raise fail(str(path), f"must hold float32 of shape {shape}", describe(disparity))
    return disparity
