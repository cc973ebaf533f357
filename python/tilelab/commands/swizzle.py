"""``tilelab swizzle``: DDS files to the bytes that the hardware reads."""

from __future__ import annotations

import argparse
from pathlib import Path

from tilelab import addressing
from tilelab.commands import _arguments, _files, _layout_arguments
from tilelab.io import dds, swizzled

__all__ = ["register", "run"]
__dir__ = __all__.copy

ENDING = ".swizzled"

_DESCRIPTION = """\
Swizzle DDS textures: every mip, slice and plane goes where the hardware reads it.
For each texture two files are written: the raw bytes, and a small JSON beside them (its name is that
of the raw file with .json added) from which `tilelab deswizzle` makes the texture again."""

_EPILOG = """\
examples:
  tilelab swizzle rock.dds
  tilelab swizzle rock.dds --swizzle-mode 64KB_R_X --gpu lockhart --out rock.bin
  tilelab swizzle textures --out tiled"""


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the command line."""
    parser = subparsers.add_parser(
        "swizzle",
        help="swizzle DDS textures to raw bytes",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    _files.add_paths(parser, "DDS files")
    _files.add_output(parser, ENDING)
    _layout_arguments.add_layout(parser, "the preferred one")
    _arguments.add_threads(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the command; returns the exit code."""
    files = _files.find(arguments.paths, ".dds")
    single = len(files) == 1 and files[0][0] in arguments.paths

    def work(source: Path, relative: Path) -> str:
        target = _files.output_path(
            source, relative, arguments, lambda name: Path(name).stem + ENDING, single=single
        )
        sidecar = swizzled.sidecar_path(target)
        if sidecar.exists() and not arguments.force:
            raise ValueError(f"{sidecar} must not exist (or give --force)")
        desc, subresources = dds.read(source)
        layout = _layout_arguments.make_layout(desc, arguments)
        buffer = addressing.swizzle_resource(subresources, layout, threads=arguments.threads)
        target.parent.mkdir(parents=True, exist_ok=True)
        swizzled.write(target, layout, buffer)
        return f"{target}: {layout.swizzle_mode.name.removeprefix('SW_')}, {layout.size_bytes} bytes"

    return _files.run_each("swizzle", files, work)
