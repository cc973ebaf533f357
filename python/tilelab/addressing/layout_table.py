"""Layouts as labelled arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilelab import _core, _extras

if TYPE_CHECKING:
    from tilelab.addressing.layout import PlaneLayout, ResourceLayout

__all__ = ["layout_dataset", "plane_dataset"]
__dir__ = __all__.copy

_PLANE_FIELDS = (
    *("size_bytes", "base_offset_bytes", "base_alignment_bytes", "bytes_per_element"),
    *("slice_size_bytes", "standard_mip_count", "mip_tail_mip_count"),
)


def plane_dataset(plane: PlaneLayout) -> Any:
    """Give the mips of a plane over the axis ``mip``."""
    xarray = _extras.require("xarray", "sweep")
    return xarray.Dataset(
        {
            name: ("mip", [getattr(mip, name) for mip in plane.mips])
            for name in _core.addressing.MipLayout.FIELDS
        },
        coords={"mip": range(len(plane.mips))},
        attrs={"usage": str(plane.usage), **{name: getattr(plane, name) for name in _PLANE_FIELDS}},
    )


def layout_dataset(layout: ResourceLayout) -> Any:
    """Give the mips of all planes over the axes ``plane`` and ``mip``, what planes have over ``plane``."""
    xarray = _extras.require("xarray", "sweep")
    mips = {
        name: (("plane", "mip"), [[getattr(mip, name) for mip in plane.mips] for plane in layout.planes])
        for name in _core.addressing.MipLayout.FIELDS
    }
    planes = {
        f"plane_{name}": ("plane", [getattr(plane, name) for plane in layout.planes])
        for name in _PLANE_FIELDS
    }
    return xarray.Dataset(
        mips | planes,
        coords={"plane": [str(plane.usage) for plane in layout.planes], "mip": range(layout.mip_levels)},
        attrs={
            "size_bytes": layout.size_bytes,
            "base_alignment_bytes": layout.base_alignment_bytes,
            "texture": str(layout.desc),
            "swizzle_mode": layout.swizzle_mode.name,
            "gpu": layout.gpu.name,
            "pipe_bank_xor": layout.pipe_bank_xor,
        },
    )
