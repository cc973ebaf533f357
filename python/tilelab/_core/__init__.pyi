"""
Compiled kernels of tilelab. The public interface is the tilelab package, not this module.
"""

from __future__ import annotations
from . import core
from . import addressing
from . import vrs
from . import lighting
from . import tessellation

__all__: list[str] = ["UnsupportedError", "addressing", "core", "lighting", "tessellation", "vrs"]

class UnsupportedError(ValueError):
    """
    A legal combination that is not modelled; also a `ValueError`.
    """

__version__: str = "0.1.0"
