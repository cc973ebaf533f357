"""Imports go one way: along the arrows of the design, without circles, and never from C++ to Python."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from import_rules import (
    Imports,
    broken_arrows,
    foreign_to_reference,
    module_circles,
    other_sources_of_unsupported_error,
    package_circles,
    read_imports,
    readers_of_python,
)

ROOT = Path(__file__).resolve().parents[2]
RULES = [
    broken_arrows,
    foreign_to_reference,
    package_circles,
    module_circles,
    other_sources_of_unsupported_error,
]
# A package that keeps every rule, with the kinds of import that must not be taken for a breach.
GOOD = {
    "__init__.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from tilelab import plot, vrs\n",
    "_core/__init__.pyi": "from tilelab import plot\n",
    "_validation.py": "from tilelab._core import UnsupportedError as UnsupportedError\n",
    "cli.py": "import importlib\nimport tilelab\nimportlib.import_module(f'tilelab.commands.{tilelab.x}')\n",
    "commands/__init__.py": "",
    "frame.py": "def load():\n    from tilelab.io import npz\n",
    "io/__init__.py": "from tilelab.io import npz\n",
    "io/npz.py": "from tilelab._validation import UnsupportedError\n",
    "lighting/__init__.py": "from tilelab import _core, frame, vrs\nfrom tilelab.lighting.scan import scan\n",
    "lighting/scan.py": "from tilelab.lighting.text import text\nscan = text\n",
    "lighting/text.py": "import typing\nif typing.TYPE_CHECKING:\n    import tilelab.lighting.scan\n",
    "plot/__init__.py": "import tilelab.vrs\n",
    "reference/__init__.py": "import math\nimport numpy.typing\nfrom .vrs import rate\n",
    "reference/vrs.py": "from functools import reduce as rate\n",
    "streaming.py": "from tilelab import addressing, feedback, minmip, sampling\n",
    "addressing.py": "",
    "sampling.py": "import tilelab.addressing\n",
    "feedback.py": "from tilelab.sampling import footprint\n",
    "minmip.py": "import tilelab.sampling as sampling\n",
    "vrs/__init__.py": "from .rates import combine\n",
    "vrs/rates.py": "from tilelab._validation import UnsupportedError\ncombine = UnsupportedError\n",
}


def package(folder: Path, files: Mapping[str, str]) -> Imports:
    for name, text in files.items():
        path = folder / "tilelab" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return read_imports(folder / "tilelab")


@pytest.mark.parametrize("rule", RULES)
def test_the_package_keeps_the_rule(rule: Callable[[Imports], list[str]]) -> None:
    assert rule(read_imports(ROOT / "python" / "tilelab")) == []


@pytest.mark.parametrize("rule", RULES)
def test_a_good_package_is_not_accused(rule: Callable[[Imports], list[str]], tmp_path: Path) -> None:
    assert rule(package(tmp_path, GOOD)) == []


@pytest.mark.parametrize(
    ("rule", "file", "text", "complaint"),
    [
        (broken_arrows, "vrs/html.py", "from tilelab import plot", "tilelab.vrs.html imports tilelab.plot"),
        (
            broken_arrows,
            "vrs/html.py",
            "class Rates:\n    def show(self):\n        import tilelab.plot as plot",
            "tilelab.vrs.html imports tilelab.plot",
        ),
        (
            broken_arrows,
            "tessellation.py",
            "import importlib\nimportlib.import_module('tilelab.io.npz')",
            "tilelab.tessellation imports tilelab.io.npz",
        ),
        (
            broken_arrows,
            "vrs/scan.py",
            "from .. import lighting",
            "tilelab.vrs.scan imports tilelab.lighting",
        ),
        (broken_arrows, "minmip.py", "import tilelab.feedback", "tilelab.minmip imports tilelab.feedback"),
        (broken_arrows, "vrs/a.py", "from tilelab import Error", "tilelab.vrs.a imports tilelab"),
        (
            foreign_to_reference,
            "reference/lighting.py",
            "from scipy import ndimage",
            "tilelab.reference.lighting imports scipy.ndimage",
        ),
        (
            foreign_to_reference,
            "reference/lighting.py",
            "def scan():\n    from tilelab._validation import fail",
            "tilelab.reference.lighting imports tilelab._validation.fail",
        ),
        (package_circles, "io/npz.py", "from tilelab.frame import Frame", "frame <- io <- frame"),
        (package_circles, "vrs/a.py", "from tilelab import Error", "tilelab <- vrs <- tilelab"),
        (
            module_circles,
            "lighting/text.py",
            "def text():\n    from tilelab.lighting.scan import scan",
            "tilelab.lighting.scan <- tilelab.lighting.text <- tilelab.lighting.scan",
        ),
        (
            module_circles,
            "vrs/rates.py",
            "from tilelab.vrs import combine",
            "tilelab.vrs <- tilelab.vrs.rates <- tilelab.vrs",
        ),
        (
            other_sources_of_unsupported_error,
            "vrs/rates.py",
            "from tilelab._core import UnsupportedError",
            "tilelab.vrs.rates imports tilelab._core.UnsupportedError",
        ),
    ],
)
def test_a_breach_is_named(
    rule: Callable[[Imports], list[str]], file: str, text: str, complaint: str, tmp_path: Path
) -> None:
    assert rule(package(tmp_path, {**GOOD, file: text})) == [complaint]


def test_every_circle_is_named(tmp_path: Path) -> None:
    circles = {
        "a.py": "import tilelab.b, tilelab.c",
        "b.py": "import tilelab.a",
        "c.py": "import tilelab.d",
        "d.py": "import tilelab.a",
    }
    assert len(package_circles(package(tmp_path, {**GOOD, **circles}))) == 2


def test_cpp_reads_nothing_below_python() -> None:
    assert readers_of_python(ROOT) == []


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("cpp/src/vrs/rates.cpp", '#include "../../../python/tilelab/rates.csv"'),
        ("cpp/cmake/Masks.cmake", 'file(STRINGS "${PROJECT_SOURCE_DIR}/python/tilelab/masks.csv" ROWS)'),
        ("CMakeLists.txt", "install(FILES python/tilelab/masks.csv DESTINATION tilelab)"),
    ],
)
def test_cpp_that_reads_below_python_is_named(file: str, line: str, tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        'set_target_properties(_core PROPERTIES LIBRARY_OUTPUT_DIRECTORY "python/tilelab")\n'
    )
    (tmp_path / "cpp").mkdir()
    assert readers_of_python(tmp_path) == []
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text(f"#include <pybind11/numpy.h>\n{line}\n")
    assert readers_of_python(tmp_path) == [f"{file}: {line}"]
