"""Readers and writers of files."""

from tilelab.io import dds, swizzled

__all__ = ["dds", "swizzled"]
__dir__ = __all__.copy
