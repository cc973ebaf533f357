"""Slow, obvious NumPy twins of every kernel: the definition that the compiled code must match bit for bit."""

from tilelab.reference import addressing, lighting, metrics, tessellation, vrs

__all__ = ["addressing", "lighting", "metrics", "tessellation", "vrs"]
__dir__ = __all__.copy
