"""Bulk copies between linear images and tiled bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab._validation import Array, as_out, fail, fail_type
from tilelab.addressing.layout import ResourceLayout, as_layout
from tilelab.addressing.swizzle_plan import Bytes, SwizzlePlan, as_tiled

__all__ = ["copy_region", "deswizzle", "deswizzle_resource", "swizzle", "swizzle_resource"]
__dir__ = __all__.copy


def swizzle(
    image: npt.ArrayLike,
    layout: ResourceLayout,
    *,
    mip: int = 0,
    array_slice: int = 0,
    plane: int | str = 0,
    out: Bytes | None = None,
    threads: int = 1,
) -> Bytes:
    """Write one linear subresource into the tiled bytes of a resource.

    Parameters
    ----------
    image : array of shape (h, w[, C]) or (d, h, w[, C])
        The subresource, its trailing axes and dtype making the bytes of one element: any dtype. BC formats:
        (h, w, 8 or 16) uint8 in blocks. Several samples: an axis of samples before the channels. 1D: (1,
        w[, C]). Rows may lie apart (a view with a custom pitch); other non-contiguous images are copied
        first.
    layout : ResourceLayout
        The layout.
    mip, array_slice : int
        The subresource; ``6 * cube + face`` for cubes, 0 for volumes.
    plane : int or str
        Number or usage of the plane.
    out : uint8 array of shape (size_bytes,), optional
        Tiled bytes to write into, apart from the image. Bytes of padding and of other subresources are left
        as they are.
    threads : int
        Threads, 0 = all cores.

    Returns
    -------
    uint8 array of shape (size_bytes,)
        `out`, or new bytes with zeros elsewhere.

    Raises
    ------
    TypeError, ValueError
        Naming the argument and the rule; nothing is written then.

    Examples
    --------
    >>> from tilelab.addressing import TextureDesc, resource_layout
    >>> layout = resource_layout(TextureDesc(width=4, height=4, format="R8_UNORM"), "256B_S")
    >>> swizzle(np.arange(16, dtype=np.uint8).reshape(4, 4), layout)[16:20]
    array([4, 5, 6, 7], dtype=uint8)
    """
    return SwizzlePlan(layout, mip=mip, plane=plane).swizzle(
        image, array_slice=array_slice, out=out, threads=threads
    )


def deswizzle(
    buffer: npt.ArrayLike | bytes,
    layout: ResourceLayout,
    *,
    mip: int = 0,
    array_slice: int = 0,
    plane: int | str = 0,
    out: Array | None = None,
    threads: int = 1,
) -> Array:
    """Read one subresource from the tiled bytes of a resource: the inverse of `swizzle`.

    Parameters
    ----------
    buffer : uint8 array of shape (size_bytes,) or bytes
        The tiled bytes.
    layout, mip, array_slice, plane, threads
        As in `swizzle`.
    out : array, optional
        Image to write, of any dtype and trailing axes that make the element's bytes; rows contiguous.

    Returns
    -------
    uint8 array of shape ([d,] h, w, [samples,] bytes), or `out`

    Raises
    ------
    TypeError, ValueError
        Naming the argument and the rule; nothing is written then.

    Examples
    --------
    >>> from tilelab.addressing import TextureDesc, resource_layout
    >>> layout = resource_layout(TextureDesc(width=4, height=4, format="R8_UNORM"), "256B_S")
    >>> deswizzle(np.arange(256, dtype=np.uint8), layout)[:2, :, 0]
    array([[ 0,  1,  2,  3],
           [16, 17, 18, 19]], dtype=uint8)
    """
    return SwizzlePlan(layout, mip=mip, plane=plane).deswizzle(
        buffer, array_slice=array_slice, out=out, threads=threads
    )


def swizzle_resource(
    subresources: Sequence[npt.ArrayLike],
    layout: ResourceLayout,
    *,
    out: Bytes | None = None,
    threads: int = 1,
) -> Bytes:
    """Write all subresources into the tiled bytes of a resource.

    Parameters
    ----------
    subresources : sequence of arrays
        Flat list in the order of D3D12: mips inside slices inside planes; each as in `swizzle`.
    layout : ResourceLayout
        The layout.
    out : uint8 array of shape (size_bytes,), optional
        Tiled bytes to write into; padding is left as it is.
    threads : int
        Threads, 0 = all cores.

    Returns
    -------
    uint8 array of shape (size_bytes,)

    Raises
    ------
    TypeError, ValueError
        Naming the subresource and the rule; nothing is written then.
    """
    desc = as_layout(layout).desc
    if not isinstance(subresources, Sequence):
        raise fail_type("subresources", "must be a sequence of arrays", type(subresources).__name__)
    if len(subresources) != desc.subresource_count:
        raise fail("subresources", f"must hold {desc.subresource_count} arrays", len(subresources))
    plans, places = _plans(layout), list(desc.subresources())
    names = [f"subresources[{number}]" for number in range(len(places))]
    images = [
        plans[place.plane, place.mip].as_image(name, image)
        for name, image, place in zip(names, subresources, places, strict=True)
    ]
    if out is None:
        out = np.zeros(layout.size_bytes, np.uint8)
    else:
        inputs = zip(names, images, strict=True)
        as_out("out", out, dtype=np.uint8, shape=(layout.size_bytes,), inputs=inputs)
    for image, place in zip(images, places, strict=True):
        plans[place.plane, place.mip].write(image, out, array_slice=place.array_slice, threads=threads)
    return out


def _plans(layout: ResourceLayout) -> dict[tuple[int, int], SwizzlePlan]:
    planes, mips = range(len(layout.planes)), range(layout.mip_levels)
    return {(plane, mip): SwizzlePlan(layout, mip=mip, plane=plane) for plane in planes for mip in mips}


def deswizzle_resource(
    buffer: npt.ArrayLike | bytes, layout: ResourceLayout, *, threads: int = 1
) -> list[Array]:
    """Read all subresources from the tiled bytes of a resource.

    Parameters
    ----------
    buffer : uint8 array of shape (size_bytes,) or bytes
        The tiled bytes.
    layout : ResourceLayout
        The layout.
    threads : int
        Threads, 0 = all cores.

    Returns
    -------
    list of uint8 arrays
        In the order of D3D12, each of shape ([d,] h, w, [samples,] bytes).
    """
    desc = as_layout(layout).desc
    tiled = as_tiled(buffer, layout.size_bytes)
    plans = _plans(layout)
    return [
        plans[place.plane, place.mip].read(tiled, array_slice=place.array_slice, threads=threads)
        for place in desc.subresources()
    ]


def copy_region(
    image: npt.ArrayLike,
    buffer: Bytes,
    layout: ResourceLayout,
    *,
    origin: Sequence[int] = (0, 0, 0),
    direction: str = "swizzle",
    mip: int = 0,
    array_slice: int = 0,
    plane: int | str = 0,
    threads: int = 1,
) -> Any:
    """Copy a sub-box between a linear image and the tiled bytes of a resource.

    Parameters
    ----------
    image : array of shape (h, w[, C]) or (d, h, w[, C])
        The box, as in `swizzle`; its shape gives the size. Written in the direction "deswizzle".
    buffer : uint8 array of shape (size_bytes,)
        The tiled bytes. Written in the direction "swizzle"; bytes outside the box are left as they are.
    layout : ResourceLayout
        The layout.
    origin : sequence of int
        (x, y) or (x, y, z) of the box in the mip, in elements (texels of 96-bit formats).
    direction : {"swizzle", "deswizzle"}
        "swizzle" copies from the image to the buffer, "deswizzle" back.
    mip, array_slice, plane, threads
        As in `swizzle`.

    Returns
    -------
    array
        What was written: `buffer` or `image`.

    Raises
    ------
    TypeError, ValueError
        Naming the argument and the rule; nothing is written then.

    Examples
    --------
    >>> from tilelab.addressing import TextureDesc, resource_layout
    >>> layout = resource_layout(TextureDesc(width=8, height=8, format="R8_UNORM"), "256B_S")
    >>> tiled = np.zeros(layout.size_bytes, np.uint8)
    >>> _ = copy_region(np.full((2, 3), 7, np.uint8), tiled, layout, origin=(1, 2))
    >>> deswizzle(tiled, layout)[1:5, :5, 0].tolist()
    [[0, 0, 0, 0, 0], [0, 7, 7, 7, 0], [0, 7, 7, 7, 0], [0, 0, 0, 0, 0]]
    """
    return SwizzlePlan(layout, mip=mip, plane=plane).copy_region(
        image, buffer, origin=origin, direction=direction, array_slice=array_slice, threads=threads
    )
