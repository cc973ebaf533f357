"""The result of a scan: records tile by tile, and what it took to find them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab import _core, _extras
from tilelab._core.lighting import TILE as TILE  # edge of a lighting tile in pixels: the work of one wave
from tilelab._core.lighting import DepthEncoding, RecordList
from tilelab._picture import image_html, result_html, unorm8
from tilelab._validation import (
    Array,
    as_array,
    as_enum,
    as_instance,
    as_int,
    as_threads,
    ceil_div,
    fail,
    fail_type,
)
from tilelab.lighting.gbuffer import pixel_bytes, pixel_centers

__all__ = ["ScanStats", "SparseTiles"]
__dir__ = __all__.copy

_PICTURE = 480  # width in pixels up to which a picture of tiles is enlarged


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

    def __repr__(self) -> str:
        return f"ScanStats({self.lit_pixels} of {self.valid_pixels} pixels lit, {self.bytes_read} bytes read)"

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

    def _rows(self) -> list[tuple[str, object]]:
        return [
            ("pixels to write", self.valid_pixels),
            ("lit pixels", self.lit_pixels),
            ("lit share", self.lit_fraction),
            ("depths outside the range", self.depth_clamped),
            ("depths that are NaN", self.depth_nan),
            *((f"tiles, {path}", count) for path, count in self.path_tiles.items()),
            *((f"bytes read, {path}", count) for path, count in self.path_bytes.items()),
        ]

    def _repr_html_(self) -> str:
        return result_html("Scan", self._rows())


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
        encoding = as_enum("depth_encoding", self.depth_encoding, DepthEncoding)
        object.__setattr__(self, "depth_encoding", encoding.name.lower())
        as_instance("stats", self.stats, ScanStats)
        height, width = _image_shape(self.shape)
        object.__setattr__(self, "shape", (height, width))
        tiles = (ceil_div(height, TILE), ceil_div(width, TILE))
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
        _core.lighting.check_records(record_list(self))
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
        _core.lighting.record_pixels(record_list(self), x, y, count)
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

    def gather(self, image: Array, *, threads: int = 1) -> Array:
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
        if not isinstance(image, np.ndarray) or image.dtype.hasobject:
            got = getattr(image, "dtype", type(image).__name__)
            raise fail_type("image", "must be an array of a plain dtype", got)
        if image.shape[:2] != self.shape:
            raise fail("image", f"must have the size of the scan {self.shape}", image.shape[:2])
        return gather_pixels(self, np.ascontiguousarray(image), count)

    def to_xarray(self) -> Any:
        """Give what a scan found of every tile and pixel as an xarray.Dataset; needs xarray.

        Returns
        -------
        xarray.Dataset
            ``counts`` and, where there are, ``paths`` over tile_y and tile_x; ``lit`` over y and x (pixel
            centres); ``path_tiles`` and ``path_bytes`` over path.
        """
        xarray = _extras.require("xarray", "sweep")
        variables: dict[str, Any] = {
            "counts": (("tile_y", "tile_x"), self.counts, {"units": "pixel"}),
            "lit": (("y", "x"), self.lit_mask()),
        }
        if self.paths is not None:
            variables["paths"] = (("tile_y", "tile_x"), self.paths)
        names = list(self.stats.path_tiles)
        if names:
            tiles = [self.stats.path_tiles[name] for name in names]
            read = [self.stats.path_bytes.get(name, 0) for name in names]
            variables["path_tiles"] = ("path", tiles)
            variables["path_bytes"] = ("path", read, {"units": "byte"})
        return xarray.Dataset(
            variables,
            coords={**pixel_centers(self.shape), **({"path": names} if names else {})},
            attrs={"depth_encoding": self.depth_encoding},
        )

    def _repr_html_(self) -> str:
        height, width = self.shape
        rows, columns = self.counts.shape
        scale = max(_PICTURE // columns, 1)
        shades = unorm8(self.counts / (TILE * TILE)).repeat(scale, axis=0).repeat(scale, axis=1)
        return result_html(
            "Sparse tiles",
            [
                ("size (pixels)", f"{width} x {height}"),
                ("tiles", f"{columns} x {rows}"),
                *self.stats._rows(),
            ],
            pictures=[image_html(shades, "lit pixels of every tile, white is all")],
        )


def record_list(tiles: SparseTiles) -> RecordList:
    """Give the records as kernels take them."""
    height, width = tiles.shape
    return RecordList(records=tiles.records, offsets=tiles.offsets, height=height, width=width)


def gather_pixels(tiles: SparseTiles, image: Array, threads: int) -> Array:
    """Give the pixel of every record of an image in C order that has the size of the scan."""
    values = np.empty((tiles.records.size, *image.shape[2:]), image.dtype)
    _core.lighting.gather_pixels(record_list(tiles), pixel_bytes(image), pixel_bytes(values, axes=1), threads)
    return values


def _image_shape(shape: Any) -> tuple[int, int]:
    if not isinstance(shape, tuple | list) or len(shape) != 2:
        raise fail_type("shape", "must be a pair (height, width)", repr(shape))
    return as_int("shape", shape[0], low=1), as_int("shape", shape[1], low=1)
