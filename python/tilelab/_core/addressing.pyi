"""
Texel addresses, layouts and bulk swizzling.
"""

from __future__ import annotations

__all__: list[str] = list()
