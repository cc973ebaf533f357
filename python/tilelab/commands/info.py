"""``tilelab info``: what is installed."""

from __future__ import annotations

import argparse
import importlib.metadata
import platform
import re

import tilelab

__all__ = ["extras", "register", "run"]
__dir__ = __all__.copy

# As in package metadata: 'jinja2>=3.1; extra == "plot"'
_REQUIREMENT = re.compile(r"""(?P<library>[\w.-]+)[^;]*;\s*extra\s*==\s*["'](?P<extra>[\w-]+)["']\s*""")


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the command line."""
    parser = subparsers.add_parser(
        "info",
        help="show version, build, instruction sets, and which optional libraries are found",
        description="Show the version, how the binary was built, which instruction sets its kernels can use "
        "on this CPU, and which optional libraries are found. Paste it into a bug report.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the command; returns the exit code."""
    sections = {"tilelab": {**tilelab.build_config(), "python": platform.python_version()}}
    sections.update({f"extra {name}": libraries for name, libraries in extras().items()})
    width = max(len(label) for rows in sections.values() for label in rows) + 2
    for title, rows in sections.items():
        print(title)
        for label, value in rows.items():
            print(f"  {label:<{width}}{value}")
    return 0


def extras() -> dict[str, dict[str, str]]:
    """Return, for every extra of the package, its libraries and the version found.

    Returns
    -------
    dict of dict
        Extra, then library, to a version or ``"not installed"``. Extras that only gather others are left
        out. Empty when the package runs from its source folder without being installed.
    """
    try:
        requirements = importlib.metadata.requires("tilelab") or []
    except importlib.metadata.PackageNotFoundError:
        requirements = []
    found: dict[str, dict[str, str]] = {}
    for requirement in requirements:
        match = _REQUIREMENT.fullmatch(requirement)
        if match and match["library"] != "tilelab":
            found.setdefault(match["extra"], {})[match["library"]] = _version(match["library"])
    return found


def _version(library: str) -> str:
    try:
        return importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"
