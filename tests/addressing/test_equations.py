"""Generated address functions, readable equations, tiles, tables and the preferred mode."""

import ctypes
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import tilelab
import tilelab.addressing as ta
from tilelab.reference.addressing import equations as twin

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


def test_tile_shapes():
    flat = {1: (256, 256), 2: (256, 128), 4: (128, 128), 8: (128, 64), 16: (64, 64)}
    thick = {1: (64, 32, 32), 2: (32, 32, 32), 4: (32, 32, 16), 8: (32, 16, 16), 16: (16, 16, 16)}
    for size, name in FORMATS.items():
        assert ta.tile_shape(name) == (*flat[size], 1)
        assert ta.tile_shape(name, dimension="3d") == thick[size]
    assert ta.tile_shape("R32_FLOAT", sample_count=2) == (64, 128, 1)
    assert ta.tile_shape("R32_FLOAT", sample_count=8) == (32, 64, 1)
    assert ta.tile_shape("BC7_UNORM") == (256, 256, 1)
    with pytest.raises(tilelab.UnsupportedError, match="96-bit"):
        ta.tile_shape("R32G32B32_FLOAT")
    with pytest.raises(ValueError, match="sample_count must be 1"):
        ta.tile_shape("R32_FLOAT", sample_count=2, dimension="3d")


def test_mode_table():
    rows = ta.swizzle_modes("lockhart")
    assert [row.value for row in rows] == list(range(32))
    assert [row.value for row in rows if row.supported] == [
        0,
        1,
        2,
        5,
        6,
        9,
        10,
        17,
        18,
        21,
        22,
        24,
        25,
        26,
        27,
        28,
        31,
    ]
    assert rows[31].block_bytes == 131072
    assert rows[24].volume_blocks == "thin"
    assert rows[26].volume_blocks == "thick"
    assert "SW_64KB_R_X" in rows._repr_html_()
    assert ta.SwizzleMode["SW_VAR_R_X"].block_bytes("anaconda") == 524288
    assert not ta.SwizzleMode.SW_4KB_S.hardware_specific


@pytest.mark.parametrize(
    ("fields", "options", "mode"),
    [
        ({}, {}, "SW_64KB_R_X"),
        ({}, {"allow_var": True}, "SW_VAR_R_X"),
        ({}, {"allow_xor": False}, "SW_64KB_D"),
        ({}, {"prt": True}, "SW_64KB_D_T"),
        ({"format": "BC7_UNORM"}, {}, "SW_64KB_D_X"),
        ({"format": "D32_FLOAT"}, {}, "SW_64KB_Z_X"),
        ({"format": "R32_TYPELESS", "usage": ("depth_stencil",)}, {}, "SW_64KB_Z_X"),
        ({"dimension": "3d"}, {}, "SW_64KB_S_X"),
        ({"dimension": "3d", "usage": ("render_target",)}, {}, "SW_64KB_D_X"),
        ({"dimension": "1d", "height": 1}, {}, "LINEAR"),
        ({"width": 8, "height": 8}, {}, "SW_256B_D"),
        ({"sample_count": 4, "usage": ("render_target",)}, {}, "SW_64KB_R_X"),
    ],
)
def test_preferred_modes(fields, options, mode):
    desc = ta.TextureDesc(**{"width": 512, "height": 512, "format": "R8G8B8A8_UNORM"} | fields)
    chosen = ta.preferred_swizzle_mode(desc, **options)
    assert chosen.name == mode
    ta.resource_layout(desc, chosen)


@pytest.mark.parametrize(
    "fields",
    [
        {"format": "D32_FLOAT"},
        {"sample_count": 4},
        {"dimension": "1d", "height": 1},
        {"format": "R32G32B32_FLOAT"},
    ],
)
def test_what_cannot_be_partially_resident_has_no_preferred_mode(fields):
    desc = ta.TextureDesc(**{"width": 512, "height": 512, "format": "R8G8B8A8_UNORM"} | fields)
    with pytest.raises(ValueError, match="prt must be False"):
        ta.preferred_swizzle_mode(desc, prt=True)


def test_planes_follow_each_other():
    desc = ta.TextureDesc(width=100, height=60, format="D24_UNORM_S8_UINT", mip_levels=0)
    layout = ta.resource_layout(desc, "64KB_Z_X")
    depth, stencil = layout.planes
    assert (str(depth.usage), str(stencil.usage)) == ("DEPTH", "STENCIL")
    assert stencil.base_offset_bytes == depth.size_bytes
    assert layout.size_bytes == depth.size_bytes + stencil.size_bytes
    assert int(ta.texel_offset(layout, 0, plane="stencil", mip=6)) >= stencil.base_offset_bytes
    video = ta.resource_layout(ta.TextureDesc(width=64, height=32, format="NV12"), "LINEAR")
    assert [plane.mips[0].width_elements for plane in video.planes] == [64, 32]
    assert [plane.bytes_per_element for plane in video.planes] == [1, 2]


def test_96_bit_texels_are_three_elements(rng):
    desc = ta.TextureDesc(width=50, height=7, format="R32G32B32_FLOAT", mip_levels=0)
    layout = ta.resource_layout(desc, "LINEAR")
    mip = layout.planes[0].mips[0]
    assert (mip.width_elements, mip.padded_width_elements, mip.pitch_bytes) == (150, 192, 768)
    image = rng.random((7, 50, 3), np.float32)
    tiled = ta.swizzle(image, layout)
    np.testing.assert_array_equal(ta.swizzle(image.reshape(7, 150), layout), tiled)
    assert ta.deswizzle(tiled, layout).shape == (7, 50, 12)
    out = np.zeros_like(image)
    np.testing.assert_array_equal(ta.deswizzle(tiled, layout, out=out), image)
    offset = int(ta.texel_offset(layout, 3 * 20 + 1, 4))
    assert tiled[offset : offset + 4].view(np.float32)[0] == image[4, 20, 1]


def test_notebook_picture():
    layout = ta.resource_layout(
        ta.TextureDesc(width=300, height=200, mip_levels=0, format="BC1_UNORM"), "4KB_S"
    )
    text = layout._repr_html_()
    assert text.count("<svg") == 1
    assert "tail block" in text
    assert "mip 5" in text


def test_the_twin_reads_the_masks_that_are_compiled_into_the_core() -> None:
    compiled = Path(__file__).resolve().parents[2] / "cpp" / "src" / "addressing" / "measured_masks.csv"
    assert twin.measured_masks_file().read_bytes() == compiled.read_bytes()
