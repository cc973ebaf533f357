"""
Variable rate shading.
"""

from __future__ import annotations
import collections.abc
import enum
import numpy
import typing

__all__: list[str] = [
    "CoarseImage",
    "CoarseRows",
    "CoarseScene",
    "Combiner",
    "CombinerChain",
    "Estimator",
    "Location",
    "Motion",
    "OffScreen",
    "RateImageOptions",
    "RateProfile",
    "Sanitize",
    "broadcast_coarse",
    "combine_table",
    "count_coarse",
    "list_coarse",
    "luminance",
    "mean_coarse",
    "rate_image",
    "supported_rates",
]

class Combiner(enum.IntEnum):
    """
    How two rates A and B become one, per axis, with the D3D12 values.

    PASSTHROUGH gives A, OVERRIDE gives B, MIN the finer, MAX the coarser, SUM adds the log2 sizes (documented).
    """

    MAX = 3
    MIN = 2
    OVERRIDE = 1
    PASSTHROUGH = 0
    SUM = 4

class RateProfile(enum.IntEnum):
    """
    Whose list of delivered rates holds.
    """

    D3D12 = 0
    NVIDIA = 1
    XBOX_SERIES = 2

class Sanitize(enum.IntEnum):
    """
    Where the combiner chain replaces rates that are not delivered.
    """

    EACH = 0
    FINAL = 1
    OUTPUTS = 2

class CombinerChain:
    """
    second(first(draw, primitive), image) on a device.
    """

    FIELDS: typing.ClassVar[tuple] = ("first", "second", "sanitize", "supported", "max_axis_log2")
    def __init__(
        self,
        *,
        first: Combiner = ...,
        second: Combiner = ...,
        sanitize: Sanitize = ...,
        supported: typing.SupportsInt | typing.SupportsIndex = 1,
        max_axis_log2: typing.SupportsInt | typing.SupportsIndex = 1,
    ) -> None: ...
    def __repr__(self) -> str: ...
    @property
    def first(self) -> Combiner: ...
    @property
    def max_axis_log2(self) -> int: ...
    @property
    def sanitize(self) -> Sanitize: ...
    @property
    def second(self) -> Combiner: ...
    @property
    def supported(self) -> int: ...

class Estimator(enum.IntEnum):
    """
    What a pixel's luminance is compared by.
    """

    SOBEL = 0
    SOBEL_DIFF = 1

class OffScreen(enum.IntEnum):
    """
    What happens where motion leads outside the picture.
    """

    CLAMP = 1
    FINE = 0

class RateImageOptions:
    """
    How a picture becomes a rate image.
    """

    FIELDS: typing.ClassVar[tuple] = (
        "estimator",
        "tile",
        "threshold",
        "env_luma",
        "vote",
        "lum_lo",
        "lum_hi",
        "weights",
    )
    def __init__(
        self,
        *,
        estimator: Estimator = ...,
        tile: typing.SupportsInt | typing.SupportsIndex = 8,
        threshold: typing.SupportsFloat | typing.SupportsIndex = 0.10000000149011612,
        env_luma: typing.SupportsFloat | typing.SupportsIndex = 0.05000000074505806,
        vote: typing.SupportsInt | typing.SupportsIndex | typing.SupportsFloat | typing.SupportsIndex = ...,
        lum_lo: typing.SupportsFloat | typing.SupportsIndex | None = None,
        lum_hi: typing.SupportsFloat | typing.SupportsIndex | None = None,
        weights: typing.Annotated[
            collections.abc.Sequence[typing.SupportsFloat | typing.SupportsIndex], "FixedSize(3)"
        ] = ...,
    ) -> None: ...
    def __repr__(self) -> str: ...
    @property
    def env_luma(self) -> float: ...
    @property
    def estimator(self) -> Estimator: ...
    @property
    def lum_hi(self) -> float | None: ...
    @property
    def lum_lo(self) -> float | None: ...
    @property
    def threshold(self) -> float: ...
    @property
    def tile(self) -> int: ...
    @property
    def vote(self) -> int | float: ...
    @property
    def weights(self) -> typing.Annotated[list[float], "FixedSize(3)"]: ...

class Motion:
    """
    Where pixels were in the picture before.
    """

    FIELDS: typing.ClassVar[tuple] = ("pixels", "disoccluded", "off_screen")
    def __init__(
        self,
        *,
        pixels: numpy.ndarray | None = None,
        disoccluded: numpy.ndarray | None = None,
        off_screen: OffScreen = ...,
    ) -> None: ...
    def __repr__(self) -> str: ...
    @property
    def off_screen(self) -> OffScreen: ...

class Location(enum.IntEnum):
    """
    Where a partly covered coarse pixel is shaded.
    """

    CENTER = 0
    CENTROID = 1

class CoarseScene:
    """
    A picture of primitives and how it is shaded.
    """

    FIELDS: typing.ClassVar[tuple] = (
        "height",
        "width",
        "tile",
        "primitive_id",
        "rates",
        "primitive_rates",
        "final_rates",
        "location",
        "offsets",
    )
    def __init__(
        self,
        *,
        height: typing.SupportsInt | typing.SupportsIndex = 0,
        width: typing.SupportsInt | typing.SupportsIndex = 0,
        tile: typing.SupportsInt | typing.SupportsIndex = 8,
        primitive_id: numpy.ndarray | None = None,
        rates: numpy.ndarray | None = None,
        primitive_rates: numpy.ndarray | None = None,
        final_rates: numpy.ndarray | None = None,
        location: Location = ...,
        offsets: numpy.ndarray | None = None,
    ) -> None: ...
    def __repr__(self) -> str: ...
    @property
    def height(self) -> int: ...
    @property
    def location(self) -> Location: ...
    @property
    def tile(self) -> int: ...
    @property
    def width(self) -> int: ...

class CoarseRows:
    """
    One row for each invocation, to be filled.
    """

    FIELDS: typing.ClassVar[tuple] = ("positions", "masks", "rates", "primitives", "pixel_invocation")
    def __init__(
        self,
        *,
        positions: numpy.ndarray | None = None,
        masks: numpy.ndarray | None = None,
        rates: numpy.ndarray | None = None,
        primitives: numpy.ndarray | None = None,
        pixel_invocation: numpy.ndarray | None = None,
    ) -> None: ...
    def __repr__(self) -> str: ...

class CoarseImage:
    """
    An image as bytes, and where its coarse form goes.
    """

    FIELDS: typing.ClassVar[tuple] = ("pixels", "nothing", "out")
    def __init__(
        self,
        *,
        pixels: numpy.ndarray | None = None,
        nothing: numpy.ndarray | None = None,
        out: numpy.ndarray | None = None,
    ) -> None: ...
    def __repr__(self) -> str: ...

def broadcast_coarse(
    values: numpy.ndarray,
    nothing: numpy.ndarray,
    pixel_invocation: numpy.ndarray,
    out: numpy.ndarray,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> None: ...
def combine_table(chain: CombinerChain, table: numpy.ndarray) -> None: ...
def count_coarse(
    scene: CoarseScene,
    invocations: numpy.ndarray,
    lanes: numpy.ndarray,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> None: ...
def list_coarse(
    scene: CoarseScene,
    first: numpy.ndarray,
    rows: CoarseRows,
    image: CoarseImage,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> None: ...
def luminance(
    pixels: numpy.ndarray,
    weights: typing.Annotated[
        collections.abc.Sequence[typing.SupportsFloat | typing.SupportsIndex], "FixedSize(3)"
    ],
    out: numpy.ndarray,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> None: ...
def mean_coarse(
    pixels: numpy.ndarray,
    pixel_invocation: numpy.ndarray,
    masks: numpy.ndarray,
    tile: typing.SupportsInt | typing.SupportsIndex,
    means: numpy.ndarray,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> None: ...
def rate_image(
    color: numpy.ndarray,
    options: RateImageOptions,
    motion: Motion,
    rates: numpy.ndarray,
    votes: numpy.ndarray | None,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> None: ...
def supported_rates(
    profile: RateProfile, additional_rates: bool, sample_count: typing.SupportsInt | typing.SupportsIndex
) -> int: ...
