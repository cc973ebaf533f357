"""Arguments that say in which swizzle mode and for which chip a texture is laid out."""

from __future__ import annotations

import argparse
import re

from tilelab import addressing
from tilelab.addressing import GpuModel, ResourceLayout, SwizzleMode, TextureDesc
from tilelab.addressing.gpu_model import as_gpu
from tilelab.addressing.swizzle_mode import as_swizzle_mode


def add_layout(parser: argparse.ArgumentParser, default: str) -> None:
    """Add ``--swizzle-mode``, ``--gpu`` and ``--pipe-bank-xor``."""
    parser.add_argument(
        "-m",
        "--swizzle-mode",
        type=_swizzle_mode,
        metavar="MODE",
        help=f"a hardware mode as 64KB_R_X, SW_4KB_S or its number 0..31 (default: {default})",
    )
    parser.add_argument(
        "-g",
        "--gpu",
        type=_gpu,
        default="anaconda",
        metavar="GPU",
        help="anaconda, lockhart, navi21 to navi24, or PIPES,PACKERS as 16,8 (default: anaconda)",
    )
    parser.add_argument(
        "--pipe-bank-xor", type=int, default=0, metavar="N", help="value of the T and X modes (default: 0)"
    )


def make_layout(desc: TextureDesc, arguments: argparse.Namespace) -> ResourceLayout:
    """Lay a texture out as the arguments of `add_layout` say; the preferred mode where none is given."""
    mode = arguments.swizzle_mode
    if mode is None:
        mode = addressing.preferred_swizzle_mode(desc, arguments.gpu)
    return addressing.resource_layout(desc, mode, arguments.gpu, pipe_bank_xor=arguments.pipe_bank_xor)


def _swizzle_mode(text: str) -> SwizzleMode:
    try:
        return as_swizzle_mode(int(text) if text.isdecimal() else text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _gpu(text: str) -> GpuModel:
    try:
        if re.fullmatch(r"\d{1,4},\d{1,4}", text):
            pipes, packers = map(int, text.split(","))
            return GpuModel(f"{pipes} pipes, {packers} packers", pipes=pipes, packers=packers)
        return as_gpu(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
