import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from tilelab import cli
from tilelab.commands._arguments import read_frame
from tilelab.frame import Frame


def fails(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run a tour that must fail before it prints or writes anything; returns the error."""
    assert cli.main(["tour", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("tilelab tour: error: ")
    assert err.count("\n") == 1
    return err


@pytest.fixture
def frame_file(tmp_path: Path, rng: np.random.Generator) -> Path:
    path = tmp_path / "frame.npz"
    Frame(color=rng.random((40, 48, 3), dtype=np.float32)).save(path)
    return path


def test_default_tour(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["tour", "--out", str(tmp_path / "out"), "--threads", "2"]) == 0
    out, err = capsys.readouterr()
    assert re.search(r"^ +Ratio +0\.\d+ *$", out, re.MULTILINE)
    assert f"Report: {tmp_path / 'out' / 'report.html'}" in out.replace("\n", "")
    assert err == ""
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"report.html", "vrs_frame.png", "vrs_rates.png", "vrs_error.png"} <= names


def test_tour_of_a_frame_file(tmp_path: Path, frame_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert (
        cli.main(["tour", "--frame", str(frame_file), "--previous", str(frame_file), "--out", str(out)]) == 0
    )
    assert "frame.npz, 48x40" in capsys.readouterr().out
    assert "has no motion vectors" in (out / "report.html").read_text(encoding="utf-8")


def test_tour_of_a_picture(
    tmp_path: Path, rng: np.random.Generator, capsys: pytest.CaptureFixture[str]
) -> None:
    image_module = pytest.importorskip("PIL.Image")
    path = tmp_path / "picture.png"
    image_module.fromarray(rng.integers(0, 256, (20, 30), dtype=np.uint8)).save(path)
    assert cli.main(["tour", "--frame", str(path), "--out", str(tmp_path / "out")]) == 0
    assert "picture.png, 30x20" in capsys.readouterr().out


def test_picture_is_turned_as_its_camera_says(tmp_path: Path) -> None:
    image_module = pytest.importorskip("PIL.Image")
    exif = image_module.Exif()
    exif[0x0112] = 6  # the camera was turned by 90 degrees
    image_module.new("RGB", (30, 20)).save(tmp_path / "picture.jpg", exif=exif)
    assert read_frame(tmp_path / "picture.jpg").shape == (30, 20)


def test_pictures_that_would_lose_bits_are_refused(tmp_path: Path, rng: np.random.Generator) -> None:
    image_module = pytest.importorskip("PIL.Image")
    deep = tmp_path / "deep.png"
    image_module.fromarray(rng.integers(0, 65536, (8, 8), dtype=np.uint16)).save(deep)
    with pytest.raises(ValueError, match="8 bits a channel, got the Pillow mode I;16"):
        read_frame(deep)


@pytest.mark.parametrize("kind", ["png", "jpg", "bmp", "tiff", "gif"])
def test_truncated_pictures_are_refused(kind: str, tmp_path: Path, rng: np.random.Generator) -> None:
    image_module = pytest.importorskip("PIL.Image")
    path = tmp_path / f"picture.{kind}"
    image_module.fromarray(rng.integers(0, 256, (40, 40, 3), dtype=np.uint8)).save(path)
    whole = path.read_bytes()
    for size in (0, 3, 20, len(whole) // 2):
        path.write_bytes(whole[:size])
        with pytest.raises(ValueError, match=f"picture.{kind} must be a frame"):
            read_frame(path)


def test_bad_arguments(tmp_path: Path, frame_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frame, out = str(frame_file), str(tmp_path / "out")
    other = tmp_path / "other.npz"
    Frame(color=np.zeros((8, 8, 3), np.float32)).save(other)
    garbage = tmp_path / "garbage.png"
    garbage.write_bytes(b"no picture")
    lying = tmp_path / "lying.npz"
    lying.write_bytes(frame_file.read_bytes()[:200])

    assert "--out must be a folder" in fails(capsys, "--out", frame)
    assert "--out must be a folder" in fails(capsys, "--out", f"{frame}/below")
    assert "--previous needs --frame" in fails(capsys, "--previous", frame, "--out", out)
    assert "absent.npz" in fails(capsys, "--frame", str(tmp_path / "absent.npz"), "--out", out)
    assert "absent.png" in fails(capsys, "--frame", str(tmp_path / "absent.png"), "--out", out)
    assert "garbage.png must be" in fails(capsys, "--frame", str(garbage), "--out", out)
    assert "lying.npz" in fails(capsys, "--frame", str(lying), "--out", out)
    assert str(tmp_path) in fails(capsys, "--frame", str(tmp_path), "--out", out)
    assert "(40, 48), got (8, 8)" in fails(capsys, "--frame", frame, "--previous", str(other), "--out", out)
    assert not Path(out).exists()


def test_folder_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: False)
    error = fails(capsys, "--out", str(tmp_path / "out"))
    assert "--out must be a folder that can be written to" in error


@pytest.mark.parametrize("threads", ["-1", "two", "1.5", ""])
def test_bad_threads(threads: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        cli.main(["tour", f"--threads={threads}"])
    assert stop.value.code == 2
    assert "must be a whole number of at least 0" in capsys.readouterr().err


def test_frame_and_render_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        cli.main(["tour", "--render", "--frame", "a.npz"])
    assert stop.value.code == 2
    assert "not allowed with argument" in capsys.readouterr().err


@pytest.mark.parametrize("module", ["jinja2", "matplotlib", "PIL", "rich", "tqdm"])
def test_missing_library_is_named_before_any_work(
    module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    assert 'pip install "tilelab[plot]"' in fails(capsys, "--out", str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_render_takes_the_rendered_pair(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pair = (Frame(color=np.zeros((16, 24, 3), np.float32), origin="made anew"), None)
    monkeypatch.setattr("tilelab.scene.render_pair", lambda: pair)
    assert cli.main(["tour", "--render", "--out", str(tmp_path / "out")]) == 0
    assert "made anew, 24x16" in capsys.readouterr().out


def test_stereo_takes_the_photographed_pair(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["tour", "--stereo", "--out", str(tmp_path / "out")]) == 0
    assert "motorcycle" in capsys.readouterr().out.lower()
    assert (tmp_path / "out" / "report.html").is_file()


@pytest.mark.slow
def test_ctrl_c_ends_rendering_with_130(tmp_path: Path) -> None:
    pytest.importorskip("mitsuba")
    script = (
        "import signal, sys; from tilelab import cli; "
        "signal.signal(signal.SIGINT, signal.default_int_handler); "
        "sys.exit(cli.main(['tour', '--render', '--out', sys.argv[1]]))"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "out")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(8)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Resolution" not in out  # the renderer says there that it was interrupted
    assert err.splitlines()[-1] == "tilelab tour: interrupted"
    assert not (tmp_path / "out").exists()
