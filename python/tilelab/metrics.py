"""How far an image is from its reference."""

import math
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab import _core, _extras
from tilelab._picture import result_html
from tilelab._validation import (
    Array,
    as_array,
    as_float,
    as_int,
    as_regular,
    as_threads,
    ceil_div,
    describe,
    fail,
    fail_type,
    tell,
)

__all__ = ["ImageError", "absolute_error", "compare", "max_error", "psnr"]
__dir__ = __all__.copy


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ImageError:
    """Errors of an image against its reference, as a whole and, where asked for, in every tile.

    Parameters
    ----------
    mse : float
        Mean square error over the values (pixels times channels) that count, in the squared unit of the
        images; uint8 images count as UNORM, 0..1.
    mae : float
        Mean absolute error.
    max_error : float
        Largest absolute error.
    psnr : float
        ``10 log10(peak^2 / mse)`` in dB; infinity where nothing differs.
    peak : float
        Largest value the images can take, in their unit.
    counted : int
        Values that the figures are made of.
    nonfinite : int
        Values left out because one side is infinite or NaN.
    differing : int
        Those of them in which the sides differ; equal infinities, or NaN on both sides, are no error.
    tile : int, optional
        Side of a tile in pixels.
    tile_mse, tile_mae, tile_max_error : ndarray of float64, (TH, TW), optional
        The same of every tile; NaN where no value of a tile counts.
    tile_nonfinite : ndarray of int64, (TH, TW), optional
        Values left out in every tile.
    """

    mse: float
    mae: float
    max_error: float
    psnr: float
    peak: float
    counted: int
    nonfinite: int
    differing: int
    tile: int | None = None
    tile_mse: npt.NDArray[np.float64] | None = None
    tile_mae: npt.NDArray[np.float64] | None = None
    tile_max_error: npt.NDArray[np.float64] | None = None
    tile_nonfinite: npt.NDArray[np.int64] | None = None

    def __repr__(self) -> str:
        left_out = f", {self.nonfinite} values not finite" if self.nonfinite else ""
        return (
            f"ImageError(psnr {self.psnr:.2f} dB at peak {self.peak:g}, max {self.max_error:.4g}{left_out})"
        )

    def _repr_html_(self) -> str:
        rows = [
            (f"PSNR (dB, peak {self.peak:g})", self.psnr),
            ("mean square error", self.mse),
            ("mean absolute error", self.mae),
            ("largest error", self.max_error),
            ("values counted", self.counted),
            ("values not finite, left out", self.nonfinite),
        ]
        return result_html("Image error", rows)

    def to_xarray(self) -> Any:
        """Give the errors of the tiles as an xarray.Dataset over tile_y and tile_x; needs xarray.

        Raises
        ------
        ValueError
            No tiles were asked for.
        """
        if self.tile is None:
            raise fail("tile", "must have been given to compare", None)
        xarray = _extras.require("xarray", "sweep")
        names = ("tile_mse", "tile_mae", "tile_max_error", "tile_nonfinite")
        figures = {name.removeprefix("tile_"): (("tile_y", "tile_x"), getattr(self, name)) for name in names}
        return xarray.Dataset(figures, attrs={"tile": self.tile, "peak": self.peak})


def compare(
    image: npt.ArrayLike,
    reference: npt.ArrayLike,
    *,
    tile: int | None = None,
    where: npt.ArrayLike | None = None,
    peak: float = 1.0,
    threads: int = 1,
) -> ImageError:
    """Compare two images in one pass.

    Parameters
    ----------
    image, reference : array_like of float or uint8, (H, W) or (H, W, C)
        Of equal shape, linear or display-encoded alike: nothing is decoded. uint8 is UNORM: ``value / 255``.
        float16 becomes float32; where the two differ in kind both become float64.
    tile : int, optional
        Also give the figures of every tile x tile pixels.
    where : array_like of bool, (H, W), optional
        Pixels that count. Default: all.
    peak : float
        The largest value the images can take. For uint8 images a peak above 1 is in their codes, so that 1
        and 255 mean the same.
    threads : int
        0 for all cores.

    Returns
    -------
    ImageError
        The same bits for every thread count and instruction set.

    Raises
    ------
    TypeError
        An image is neither floating point nor uint8, or `where` is not bool.
    ValueError
        The shapes differ, or `peak` or `tile` is not positive.

    Notes
    -----
    Differences and sums in float64. Values of which one side is infinite or NaN are left out and counted.

    Examples
    --------
    >>> import numpy as np
    >>> error = compare(np.zeros((8, 16), np.float32), np.full((8, 16), 0.5, np.float32), tile=8)
    >>> error.mse, error.max_error, error.tile_mse
    (0.25, 0.5, array([[0.25, 0.25]]))
    """
    a, b = _pair(image, reference)
    top = _as_peak(peak, integers=a.dtype == np.uint8)
    size = 0 if tile is None else as_int("tile", tile, low=1, high=2**30)
    tiles = None
    if tile is not None:
        shape = (ceil_div(a.shape[0], size), ceil_div(a.shape[1], size))
        tiles = np.empty(shape, _core.core.IMAGE_ERROR_SUMS)
    counts = None if where is None else _as_where(where, a).view(np.uint8)
    sums = _core.core.image_error(_as_volume(a), _as_volume(b), counts, size, tiles, as_threads(threads))
    mse = sums.square / max(sums.counted, 1)
    figures: dict[str, Any] = {}
    if tiles is not None:
        with np.errstate(invalid="ignore"):
            figures = {
                "tile": size,
                "tile_mse": tiles["square"] / tiles["counted"],
                "tile_mae": tiles["absolute"] / tiles["counted"],
                "tile_max_error": np.where(tiles["counted"] > 0, tiles["largest"], np.nan),
                "tile_nonfinite": tiles["not_finite"].copy(),
            }
    return ImageError(
        mse=mse,
        mae=sums.absolute / max(sums.counted, 1),
        max_error=sums.largest,
        psnr=20.0 * math.log10(top) - 10.0 * math.log10(mse) if mse > 0 else math.inf,
        peak=top,
        counted=sums.counted,
        nonfinite=sums.not_finite,
        differing=sums.differing,
        **figures,
    )


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
        Errors from 0, in the unit of the images; 0 where infinities are equal or both values are NaN, else
        NaN where one side is not finite.

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
    a, b = _pair(image, reference)
    if a.dtype == np.uint8:
        error = np.abs(np.subtract(a, b, dtype=np.int16)) / 255.0
    else:
        with np.errstate(invalid="ignore"):
            error = np.abs(np.subtract(a, b, dtype=np.float64))
        strange = ~np.isfinite(error)
        if strange.any():
            equal = (a == b) | (np.isnan(a) & np.isnan(b))
            error[strange] = np.where(equal, 0.0, np.nan)[strange]
    if where is not None:
        counts = _as_where(where, a)
        error[~counts] = 0.0
    if error.ndim == 2:
        return np.asarray(error)
    # One channel after the other: a reduction along an axis of three takes ten times as long.
    return reduce(np.maximum, (error[..., channel] for channel in range(error.shape[2])))


def max_error(
    image: npt.ArrayLike,
    reference: npt.ArrayLike,
    *,
    where: npt.ArrayLike | None = None,
    threads: int = 1,
) -> float:
    """Return the largest absolute difference of any pixel and channel.

    Parameters
    ----------
    image, reference, where, threads
        As for :func:`compare`.

    Returns
    -------
    float
        0 for equal images, and where no pixel counts.

    Warns
    -----
    UserWarning
        Values were left out because one side is infinite or NaN and the other one is not the same.

    Examples
    --------
    >>> max_error([[0.5, 0.25]], [[0.5, 1.0]])
    0.75
    """
    return _told(compare(image, reference, where=where, threads=threads)).max_error


def psnr(
    image: npt.ArrayLike,
    reference: npt.ArrayLike,
    *,
    peak: float = 1.0,
    where: npt.ArrayLike | None = None,
    threads: int = 1,
) -> float:
    """Return the peak signal-to-noise ratio in dB.

    Parameters
    ----------
    image, reference, peak, where, threads
        As for :func:`compare`.

    Returns
    -------
    float
        Infinity for equal images, and where no pixel counts.

    Raises
    ------
    TypeError, ValueError
        As for :func:`compare`.

    Warns
    -----
    UserWarning
        Values were left out because one side is infinite or NaN and the other one is not the same.

    Notes
    -----
    ``10 log10(peak^2 / MSE)``, the mean square error over all channels of the counted pixels, in float64.

    Examples
    --------
    >>> psnr([[0.0, 0.0]], [[0.1, 0.1]])
    20.0
    """
    return _told(compare(image, reference, where=where, peak=peak, threads=threads)).psnr


def _told(error: ImageError) -> ImageError:
    """Say once what a single figure cannot show."""
    if error.differing:
        tell(
            f"image and reference: {error.differing} values in which one side is not finite are left out "
            "(compare counts them)"
        )
    return error


def _pair(image: npt.ArrayLike, reference: npt.ArrayLike) -> tuple[Array, Array]:
    a, b = _as_image("image", image), _as_image("reference", reference)
    if a.shape != b.shape:
        raise fail("reference", f"must have the shape of image {a.shape}", b.shape)
    if a.dtype != b.dtype:
        a, b = (x / 255.0 if x.dtype == np.uint8 else x.astype(np.float64) for x in (a, b))
    return a, b


def _as_image(name: str, value: npt.ArrayLike) -> Array:
    array = as_regular(name, value)
    if array.dtype.kind in "iub" and array.dtype != np.uint8:
        raise fail_type(name, "must be an array of float64 or float32, or of uint8", describe(array))
    wanted = (np.float32, np.float64, np.uint8) if array.dtype != np.float64 else np.float64
    return as_array(name, array, dtype=wanted, ndim=(2, 3))


def _as_volume(image: Array) -> Array:
    return image if image.ndim == 3 else image[..., None]


def _as_where(where: npt.ArrayLike, image: Array) -> npt.NDArray[np.bool_]:
    counts = as_regular("where", where)
    if counts.dtype != np.bool_:
        raise fail_type("where", "must be a bool array", counts.dtype)
    return as_array("where", counts, dtype=np.bool_, shape=image.shape[:2])


def _as_peak(peak: object, *, integers: bool) -> float:
    top = as_float("peak", peak)
    if not top > 0:
        raise fail("peak", "must be positive", top)
    return top / 255.0 if integers and top > 1.0 else top
