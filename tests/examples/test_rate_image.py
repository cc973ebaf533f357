"""The example program gives what the Python function gives, and names what is wrong with its input.

TILELAB_EXAMPLES is the folder of the built programs; without it these tests are skipped.
"""

import os
import subprocess
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from tilelab.plot import RATE_COLORS
from tilelab.vrs import rate_image

FOLDER = os.environ.get("TILELAB_EXAMPLES")
pytestmark = pytest.mark.skipif(FOLDER is None, reason="TILELAB_EXAMPLES names no folder of built examples")


def run(*arguments: Path) -> subprocess.CompletedProcess[str]:
    program = Path(FOLDER or "").resolve() / "rate_image"
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=False)


def read_ppm(path: Path) -> npt.NDArray[np.uint8]:
    magic, size, largest, pixels = path.read_bytes().split(b"\n", 3)
    assert (magic, largest) == (b"P6", b"255")
    width, height = map(int, size.split())
    return np.frombuffer(pixels, np.uint8).reshape(height, width, 3)


def picture(rng: np.random.Generator, channels: int) -> npt.NDArray[np.uint8]:
    """Noise, stripes across and along, and a flat part: every rate; the sides are no multiples of a tile."""
    image = np.full((45, 83, channels), 90, np.uint8)
    image[:16, :24] = rng.integers(0, 256, (16, 24, channels))
    image[:, 40:60][:, ::4] = 200
    image[24:40:4, :32] = 200
    return image


@pytest.mark.parametrize("channels", [1, 3])
def test_rates_are_those_of_python(rng: np.random.Generator, tmp_path: Path, channels: int) -> None:
    color = picture(rng, channels)
    height, width = color.shape[:2]
    magic = "P5" if channels == 1 else "P6"
    header = f"{magic}# a comment\n{width} # another\n{height}\n255\n"
    (tmp_path / "picture").write_bytes(header.encode() + color.tobytes())
    done = run(tmp_path / "picture", tmp_path / "rates")
    assert (done.returncode, done.stderr) == (0, "")

    rates = rate_image(color[..., 0] if channels == 1 else color)
    counts = {
        name: int((rates == code).sum()) for name, code in (("1x1", 0), ("2x1", 4), ("1x2", 1), ("2x2", 5))
    }
    assert min(counts.values()) > 0
    assert done.stdout == "".join(f"{name} {count}\n" for name, count in counts.items())
    wanted = np.repeat(np.repeat(RATE_COLORS[rates], 8, axis=0), 8, axis=1)[:height, :width]
    np.testing.assert_array_equal(read_ppm(tmp_path / "rates"), wanted)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "PICTURE must begin with P5 or P6 (binary PGM or PPM), got other bytes"),
        (b"P3 1 1 255 0 0 0", "PICTURE must begin with P5 or P6 (binary PGM or PPM), got P3"),
        (b"\x89PNG\r\n", "PICTURE must begin with P5 or P6 (binary PGM or PPM), got other bytes"),
        (b"P6", "width must be in [1, 65536], got no number"),
        (b"P6 -1 1 255\n", "width must be in [1, 65536], got no number"),
        (b"P6 0 1 255\n", "width must be in [1, 65536], got 0"),
        (b"P6 1 99999999999999999999 255\n", "height must be in [1, 65536], got 99999999999999999999"),
        (b"P6 1 65537 255\n", "height must be in [1, 65536], got 65537"),
        (b"P6 1 1 65535\n" + bytes(6), "largest value must be 255, got 65535"),
        (b"P6 65536 65536 255\nabc", "PICTURE must hold 12884901888 bytes after its header, got 3"),
        (b"P5 8 8 255\n" + bytes(63), "PICTURE must hold 64 bytes after its header, got 63"),
        (b"P5 8 8 255", "PICTURE must hold 64 bytes after its header, got 0"),
    ],
)
def test_what_is_no_picture_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "picture").write_bytes(content)
    done = run(tmp_path / "picture", tmp_path / "rates")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"rate_image: {message}\n")
    assert not (tmp_path / "rates").exists()


def test_paths_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    done = run(tmp_path / "none", tmp_path / "rates")
    assert done.returncode == 1
    assert done.stderr == f"rate_image: PICTURE must be a file that can be read, got {tmp_path / 'none'}\n"
    (tmp_path / "picture").write_bytes(b"P5 1 1 255\n0")
    done = run(tmp_path / "picture", tmp_path / "none" / "rates")
    assert done.returncode == 1
    assert "RATES must be a file that can be written, got" in done.stderr
    assert run(tmp_path / "picture").returncode == 2
