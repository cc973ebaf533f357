"""Write a file so that it is either complete or not there."""

from __future__ import annotations

import contextlib
import os
import uuid
from collections.abc import Iterator


@contextlib.contextmanager
def replace_when_complete(path: str) -> Iterator[str]:
    """Yield the name of a new file beside `path`; rename it to `path` on success, remove it on failure.

    Parameters
    ----------
    path : str
        The file to make. A symbolic link is followed, so the file it names is the one replaced.

    Yields
    ------
    str
        The name to write to; it does not exist yet.
    """
    target = os.path.realpath(path)
    if os.path.isdir(target):
        raise IsADirectoryError(f"path must name a file, got the folder {path}")
    if not os.path.isdir(os.path.dirname(target)):
        raise FileNotFoundError(f"path must be in an existing folder, got {path}")
    ending = os.path.splitext(target)[1]
    fresh = os.path.join(os.path.dirname(target), f".{uuid.uuid4().hex}{ending}")
    try:
        yield fresh
        os.replace(fresh, target)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.remove(fresh)
