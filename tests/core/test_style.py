"""Rules of the tree that a reviewer would otherwise have to remember."""

import ast
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOP_LEVEL = {"pyproject.toml", "CMakeLists.txt", "README.md", "cpp", "python", "notebooks", "tests"}


def tracked() -> list[str]:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    run = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return run.stdout.splitlines()


def test_the_top_level_holds_only_what_belongs_there() -> None:
    top = {path.split("/")[0] for path in tracked()}
    assert {name for name in top if not name.startswith(".")} <= TOP_LEVEL


def test_only_the_adapter_includes_xtensor() -> None:
    """Of the library; of its tests, those that need a part of xtensor that the adapter has no use for."""
    users = [
        path
        for path in tracked()
        if path.endswith((".cpp", ".hpp")) and "#include <xtensor" in (ROOT / path).read_text()
    ]
    assert users == ["cpp/include/tilelab/xtensor.hpp", "tests/cpp/golden.cpp", "tests/cpp/test_xtensor.cpp"]


def test_the_core_knows_no_python() -> None:
    for path in tracked():
        if path.startswith(("cpp/src", "cpp/include")):
            assert "pybind11" not in (ROOT / path).read_text(), path


def slow_results_made_again(source: str) -> list[str]:
    """Tests that run once for each target or number of threads and use a twin every time."""
    tree, found, twins = ast.parse(source), [], set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tilelab.reference"):
            twins |= {alias.asname or alias.name for alias in node.names}
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and function.name.startswith("test_"):
            repeated = {"target", "threads"} & {argument.arg for argument in function.args.args}
            names = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
            if repeated and names & twins:
                found.append(function.name)
    return found


def test_results_of_twins_are_made_once_for_all_targets_and_threads() -> None:
    bad = "from tilelab.reference import vrs as twin\ndef test_a(target): twin.luminance()"
    assert slow_results_made_again(bad) == ["test_a"]
    assert slow_results_made_again(bad.replace("target", "every_target")) == []
    for path in (ROOT / "tests").rglob("test_*.py"):
        source = path.read_text(encoding="utf-8")
        assert slow_results_made_again(source) == [], f"{path}: loop with every_target or every_way inside"
