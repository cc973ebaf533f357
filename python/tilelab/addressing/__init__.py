"""Where texels live in memory: formats, textures, layouts and the bulk copies between linear and tiled."""

from tilelab.addressing.copies import (
    copy_region,
    deswizzle,
    deswizzle_resource,
    swizzle,
    swizzle_resource,
)
from tilelab.addressing.desc import Subresource, TextureDesc
from tilelab.addressing.equation import SwizzleEquation, swizzle_equation
from tilelab.addressing.formats import Format, FormatPlane, PlaneUsage
from tilelab.addressing.gpu_model import ANACONDA, LOCKHART, NAVI21, NAVI22, NAVI23, NAVI24, GpuModel
from tilelab.addressing.layout import MipLayout, PlaneLayout, ResourceLayout, resource_layout
from tilelab.addressing.locality import Locality, locality
from tilelab.addressing.memory_ranges import memory_ranges
from tilelab.addressing.order import reorder_subresources, subresource_order
from tilelab.addressing.preferred import preferred_swizzle_mode
from tilelab.addressing.swizzle_mode import SwizzleMode, SwizzleModeRow, SwizzleModeTable, swizzle_modes
from tilelab.addressing.swizzle_plan import SwizzlePlan
from tilelab.addressing.texel_address import offset_texel, texel_offset
from tilelab.addressing.tile_shape import tile_shape

__all__ = [
    "ANACONDA",
    "LOCKHART",
    "NAVI21",
    "NAVI22",
    "NAVI23",
    "NAVI24",
    "Format",
    "FormatPlane",
    "GpuModel",
    "Locality",
    "MipLayout",
    "PlaneLayout",
    "PlaneUsage",
    "ResourceLayout",
    "Subresource",
    "SwizzleEquation",
    "SwizzleMode",
    "SwizzleModeRow",
    "SwizzleModeTable",
    "SwizzlePlan",
    "TextureDesc",
    "copy_region",
    "deswizzle",
    "deswizzle_resource",
    "locality",
    "memory_ranges",
    "offset_texel",
    "preferred_swizzle_mode",
    "reorder_subresources",
    "resource_layout",
    "subresource_order",
    "swizzle",
    "swizzle_equation",
    "swizzle_modes",
    "swizzle_resource",
    "texel_offset",
    "tile_shape",
]
__dir__ = __all__.copy
