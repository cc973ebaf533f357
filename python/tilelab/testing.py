"""Helpers for tests of users and of tilelab: name and force the instruction set."""

import contextlib
from collections.abc import Iterator

from tilelab import _core

__all__ = ["force_target", "targets"]
__dir__ = __all__.copy


def targets() -> list[str]:
    """Names of the vector instruction sets that kernels can use on this CPU, best first.

    Examples
    --------
    >>> from tilelab import testing
    >>> len(testing.targets()) >= 1
    True
    """
    return list(_core.core.supported_targets())


@contextlib.contextmanager
def force_target(name: str) -> Iterator[None]:
    """Limit kernels to one instruction set (and what is worse than it) inside a ``with`` block.

    Parameters
    ----------
    name : str
        One of :func:`targets`.

    Raises
    ------
    ValueError
        The name is not one of :func:`targets`.

    Notes
    -----
    The limit holds for the whole process: no kernel may run on another thread meanwhile. The environment
    variable ``TILELAB_TARGET`` sets the same limit when tilelab is imported.
    """
    before = _core.core.current_target()
    _core.core.force_target(name)
    try:
        yield
    finally:
        _core.core.force_target(before)
