import os
from pathlib import Path

import numpy as np
import pytest

from tilelab import _core, cli, vrs
from tilelab.frame import Frame


@pytest.fixture
def frames(rng: np.random.Generator) -> tuple[Frame, Frame]:
    smooth = np.linspace(0, 1, 45, dtype=np.float32)
    color = np.repeat(np.broadcast_to(smooth, (37, 45))[..., None], 3, axis=2).copy()
    color[:20, :20] = rng.random((20, 20, 3))
    motion = np.full((37, 45, 2), 3.0, np.float32)
    return Frame(color=color, motion=motion), Frame(color=color[::-1].copy())


@pytest.fixture
def files(tmp_path: Path, frames: tuple[Frame, Frame]) -> tuple[str, str]:
    paths = (tmp_path / "frame.npz", tmp_path / "before.npz")
    for frame, path in zip(frames, paths, strict=True):
        frame.save(path)
    return str(paths[0]), str(paths[1])


def test_npz_holds_the_rates(
    tmp_path: Path, frames: tuple[Frame, Frame], files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "rates.npz"
    options = ["--tile", "16", "--threshold", "0.2", "--env-luma", "0.1", "--vote", "2"]
    assert cli.main(["rates", files[0], str(output), "--previous", files[1], *options]) == 0
    expected = vrs.rate_image(
        frames[1].color, motion=frames[0].motion, tile=16, threshold=0.2, env_luma=0.1, vote=2
    )
    with np.load(output) as archive:
        assert archive["rates"].dtype == np.uint8
        assert np.array_equal(archive["rates"], expected)
        assert archive["tile"] == 16
    out = capsys.readouterr().out
    invocations = vrs.count_invocations(expected, (37, 45), tile=16).sum()
    assert ["Invocations", str(invocations)] in [line.split() for line in out.splitlines()]
    assert out.splitlines()[0].split() == ["Resolution", "45x37"]


def test_png_shows_the_rates(tmp_path: Path, frames: tuple[Frame, Frame], files: tuple[str, str]) -> None:
    image_module = pytest.importorskip("PIL.Image")
    output = tmp_path / "rates.png"
    assert cli.main(["rates", files[0], str(output)]) == 0
    with image_module.open(output) as picture:
        image = np.asarray(picture)
    assert image.shape == (37, 45, 3)
    fine = vrs.rate_image(frames[0].color)[0, 0]
    assert fine == vrs.ShadingRate.RATE_1X1
    assert image[0, 0, 0] > image[0, 0, 1] + 100  # red


def test_bad_arguments(tmp_path: Path, files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    depth = tmp_path / "depth.npz"
    Frame(depth=np.ones((8, 8), np.float32)).save(depth)
    colourless = tmp_path / "colourless.npz"
    Frame(depth=np.ones((37, 45), np.float32)).save(colourless)
    output = str(tmp_path / "rates.npz")
    before = sorted(tmp_path.iterdir())
    for arguments, text in [
        ([files[0], str(tmp_path / "rates.txt")], "OUTPUT must end in .png or .npz"),
        ([files[0], files[0]], f"the result of {files[0]} must not replace an input, got {files[0]}"),
        ([files[0], files[0], "--force"], "must not replace an input"),
        ([files[0], files[1], "--previous", files[1], "--force"], "must not replace an input"),
        ([files[0], str(depth)], f"{depth} must not exist (or give --force)"),
        ([str(tmp_path / "absent.npz"), output], "absent.npz"),
        ([str(depth), output], "INPUT must have color"),
        (
            [files[0], output, "--previous", str(depth)],
            "--previous must have the size of INPUT (37, 45), got (8, 8)",
        ),
        ([files[0], output, "--previous", str(colourless)], "--previous must have color"),
        ([files[0], output, "--tile", "7"], "tile must be one of 8, 16, 32, got 7"),
        ([files[0], output, "--threshold", "nan"], "threshold must be"),
        ([files[0], output, "--estimator", "sobol"], "estimator must be one of"),
    ]:
        assert cli.main(["rates", *arguments]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert text in err
        assert err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before


def test_failed_write_leaves_nothing(
    tmp_path: Path, files: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*arguments: object, **options: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full)
    before = sorted(tmp_path.iterdir())
    assert cli.main(["rates", files[0], str(tmp_path / "rates.npz")]) == 2
    assert sorted(tmp_path.iterdir()) == before


def test_ratio_counts_mesh_edges_and_leaves_the_background_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ids = np.zeros((16, 16), np.int32)
    ids[:, 1::2] = 1
    ids[8:] = -1
    Frame(color=np.full((16, 16, 3), 0.5, np.float32), primitive_id=ids).save(tmp_path / "frame.npz")
    assert cli.main(["rates", str(tmp_path / "frame.npz"), str(tmp_path / "rates.npz")]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["Tiles", "2x2", "4"] in rows
    assert ["Invocations", "64"] in rows
    assert ["Ratio", "0.5000"] in rows


def test_a_picture_of_bytes_reaches_the_kernel_as_bytes(
    tmp_path: Path, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = pytest.importorskip("PIL.Image")
    codes = rng.integers(0, 256, (24, 40, 3)).astype(np.uint8)
    image.fromarray(codes).save(tmp_path / "in.png")
    seen = []
    kernel = _core.vrs.rate_image
    monkeypatch.setattr(
        _core.vrs, "rate_image", lambda color, *rest: seen.append(color) or kernel(color, *rest)
    )
    assert cli.main(["rates", str(tmp_path / "in.png"), str(tmp_path / "out.npz")]) == 0
    (color,) = seen
    assert color.dtype == np.uint8
    np.testing.assert_array_equal(color, codes)
    with np.load(tmp_path / "out.npz") as archive:
        np.testing.assert_array_equal(archive["rates"], vrs.rate_image(codes / np.float32(255)))


def test_folders_are_made_and_force_replaces(tmp_path: Path, files: tuple[str, str]) -> None:
    output = tmp_path / "new" / "folder" / "rates.npz"
    assert cli.main(["rates", files[0], str(output)]) == 0
    first = output.read_bytes()
    assert cli.main(["rates", files[0], str(output), "--tile", "16"]) == 2
    assert output.read_bytes() == first
    assert cli.main(["rates", files[0], str(output), "--tile", "16", "--force"]) == 0
    with np.load(output) as archive:
        assert archive["tile"] == 16


def test_a_link_to_the_input_is_the_input(tmp_path: Path, files: tuple[str, str]) -> None:
    before = Path(files[0]).read_bytes()
    for name, make in (("soft.npz", os.symlink), ("hard.npz", os.link)):
        make(files[0], tmp_path / name)
        assert cli.main(["rates", files[0], str(tmp_path / name), "--force"]) == 2
    assert Path(files[0]).read_bytes() == before


def test_the_way_to_the_previous_frame_is_told(
    tmp_path: Path, files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    still = tmp_path / "still.npz"
    Frame(color=np.full((37, 45, 3), 0.5, np.float32)).save(still)
    output = ["rates.npz", "--force"]
    for arguments, shown, told in (
        ([files[0]], "no", ""),
        ([files[0], "--previous", files[1]], "along motion", ""),
        (
            [str(still), "--previous", files[1]],
            "in place",
            "warning: --previous is read in place: INPUT has no",
        ),
    ):
        target = str(tmp_path / output[0])
        assert cli.main(["rates", arguments[0], target, *arguments[1:], "--force"]) == 0
        out, err = capsys.readouterr()
        assert f"Predicted    {shown}\n" in out
        assert told in err
        assert err.count("\n") == bool(told)
    assert cli.main(["rates", str(still), target, "--motion-scale", "45", "37", "--force"]) == 2
    assert "--motion-scale needs --previous and motion in INPUT" in capsys.readouterr().err
