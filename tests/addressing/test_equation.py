"""Generated address functions and readable equations."""

import ctypes
import shutil
import subprocess
from pathlib import Path

import pytest

import tilelab.addressing as ta
from tilelab import _core
from tilelab._core.addressing import Dimension, EquationDesc
from tilelab.reference.addressing.equation import measured_masks_file

COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
CASES = [
    ("4KB_S", 4, "2d", 1, "anaconda"),
    ("64KB_S_X", 1, "2d", 1, "lockhart"),
    ("64KB_D_T", 2, "2d", 1, "navi21"),
    ("64KB_R_X", 4, "2d", 4, "anaconda"),
    ("VAR_R_X", 16, "2d", 1, "anaconda"),
    ("64KB_Z_X", 2, "2d", 8, "navi24"),
    ("64KB_S_X", 8, "3d", 1, "navi23"),
    ("64KB_D_X", 16, "3d", 1, "anaconda"),
    ("256B_D", 8, "2d", 1, "anaconda"),
]
FORMATS = {1: "R8_UNORM", 2: "R16_UNORM", 4: "R32_FLOAT", 8: "R32G32_FLOAT", 16: "R32G32B32A32_FLOAT"}


@pytest.mark.skipif(COMPILER is None, reason="no C compiler")
def test_generated_c_gives_the_same_addresses(tmp_path, rng):
    equations = [ta.swizzle_equation(*case) for case in CASES]
    source = "\n".join(equation.to_c(f"where{number}") for number, equation in enumerate(equations))
    (tmp_path / "where.c").write_text(source)
    library = tmp_path / "where.so"
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC"]
    subprocess.run([COMPILER, *flags, str(tmp_path / "where.c"), "-o", str(library)], check=True)
    loaded = ctypes.CDLL(str(library))
    for number, (mode, size, dimension, samples, gpu) in enumerate(CASES):
        texel_format = "D16_UNORM" if "Z" in mode else FORMATS[size]
        desc = ta.TextureDesc(
            dimension=dimension,
            width=700,
            height=300,
            depth_or_array_size=40,
            mip_levels=1 if samples > 1 else 0,
            format=texel_format,
            sample_count=samples,
        )
        layout = ta.resource_layout(desc, mode, gpu, pipe_bank_xor=21)
        plane = layout.planes[0]
        function = getattr(loaded, f"where{number}")
        word, wide = ctypes.c_uint32, ctypes.c_uint64
        function.argtypes, function.restype = [word] * 5 + [wide, wide, word], wide
        for _ in range(50):
            mip = int(rng.integers(0, layout.mip_levels))
            level = plane.mips[mip]
            x, y = int(rng.integers(0, level.width_elements)), int(rng.integers(0, level.height_elements))
            z, sample = int(rng.integers(0, level.depth_or_array_size)), int(rng.integers(0, samples))
            slices = {"z": z} if dimension == "3d" else {"array_slice": z}
            got = function(
                x + level.tail_x_elements,
                y + level.tail_y_elements,
                z,
                sample,
                level.padded_width_elements,
                plane.slice_size_bytes,
                0 if level.is_mip_tail else level.offset_bytes,
                plane.core.xor_term,
            )
            tail_rows = (y + level.tail_y_elements) // plane.block_shape[1]
            assert tail_rows == 0 or not level.is_mip_tail
            assert got == int(ta.texel_offset(layout, x, y, mip=mip, sample=sample, **slices))


def test_hlsl_has_the_same_lines_as_c():
    equation = ta.swizzle_equation("64KB_R_X", 4)
    lines = [line for line in equation.to_hlsl("f").splitlines() if "inside |=" in line]
    assert lines == [line for line in equation.to_c("f").splitlines() if "inside |=" in line]
    assert equation.to_hlsl("f").splitlines()[1].startswith("uint f(uint x,")
    with pytest.raises(ValueError, match="name must be an ASCII identifier"):
        equation.to_c("1 + 1")


def test_repr_shows_bit_by_bit():
    text = repr(ta.swizzle_equation("64KB_S_X", 4))
    assert "bit 0 = 0" in text
    assert "bit 2 = x0" in text
    assert "bit 10 = y4 ^ x6 ^ z2" in text
    assert len(text.splitlines()) == 17


def test_the_twin_reads_the_masks_that_are_compiled_into_the_core() -> None:
    compiled = Path(__file__).resolve().parents[2] / "cpp" / "src" / "addressing" / "measured_masks.csv"
    assert measured_masks_file().read_bytes() == compiled.read_bytes()


def test_the_core_makes_equations_from_named_fields() -> None:
    desc = EquationDesc(swizzle_mode=9, bytes_per_element=4, dimension=Dimension.TEXTURE_3D)
    core = _core.addressing.build_equation(desc)
    assert (core.block_log2, core.block_shape, len(core.bits)) == (16, (32, 32, 16), 16)
    masks = {name: getattr(core.bits[2], name) for name in core.bits[2].FIELDS}
    assert masks == {"x": 1, "y": 0, "z": 0, "sample": 0}
    with pytest.raises(TypeError, match=r"dimension must be a .*Dimension, got 3"):
        EquationDesc(dimension=3)
    with pytest.raises(AttributeError):
        core.bits[0].x = 1
