"""``tilelab deswizzle``: swizzled textures back to DDS files."""

from __future__ import annotations

import argparse
from pathlib import Path

from tilelab import addressing
from tilelab.commands import _arguments, _files
from tilelab.commands.swizzle import ENDING
from tilelab.io import dds, swizzled

__all__ = ["register", "run"]
__dir__ = __all__.copy

_DESCRIPTION = """\
Make DDS textures of swizzled ones. The JSON that `tilelab swizzle` wrote beside the raw bytes tells
their layout; give the raw file or the JSON. In folders all files ending in .swizzled are taken."""

_EPILOG = """\
examples:
  tilelab deswizzle rock.swizzled --out rock.dds
  tilelab deswizzle tiled --out textures"""


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the command line."""
    parser = subparsers.add_parser(
        "deswizzle",
        help="make DDS textures of swizzled ones",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    _files.add_paths(parser, "swizzled textures")
    _files.add_output(parser, ".dds")
    _arguments.add_threads(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the command; returns the exit code."""
    files = _files.find(arguments.paths, ENDING)
    single = len(files) == 1 and files[0][0] in arguments.paths

    def work(source: Path, relative: Path) -> str:
        target = _files.output_path(source, relative, arguments, _dds_name, single=single)
        layout, buffer = swizzled.read(source)
        subresources = addressing.deswizzle_resource(buffer, layout, threads=arguments.threads)
        target.parent.mkdir(parents=True, exist_ok=True)
        dds.write(target, layout.desc, subresources)
        return f"{target}: {layout.desc.format}, {layout.desc.size_bytes} bytes of texels"

    return _files.run_each("deswizzle", files, work)


def _dds_name(name: str) -> str:
    return Path(name.removesuffix(".json")).stem + ".dds"
