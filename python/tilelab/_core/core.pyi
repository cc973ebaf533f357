"""
Build configuration, instruction sets and memory probes.
"""

from __future__ import annotations
import numpy
import numpy.dtypes
import typing

__all__: list[str] = [
    "IMAGE_ERROR_SUMS",
    "ImageErrorSums",
    "build_config",
    "current_target",
    "force_target",
    "image_error",
    "probe_read",
    "probe_triad",
    "resolve_threads",
    "supported_targets",
]

class ImageErrorSums:
    """
    Sums over the values of an image.
    """
    @property
    def absolute(self) -> float: ...
    @property
    def counted(self) -> int: ...
    @property
    def differing(self) -> int: ...
    @property
    def largest(self) -> float: ...
    @property
    def not_finite(self) -> int: ...
    @property
    def square(self) -> float: ...

def build_config() -> dict[str, str]: ...
def current_target() -> str: ...
def force_target(name: str) -> None: ...
def image_error(
    image: numpy.ndarray,
    reference: numpy.ndarray,
    where: numpy.ndarray | None,
    tile: typing.SupportsInt | typing.SupportsIndex,
    tiles: numpy.ndarray | None,
    threads: typing.SupportsInt | typing.SupportsIndex,
) -> ImageErrorSums: ...
def probe_read(words: numpy.ndarray) -> int: ...
def probe_triad(a: numpy.ndarray, b: numpy.ndarray, out: numpy.ndarray) -> None: ...
def resolve_threads(threads: typing.SupportsInt | typing.SupportsIndex) -> int: ...
def supported_targets() -> list[str]: ...

IMAGE_ERROR_SUMS: numpy.dtypes.VoidDType
