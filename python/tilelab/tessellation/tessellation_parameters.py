"""The tessellation parameters in use, as the console reports them."""

from __future__ import annotations

from dataclasses import dataclass, fields

from tilelab._picture import result_html

__all__ = ["TessellationParameters"]
__dir__ = __all__.copy


@dataclass(frozen=True, slots=True, kw_only=True)
class TessellationParameters:
    """Last used values, as HSGetLastUsedTessellationParameters gives them back.

    Parameters
    ----------
    patches_per_threadgroup : int
        Patches per group after automatic choice and clamping.
    tf_threshold : float
        The threshold as float32 holds it.
    ds_wave_threshold : int
        As given.
    flags : int, default 0
        Meaning not public; always 0.
    size : int, default 20
        Bytes of the structure: five 32-bit fields.
    """

    patches_per_threadgroup: int
    tf_threshold: float
    ds_wave_threshold: int
    flags: int = 0
    size: int = 20

    def _repr_html_(self) -> str:
        rows = [(field.name, getattr(self, field.name)) for field in fields(self)]
        return result_html("Tessellation parameters", rows)
