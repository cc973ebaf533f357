"""The command line: ``tilelab`` and ``python -m tilelab``."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

import tilelab
from tilelab.commands import COMMANDS

__all__ = ["main", "make_parser"]
__dir__ = __all__.copy

_FAILED = 2
_INTERRUPTED = 130  # 128 + SIGINT, what a shell reports for a program ended by Ctrl-C


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(_FAILED, f"{self.prog}: error: {message} (try: {self.prog} --help)\n")


def make_parser() -> argparse.ArgumentParser:
    """Make the parser with every subcommand of `tilelab.commands`.

    Returns
    -------
    argparse.ArgumentParser
        A parsed command line has the subcommand's function in ``run``.
    """
    parser = _Parser(
        prog="tilelab",
        description="The offline laboratory for the tile hardware of XBOX Series X|S class GPUs.",
        epilog="Start with: tilelab tour",
        allow_abbrev=False,
    )
    parser.add_argument("-V", "--version", action="version", version=f"tilelab {tilelab.__version__}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command", required=True)
    for name in COMMANDS:
        importlib.import_module(f"tilelab.commands.{name}").register(subparsers)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the program's name; default: those of the process.

    Returns
    -------
    int
        Exit code: 0 = done, 1 = a check failed, 2 = a bad argument or file (one line on standard
        error says which), 130 = Ctrl-C.
    """
    arguments = make_parser().parse_args(argv)
    try:
        with _warnings_in_one_line(arguments.command):
            code: int = arguments.run(arguments)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        print(f"\ntilelab {arguments.command}: interrupted", file=sys.stderr)
        return _INTERRUPTED
    except BrokenPipeError:
        # The reader (head, less) has gone: what is left in the buffer must not be flushed to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ValueError, TypeError, OSError, ImportError, MemoryError) as error:
        print(f"tilelab {arguments.command}: error: {_reason(error)}", file=sys.stderr)
        return _FAILED


@contextlib.contextmanager
def _warnings_in_one_line(command: str) -> Iterator[None]:
    """Show what tilelab warns of as a user of the command line reads it: without the place in the code."""
    with warnings.catch_warnings():
        show = warnings.showwarning

        def show_line(message: Warning | str, category: type[Warning], *place: Any, **rest: Any) -> None:
            if issubclass(category, UserWarning):
                print(f"tilelab {command}: warning: {message}", file=sys.stderr)
            else:
                show(message, category, *place, **rest)

        warnings.showwarning = show_line
        yield


def _reason(error: Exception) -> str:
    """Put an error into one line."""
    if isinstance(error, OSError) and error.strerror and error.filename:
        return f"{error.strerror}: {error.filename}"
    return " ".join(str(error).split()) or type(error).__name__
