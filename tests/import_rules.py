"""Who imports whom in a package, and what the design has against it."""

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

# An area may import the areas named beside it and what those may import.
ARROWS: Mapping[str, tuple[str, ...]] = {
    "core": (),
    "addressing": ("core",),
    "sampling": ("addressing",),
    "feedback": ("sampling",),
    "minmip": ("sampling",),
    "streaming": ("feedback", "minmip"),
    "vrs": ("core",),
    "lighting": ("vrs",),
    "tessellation": ("core",),
}
# What no area owns and every area may import, beside the private modules of the package root.
SHARED = {"frame", "metrics"}


@dataclass(frozen=True)
class Imports:
    """Dotted names that each module of a package imports, at any depth of its code.

    A name includes what is taken from the module (``tilelab.vrs.ShadingRate``). Imports for type checkers
    alone do not count, except in the package root: there they stand for what ``__getattr__`` loads.
    """

    package: str
    names: Mapping[str, frozenset[str]]

    def edges(self) -> Iterator[tuple[str, str]]:
        """Yield importing and imported module, both inside the package, sorted."""
        for module, names in sorted(self.names.items()):
            for target in sorted({self._module_of(name) for name in names} - {"", module}):
                yield module, target

    def top(self, module: str) -> str:
        """Return the part of the package that a module belongs to: ``vrs`` of ``tilelab.vrs.rates``."""
        return module.removeprefix(self.package).lstrip(".").partition(".")[0]

    def _module_of(self, name: str) -> str:
        """Return the module that a name is in, or "" outside the package."""
        while name and name not in self.names:
            name = name.rpartition(".")[0]
        return name


def read_imports(folder: Path) -> Imports:
    """Read all modules of the package in a folder; compiled modules are known by their stubs."""
    names: dict[str, frozenset[str]] = {}
    for file in sorted([*folder.rglob("*.py"), *folder.rglob("*.pyi")]):
        parts = (folder.name, *file.relative_to(folder).with_suffix("").parts)
        package = parts[:-1] if file.stem == "__init__" else parts
        module = ".".join(package)
        tree = ast.parse(file.read_text(encoding="utf-8") if file.suffix == ".py" else "")
        is_root = module == folder.name
        names[module] = frozenset(_imported(tree, parts[:-1], type_checking=is_root))
    return Imports(folder.name, names)


def _imported(node: ast.AST, package: tuple[str, ...], *, type_checking: bool) -> Iterator[str]:
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING")):
            children: Iterable[ast.AST] = [*(node.body if type_checking else ()), *node.orelse]
        case ast.Import():
            yield from (alias.name for alias in node.names)
            return
        case ast.ImportFrom():
            start = package[: len(package) + 1 - node.level] if node.level else ()
            source = ".".join([*start, *([node.module] if node.module else [])])
            yield from (f"{source}.{alias.name}" for alias in node.names)
            return
        case ast.Call(func=ast.Name(id=function) | ast.Attribute(attr=function), args=[name, *_]) if (
            function in ("import_module", "__import__", "require")
        ):
            yield _literal_module(name)
            children = ast.iter_child_nodes(node)
        case _:
            children = ast.iter_child_nodes(node)
    for child in children:
        yield from _imported(child, package, type_checking=type_checking)


def _literal_module(name: ast.expr) -> str:
    """Return the module that a call imports, as far as the text says: ``a.b`` of ``f"a.b.{name}"``."""
    match name:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=[ast.Constant(value=str(text)), *_]):
            return text.rpartition(".")[0]
    return ""


def broken_arrows(imports: Imports) -> list[str]:
    """Name every import of an area that is neither along the arrows nor shared."""

    def below(area: str) -> set[str]:
        return set(ARROWS[area]).union(*(below(each) for each in ARROWS[area]))

    complaints = []
    for module, target in imports.edges():
        area, other = imports.top(module), imports.top(target)
        if area in ARROWS and not (other.startswith("_") or other in {area} | below(area) | SHARED):
            complaints.append(f"{module} imports {target}")
    return complaints


def foreign_to_reference(imports: Imports) -> list[str]:
    """Name every import of the slow twins beside NumPy, the standard library and themselves."""
    twins = f"{imports.package}.reference"
    complaints = []
    for module, names in sorted(imports.names.items()):
        if f"{module}.".startswith(f"{twins}."):
            for name in sorted(names):
                library = name.partition(".")[0]
                fine = library == "numpy" or library in sys.stdlib_module_names
                if not fine and not f"{name}.".startswith(f"{twins}."):
                    complaints.append(f"{module} imports {name}")
    return complaints


def package_circles(imports: Imports) -> list[str]:
    """Name the circles between the packages and top-level modules; the root is one of them."""
    graph: dict[str, set[str]] = {}
    for module, target in imports.edges():
        importer, imported = imports.top(module), imports.top(target)
        if importer != imported:
            graph.setdefault(importer or imports.package, set()).add(imported or imports.package)
    return _circles(graph)


def module_circles(imports: Imports) -> list[str]:
    """Name the circles between the modules inside a package."""
    graph: dict[str, set[str]] = {}
    for module, target in imports.edges():
        if imports.top(module) and imports.top(module) == imports.top(target):
            graph.setdefault(module, set()).add(target)
    return _circles(graph)


def _circles(graph: Mapping[str, set[str]]) -> list[str]:
    """Find circles until none is left, leaving out one import of each that was found."""
    left = {node: sorted(targets) for node, targets in graph.items()}
    found = []
    while True:
        try:
            TopologicalSorter(left).prepare()
        except CycleError as error:
            circle = error.args[1]  # each node is imported by the next one; the first comes again at the end
            found.append(" <- ".join(circle))
            left[circle[1]].remove(circle[0])
        else:
            return found


def other_sources_of_unsupported_error(imports: Imports) -> list[str]:
    """Name every import of UnsupportedError that is not from ``_validation``; the root may re-export it."""
    source = f"{imports.package}._validation"
    return [
        f"{module} imports {name}"
        for module, names in sorted(imports.names.items())
        if module not in (imports.package, source)
        for name in sorted(names)
        if name.endswith(".UnsupportedError") and name != f"{source}.UnsupportedError"
    ]


def readers_of_python(root: Path) -> list[str]:
    """Name every line of the C++ tree and its CMake files with a path below ``python/``, outputs apart."""
    files = [root / "CMakeLists.txt", *(path for path in sorted((root / "cpp").rglob("*")) if path.is_file())]
    return [
        f"{file.relative_to(root).as_posix()}: {line.strip()}"
        for file in files
        for line in file.read_text(encoding="utf-8").splitlines()
        if re.search(r"\bpython/", line) and "_OUTPUT_DIRECTORY" not in line
    ]
