"""Rules of the tree that a reviewer would otherwise have to remember."""

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
