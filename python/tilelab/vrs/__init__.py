"""Variable rate shading: rates and combiners, the rate image of a picture, coarse shading and its cost."""

from tilelab.vrs.attributes import coarse_gradients, snapped_position
from tilelab.vrs.coarse import count_invocations, shade_coarse
from tilelab.vrs.coarse_result import CoarseResult
from tilelab.vrs.hints import apply_hints
from tilelab.vrs.luminance import luminance
from tilelab.vrs.rate_image import rate_image, vote_counts
from tilelab.vrs.shading_rate import Combiner, ShadingRate, VrsCaps, combine_rates, sanitize_rate

__all__ = [
    "CoarseResult",
    "Combiner",
    "ShadingRate",
    "VrsCaps",
    "apply_hints",
    "coarse_gradients",
    "combine_rates",
    "count_invocations",
    "luminance",
    "rate_image",
    "sanitize_rate",
    "shade_coarse",
    "snapped_position",
    "vote_counts",
]
__dir__ = __all__.copy
