import argparse
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tilelab
from tilelab import cli
from tilelab.commands import COMMANDS, info


def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tilelab", *arguments], capture_output=True, text=True, timeout=60, **options
    )


def fails(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run a command that must fail; returns its only line on standard error."""
    try:
        code = cli.main(arguments)
    except SystemExit as stop:
        code = stop.code
    out, err = capsys.readouterr()
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1
    assert err.endswith("\n")
    return err


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        cli.main(["--help"])
    assert stop.value.code == 0
    out = capsys.readouterr().out
    for name in COMMANDS:
        assert name in out.split()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        cli.main([name, "--help"])
    assert stop.value.code == 0
    out = capsys.readouterr().out
    assert out.startswith(f"usage: tilelab {name}")
    assert max(map(len, out.splitlines())) <= 110


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_refuses_unknown_options(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "--nonsense" in fails(capsys, name, "--nonsense") or "required" in fails(
        capsys, name, "--nonsense"
    )


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        cli.main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out == f"tilelab {tilelab.__version__}\n"


def test_no_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert fails(capsys).startswith("tilelab: error: the following arguments are required: COMMAND")


def test_unknown_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert "'turo'" in fails(capsys, "turo")


def test_module_and_function_agree() -> None:
    done = run("info")
    assert done.returncode == 0
    assert done.stderr == ""
    assert done.stdout.splitlines()[0] == "tilelab"
    assert tilelab.__version__ in done.stdout


def test_info_shows_build_and_targets(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["info"]) == 0
    out = capsys.readouterr().out
    for value in tilelab.build_config().values():
        assert value in out


def test_info_lists_extras(monkeypatch: pytest.MonkeyPatch) -> None:
    required = [
        "numpy>=1.24",
        'numpy>=1.0; extra == "plot"',
        "tilelab[plot]; extra == 'all'",
        'no-such-library>=3; extra == "scene"',
    ]
    monkeypatch.setattr("importlib.metadata.requires", lambda name: required)
    assert info.extras() == {"plot": {"numpy": np.__version__}, "scene": {"no-such-library": "not installed"}}


@pytest.mark.parametrize(
    ("error", "code", "text"),
    [
        (ValueError("slope_u must be\n one of 2"), 2, "tilelab info: error: slope_u must be one of 2\n"),
        (FileNotFoundError(2, "No such file", "a.npz"), 2, "tilelab info: error: No such file: a.npz\n"),
        (OSError("disk on fire"), 2, "tilelab info: error: disk on fire\n"),
        (ImportError('pip install "tilelab[plot]"'), 2, 'pip install "tilelab[plot]"'),
        (tilelab.UnsupportedError("no such mode"), 2, "no such mode"),
        (MemoryError(), 2, "tilelab info: error: MemoryError\n"),
        (KeyboardInterrupt(), 130, "tilelab info: interrupted\n"),
    ],
)
def test_errors_are_one_line(
    error: BaseException,
    code: int,
    text: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def broken(arguments: argparse.Namespace) -> int:
        raise error

    monkeypatch.setattr(info, "run", broken)
    assert cli.main(["info"]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert text in err
    assert err.strip().count("\n") == 0


def test_other_errors_are_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(arguments: argparse.Namespace) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr(info, "run", broken)
    with pytest.raises(ZeroDivisionError):
        cli.main(["info"])


@pytest.mark.skipif(os.name != "posix", reason="signals and pipes of a POSIX system")
def test_reader_that_leaves_early_is_no_error() -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "tilelab", "info"], stdout=write, stderr=subprocess.PIPE, timeout=60
    )
    os.close(write)
    assert done.returncode == 0
    assert done.stderr == b""


@pytest.mark.skipif(os.name != "posix", reason="signals of a POSIX system")
def test_ctrl_c_ends_the_tour_with_130(tmp_path: Path) -> None:
    script = tmp_path / "slow.py"
    script.write_text(
        "import functools, signal, sys, time\n"
        "from tilelab import cli, tour\n"
        # what a background job starts ignores Ctrl-C, and the tests may be run by one
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "def slow(context):\n"
        "    print('started', flush=True)\n"
        "    time.sleep(60)\n"
        "tour.run = functools.partial(tour.run, chapters=[slow])\n"
        "sys.exit(cli.main(['tour', '--out', sys.argv[1]]))\n"
    )
    process = subprocess.Popen(
        [sys.executable, str(script), str(tmp_path / "out")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "started\n"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=50)
    assert process.returncode == 130
    assert err == "\ntilelab tour: interrupted\n"
    assert not (tmp_path / "out").exists()
