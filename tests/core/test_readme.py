"""What the README shows is what a reader gets."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_the_code_prints_what_the_readme_says(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    (code,) = blocks("python")
    (shown,) = blocks("text")
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert run.stdout == shown
    assert (tmp_path / "rates.png").stat().st_size > 10_000


def test_there_are_exactly_two_set_up_commands() -> None:
    commands = blocks("sh")
    assert [command.count("\n") for command in commands] == [1, 1]
    assert commands[0].endswith("tilelab tour\n")
    assert commands[1].endswith("-m pytest\n")


def test_every_path_that_is_named_exists() -> None:
    root = Path(__file__).resolve().parents[2]
    for path in re.findall(r"(?:\]\(|`)((?:notebooks|tests|\.assets|\.ci|cpp|python)/[\w./-]+)[)`]", README):
        assert (root / path).exists(), path
