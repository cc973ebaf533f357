"""The 32-bit record: pixel in the tile, copy mask, depth."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tilelab import _core
from tilelab._core.lighting import DepthEncoding, RecordFields
from tilelab._picture import result_html
from tilelab._validation import as_array, as_enum, as_float, as_regular, fail, fail_type

__all__ = ["Records", "pack_records", "unpack_records"]
__dir__ = __all__.copy


class Records(NamedTuple):
    """Fields of records, each of the records' shape."""

    #: Column in the tile, int32.
    x: npt.NDArray[np.int32]
    #: Row in the tile, int32.
    y: npt.NDArray[np.int32]
    #: Also write (x ^ 1, y).
    copy_x: npt.NDArray[np.bool_]
    #: Also write (x, y ^ 1).
    copy_y: npt.NDArray[np.bool_]
    #: Also write (x ^ 1, y ^ 1).
    copy_xy: npt.NDArray[np.bool_]
    #: Decoded depth in 0..1, float32.
    depth: npt.NDArray[np.float32]

    def __repr__(self) -> str:
        return f"Records({np.size(self.x)} records, {self._copies()} copies)"

    def _copies(self) -> int:
        return sum(int(np.count_nonzero(flags)) for flags in (self.copy_x, self.copy_y, self.copy_xy))

    def _repr_html_(self) -> str:
        rows: list[tuple[str, object]] = [("records", np.size(self.x)), ("copies", self._copies())]
        if np.size(self.depth):
            rows.append(("depth", f"{np.min(self.depth):.6g} to {np.max(self.depth):.6g}"))
        return result_html("Records", rows)


def _field(name: str, value: npt.ArrayLike, high: int) -> npt.NDArray[np.uint8]:
    array = as_regular(name, value)
    if array.dtype == np.bool_ and high == 1:
        return array.astype(np.uint8)
    if array.dtype.kind not in "iu":
        raise fail_type(name, "must hold integers" if high > 1 else "must hold booleans", array.dtype)
    if array.size and not (int(array.min()) >= 0 and int(array.max()) <= high):
        raise fail(name, f"must be in [0, {high}]", f"values in [{array.min()}, {array.max()}]")
    return array.astype(np.uint8)


def pack_records(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    copy_x: npt.ArrayLike,
    copy_y: npt.ArrayLike,
    copy_xy: npt.ArrayLike,
    depth: npt.ArrayLike,
    *,
    depth_encoding: str = "unorm21",
) -> Any:
    """Pack fields into records.

    Parameters
    ----------
    x, y : array_like of int
        Pixel in the tile, 0..15. All arguments broadcast.
    copy_x, copy_y, copy_xy : array_like of bool
        Whether the result also goes to the x neighbour, the y neighbour, the diagonal one (coordinate XOR 1).
    depth : array_like of float32
        Depth, held inside [0, 1]; NaN becomes 0. float16, float64 and a plain int become float32.
    depth_encoding : {"unorm21", "float21"}
        ``floor(depth * (2**21 - 1) + 0.5)``, or the float32 bits without their lowest ten, rounded to nearest
        even. The first suits linear depth, the second reverse-Z.

    Returns
    -------
    ndarray of uint32 or uint32
        Bits 0-3 x, 4-7 y, 8 copy_x, 9 copy_y, 10 copy_xy, 11-31 depth.

    Raises
    ------
    TypeError, ValueError
        A field has another kind or is out of range, or the shapes do not broadcast.

    Notes
    -----
    The widths 4 + 4 + 3 + 21 are documented, the order of the fields is a choice of this model (modelled).

    Examples
    --------
    >>> hex(pack_records(5, 9, True, True, False, 0.5))
    '0x80000395'
    """
    encoding = as_enum("depth_encoding", depth_encoding, DepthEncoding)
    fields = [_field("x", x, 15), _field("y", y, 15)]
    flags = [_field(n, v, 1) for n, v in (("copy_x", copy_x), ("copy_y", copy_y), ("copy_xy", copy_xy))]
    number = as_float("depth", depth) if type(depth) is int else depth
    depths = as_array("depth", number, dtype=np.float32)
    try:
        arrays = np.broadcast_arrays(*fields, flags[0] | flags[1] << 1 | flags[2] << 2, depths)
    except ValueError:
        shapes = [a.shape for a in (*fields, *flags, depths)]
        raise fail("x, y, copies and depth", "must broadcast", f"shapes {shapes}") from None
    shape = arrays[0].shape
    columns, lines, copies, distances = (np.ascontiguousarray(a).reshape(-1) for a in arrays)
    records = np.empty(columns.size, np.uint32)
    packed = RecordFields(x=columns, y=lines, copies=copies, depth=distances)
    _core.lighting.pack_records(packed, encoding, records)
    return records.reshape(shape)[()]


def unpack_records(records: npt.ArrayLike, *, depth_encoding: str = "unorm21") -> Records:
    """Split records into their fields.

    Parameters
    ----------
    records : array_like of uint32
        Records of any shape.
    depth_encoding : {"unorm21", "float21"}
        How their depth was packed.

    Returns
    -------
    Records
        ``(x, y, copy_x, copy_y, copy_xy, depth)``.

    Raises
    ------
    TypeError, ValueError
        `records` are no uint32, or the encoding is unknown.

    Examples
    --------
    >>> fields = unpack_records(0x80000395)
    >>> int(fields.x), int(fields.y), bool(fields.copy_x), round(float(fields.depth), 6)
    (5, 9, True, 0.5)
    """
    encoding = as_enum("depth_encoding", depth_encoding, DepthEncoding)
    words = as_array("records", records, dtype=np.uint32)
    depth = np.empty(words.size, np.float32)
    _core.lighting.decode_depths(words.reshape(-1), encoding, depth, 1)
    x = (words & np.uint32(15)).astype(np.int32)
    y = (words >> np.uint32(4) & np.uint32(15)).astype(np.int32)
    flags = [(words >> np.uint32(bit) & np.uint32(1)).astype(np.bool_) for bit in (8, 9, 10)]
    return Records(x, y, flags[0], flags[1], flags[2], depth.reshape(words.shape)[()])
