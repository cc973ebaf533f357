"""The chips: what of their configuration takes part in texel addressing."""

from __future__ import annotations

from dataclasses import dataclass

from tilelab import _core
from tilelab._validation import fail, fail_type

__all__ = ["ANACONDA", "LOCKHART", "NAVI21", "NAVI22", "NAVI23", "NAVI24", "GpuModel"]
__dir__ = __all__.copy


@dataclass(frozen=True, slots=True)
class GpuModel:
    """A chip of the RDNA2 (GFX10.3 RB+) family, as far as addresses depend on it.

    Parameters
    ----------
    name : str
        Any name.
    pipes : int
        Number of pipes, a power of two up to 64 (a count, not its logarithm).
    packers : int
        Number of packers, a power of two with ``packers <= pipes <= 4 * packers``.

    Raises
    ------
    TypeError, ValueError
        Naming the argument, the rule and the value.

    Notes
    -----
    Measured: linear, 256B and the S and D modes without XOR do not depend on the chip, T modes depend on
    the pipes only, the block of a VAR mode has 16 KB per pipe (512 KB and 128 KB are documented for the two
    consoles, which gives their pipes). The packers of `ANACONDA` and `LOCKHART` are UNCERTAIN: they are
    derived from the number of shader arrays.

    Examples
    --------
    >>> GpuModel("small", pipes=8, packers=2).var_block_bytes
    131072
    """

    name: str
    pipes: int
    packers: int

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise fail_type("name", "must be a string", repr(self.name))
        counts = self.core
        _core.addressing.check_gpu(counts)
        object.__setattr__(self, "pipes", counts.pipes)
        object.__setattr__(self, "packers", counts.packers)

    @property
    def core(self) -> _core.addressing.GpuModel:
        """The counts as the kernels take them."""
        return _core.addressing.GpuModel(pipes=self.pipes, packers=self.packers)

    @property
    def var_block_bytes(self) -> int:
        """Bytes of a VAR block: 16 KB per pipe."""
        return self.pipes << 14


ANACONDA = GpuModel("anaconda", 32, 8)
LOCKHART = GpuModel("lockhart", 8, 4)
NAVI21 = GpuModel("navi21", 16, 16)
NAVI22 = GpuModel("navi22", 16, 8)
NAVI23 = GpuModel("navi23", 8, 8)
NAVI24 = GpuModel("navi24", 4, 4)

_MODELS = {model.name: model for model in (ANACONDA, LOCKHART, NAVI21, NAVI22, NAVI23, NAVI24)}


def as_gpu(gpu: GpuModel | str) -> GpuModel:
    """Give the model of a name ("anaconda") or the model itself."""
    if isinstance(gpu, GpuModel):
        return gpu
    if not isinstance(gpu, str):
        raise fail_type("gpu", "must be a GpuModel or the name of one", repr(gpu))
    if gpu.strip().lower() not in _MODELS:
        raise fail("gpu", f"must be a GpuModel or one of {', '.join(_MODELS)}", repr(gpu))
    return _MODELS[gpu.strip().lower()]
