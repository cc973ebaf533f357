"""The orders in which Direct3D and the two console generations lay subresources one after another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from tilelab._validation import as_choice, fail, fail_type
from tilelab.addressing.desc import Subresource, TextureDesc, as_desc

__all__ = ["reorder_subresources", "subresource_order"]
__dir__ = __all__.copy

T = TypeVar("T")

_SORT_KEYS: Mapping[str, Callable[[Subresource], tuple[int, int, int]]] = {
    "d3d12": lambda sub: (sub.plane, sub.array_slice, sub.mip),
    "xbox_one": lambda sub: (sub.plane, sub.mip, sub.array_slice),
    "xbox_series": lambda sub: (sub.plane, sub.array_slice, -sub.mip),
}


def subresource_order(desc: TextureDesc, order: str) -> NDArray[np.int64]:
    """Direct3D 12 indices of the subresources in the order in which they follow each other.

    Parameters
    ----------
    desc : TextureDesc
        The texture.
    order : {"d3d12", "xbox_one", "xbox_series"}
        "d3d12": mips inside slices inside planes, mip 0 first. "xbox_one": a mip chain of arrays, that is
        slices inside mips, mip 0 first. "xbox_series": an array of mip chains, mips inside slices, the last
        mip first (lowest address).

    Returns
    -------
    int64 array of shape (subresource_count,)
        Entry k is the Direct3D 12 index of the k-th subresource.

    Notes
    -----
    Documented: the Series order (every mip chain starts with its last mip, slices repeat whole chains). The
    Xbox One order is documented only as "mip chain of arrays, mip 0 first"; that planes stay outermost there
    is UNCERTAIN. On both consoles tiling adds padding and mip tails: this is the order alone; the Series
    addresses come from `resource_layout`.

    Examples
    --------
    >>> desc = TextureDesc(width=4, height=4, depth_or_array_size=2, mip_levels=3, format="R8_UNORM")
    >>> subresource_order(desc, "xbox_one").tolist()
    [0, 3, 1, 4, 2, 5]
    >>> subresource_order(desc, "xbox_series").tolist()
    [2, 1, 0, 5, 4, 3]
    """
    as_desc(desc)
    key = _SORT_KEYS[as_choice("order", order, tuple(_SORT_KEYS))]
    numbered = sorted(enumerate(desc.subresources()), key=lambda item: key(item[1]))
    return np.array([index for index, _ in numbered], np.int64)


def reorder_subresources(
    subresources: Sequence[T], desc: TextureDesc, *, source: str, target: str = "d3d12"
) -> list[T]:
    """Bring the subresources of a texture from one order into another.

    Offline tools that read Xbox One textures need ``source="xbox_one"``: what comes out is what
    `swizzle_resource` and `tilelab.io.dds.write` take.

    Parameters
    ----------
    subresources : sequence
        One entry for every subresource of `desc`, in the order `source`.
    desc : TextureDesc
        The texture.
    source, target : {"d3d12", "xbox_one", "xbox_series"}
        See `subresource_order`.

    Returns
    -------
    list
        The same entries (no copies) in the order `target`.

    Raises
    ------
    TypeError, ValueError
        Unknown order, or a number of entries that does not fit `desc`.

    Examples
    --------
    >>> desc = TextureDesc(width=2, height=2, depth_or_array_size=2, mip_levels=2, format="R8_UNORM")
    >>> reorder_subresources(["mip 0 a", "mip 0 b", "mip 1 a", "mip 1 b"], desc, source="xbox_one")
    ['mip 0 a', 'mip 1 a', 'mip 0 b', 'mip 1 b']
    """
    from_order = subresource_order(desc, as_choice("source", source, tuple(_SORT_KEYS)))
    to_order = subresource_order(desc, as_choice("target", target, tuple(_SORT_KEYS)))
    if not isinstance(subresources, Sequence):
        raise fail_type("subresources", "must be a sequence", type(subresources).__name__)
    if len(subresources) != desc.subresource_count:
        raise fail("subresources", f"must hold {desc.subresource_count} entries", len(subresources))
    place = np.empty_like(from_order)
    place[from_order] = np.arange(from_order.size)
    return [subresources[index] for index in place[to_order]]
