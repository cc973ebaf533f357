"""The result of a scan: records tile by tile, and what it took to find them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab import _core
from tilelab._validation import as_array, as_int, as_threads, fail, fail_type
from tilelab.lighting.records import encoding_code

#: Edge of a lighting tile in pixels: the work of one wave.
TILE = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanStats:
    """Numbers of one scan.

    Parameters
    ----------
    valid_pixels : int
        Pixels that have to be written.
    lit_pixels : int
        Pixels that are lit: the number of records.
    depth_clamped, depth_nan : int
        Valid pixels whose depth lay outside the range (infinities included), and those whose depth was NaN.
    path_tiles : mapping of str to int
        Tiles that took each path: ``"full_scan"`` and the enabled fast paths.
    path_bytes : mapping of str to int
        Bytes that the tiles of each path read (derived from the formats, not measured).
    """

    valid_pixels: int
    lit_pixels: int
    depth_clamped: int = 0
    depth_nan: int = 0
    path_tiles: Mapping[str, int] = field(default_factory=dict)
    path_bytes: Mapping[str, int] = field(default_factory=dict)

    @property
    def copied_pixels(self) -> int:
        """Pixels that get the result of a neighbour."""
        return self.valid_pixels - self.lit_pixels

    @property
    def lit_fraction(self) -> float:
        """Lit share of the valid pixels; 1 where none is valid."""
        return self.lit_pixels / self.valid_pixels if self.valid_pixels else 1.0

    @property
    def bytes_read(self) -> int:
        """Bytes that the whole scan read."""
        return sum(self.path_bytes.values())


@dataclass(frozen=True, slots=True, eq=False)
class SparseTiles:
    """Records of the pixels to light, in tiles of 16x16 pixels.

    Parameters
    ----------
    records : ndarray of uint32, (N,)
        Tiles row-major; in a tile quads row-major; in a quad in the order of the policy.
    offsets : ndarray of int64, (TH * TW + 1,)
        Records of tile t are ``records[offsets[t]:offsets[t + 1]]``.
    counts : ndarray of uint32, (TH, TW)
        Records of each tile, 0..256.
    stats : ScanStats
        What the scan met.
    shape : (int, int)
        Height and width of the image.
    depth_encoding : {"unorm21", "float21"}
        How the records hold depth.
    paths : ndarray of uint8, (TH, TW)
        The path each tile took: an index into ``("full_scan", *FAST_PATHS)``.
    """

    records: npt.NDArray[np.uint32]
    offsets: npt.NDArray[np.int64]
    counts: npt.NDArray[np.uint32]
    stats: ScanStats
    shape: tuple[int, int]
    depth_encoding: str = "unorm21"
    paths: npt.NDArray[np.uint8] | None = None

    def __post_init__(self) -> None:
        encoding_code(self.depth_encoding)
        if not isinstance(self.stats, ScanStats):
            raise fail_type("stats", "must be ScanStats", type(self.stats).__name__)
        height, width = _image_shape(self.shape)
        object.__setattr__(self, "shape", (height, width))
        tiles = (-(-height // TILE), -(-width // TILE))
        arrays = {
            "records": as_array("records", self.records, dtype=np.uint32, ndim=1),
            "offsets": as_array("offsets", self.offsets, dtype=np.int64, ndim=1),
            "counts": as_array("counts", self.counts, dtype=np.uint32, shape=tiles),
        }
        if self.paths is not None:
            arrays["paths"] = as_array("paths", self.paths, dtype=np.uint8, shape=tiles)
        for name, array in arrays.items():
            fixed = array.view()
            fixed.flags.writeable = False  # results are not for writing
            object.__setattr__(self, name, fixed)
        _core.lighting.check_records(self.records, self.offsets, height, width)
        if not np.array_equal(np.diff(self.offsets), self.counts.reshape(-1)):
            raise fail("counts", "must be the differences of offsets", self.counts.tolist())

    def __repr__(self) -> str:
        height, width = self.shape
        return f"SparseTiles({width}x{height}: {self.records.size} of {self.stats.valid_pixels} pixels lit)"

    def pixels(self, *, threads: int = 1) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """Give the image coordinates of every record, in record order.

        Parameters
        ----------
        threads : int
            0 for all cores.

        Returns
        -------
        x, y : ndarray of int32, (N,)
            Column and row of each lit pixel.
        """
        count = as_threads(threads)
        x, y = np.empty(self.records.size, np.int32), np.empty(self.records.size, np.int32)
        _core.lighting.record_pixels(self.records, self.offsets, *self.shape, x, y, count)
        return x, y

    def lit_mask(self) -> npt.NDArray[np.bool_]:
        """Give the image of lit pixels: True where a record is, False in the holes that copies fill.

        Returns
        -------
        ndarray of bool, (H, W)
        """
        mask = np.zeros(self.shape, np.bool_)
        x, y = self.pixels()
        mask[y, x] = True
        return mask

    def gather(self, image: npt.NDArray[Any], *, threads: int = 1) -> npt.NDArray[Any]:
        """Give the pixel of every record of an image.

        Parameters
        ----------
        image : ndarray, (H, W) or (H, W, C)
            An image of the scan's size in C order, of any plain dtype.
        threads : int
            0 for all cores.

        Returns
        -------
        ndarray, (N,) or (N, C)
        """
        count = as_threads(threads)
        height, width = self.shape
        if not isinstance(image, np.ndarray) or image.dtype.hasobject:
            got = getattr(image, "dtype", type(image).__name__)
            raise fail_type("image", "must be an array of a plain dtype", got)
        if image.shape[:2] != self.shape:
            raise fail("image", f"must have the size of the scan {self.shape}", image.shape[:2])
        values = np.empty((self.records.size, *image.shape[2:]), image.dtype)
        pixel_bytes = image.itemsize * int(np.prod(image.shape[2:]))
        _core.lighting.gather_pixels(
            self.records,
            self.offsets,
            np.ascontiguousarray(image).view(np.uint8).reshape(height, width, pixel_bytes),
            values.view(np.uint8).reshape(self.records.size, pixel_bytes),
            count,
        )
        return values


def _image_shape(shape: Any) -> tuple[int, int]:
    if not isinstance(shape, tuple | list) or len(shape) != 2:
        raise fail_type("shape", "must be a pair (height, width)", repr(shape))
    return as_int("shape", shape[0], low=1), as_int("shape", shape[1], low=1)
