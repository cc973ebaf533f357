import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilelab.addressing import GpuModel, TextureDesc, resource_layout
from tilelab.io import swizzled


@pytest.fixture
def saved(tmp_path: Path, rng: np.random.Generator) -> Path:
    desc = TextureDesc(width=20, height=10, format="BC1_UNORM", mip_levels=2, usage="unordered_access")
    layout = resource_layout(desc, "SW_64KB_R_X", GpuModel(name="mine", pipes=16, packers=8), pipe_bank_xor=5)
    swizzled.write(tmp_path / "a.bin", layout, rng.integers(0, 256, layout.size_bytes, np.uint8))
    return tmp_path / "a.bin"


def test_round_trip(saved: Path) -> None:
    layout, buffer = swizzled.read(saved)
    assert (layout.swizzle_mode.name, layout.pipe_bank_xor) == ("SW_64KB_R_X", 5)
    assert (layout.gpu.name, layout.gpu.pipes, layout.gpu.packers) == ("mine", 16, 8)
    assert layout.desc.usage == ("unordered_access",)
    assert buffer.tobytes() == saved.read_bytes()
    assert swizzled.read(swizzled.sidecar_path(saved))[0] == layout
    assert sorted(path.name for path in saved.parent.iterdir()) == ["a.bin", "a.bin.json"]


def test_the_given_raw_file_is_read_under_any_name(saved: Path) -> None:
    renamed = saved.with_name("b.bin")
    swizzled.sidecar_path(renamed).write_bytes(swizzled.sidecar_path(saved).read_bytes())
    renamed.write_bytes(saved.read_bytes()[:-1])
    with pytest.raises(ValueError, match=r"b\.bin must have \d+ bytes"):
        swizzled.read(renamed)
    saved.replace(renamed)
    assert swizzled.read(renamed)[1].tobytes() == renamed.read_bytes()


def test_a_custom_pitch_is_kept(tmp_path: Path) -> None:
    desc = TextureDesc(width=20, height=10, format="R8_UNORM")
    layout = resource_layout(desc, "LINEAR", pitch_bytes=512)
    swizzled.write(tmp_path / "a", layout, np.arange(layout.size_bytes).astype(np.uint8))
    again, buffer = swizzled.read(tmp_path / "a")
    assert again == layout
    assert buffer.size == 5120


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("kind", "other", "kind must be"),
        ("version", 2, "version must be 1, got 2"),
        ("data", "../a.bin", "data must be the name of a file in the same folder"),
        ("data", "", "data must be"),
        ("data", 3, "data must be"),
        ("size_bytes", 1 << 40, "size_bytes must be"),
        ("sha256", "0" * 64, "sha256 must be"),
        ("swizzle_mode", "SW_64KB_Q", "swizzle_mode"),
        ("gpu", 3, "gpu must be an object"),
        ("gpu", {"name": "x", "pipes": 3, "packers": 1}, "pipes"),
        ("texture", {"width": 1 << 40, "format": "R8_UNORM"}, "width must be in"),
        ("texture", {"widht": 4}, "widht"),
        ("texture", {"width": 16384, "height": 16384, "format": "R32G32B32A32_FLOAT"}, "size_bytes must be"),
        ("pipe_bank_xor", "x", "pipe_bank_xor"),
    ],
)
def test_damaged_json_is_named(saved: Path, field: str, value: object, message: str) -> None:
    sidecar = swizzled.sidecar_path(saved)
    sidecar.write_text(json.dumps({**json.loads(sidecar.read_text()), field: value}))
    with pytest.raises(ValueError, match=message) as caught:
        swizzled.read(saved)
    assert str(sidecar) in str(caught.value)


def test_missing_fields_files_and_bytes_are_named(saved: Path) -> None:
    sidecar = swizzled.sidecar_path(saved)
    fields = json.loads(sidecar.read_text())
    saved.write_bytes(saved.read_bytes()[:-1])
    with pytest.raises(ValueError, match=r"a.bin must have \d+ bytes, got \d+"):
        swizzled.read(saved)
    saved.unlink()
    with pytest.raises(FileNotFoundError):
        swizzled.read(saved)
    for name in fields:
        sidecar.write_text(json.dumps({key: value for key, value in fields.items() if key != name}))
        with pytest.raises(ValueError, match=f"{name} must be"):
            swizzled.read(saved)
    sidecar.unlink()
    with pytest.raises(FileNotFoundError):
        swizzled.read(saved)


@given(st.binary(max_size=200) | st.just(b"[" * 60_000) | st.just(b" " * 70_000))
@settings(max_examples=40, deadline=None)
def test_any_bytes_instead_of_json_raise_value_errors(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzz.json"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=r"fuzz\.json: "):
        swizzled.read(path)


def test_write_checks_its_arguments(tmp_path: Path) -> None:
    layout = resource_layout(TextureDesc(width=4, height=4, format="R8_UNORM"), "LINEAR")
    with pytest.raises(ValueError, match="buffer must have shape"):
        swizzled.write(tmp_path / "a", layout, np.zeros(layout.size_bytes - 1, np.uint8))
    with pytest.raises(TypeError, match="buffer must be"):
        swizzled.write(tmp_path / "a", layout, np.zeros(layout.size_bytes, np.float32))
    with pytest.raises(TypeError, match="layout must be"):
        swizzled.write(tmp_path / "a", None, np.zeros(4, np.uint8))
    (tmp_path / "b.json").mkdir()
    with pytest.raises(OSError, match=r"b\.json"):
        swizzled.write(tmp_path / "b", layout, np.zeros(layout.size_bytes, np.uint8))
    assert [path.name for path in tmp_path.iterdir()] == ["b.json"]
