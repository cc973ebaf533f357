"""dir() of a public module shows what the module is for, and nothing else."""

import ast
import functools
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import tilelab

# Areas whose inner modules have no list of public names yet; their packages have one.
EXEMPT: tuple[str, ...] = ()


def public_modules(package: ModuleType = tilelab) -> Iterator[str]:
    yield package.__name__
    for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        if found.name.rpartition(".")[2].startswith("_") or found.name.startswith(EXEMPT):
            continue
        if found.ispkg:
            yield from public_modules(importlib.import_module(found.name))
        else:
            yield found.name


def complaints(module: ModuleType) -> list[str]:
    """Say what is wrong with the names that a module shows."""
    if not hasattr(module, "__all__"):
        return [f"{module.__name__} has no __all__"]
    shown = dir(module)
    found = [f"dir() and __all__ differ in {name}" for name in sorted({*shown} ^ {*module.__all__})]
    for name in sorted({*shown, *module.__all__}):
        value = getattr(module, name, None)
        if not hasattr(module, name):
            found.append(f"{name} is not there")
        elif name.startswith("_") and name != "__version__":
            found.append(f"{name} is private")
        elif isinstance(value, ModuleType) and value.__name__ != f"{module.__name__}.{name}":
            found.append(f"{name} is another module")
        elif not str(getattr(value, "__module__", "tilelab")).startswith("tilelab"):
            found.append(f"{name} belongs to {value.__module__}")
        elif not is_documented(name, value):
            found.append(f"{name} is not documented")
    return found


def is_documented(name: str, value: Any) -> bool:
    if isinstance(value, ModuleType) or inspect.isroutine(value) or inspect.isclass(value):
        return bool(value.__doc__)
    # A constant: an object of a documented class of ours, or one with a text of its own.
    return type(value).__module__.startswith("tilelab.") or name in documented_constants()


@functools.cache
def documented_constants() -> set[str]:
    """Names that are assigned in any module with a string below, or a ``#:`` comment above."""
    names = set()
    for file in Path(tilelab.__file__).parent.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        body, lines = ast.parse(text).body, ["", *text.splitlines()]
        for node, after in zip(body, [*body[1:], None], strict=True):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                    below = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
                    if below or lines[node.lineno - 1].startswith("#:"):
                        names.add(name)
    return names


@pytest.mark.parametrize("name", list(public_modules()))
def test_a_public_module_shows_its_public_names(name: str) -> None:
    assert complaints(importlib.import_module(name)) == []


def test_the_walk_reaches_packages_and_what_is_inside() -> None:
    names = set(public_modules())
    assert {"tilelab", "tilelab.metrics", "tilelab.vrs", "tilelab.io.dds", "tilelab.reference.vrs"} <= names


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        ("import math", "made_up has no __all__"),
        ("import numpy as np\n__all__ = []", "dir() and __all__ differ in np"),
        ("import numpy as np\n__all__ = ['np']\n__dir__ = __all__.copy", "np is another module"),
        ("from numpy import sort\n__all__ = ['sort']\n__dir__ = __all__.copy", "sort belongs to numpy"),
        ("_x = 1\n__all__ = ['_x']\n__dir__ = __all__.copy", "_x is private"),
        ("__all__ = ['gone']\n__dir__ = __all__.copy", "gone is not there"),
        (
            "UNEXPLAINED = 1\n__all__ = ['UNEXPLAINED']\n__dir__ = __all__.copy",
            "UNEXPLAINED is not documented",
        ),
        (
            "def bare(): ...\nbare.__module__ = 'tilelab'\n__all__ = ['bare']\n__dir__ = __all__.copy",
            "bare is not documented",
        ),
    ],
)
def test_each_complaint_can_be_made(code: str, complaint: str) -> None:
    module = ModuleType("made_up")
    exec(code, vars(module))
    assert complaint in complaints(module)
