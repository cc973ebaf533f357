"""The 32 hardware swizzle modes and the table of what each allows."""

from __future__ import annotations

import enum
import html
from typing import Any, NamedTuple

from tilelab import _core
from tilelab._validation import as_enum
from tilelab.addressing.gpu import GpuModel, as_gpu

_VAR_BLOCK = -1
_BLOCK_NAMES = {0: "LINEAR", 8: "256B", 12: "4KB", 16: "64KB", _VAR_BLOCK: "VAR"}
_LINEAR_ALIGNMENT = 256
# Modes for partially resident (tiled) textures: measured, dimensions 2D and 3D.
_PRT_2D = frozenset({5, 6, 9, 10, 17, 18})
_PRT_3D = frozenset({5, 9, 17})


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
    def block(self) -> str:
        """Block: "LINEAR", "256B", "4KB", "64KB" or "VAR"."""
        return _BLOCK_NAMES[_core.addressing.mode_row(int(self))[1]]

    @property
    def micro_tile(self) -> str:
        """Order inside 256 bytes: "Z", "S", "D", "R", or "" for LINEAR."""
        return ("", "Z", "S", "D", "R")[_core.addressing.mode_row(int(self))[2]]

    @property
    def xor(self) -> str:
        """Pipe/bank XOR: "" (none), "T" (inside a block) or "X" (across blocks)."""
        return ("", "T", "X")[_core.addressing.mode_row(int(self))[3]]

    @property
    def hardware_specific(self) -> bool:
        """True where the pattern depends on the chip: T and X modes."""
        return self.xor != ""

    @property
    def is_supported(self) -> bool:
        """True where the hardware path takes the mode for some resource."""
        return any(_core.addressing.mode_row(int(self))[4:7])

    def block_bytes(self, gpu: GpuModel | str = "anaconda") -> int:
        """Bytes of a block, which is also the base alignment (256 for LINEAR).

        Parameters
        ----------
        gpu : GpuModel or str
            The chip; only VAR blocks depend on it.
        """
        log2 = _core.addressing.mode_row(int(self))[1]
        model = as_gpu(gpu)
        if self is SwizzleMode.LINEAR:
            return _LINEAR_ALIGNMENT
        return model.var_block_bytes if log2 == _VAR_BLOCK else 1 << log2


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

    def _repr_html_(self) -> str:
        def cell(value: Any) -> str:
            text = (
                {True: "yes", False: "no"}[value]
                if isinstance(value, bool)
                else getattr(value, "name", str(value))
            )
            return f"<td>{html.escape(text)}</td>"

        head = "".join(f"<th>{field.replace('_', ' ')}</th>" for field in SwizzleModeRow._fields)
        body = "".join(f"<tr>{''.join(map(cell, row))}</tr>" for row in self)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


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
    rows = SwizzleModeTable()
    for mode in SwizzleMode:
        takes_1d, takes_2d, takes_3d, depth_stencil, msaa = _core.addressing.mode_row(int(mode))[4:]
        volume = ("thick" if mode.micro_tile in ("S", "D") else "thin") if takes_3d else ""
        rows.append(
            SwizzleModeRow(
                value=int(mode),
                mode=mode,
                block=mode.block,
                block_bytes=mode.block_bytes(model),
                micro_tile=mode.micro_tile,
                xor=mode.xor,
                supported=mode.is_supported,
                takes_1d=takes_1d,
                takes_2d=takes_2d,
                takes_3d=takes_3d,
                volume_blocks=volume,
                depth_stencil=depth_stencil,
                msaa=msaa,
                prt_2d=int(mode) in _PRT_2D,
                prt_3d=int(mode) in _PRT_3D,
            )
        )
    return rows
