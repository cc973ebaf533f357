"""``tilelab layout``: where the texels of DDS files would lie."""

from __future__ import annotations

import argparse
import json
import textwrap
from pathlib import Path
from typing import Any

from tilelab import addressing
from tilelab._validation import fail
from tilelab.addressing import ResourceLayout, SwizzleMode, TextureDesc
from tilelab.commands import _files, _layout_arguments
from tilelab.io import dds

__all__ = ["register", "run"]
__dir__ = __all__.copy

_DESCRIPTION = """\
Show the memory layout of DDS textures: sizes, alignment, and where each mip lies.
Only headers are read. Without --swizzle-mode the mode that suits the texture is taken."""

_EPILOG = """\
examples:
  tilelab layout rock.dds
  tilelab layout rock.dds --swizzle-mode 64KB_R_X --gpu lockhart
  tilelab layout textures --all-modes
  tilelab layout textures --json > layouts.json"""


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the command line."""
    parser = subparsers.add_parser(
        "layout",
        help="show the memory layout of DDS textures",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    _files.add_paths(parser, "DDS files")
    _layout_arguments.add_layout(parser, "the preferred one")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument(
        "--all-modes", action="store_true", help="one line for every mode that takes the texture"
    )
    choice.add_argument("--json", action="store_true", help="print a JSON list instead of text")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the command; returns the exit code."""
    if arguments.all_modes and arguments.swizzle_mode is not None:
        raise fail("--swizzle-mode", "must not be given with --all-modes", arguments.swizzle_mode.name)
    files = _files.find(arguments.paths, ".dds")
    collected: list[dict[str, Any]] = []

    def work(source: Path, relative: Path) -> str | None:
        desc = dds.describe(source)
        if arguments.all_modes:
            return f"{source}\n  {desc}\n{_modes_table(desc, arguments)}\n"
        layout = _layout_arguments.make_layout(desc, arguments)
        if arguments.json:
            collected.append({"file": str(source), **_as_json(layout)})
            return None
        return f"{source}\n{textwrap.indent(str(layout), '  ')}\n"

    code = _files.run_each("layout", files, work)
    if arguments.json:
        print(json.dumps(collected, indent=2))
    return code


def _modes_table(desc: TextureDesc, arguments: argparse.Namespace) -> str:
    lines = [f"  {'mode':<12}{'size bytes':>14}{'padding':>10}{'alignment':>11}{'tail mips':>11}"]
    for mode in SwizzleMode:
        try:
            layout = addressing.resource_layout(
                desc, mode, arguments.gpu, pipe_bank_xor=arguments.pipe_bank_xor if mode.xor else 0
            )
        except ValueError:
            continue  # the mode does not take this texture
        tail = layout.planes[0].mip_tail_mip_count
        lines.append(
            f"  {mode.name.removeprefix('SW_'):<12}{layout.size_bytes:>14}"
            f"{100.0 * layout.padding_share:>8.1f} %"
            f"{layout.base_alignment_bytes:>11}{tail:>11}"
        )
    return "\n".join(lines)


def _as_json(layout: ResourceLayout) -> dict[str, Any]:
    desc = layout.desc
    return {
        "dimension": desc.dimension,
        "width": desc.width,
        "height": desc.height,
        "depth_or_array_size": desc.depth_or_array_size,
        "format": desc.format.name,
        "swizzle_mode": layout.swizzle_mode.name,
        "gpu": {"name": layout.gpu.name, "pipes": layout.gpu.pipes, "packers": layout.gpu.packers},
        "size_bytes": layout.size_bytes,
        "base_alignment_bytes": layout.base_alignment_bytes,
        "planes": [
            {
                "usage": str(plane.usage),
                "base_offset_bytes": plane.base_offset_bytes,
                "size_bytes": plane.size_bytes,
                "slice_size_bytes": plane.slice_size_bytes,
                "mips": [
                    {
                        "offset_bytes": mip.offset_bytes,
                        "size_bytes": mip.size_bytes,
                        "pitch_bytes": mip.pitch_bytes,
                        "padded_width_elements": mip.padded_width_elements,
                        "padded_height_elements": mip.padded_height_elements,
                        "is_mip_tail": bool(mip.is_mip_tail),
                    }
                    for mip in plane.mips
                ],
            }
            for plane in layout.planes
        ],
    }
