"""tilelab: an offline laboratory for the tile hardware of the XBOX Series X|S class GPU.

Everything takes arrays and gives arrays. Every area is an attribute of this package, loaded at first use.
"""

import importlib as _importlib
import os as _os
from typing import TYPE_CHECKING, Any

from tilelab import _core
from tilelab._core import UnsupportedError

if TYPE_CHECKING:
    from tilelab import (
        addressing,
        data,
        frame,
        io,
        lighting,
        metrics,
        plot,
        reference,
        scene,
        tessellation,
        testing,
        tour,
        vrs,
    )

__all__ = [
    "UnsupportedError",
    "__version__",
    "addressing",
    "build_config",
    "data",
    "frame",
    "io",
    "lighting",
    "metrics",
    "plot",
    "reference",
    "scene",
    "tessellation",
    "testing",
    "tour",
    "vrs",
]
__dir__ = __all__.copy  # dir() and completion show the public names alone, as in every public module

__version__: str = _core.__version__
"""Version of the package."""

UnsupportedError.__doc__ = "A legal combination that is not modelled; also a `ValueError`."


def build_config() -> dict[str, str]:
    """Describe what this binary was built from.

    Returns
    -------
    dict
        Name to text: version, system, compiler, build type, sanitizers, library versions, the vector
        instruction sets that the kernels hold and this CPU can run (``targets``) and the one in use.

    Examples
    --------
    >>> import tilelab
    >>> tilelab.build_config()["version"] == tilelab.__version__
    True
    """
    return dict(_core.core.build_config())


def __getattr__(name: str) -> Any:
    if name in __all__:
        return _importlib.import_module(f"tilelab.{name}")
    raise AttributeError(f"module 'tilelab' has no attribute {name!r}")


if _os.environ.get("TILELAB_TARGET"):
    _core.core.force_target(_os.environ["TILELAB_TARGET"])
