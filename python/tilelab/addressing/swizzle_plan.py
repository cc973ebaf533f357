"""The reusable plan of bulk copies: one mip of one plane, prepared once for many textures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab import _core
from tilelab._core.addressing import Box, CopyDirection
from tilelab._validation import (
    Array,
    as_enum,
    as_int,
    as_out,
    as_regular,
    as_threads,
    describe,
    fail,
    fail_type,
)
from tilelab.addressing.layout import ResourceLayout, as_layout

__all__ = ["SwizzlePlan"]
__dir__ = __all__.copy

Bytes = npt.NDArray[np.uint8]
Extent = tuple[int, int, int]


class SwizzlePlan:
    """The copy between a linear image and one mip of a layout: build once, run on many textures.

    Parameters
    ----------
    layout : ResourceLayout
        The layout.
    mip : int
        The mip.
    plane : int or str
        Number or usage of the plane.

    Notes
    -----
    Derived: the offset is linear over GF(2), so a plan holds one small table per coordinate and the
    permutation of one patch (whole 64-byte lines of tiled memory, 64 bytes of a row). Results do not depend
    on threads or instruction set.

    Examples
    --------
    >>> from tilelab.addressing import TextureDesc, resource_layout
    >>> desc = TextureDesc(width=64, height=32, format="R8G8B8A8_UNORM")
    >>> plan = SwizzlePlan(resource_layout(desc, "64KB_R_X"))
    >>> image = np.arange(64 * 32, dtype=np.uint32).reshape(32, 64)
    >>> tiled = plan.swizzle(image)
    >>> bool((plan.deswizzle(tiled).view(np.uint32)[..., 0] == image).all())
    True
    """

    __slots__ = ("_element_bytes", "_lead", "_plan", "_samples", "_texel_elements", "layout", "mip", "plane")

    def __init__(self, layout: ResourceLayout, *, mip: int = 0, plane: int | str = 0) -> None:
        self.layout = as_layout(layout)
        self.plane = layout.plane_index(plane)
        self.mip = as_int("mip", mip, low=0, high=layout.mip_levels - 1)
        self._plan = _core.addressing.SwizzlePlan(layout.planes[self.plane].core, self.mip)
        self._samples = layout.desc.sample_count
        self._element_bytes = layout.planes[self.plane].bytes_per_element
        # A texel of 96 bits is three elements, which an image may show as such or as one of 12 bytes.
        self._texel_elements = layout.desc.planes[self.plane].bytes_per_element // self._element_bytes
        self._lead = 3 if layout.dimension == "3d" else 2  # axes of an image before those of a texel

    @property
    def extent(self) -> Extent:
        """Width, height and depth of the mip in texels (blocks of BC formats); depth 1 unless a volume."""
        place = self.layout.planes[self.plane].mips[self.mip]
        depth = place.depth_or_array_size if self.layout.dimension == "3d" else 1
        return place.width_elements // self._texel_elements, place.height_elements, depth

    @property
    def image_shape(self) -> tuple[int, ...]:
        """Shape of the uint8 image that `deswizzle` returns."""
        samples = (self._samples,) if self._samples > 1 else ()
        return (*self._grid(self.extent), *samples, self._element_bytes * self._texel_elements)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(SwizzlePlan, mip=self.mip, plane=self.plane), (self.layout,)

    def swizzle(
        self, image: npt.ArrayLike, *, array_slice: int = 0, out: Bytes | None = None, threads: int = 1
    ) -> Bytes:
        """Write a linear image into tiled bytes; see `swizzle`."""
        source = self.as_image("image", image)
        if out is not None:
            self._check_tiled("out", out, source)
        return self.write(source, out, array_slice=array_slice, threads=threads)

    def deswizzle(
        self, buffer: npt.ArrayLike, *, array_slice: int = 0, out: Array | None = None, threads: int = 1
    ) -> Array:
        """Read a linear image from tiled bytes; see `deswizzle`."""
        tiled = as_tiled(buffer, self.layout.size_bytes)
        if out is None:
            return self.read(tiled, array_slice=array_slice, threads=threads)
        return self._read_into("out", out, tiled, self._box(array_slice), self.extent, threads)

    def copy_region(
        self,
        image: npt.ArrayLike,
        buffer: Bytes,
        *,
        origin: Sequence[int] = (0, 0, 0),
        direction: CopyDirection | str = "swizzle",
        array_slice: int = 0,
        threads: int = 1,
    ) -> Any:
        """Copy a sub-box between a linear image and tiled bytes; see `copy_region`."""
        way = as_enum("direction", direction, CopyDirection)
        array = as_regular("image", image)
        if array.ndim < self._lead:
            raise fail("image", f"must have at least {self._lead} dimensions", describe(array))
        width, height, depth = (*reversed(array.shape[: self._lead]), 1)[:3]
        box = self._region(origin, (width, height, depth), array_slice)
        if way is CopyDirection.DESWIZZLE:
            tiled = as_tiled(buffer, self.layout.size_bytes)
            return self._read_into("image", image, tiled, box, (width, height, depth), threads)
        source = self.as_image("image", array, (width, height, depth))
        self._check_tiled("buffer", buffer, source)
        self._write_box(source, buffer, box, threads)
        return buffer

    def as_image(self, name: str, image: npt.ArrayLike, size: Extent | None = None) -> Array:
        """Give an image of the mip, or of `size` texels, as an array; refuse others under that name."""
        array = as_regular(name, image)
        if array.dtype.hasobject:
            raise fail_type(name, "must be an array of plain numbers", describe(array))
        shape, lead = self._grid(size or self.extent), self._lead
        texel_bytes = self._element_bytes * self._texel_elements * self._samples
        trailing = math.prod(array.shape[lead:]) * array.itemsize
        fits = array.shape[:lead] == shape and trailing == texel_bytes
        if self._samples > 1:
            fits = fits and array.ndim > lead and array.shape[lead] == self._samples
        elif self._texel_elements > 1:  # also rows of single elements
            wide = (*shape[:-1], shape[-1] * self._texel_elements)
            fits = fits or (array.shape[:lead] == wide and trailing == self._element_bytes)
        if not fits:
            samples = f", {self._samples} samples" if self._samples > 1 else ""
            text = " x ".join(map(str, shape))
            rule = f"must hold {text} elements of {texel_bytes // self._samples} bytes{samples}"
            raise fail(name, rule, describe(array))
        return array

    def write(
        self, image: Array, tiled: Bytes | None = None, *, array_slice: int = 0, threads: int = 1
    ) -> Bytes:
        """Write an image of `as_image` into tiled bytes of the layout's size; neither is checked again."""
        box = self._box(array_slice)
        if tiled is None:
            tiled = np.zeros(self.layout.size_bytes, np.uint8)
        self._write_box(image, tiled, box, threads)
        return tiled

    def read(self, tiled: Bytes, *, array_slice: int = 0, threads: int = 1) -> Bytes:
        """Read a new image from tiled bytes of `as_tiled`, which are not checked again."""
        box, image = self._box(array_slice), np.empty(self.image_shape, np.uint8)
        self._plan.deswizzle(image, *self._packed_steps(box), tiled, box, as_threads(threads))
        return image

    def _write_box(self, image: Array, tiled: Bytes, box: Box, threads: int) -> None:
        steps = self._steps(image, box)
        if steps is None:
            image, steps = np.ascontiguousarray(image), self._packed_steps(box)
        self._plan.swizzle(image, *steps, tiled, box, as_threads(threads))

    def _read_into(self, name: str, out: Any, tiled: Bytes, box: Box, size: Extent, threads: int) -> Array:
        if not isinstance(out, np.ndarray):
            raise fail_type(name, "must be a NumPy array to be written", type(out).__name__)
        if not out.flags.writeable:
            raise fail(name, "must be writeable", "a read-only array")
        if np.may_share_memory(out, tiled):
            raise fail(name, "must not overlap buffer", "arrays that share memory")
        steps = self._steps(self.as_image(name, out, size), box)
        if steps is None:
            got = f"{describe(out)} with strides {out.strides}"
            raise fail(name, "must have contiguous rows that do not overlap", got)
        self._plan.deswizzle(out, *steps, tiled, box, as_threads(threads))
        return out

    def _check_tiled(self, name: str, tiled: Bytes, image: Array) -> None:
        as_out(name, tiled, dtype=np.uint8, shape=(self.layout.size_bytes,), inputs=[("image", image)])

    def _grid(self, size: Extent) -> tuple[int, ...]:
        """Axes of an image of `size` texels before those of a texel."""
        return size[::-1][-self._lead :]

    def _region(self, origin: object, size: Extent, array_slice: int) -> Box:
        """Check that a region lies in the mip."""
        if not isinstance(origin, Sequence | np.ndarray):
            raise fail_type("origin", "must be (x, y) or (x, y, z)", repr(origin))
        if len(origin) not in (2, 3):
            raise fail("origin", "must be (x, y) or (x, y, z)", origin)
        starts = []
        for axis, start, length, limit in zip(range(3), (*origin, 0), size, self.extent, strict=False):
            starts.append(as_int(f"origin[{axis}]", start, low=0, high=limit))
            as_int(f"size of the image along {'xyz'[axis]}", length, low=0, high=limit - starts[-1])
        return self._box(array_slice, (starts[0], starts[1], starts[2]), size)

    def _box(self, array_slice: int, origin: Extent = (0, 0, 0), size: Extent | None = None) -> Box:
        """Give texels (the whole mip) as a box of elements."""
        (x, y, z), (width, height, depth) = origin, size or self.extent
        array_slice, scale = self.layout.check_slice(array_slice), self._texel_elements
        return Box(
            x=x * scale,
            y=y,
            z=z if self._lead == 3 else array_slice,
            width=width * scale,
            height=height,
            depth=depth,
        )

    def _packed_steps(self, box: Box) -> tuple[int, int]:
        """Bytes from one row, and from one slice, to the next where an image has no gaps."""
        row = box.width * self._element_bytes * self._samples
        return row, row * box.height

    def _steps(self, image: Array, box: Box) -> tuple[int, int] | None:
        """Bytes from one row, and from one slice, to the next; None where rows have gaps or overlap."""
        if image.flags.c_contiguous:
            return self._packed_steps(box)
        inside = image[(0,) * (self._lead - 1)]
        if not inside.flags.c_contiguous:
            return None
        row, _ = self._packed_steps(box)
        step, slice_step = image.strides[self._lead - 2], image.strides[0] if self._lead == 3 else 0
        rows_overlap = box.height > 1 and step < row
        slices_overlap = box.depth > 1 and slice_step < (box.height - 1) * step + row
        return None if rows_overlap or slices_overlap else (step, slice_step)


def as_tiled(buffer: npt.ArrayLike | bytes | bytearray | memoryview, size_bytes: int) -> Bytes:
    """Give the bytes of a resource as a flat uint8 array without copying them."""
    if isinstance(buffer, bytes | bytearray | memoryview):
        array: Array = np.frombuffer(buffer, np.uint8)
    elif isinstance(buffer, np.ndarray):
        array = buffer
    else:
        raise fail_type("buffer", "must be a flat uint8 array or bytes", type(buffer).__name__)
    if array.dtype != np.uint8:
        raise fail_type("buffer", "must be a flat array of uint8", describe(array))
    if array.shape != (size_bytes,):
        raise fail(
            "buffer", f"must have shape ({size_bytes},), the size_bytes of the layout", describe(array)
        )
    if not array.flags.c_contiguous:
        raise fail("buffer", "must be C-contiguous", f"{describe(array)} with strides {array.strides}")
    return array
