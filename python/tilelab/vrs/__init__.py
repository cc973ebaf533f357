"""Variable rate shading: rates and combiners, the rate image of a picture, coarse shading and its cost."""

from tilelab.vrs.coarse import CoarseResult, count_invocations, shade_coarse
from tilelab.vrs.estimate import luminance, rate_image, vote_counts
from tilelab.vrs.hints import apply_hints
from tilelab.vrs.rates import Combiner, ShadingRate, VrsCaps, combine_rates, sanitize_rate

__all__ = [
    "CoarseResult",
    "Combiner",
    "ShadingRate",
    "VrsCaps",
    "apply_hints",
    "combine_rates",
    "count_invocations",
    "luminance",
    "rate_image",
    "sanitize_rate",
    "shade_coarse",
    "vote_counts",
]
