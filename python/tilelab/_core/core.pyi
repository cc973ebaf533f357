"""
Build configuration, instruction sets and memory probes.
"""

from __future__ import annotations
import numpy
import typing

__all__: list[str] = [
    "build_config",
    "current_target",
    "force_target",
    "probe_read",
    "probe_triad",
    "resolve_threads",
    "supported_targets",
]

def build_config() -> dict[str, str]: ...
def current_target() -> str: ...
def force_target(name: str) -> None: ...
def probe_read(words: numpy.ndarray) -> int: ...
def probe_triad(a: numpy.ndarray, b: numpy.ndarray, out: numpy.ndarray) -> None: ...
def resolve_threads(threads: typing.SupportsInt | typing.SupportsIndex) -> int: ...
def supported_targets() -> list[str]: ...
