"""Slow, obvious NumPy twins of every kernel: the definition that the compiled code must match bit for bit."""

from tilelab.reference import addressing, lighting, tessellation, vrs

__all__ = ["addressing", "lighting", "tessellation", "vrs"]
__dir__ = __all__.copy
