"""The 32 hardware swizzle modes and the table of what each allows."""

import enum
from typing import Any, NamedTuple

from tilelab import _core, _extras
from tilelab._core.addressing import Dimension, MicroTile, ModeInfo, XorKind
from tilelab._picture import table_html
from tilelab._validation import as_enum
from tilelab.addressing.gpu_model import GpuModel, as_gpu

__all__ = ["SwizzleMode", "SwizzleModeRow", "SwizzleModeTable", "swizzle_modes"]
__dir__ = __all__.copy

_BLOCK_NAMES = {0: "LINEAR", 8: "256B", 12: "4KB", 16: "64KB", _core.addressing.VAR_BLOCK: "VAR"}
_LINEAR_ALIGNMENT = 256


class SwizzleMode(enum.IntEnum):
    """How texels are ordered in memory; the values are those of the hardware and of XG_SWIZZLE_MODE.

    Notes
    -----
    Names: block size, micro tile order (Z, S, D, R), then T (XOR inside a block) or X (XOR across blocks).
    Which resources a mode takes is measured on AMD's public address library (GFX10.3 RB+); the console may
    be narrower (UNCERTAIN). Members 3, 4, 7, 8, 11 to 16, 19, 20, 23, 29 and 30 exist as names and are
    refused by the hardware path.

    Examples
    --------
    >>> mode = SwizzleMode.SW_64KB_R_X
    >>> int(mode), mode.block, mode.micro_tile, mode.xor, mode.block_bytes("anaconda")
    (27, '64KB', 'R', 'X', 65536)
    """

    LINEAR = 0
    SW_256B_S = 1
    SW_256B_D = 2
    SW_256B_R = 3
    SW_4KB_Z = 4
    SW_4KB_S = 5
    SW_4KB_D = 6
    SW_4KB_R = 7
    SW_64KB_Z = 8
    SW_64KB_S = 9
    SW_64KB_D = 10
    SW_64KB_R = 11
    SW_VAR_Z = 12
    SW_VAR_S = 13
    SW_VAR_D = 14
    SW_VAR_R = 15
    SW_64KB_Z_T = 16
    SW_64KB_S_T = 17
    SW_64KB_D_T = 18
    SW_64KB_R_T = 19
    SW_4KB_Z_X = 20
    SW_4KB_S_X = 21
    SW_4KB_D_X = 22
    SW_4KB_R_X = 23
    SW_64KB_Z_X = 24
    SW_64KB_S_X = 25
    SW_64KB_D_X = 26
    SW_64KB_R_X = 27
    SW_VAR_Z_X = 28
    SW_VAR_S_X = 29
    SW_VAR_D_X = 30
    SW_VAR_R_X = 31

    @property
    def info(self) -> ModeInfo:
        """What the core knows of the mode."""
        return _core.addressing.mode_info(self.value)

    @property
    def block(self) -> str:
        """Block: "LINEAR", "256B", "4KB", "64KB" or "VAR"."""
        return _BLOCK_NAMES[self.info.block_log2]

    @property
    def micro_tile(self) -> str:
        """Order inside 256 bytes: "Z", "S", "D", "R", or "" for LINEAR."""
        letter = self.info.micro_tile
        return "" if letter is MicroTile.NONE else letter.name

    @property
    def xor(self) -> str:
        """Pipe/bank XOR: "" (none), "T" (inside a block) or "X" (across blocks)."""
        kind = self.info.xor_kind
        return "" if kind is XorKind.NONE else kind.name

    @property
    def hardware_specific(self) -> bool:
        """True where the pattern depends on the chip: T and X modes."""
        return self.xor != ""

    @property
    def is_supported(self) -> bool:
        """True where the hardware path takes the mode for some resource."""
        return self.info.is_supported

    def block_bytes(self, gpu: GpuModel | str = "anaconda") -> int:
        """Bytes of a block, which is also the base alignment (256 for LINEAR).

        Parameters
        ----------
        gpu : GpuModel or str
            The chip; only VAR blocks depend on it.
        """
        model = as_gpu(gpu)
        if self is SwizzleMode.LINEAR:
            return _LINEAR_ALIGNMENT
        return 1 << _core.addressing.block_size_log2(self.value, model.core)


# Modes for partially resident (tiled) textures, by dimension (measured).
_PRT_3D = frozenset({SwizzleMode.SW_4KB_S, SwizzleMode.SW_64KB_S, SwizzleMode.SW_64KB_S_T})
_PRT_2D = _PRT_3D | {SwizzleMode.SW_4KB_D, SwizzleMode.SW_64KB_D, SwizzleMode.SW_64KB_D_T}


def as_swizzle_mode(mode: SwizzleMode | str | int) -> SwizzleMode:
    """Give the mode of a member, a value or a name with or without ``SW_``."""
    return as_enum("swizzle_mode", mode, SwizzleMode, prefix="SW_")


class SwizzleModeRow(NamedTuple):
    """One row of the mode table.

    Attributes
    ----------
    value : int
        Hardware value.
    mode : SwizzleMode
        The mode.
    block : str
        "LINEAR", "256B", "4KB", "64KB" or "VAR".
    block_bytes : int
        Its bytes on the chip of the table.
    micro_tile, xor : str
        Letters of the name.
    supported, takes_1d, takes_2d, takes_3d : bool
        Whether some resource, and which dimensions, the hardware path takes.
    volume_blocks : str
        "thick" (3D blocks), "thin" (2D blocks) or "" where volumes are refused.
    depth_stencil, msaa : bool
        Whether depth and stencil, and more than one sample, are taken (Z with samples: at most 4 bytes,
        depth only).
    prt_2d, prt_3d : bool
        Whether partially resident textures may use the mode.
    """

    value: int
    mode: SwizzleMode
    block: str
    block_bytes: int
    micro_tile: str
    xor: str
    supported: bool
    takes_1d: bool
    takes_2d: bool
    takes_3d: bool
    volume_blocks: str
    depth_stencil: bool
    msaa: bool
    prt_2d: bool
    prt_3d: bool


class SwizzleModeTable(list[SwizzleModeRow]):
    """A list of rows that notebooks show as a table."""

    def __repr__(self) -> str:
        supported = sum(row.supported for row in self)
        return f"SwizzleModeTable({len(self)} modes, {supported} supported)"

    def to_xarray(self) -> Any:
        """Give the table as an xarray.Dataset; needs xarray.

        Returns
        -------
        xarray.Dataset
            Every column but ``mode`` over the axis ``mode``, which holds the names.
        """
        xarray = _extras.require("xarray", "sweep")
        columns = [name for name in SwizzleModeRow._fields if name != "mode"]
        return xarray.Dataset(
            {name: ("mode", [getattr(row, name) for row in self]) for name in columns},
            coords={"mode": [row.mode.name for row in self]},
        )

    def _repr_html_(self) -> str:
        head = [name.replace("_", " ") for name in SwizzleModeRow._fields]
        return table_html(head, [(row.value, row.mode.name, *row[2:]) for row in self])


def swizzle_modes(gpu: GpuModel | str = "anaconda") -> SwizzleModeTable:
    """Give the 32-row table of swizzle modes and what each allows (measured, see `SwizzleMode`).

    Parameters
    ----------
    gpu : GpuModel or str
        The chip; it decides the size of VAR blocks.

    Returns
    -------
    list of SwizzleModeRow
        In the order of the hardware values; shown as a table in notebooks.

    Examples
    --------
    >>> [row.mode.name for row in swizzle_modes("anaconda") if row.depth_stencil]
    ['SW_64KB_Z_X', 'SW_VAR_Z_X']
    """
    model = as_gpu(gpu)
    return SwizzleModeTable(_row(mode, mode.info, model) for mode in SwizzleMode)


def _row(mode: SwizzleMode, info: ModeInfo, model: GpuModel) -> SwizzleModeRow:
    thick = _core.addressing.is_thick(mode.value, Dimension.TEXTURE_3D)
    return SwizzleModeRow(
        value=mode.value,
        mode=mode,
        block=mode.block,
        block_bytes=mode.block_bytes(model),
        micro_tile=mode.micro_tile,
        xor=mode.xor,
        supported=info.is_supported,
        takes_1d=info.takes_1d,
        takes_2d=info.takes_2d,
        takes_3d=info.takes_3d,
        volume_blocks=("thick" if thick else "thin") if info.takes_3d else "",
        depth_stencil=info.takes_depth_stencil,
        msaa=info.takes_msaa,
        prt_2d=mode in _PRT_2D,
        prt_3d=mode in _PRT_3D,
    )
