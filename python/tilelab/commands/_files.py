"""Commands that work on many files: finding them, showing progress, and one line for each that fails."""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tilelab import _progress
from tilelab._validation import fail

FAILED = 2


def add_paths(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the inputs: files, or folders that are searched."""
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help=f"{what}, or folders of them")


def add_output(parser: argparse.ArgumentParser, ending: str) -> None:
    """Add where results go."""
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        metavar="PATH",
        help=f"for one file the file to make, else a folder (default: beside each input, ending in {ending})",
    )
    parser.add_argument("--force", action="store_true", help="replace files that exist")


def find(paths: Iterable[Path], ending: str) -> list[tuple[Path, Path]]:
    """List the files that `paths` name.

    Parameters
    ----------
    paths : iterable of Path
        Files are taken as they are; folders are searched, with their subfolders, for names with `ending`.
    ending : str
        As ".dds", compared without case.

    Returns
    -------
    list of (Path, Path)
        Each file, and its path relative to the folder it was found in (the bare name for a file).

    Raises
    ------
    ValueError
        A folder holds no such file.
    """
    found: list[tuple[Path, Path]] = []
    for path in paths:
        if not path.is_dir():
            found.append((path, Path(path.name)))
            continue
        inside = sorted(
            file for file in path.rglob("*") if file.name.lower().endswith(ending) and file.is_file()
        )
        if not inside:
            raise fail("PATH", f"must hold {ending} files", f"the folder {path}")
        found += [(file, file.relative_to(path)) for file in inside]
    return found


def output_path(
    source: Path, relative: Path, arguments: argparse.Namespace, rename: Callable[[str], str], *, single: bool
) -> Path:
    """Decide where the result of one input goes.

    Parameters
    ----------
    source, relative : Path
        An entry of `find`.
    arguments : argparse.Namespace
        With ``out`` and ``force`` of `add_output`.
    rename : callable
        Gives the name of the result from that of the input.
    single : bool
        True when the command was given one file.

    Raises
    ------
    ValueError
        The file exists and ``--force`` was not given.
    """
    if arguments.out is None:
        target = source.with_name(rename(source.name))
    elif single and not arguments.out.is_dir():
        target = arguments.out
    else:
        target = arguments.out / relative.with_name(rename(relative.name))
    check_absent(target, force=arguments.force)
    return target


def check_outputs(outputs: Iterable[tuple[Path, Path]], inputs: Iterable[Path]) -> None:
    """Refuse, before any work, results that would replace an input or one another; ``--force`` lifts neither.

    Parameters
    ----------
    outputs : iterable of (Path, Path)
        Every file that will be written, after the input that it comes from.
    inputs : iterable of Path
        Every file that will be read.

    Raises
    ------
    ValueError
        An output is an input, or two inputs share an output; names that differ only in case count as one, as
        they do on some file systems.
    """
    read = {_identity(path): path for path in inputs}
    written: dict[str, tuple[Path, Path]] = {}
    for source, target in outputs:
        taken = read.get(_identity(target))
        if taken is None and target.exists():
            taken = next((path for path in read.values() if path.exists() and path.samefile(target)), None)
        if taken is not None:
            raise fail("the result of " + str(source), "must not replace an input", str(target))
        other, path = written.setdefault(_identity(target).casefold(), (source, target))
        if path is not target:
            same = f"{target} for both" if str(path) == str(target) else f"{path} and {target}"
            raise fail(f"the results of {other} and {source}", "must not be one file", same)


def _identity(path: Path) -> str:
    return os.path.realpath(path)


def check_absent(target: Path, *, force: bool) -> None:
    """Refuse to replace a file unless ``--force`` was given."""
    if target.exists() and not force:
        raise ValueError(f"{target} must not exist (or give --force)")


def run_each(
    command: str, files: Sequence[tuple[Path, Path]], work: Callable[[Path, Path], str | None]
) -> int:
    """Run `work` on every file, with a progress bar for several; print its text or its error.

    Returns
    -------
    int
        0 when every file went well, 2 otherwise; each failure is one line on standard error.
    """
    failures = 0
    with _bar(files) as bar:
        for source, relative in bar:
            text = None
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always", UserWarning)
                try:
                    text = work(source, relative)
                except (ValueError, TypeError, OSError, MemoryError) as error:
                    failures += 1
                    reason = " ".join(str(error).split()) or type(error).__name__
                    prefix = "" if str(source) in reason else f"{source}: "
                    bar.write(f"tilelab {command}: error: {prefix}{reason}", file=sys.stderr)
            for warning in caught:
                bar.write(f"tilelab {command}: warning: {warning.message}", file=sys.stderr)
            if text is not None:
                bar.write(text, file=sys.stdout)
    if failures and len(files) > 1:
        print(f"tilelab {command}: {failures} of {len(files)} files failed", file=sys.stderr)
    return FAILED if failures else 0


class _NoBar:
    """Steps through the files and prints, without a bar."""

    def __init__(self, files: Sequence[tuple[Path, Path]]) -> None:
        self.files = files

    def __enter__(self) -> _NoBar:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def __iter__(self) -> Iterator[tuple[Path, Path]]:
        return iter(self.files)

    def write(self, text: str, file: Any) -> None:
        print(text, file=file)


def _bar(files: Sequence[tuple[Path, Path]]) -> Any:
    if len(files) > 1:
        try:
            return _progress.progress_bar(files, unit="file")
        except ImportError:
            pass  # tqdm is optional: the work does not need it
    return _NoBar(files)
