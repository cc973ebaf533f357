"""The reusable plan of bulk copies: one mip of one plane, prepared once for many textures."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab import _core
from tilelab._validation import (
    Array,
    as_int,
    as_out,
    as_regular,
    as_threads,
    describe,
    fail,
    fail_type,
)
from tilelab.addressing.layout import ResourceLayout, as_layout

Bytes = npt.NDArray[np.uint8]


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

    __slots__ = ("_element_bytes", "_plan", "_samples", "_texel_elements", "layout", "mip", "plane")

    def __init__(self, layout: ResourceLayout, *, mip: int = 0, plane: int | str = 0) -> None:
        self.layout = as_layout(layout)
        self.plane = layout.plane_index(plane)
        self.mip = as_int("mip", mip, low=0, high=layout.mip_levels - 1)
        self._plan = _core.addressing.SwizzlePlan(layout.planes[self.plane].core, self.mip)
        self._samples = layout.desc.sample_count
        self._element_bytes = layout.planes[self.plane].bytes_per_element
        # A texel of 96 bits is three elements, which an image may show as such or as one of 12 bytes.
        self._texel_elements = layout.desc.planes[self.plane].bytes_per_element // self._element_bytes

    @property
    def extent(self) -> tuple[int, int, int]:
        """Width, height and depth of the mip in texels (blocks of BC formats); depth 1 unless a volume."""
        place = self.layout.planes[self.plane].mips[self.mip]
        depth = place.depth_or_array_size if self.layout.dimension == "3d" else 1
        return place.width_elements // self._texel_elements, place.height_elements, depth

    @property
    def image_shape(self) -> tuple[int, ...]:
        """Shape of the uint8 image that `deswizzle` returns."""
        return self._image_shape(self.extent)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(SwizzlePlan, mip=self.mip, plane=self.plane), (self.layout,)

    def check(self, name: str, image: npt.ArrayLike, out: Bytes | None = None) -> None:
        """Refuse, under that name, what `swizzle` cannot take or write to `out`."""
        source, _, _ = self._linear(name, image, self.extent)
        if out is not None and np.may_share_memory(source, out):
            raise fail("out", f"must not overlap {name}", "arrays that share memory")

    def swizzle(
        self, image: npt.ArrayLike, *, array_slice: int = 0, out: Bytes | None = None, threads: int = 1
    ) -> Bytes:
        """Write a linear image into tiled bytes; see `swizzle`."""
        return self.copy_in(image, (0, 0, 0), self.extent, array_slice=array_slice, out=out, threads=threads)

    def deswizzle(
        self, buffer: npt.ArrayLike, *, array_slice: int = 0, out: Array | None = None, threads: int = 1
    ) -> Array:
        """Read a linear image from tiled bytes; see `deswizzle`."""
        return self.copy_out(
            buffer, (0, 0, 0), self.extent, array_slice=array_slice, out=out, threads=threads
        )

    def copy_in(
        self,
        image: npt.ArrayLike,
        origin: tuple[int, int, int],
        size: tuple[int, int, int],
        *,
        array_slice: int = 0,
        out: Bytes | None = None,
        out_name: str = "out",
        threads: int = 1,
    ) -> Bytes:
        """Write a linear box of `size` (w, h, d) texels to `origin` (x, y, z) of the mip."""
        box, threads = self._box(origin, size, array_slice), as_threads(threads)
        source, row_bytes, slice_bytes = self._linear("image", image, size)
        if out is None:
            out = np.zeros(self.layout.size_bytes, np.uint8)
        else:
            as_out(out_name, out, dtype=np.uint8, shape=(self.layout.size_bytes,), inputs=[("image", source)])
        self._plan.swizzle(source, row_bytes, slice_bytes, out, box, threads)
        return out

    def copy_out(
        self,
        buffer: npt.ArrayLike,
        origin: tuple[int, int, int],
        size: tuple[int, int, int],
        *,
        array_slice: int = 0,
        out: Array | None = None,
        out_name: str = "out",
        threads: int = 1,
    ) -> Array:
        """Read a linear box of `size` (w, h, d) texels from `origin` (x, y, z) of the mip."""
        box, threads = self._box(origin, size, array_slice), as_threads(threads)
        tiled = as_tiled(buffer, self.layout.size_bytes)
        if out is None:
            out = np.empty(self._image_shape(size), np.uint8)
        elif not isinstance(out, np.ndarray):
            raise fail_type(out_name, "must be a NumPy array", type(out).__name__)
        elif not out.flags.writeable:
            raise fail(out_name, "must be writeable", "a read-only array")
        elif np.may_share_memory(out, tiled):
            raise fail(out_name, "must not overlap buffer", "arrays that share memory")
        target, row_bytes, slice_bytes = self._linear(out_name, out, size)
        if not np.may_share_memory(target, out) and out.size:
            raise fail(
                out_name,
                "must have contiguous rows that do not overlap",
                f"{describe(out)} with strides {out.strides}",
            )
        self._plan.deswizzle(tiled, target, row_bytes, slice_bytes, box, threads)
        return out

    def _image_shape(self, size: tuple[int, int, int]) -> tuple[int, ...]:
        width, height, depth = size
        volume = (depth,) if self.layout.dimension == "3d" else ()
        samples = (self._samples,) if self._samples > 1 else ()
        return (*volume, height, width, *samples, self._element_bytes * self._texel_elements)

    def _box(self, origin: tuple[int, int, int], size: tuple[int, int, int], array_slice: int) -> list[int]:
        extent = self.extent
        box = []
        for axis, start, length, limit in zip(range(3), origin, size, extent, strict=True):
            start = as_int(f"origin[{axis}]", start, low=0, high=limit)
            name = f"size of the image along {'xyz'[axis]}"
            box.append((start, as_int(name, length, low=0, high=limit - start)))
        array_slice = self.layout.check_slice(array_slice)
        if self.layout.dimension != "3d":
            box[2] = (array_slice, box[2][1])
        scale = self._texel_elements
        (x, width), (y, height), (z, depth) = box
        return [x * scale, y, z, width * scale, height, depth]

    def _linear(self, name: str, image: npt.ArrayLike, size: tuple[int, int, int]) -> tuple[Array, int, int]:
        """Check an image of `size` texels and give it with the byte steps of its rows and slices."""
        array = as_regular(name, image)
        if array.dtype.hasobject:
            raise fail_type(name, "must be an array of plain numbers", describe(array))
        width, height, depth = size
        volume = (depth,) if self.layout.dimension == "3d" else ()
        texel_bytes = self._element_bytes * self._texel_elements * self._samples
        shape = (*volume, height, width)
        lead = len(shape)
        trailing = math.prod(array.shape[lead:]) * array.itemsize
        fits = array.shape[:lead] == shape and trailing == texel_bytes
        if self._samples > 1:
            fits = fits and array.ndim > lead and array.shape[lead] == self._samples
        elif self._texel_elements > 1:  # also rows of single elements
            wide = (*shape[:-1], width * self._texel_elements)
            fits = fits or (array.shape[:lead] == wide and trailing == self._element_bytes)
        if not fits:
            samples = f", {self._samples} samples" if self._samples > 1 else ""
            text = " x ".join(map(str, shape))
            raise fail(
                name,
                f"must hold {text} elements of {texel_bytes // self._samples} bytes{samples}",
                describe(array),
            )
        row = width * texel_bytes
        rows_fit = all(
            stride == step or extent <= 1
            for stride, step, extent in zip(
                array.strides[lead - 1 :], _c_strides(array)[lead - 1 :], array.shape[lead - 1 :], strict=True
            )
        )
        steps = array.strides[: lead - 1]
        if (
            rows_fit
            and array.size
            and all(step >= row or extent == 1 for step, extent in zip(steps, shape, strict=False))
        ):
            slice_step = steps[0] if volume else 0
            if not volume or depth == 1 or slice_step >= (height - 1) * steps[-1] + row:
                return array, steps[-1], slice_step
        return np.ascontiguousarray(array), row, row * height


def _c_strides(array: Array) -> tuple[int, ...]:
    steps = [array.itemsize]
    for extent in reversed(array.shape[1:]):
        steps.append(steps[-1] * extent)
    return tuple(reversed(steps[: array.ndim]))


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
