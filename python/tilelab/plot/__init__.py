"""Plots of every area's results.

Each function takes ``ax=None`` (a new figure) and returns the Axes. matplotlib is imported at the first call.
"""

from tilelab.plot._axes import axes_or_new, image_axes
from tilelab.plot.addressing import address_walk, equation_bits, offset_map
from tilelab.plot.lighting import lighting_saving, lit_counts, lit_pixels, wave_loop_tiles
from tilelab.plot.scheduler import scheduler_timeline, scheduler_trade_off
from tilelab.plot.scheduler_explorer import scheduler_explorer
from tilelab.plot.tessellation import tessellated_patch
from tilelab.plot.vrs import RATE_COLORS, rate_image, rate_overlay

__all__ = [
    "RATE_COLORS",
    "address_walk",
    "axes_or_new",
    "equation_bits",
    "image_axes",
    "lighting_saving",
    "lit_counts",
    "lit_pixels",
    "offset_map",
    "rate_image",
    "rate_overlay",
    "scheduler_explorer",
    "scheduler_timeline",
    "scheduler_trade_off",
    "tessellated_patch",
    "wave_loop_tiles",
]
__dir__ = __all__.copy
