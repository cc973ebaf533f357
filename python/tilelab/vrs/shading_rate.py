"""Shading rates, what a device can deliver, and the combiner chain."""

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab import _core
from tilelab._core.vrs import Combiner as Combiner
from tilelab._core.vrs import CombinerChain, RateProfile, Sanitize
from tilelab._validation import (
    Array,
    as_array,
    as_bool,
    as_choice,
    as_enum,
    as_instance,
    as_int,
    as_member,
    as_regular,
    ceil_div,
    fail,
    fail_type,
    tell,
    unsupported,
)

__all__ = ["Combiner", "ShadingRate", "VrsCaps", "combine_rates", "sanitize_rate"]
__dir__ = __all__.copy

Rates = npt.NDArray[np.uint8]

PROFILES = tuple(profile.name.lower() for profile in RateProfile)
SAMPLE_COUNTS = (1, 2, 4, 8, 16)
TILES = (8, 16, 32)
# The nine axis pairs by name; 1X4 and 4X1 can be asked for and are never delivered.
RATE_CODES = {
    "1X1": 0,
    "1X2": 1,
    "1X4": 2,
    "2X1": 4,
    "2X2": 5,
    "2X4": 6,
    "4X1": 8,
    "4X2": 9,
    "4X4": 10,
}


class ShadingRate(enum.IntEnum):
    """Size of the coarse pixel, width x height, with the D3D12 code ``(log2(width) << 2) | log2(height)``.

    ``RATE_2X1`` is two pixels wide: it halves the horizontal resolution and keeps every row.

    Examples
    --------
    >>> from tilelab.vrs import ShadingRate
    >>> ShadingRate.RATE_2X1.width, ShadingRate.RATE_2X1.height
    (2, 1)
    """

    RATE_1X1 = 0
    RATE_1X2 = 1
    RATE_2X1 = 4
    RATE_2X2 = 5
    RATE_2X4 = 6
    RATE_4X2 = 9
    RATE_4X4 = 10

    @property
    def width(self) -> int:
        """Pixels that one invocation covers in x."""
        return 1 << (self.value >> 2)

    @property
    def height(self) -> int:
        """Pixels that one invocation covers in y."""
        return 1 << (self.value & 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class VrsCaps:
    """What a device can do.

    Parameters
    ----------
    additional_rates : bool, optional
        2x4, 4x2 and 4x4 exist. Default: True, but False for ``profile="xbox_series"``, which has none.
    sum_combiner : bool
        The SUM combiner exists; without it asking for SUM is an error.
    tier : {2, 1}
        1: one rate per draw. 2: also per primitive and from a rate image.
    profile : {"d3d12", "nvidia", "xbox_series"}
        Which rates remain with multisampling: the D3D12 table (documented), one NVIDIA GPU, which adds 1x2
        at 8 samples (measured), or the console with 1x1, 1x2, 2x1 and 2x2 at every sample count (documented).

    Raises
    ------
    TypeError, ValueError
        A field is of the wrong kind or value, or additional rates are asked of the console.

    Examples
    --------
    >>> from tilelab.vrs import VrsCaps
    >>> [rate.name for rate in VrsCaps(additional_rates=False).supported_rates()]
    ['RATE_1X1', 'RATE_1X2', 'RATE_2X1', 'RATE_2X2']
    >>> [rate.name for rate in VrsCaps().supported_rates(sample_count=8)]
    ['RATE_1X1']
    """

    additional_rates: bool | None = None
    sum_combiner: bool = True
    tier: int = 2
    profile: str = "d3d12"

    def __post_init__(self) -> None:
        as_choice("profile", self.profile, PROFILES)
        console = self.profile == "xbox_series"
        if self.additional_rates is None:
            object.__setattr__(self, "additional_rates", not console)
        if as_bool("additional_rates", self.additional_rates) and console:
            raise fail("additional_rates", "must be False for profile 'xbox_series'", True)
        as_bool("sum_combiner", self.sum_combiner)
        as_int("tier", self.tier, low=1, high=2)

    def supported_rates(self, sample_count: int = 1) -> list[ShadingRate]:
        """List the rates that can be delivered with `sample_count` samples per pixel."""
        mask = _rate_mask(self, sample_count)
        return [rate for rate in ShadingRate if mask >> rate & 1]


FULL_CAPS = VrsCaps()


def _rate_mask(caps: VrsCaps, sample_count: object) -> int:
    samples = as_member("sample_count", sample_count, SAMPLE_COUNTS)
    profile = as_enum("profile", caps.profile, RateProfile)
    return _core.vrs.supported_rates(profile, bool(caps.additional_rates), samples)


def tell_size(rates: Rates, shape: tuple[int, int], tile: int) -> None:
    """Say that a rate image does not have one element for each tile of an (H, W) picture."""
    wanted = {size: (ceil_div(shape[0], size), ceil_div(shape[1], size)) for size in TILES}
    if rates.shape == wanted[tile]:
        return
    fitting = [size for size in TILES if rates.shape == wanted[size]]
    fits = f"fits tile={fitting[0]}" if fitting else "fits no tile size"
    tell(
        f"rates has shape {rates.shape}, which {fits}, but tile={tile} on {shape[1]}x{shape[0]} pixels has "
        f"{wanted[tile]} tiles: those outside are 1x1, surplus ones are ignored (any_size=True: as meant)"
    )


def as_tile(tile: object) -> int:
    """Check a tile size."""
    return as_member("tile", tile, TILES)


def as_rates(name: str, value: Any, *, ndim: int | None = None) -> Rates:
    """Give rate codes as uint8 from codes, enum members or names like "2x1"; None stands for 1x1."""
    if value is None:
        return np.zeros((), np.uint8)
    given = as_regular(name, value)
    if given.dtype.kind == "U":
        given = _codes_of_names(name, given)
    codes = as_array(name, given, dtype=np.uint8, ndim=ndim)
    wrong = ((codes & 3) > 2) | (codes > 10)
    if wrong.any():
        raise fail(name, "must hold rate codes 0, 1, 2, 4, 5, 6, 8, 9, 10", codes[wrong].flat[0])
    return codes


def _codes_of_names(name: str, names: Array) -> Rates:
    known, inverse = np.unique(names, return_inverse=True)
    codes = []
    for text in known.tolist():
        code = RATE_CODES.get(text.strip().upper().removeprefix("RATE_"))
        if code is None:
            raise fail(name, "must be one of " + ", ".join(RATE_CODES).lower(), repr(text))
        codes.append(code)
    return np.array(codes, np.uint8)[inverse].reshape(names.shape)


def as_combiners(combiners: object, caps: VrsCaps) -> tuple[Combiner, Combiner]:
    """Check a pair of combiners against the caps."""
    if isinstance(combiners, str) or not isinstance(combiners, Sequence):
        raise fail_type("combiners", "must be a pair of combiners", repr(combiners))
    if len(combiners) != 2:
        raise fail("combiners", "must be a pair of combiners", f"{len(combiners)} of them")
    first, second = (as_enum("combiners", combiner, Combiner) for combiner in combiners)
    if Combiner.SUM in (first, second) and not caps.sum_combiner:
        raise unsupported("combiners", "must not hold SUM when caps.sum_combiner is False", "sum")
    if caps.tier == 1 and (first, second) != (Combiner.PASSTHROUGH, Combiner.PASSTHROUGH):
        got = f"({first.name.lower()}, {second.name.lower()})"
        raise unsupported("combiners", "must be (passthrough, passthrough) when caps.tier is 1", got)
    return first, second


def combine_table(
    combiners: tuple[Combiner, Combiner], caps: VrsCaps, sample_count: object, sanitize: object
) -> Rates:
    """Evaluate the chain for every (draw, primitive, image) code, shape (16, 16, 16)."""
    chain = CombinerChain(
        first=combiners[0],
        second=combiners[1],
        sanitize=as_enum("sanitize", sanitize, Sanitize),
        supported=_rate_mask(caps, sample_count),
        max_axis_log2=2 if caps.additional_rates else 1,
    )
    table = np.empty((16, 16, 16), np.uint8)
    _core.vrs.combine_table(chain, table)
    return table


def sanitize_rate(rate: npt.ArrayLike | str, caps: VrsCaps = FULL_CAPS, sample_count: int = 1) -> Any:
    """Replace rates that the device does not deliver.

    Parameters
    ----------
    rate : int, str, ShadingRate or array_like of uint8, any shape
        Rate codes; 1x4 (2) and 4x1 (8) are accepted and replaced.
    caps : VrsCaps
        What the device can do.
    sample_count : {1, 2, 4, 8, 16}
        Samples per pixel.

    Returns
    -------
    uint8 or ndarray of uint8, the shape of `rate`
        Delivered rates.

    Raises
    ------
    TypeError, ValueError
        A rate is no rate code or name, or the sample count is not one of the five.

    Notes
    -----
    Of the delivered rates that are no wider and no taller, the one of largest area; of these the one with the
    smallest width + height (documented: Vulkan specification, fragment shading rates). The result is unique.

    Examples
    --------
    >>> from tilelab.vrs import ShadingRate, VrsCaps, sanitize_rate
    >>> ShadingRate(sanitize_rate("4x4", VrsCaps(additional_rates=False))).name
    'RATE_2X2'
    >>> ShadingRate(sanitize_rate("4x2", sample_count=2)).name
    'RATE_2X2'
    """
    codes = as_rates("rate", rate)
    device = as_instance("caps", caps, VrsCaps)
    table = combine_table((Combiner.PASSTHROUGH, Combiner.PASSTHROUGH), device, sample_count, "final")
    return table[codes, 0, 0]


def combine_rates(
    draw: npt.ArrayLike | str,
    primitive: npt.ArrayLike | str | None = None,
    image: npt.ArrayLike | str | None = None,
    *,
    combiners: Sequence[Combiner | str | int] = ("passthrough", "passthrough"),
    caps: VrsCaps = FULL_CAPS,
    sample_count: int = 1,
    sanitize: str = "each",
) -> Any:
    """Combine the rates of the draw, the primitive and the rate image.

    Parameters
    ----------
    draw, primitive, image : int, str, ShadingRate or array_like of uint8, broadcasting together
        Rate codes. None (an absent primitive rate or image) is 1x1.
    combiners : pair of Combiner, str or int
        ``final = second(first(draw, primitive), image)``. With the D3D12 default of two passthroughs an
        image has no effect.
    caps : VrsCaps
        What the device can do.
    sample_count : {1, 2, 4, 8, 16}
        Samples per pixel.
    sanitize : {"each", "final", "outputs"}
        Where undelivered rates are replaced: at the inputs and outputs of both combiners (D3D12), only at the
        end (all that Vulkan demands), or at both outputs while inputs stay raw (what NVIDIA hardware does).

    Returns
    -------
    uint8 or ndarray of uint8, the broadcast shape
        Final rate codes.

    Raises
    ------
    TypeError, ValueError
        An argument is no rate, combiner or choice, or the shapes do not broadcast.
    UnsupportedError
        SUM without ``caps.sum_combiner``, or any combiner but passthrough with ``caps.tier`` 1.

    Notes
    -----
    Per axis in log2 space: passthrough A, override B, min, max, sum = min(m, A + B) with m = 2 with
    additional rates and 1 without (documented: DirectX specification, variable rate shading).
    "outputs" is measured.

    Examples
    --------
    >>> from tilelab.vrs import ShadingRate, combine_rates
    >>> ShadingRate(combine_rates("1x2", "2x1", combiners=("max", "passthrough"))).name
    'RATE_2X2'
    >>> combine_rates("1x1", "1x1", ["1x1", "2x2"], combiners=("passthrough", "override"))
    array([0, 5], dtype=uint8)
    """
    codes = [as_rates(n, v) for n, v in (("draw", draw), ("primitive", primitive), ("image", image))]
    pair = as_combiners(combiners, as_instance("caps", caps, VrsCaps))
    table = combine_table(pair, caps, sample_count, sanitize)
    try:
        np.broadcast_shapes(*(code.shape for code in codes))
    except ValueError:
        got = ", ".join(str(code.shape) for code in codes)
        raise fail("draw, primitive and image", "must broadcast together", f"shapes {got}") from None
    return table[codes[0], codes[1], codes[2]]
