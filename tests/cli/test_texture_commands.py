import argparse
import json
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tilelab import cli
from tilelab.addressing import TextureDesc
from tilelab.commands import _files
from tilelab.io import dds


@pytest.fixture
def folder(tmp_path: Path, rng: np.random.Generator) -> Path:
    """Three textures, one of them in a subfolder."""
    for name, desc in {
        "rock.dds": TextureDesc(width=48, height=24, format="R8G8B8A8_UNORM", mip_levels=0),
        "sky.dds": TextureDesc(dimension="cube", width=16, height=16, format="BC7_UNORM", mip_levels=3),
        "deep/fog.DDS": TextureDesc(
            dimension="3d", width=20, height=9, depth_or_array_size=7, format="R16_FLOAT"
        ),
    }.items():
        path = tmp_path / "textures" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        dds.write(path, desc, [rng.integers(0, 256, sub.shape, np.uint8) for sub in desc.subresources()])
    return tmp_path / "textures"


def assert_same_texture(one: Path, other: Path) -> None:
    (desc, want), (again, have) = dds.read(one), dds.read(other)
    assert again == desc
    for a, b in zip(want, have, strict=True):
        np.testing.assert_array_equal(a, b)


def run(capsys: pytest.CaptureFixture[str], *arguments: object, code: int = 0) -> tuple[str, str]:
    """Run a command in this process; returns standard output and error."""
    assert cli.main([str(argument) for argument in arguments]) == code
    captured = capsys.readouterr()
    return captured.out, captured.err


def test_swizzle_and_back_beside_the_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, err = run(capsys, "swizzle", folder / "rock.dds", "--swizzle-mode", "64KB_R_X")
    assert "64KB_R_X, 65536 bytes" in out
    assert err == ""
    raw = folder / "rock.swizzled"
    assert raw.stat().st_size == 65536
    sidecar = json.loads((folder / "rock.swizzled.json").read_text())
    assert sidecar["swizzle_mode"] == "SW_64KB_R_X"
    assert sidecar["texture"]["format"] == "R8G8B8A8_UNORM"
    assert sidecar["gpu"] == {"name": "anaconda", "pipes": 32, "packers": 8}
    run(capsys, "deswizzle", raw, "--out", folder / "again.dds")
    assert_same_texture(folder / "rock.dds", folder / "again.dds")
    run(capsys, "deswizzle", folder / "rock.swizzled.json", "--out", folder / "json.dds")
    assert_same_texture(folder / "rock.dds", folder / "json.dds")


@pytest.mark.parametrize("mode", ["LINEAR", "4KB_S", "sw_64kb_s_x", "27"])
def test_modes_by_name_and_number(
    mode: str, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(
        capsys,
        "swizzle",
        folder / "rock.dds",
        "-m",
        mode,
        "-g",
        "16,8",
        "-o",
        tmp_path / "out.bin",
        "--threads",
        2,
    )
    run(capsys, "deswizzle", tmp_path / "out.bin", "-o", tmp_path / "out.dds")
    assert_same_texture(folder / "rock.dds", tmp_path / "out.dds")


def test_folders_keep_their_tree(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, "swizzle", folder, "--out", tmp_path / "tiled")
    assert len(out.splitlines()) == 3
    made = sorted(str(path.relative_to(tmp_path / "tiled")) for path in (tmp_path / "tiled").rglob("*.*"))
    assert made == [
        *("deep/fog.swizzled", "deep/fog.swizzled.json", "rock.swizzled"),
        *("rock.swizzled.json", "sky.swizzled", "sky.swizzled.json"),
    ]
    run(capsys, "deswizzle", tmp_path / "tiled", "--out", tmp_path / "back")
    assert_same_texture(folder / "deep/fog.DDS", tmp_path / "back/deep/fog.dds")
    for name in ("rock.dds", "sky.dds"):
        assert_same_texture(folder / name, tmp_path / "back" / name)


@pytest.mark.parametrize(
    "desc",
    [
        TextureDesc(width=33, height=9, format="R32G32B32_FLOAT", mip_levels=0),
        TextureDesc(dimension="1d", width=100, format="R8_UNORM", mip_levels=0, depth_or_array_size=3),
        TextureDesc(width=64, height=32, format="D24_UNORM_S8_UINT", mip_levels=0),
        TextureDesc(width=64, height=32, format="NV12", depth_or_array_size=2),
        TextureDesc(width=63, height=32, format="YUY2"),
        TextureDesc(
            dimension="3d", width=63, height=32, depth_or_array_size=9, format="BC7_UNORM", mip_levels=0
        ),
    ],
    ids=lambda desc: desc.format.name,
)
def test_every_kind_of_texture(
    desc: TextureDesc, tmp_path: Path, rng: np.random.Generator, capsys: pytest.CaptureFixture[str]
) -> None:
    subresources = [rng.integers(0, 256, sub.shape, np.uint8) for sub in desc.subresources()]
    if desc.format.name.startswith("D24"):
        for depth in subresources[: desc.mip_levels]:
            depth[..., 3] = 0  # 24 bits in a word
    dds.write(tmp_path / "a.dds", desc, subresources)
    run(capsys, "layout", tmp_path / "a.dds")
    run(capsys, "swizzle", tmp_path / "a.dds")
    run(capsys, "deswizzle", tmp_path / "a.swizzled", "-o", tmp_path / "b.dds")
    assert_same_texture(tmp_path / "a.dds", tmp_path / "b.dds")


def test_existing_files_are_kept_unless_forced(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rock = folder / "rock.dds"
    before = rock.read_bytes()
    run(capsys, "swizzle", rock)
    _, err = run(capsys, "swizzle", rock, code=2)
    assert "rock.swizzled must not exist (or give --force)" in err
    _, err = run(capsys, "deswizzle", folder / "rock.swizzled", code=2)
    assert "rock.dds must not exist (or give --force)" in err
    assert rock.read_bytes() == before
    run(capsys, "swizzle", rock, "--force", "-m", "4KB_S")
    run(capsys, "deswizzle", folder / "rock.swizzled", "--force")
    assert rock.read_bytes() == before
    (folder / "rock.swizzled").unlink()
    _, err = run(capsys, "swizzle", rock, code=2)
    assert "rock.swizzled.json must not exist" in err


def test_one_bad_file_does_not_stop_the_others(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "bad.dds").write_bytes(b"DDS " + bytes(60))
    data = bytearray((folder / "rock.dds").read_bytes())
    (folder / "long.dds").write_bytes(bytes(data) + bytes(5))
    struct.pack_into("<I", data, 12, 16384)
    (folder / "lying.dds").write_bytes(data)
    out, err = run(capsys, "swizzle", folder, "-o", tmp_path / "tiled", code=2)
    assert len(out.splitlines()) == 4
    lines = err.splitlines()
    assert len(lines) == 4
    assert any("bad.dds: the header must have 128 bytes" in line and ": error: " in line for line in lines)
    assert any("lying.dds: " in line and "bytes of texels, got" in line for line in lines)
    assert any("long.dds: 5 bytes after" in line and ": warning: " in line for line in lines)
    assert lines[-1] == "tilelab swizzle: 2 of 6 files failed"
    assert not (tmp_path / "tiled/bad.swizzled").exists()


def test_layout_text(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, "layout", folder / "rock.dds", "-m", "4KB_S")
    assert "2d, 48 x 24, R8G8B8A8_UNORM, 6 mips" in out
    assert "mode 4KB_S on anaconda (pipes 32, packers 8)" in out
    assert "size 16384 bytes, alignment 4096 bytes" in out
    rows = [line.split() for line in out.splitlines() if line.split()[:1] and line.split()[0].isdigit()]
    assert [row[0] for row in rows] == ["0", "1", "2", "3", "4", "5"]
    assert rows[0] == ["0", "48", "x", "24", "64", "x", "32", "256", "8192", "8192", "-"]
    assert rows[2][-1] == "tail"


def test_layout_of_every_mode(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, "layout", folder / "deep", "--all-modes")
    names = [line.split()[0] for line in out.splitlines()[3:] if line.strip()]
    assert names == [
        *("LINEAR", "4KB_S", "64KB_S", "64KB_S_T", "4KB_S_X"),
        *("64KB_Z_X", "64KB_S_X", "64KB_D_X", "64KB_R_X", "VAR_Z_X", "VAR_R_X"),
    ]


def test_layout_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, "layout", folder, "--json", "-m", "64KB_R_X", "-g", "lockhart")
    entries = json.loads(out)
    assert [Path(entry["file"]).name for entry in entries] == ["fog.DDS", "rock.dds", "sky.dds"]
    assert entries[1]["size_bytes"] == 65536
    assert [mip["offset_bytes"] for mip in entries[1]["planes"][0]["mips"]] == [
        32768,
        16384,
        8192,
        4096,
        2048,
        1536,
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["layout", "absent.dds"], "absent.dds"),
        (["layout", "EMPTY"], "PATH must hold .dds files"),
        (["deswizzle", "EMPTY"], "PATH must hold .swizzled files"),
        (["layout", "ROCK", "--swizzle-mode", "64KB_Q"], "swizzle_mode must be"),
        (["layout", "ROCK", "--swizzle-mode", "32"], "swizzle_mode must be"),
        (["layout", "ROCK", "--gpu", "ps5"], "gpu must be"),
        (["layout", "ROCK", "--gpu", "3,3"], "--gpu"),
        (
            ["layout", "ROCK", "--all-modes", "-m", "4KB_S"],
            "--swizzle-mode must not be given with --all-modes",
        ),
        (["swizzle", "ROCK", "-m", "64KB_R"], "swizzle_mode"),
        (["swizzle", "ROCK", "--threads", "-1"], "--threads"),
        (["swizzle"], "PATH"),
    ],
)
def test_bad_arguments_are_one_readable_line(
    arguments: list[str], message: str, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    places = {"ROCK": str(folder / "rock.dds"), "EMPTY": str(tmp_path / "empty")}
    try:
        code = cli.main([places.get(argument, argument) for argument in arguments])
    except SystemExit as stop:
        code = stop.code
    out, err = capsys.readouterr()
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1
    assert message in err
    assert not list(folder.glob("*.swizzled"))


def test_the_module_runs_as_a_program(folder: Path) -> None:
    program = [sys.executable, "-m", "tilelab"]
    done = subprocess.run([*program, "swizzle", str(folder)], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    shutil.copy(folder / "rock.dds", folder / "want.dds")
    done = subprocess.run(
        [*program, "deswizzle", str(folder), "--force"], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert_same_texture(folder / "want.dds", folder / "rock.dds")


def test_output_names() -> None:
    def place(out: Path | None, *, single: bool) -> Path:
        arguments = argparse.Namespace(out=out, force=False)
        return _files.output_path(
            Path("in/a/b.dds"), Path("a/b.dds"), arguments, lambda name: name + ".x", single=single
        )

    assert place(None, single=True) == Path("in/a/b.dds.x")
    assert place(Path("made.bin"), single=True) == Path("made.bin")
    assert place(Path("made"), single=False) == Path("made/a/b.dds.x")
    assert place(Path("/tmp"), single=True) == Path("/tmp/a/b.dds.x")
