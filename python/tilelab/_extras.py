"""Optional libraries, imported where they are needed."""

import importlib
from typing import Any


def require(module: str, extra: str) -> Any:
    """Import an optional module, or say which extra of tilelab brings it.

    Parameters
    ----------
    module : str
        Dotted name of the module.
    extra : str
        Name of the extra in ``pip install "tilelab[extra]"``.

    Raises
    ------
    ImportError
        The module is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(
            f'{module} is needed here and could not be imported ({error}): pip install "tilelab[{extra}]"'
        ) from error
