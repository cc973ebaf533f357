"""Every refusal names the argument and the rule, and nothing is written before it."""

import pickle

import numpy as np
import pytest

import tilelab
import tilelab.addressing as ta
from tilelab._core.addressing import Dimension, GpuModel, PlaneDesc, lay_out_plane


def layout_of(mode="64KB_S", **fields):
    fields = {"width": 32, "height": 16, "format": "R8G8B8A8_UNORM"} | fields
    return ta.resource_layout(ta.TextureDesc(**fields), mode)


@pytest.mark.parametrize(
    ("mode", "fields", "words"),
    [
        ("256B_S", {"dimension": "3d"}, "swizzle_mode must not be a 256B mode for volumes .*padding"),
        ("64KB_S", {"dimension": "1d", "height": 1}, "swizzle_mode must take 1D"),
        ("64KB_D", {"dimension": "3d"}, "swizzle_mode must take 3D"),
        ("64KB_S", {"sample_count": 4}, "sample_count must be 1 for swizzle mode 64KB_S"),
        ("LINEAR", {"sample_count": 2}, "sample_count must be 1 for swizzle mode LINEAR"),
        ("64KB_Z_X", {"sample_count": 4}, "64KB_R_X or VAR_R_X for multisampled colour"),
        ("64KB_R_X", {"format": "D32_FLOAT"}, "64KB_Z_X or VAR_Z_X for depth and stencil"),
        ("LINEAR", {"format": "D24_UNORM_S8_UINT"}, "64KB_Z_X or VAR_Z_X for depth and stencil"),
        ("64KB_Z_X", {"format": "R32G32B32A32_FLOAT"}, "bytes_per_element must be at most 8 for Z modes"),
        ("64KB_Z_X", {"format": "BC1_UNORM"}, "must not be a Z mode for block-compressed"),
        ("64KB_S", {"format": "R32G32B32_FLOAT"}, "swizzle_mode must be LINEAR for 96-bit formats"),
        ("64KB_Z", {}, "mode that GFX10.3 takes"),
        ("4KB_R_X", {}, "mode that GFX10.3 takes"),
        (32, {}, "swizzle_mode must be one of"),
        ("64KB_Q", {}, "swizzle_mode must be one of"),
    ],
)
def test_modes_refuse_what_they_cannot_hold(mode, fields, words):
    with pytest.raises(ValueError, match=words):
        layout_of(mode, **fields)


@pytest.mark.parametrize("mode", ["64KB_R_X", "VAR_R_X", "64KB_Z_X"])
def test_chips_without_masks_say_which_have_them(mode):
    desc = ta.TextureDesc(width=8, height=8, format="R8_UNORM")
    with pytest.raises(tilelab.UnsupportedError, match=r"gpu must have one of .*\(32, 8\).*got \(32, 16\)"):
        ta.resource_layout(desc, mode, ta.GpuModel("wide", 32, 16))
    assert ta.resource_layout(desc, "64KB_S_X", ta.GpuModel("wide", 32, 16)).size_bytes == 65536


def test_other_kinds():
    desc = ta.TextureDesc(width=8, height=8, format="R8_UNORM")
    with pytest.raises(TypeError, match="desc must be a TextureDesc"):
        ta.resource_layout("R8", "LINEAR")
    with pytest.raises(TypeError, match="gpu must be"):
        ta.resource_layout(desc, "LINEAR", 3)
    with pytest.raises(ValueError, match="gpu must be a GpuModel or one of anaconda"):
        ta.resource_layout(desc, "LINEAR", "xenos")
    with pytest.raises(TypeError, match="layout must be a ResourceLayout"):
        ta.texel_offset(desc, 0)
    with pytest.raises(ValueError, match="pipe_bank_xor must be in"):
        ta.resource_layout(desc, "64KB_S_X", pipe_bank_xor=-1)
    for plane in ("htile", "FMASK", "cmask", "DELTA_COLOR_COMPRESSION"):
        with pytest.raises(tilelab.UnsupportedError, match="metadata planes are not modelled"):
            ta.texel_offset(ta.resource_layout(desc, "LINEAR"), 0, plane=plane)
    with pytest.raises(ValueError, match="plane must be one of DEFAULT"):
        ta.memory_ranges(ta.resource_layout(desc, "LINEAR"), mip=0, plane="stencil")
    with pytest.raises(ValueError, match="block mode"):
        ta.swizzle_equation("LINEAR", 4)
    with pytest.raises(ValueError, match="bytes_per_element must be one of"):
        ta.swizzle_equation("64KB_S", 3)


@pytest.mark.parametrize("pitch", [100, 256, 257, 1 << 61])
def test_custom_pitch(pitch):
    desc = ta.TextureDesc(width=100, height=8, format="R8G8B8A8_UNORM")
    if pitch in (100, 256, 257):
        with pytest.raises(ValueError, match="pitch_bytes must"):
            ta.resource_layout(desc, "LINEAR", pitch_bytes=pitch)
    else:
        with pytest.raises(ValueError, match=r"fewer than 2\^63 bytes"):
            ta.resource_layout(desc, "LINEAR", pitch_bytes=pitch)
    layout = ta.resource_layout(desc, "LINEAR", pitch_bytes=1024)
    assert layout.planes[0].mips[0].pitch_bytes == 1024
    assert int(ta.texel_offset(layout, 3, 2)) == 2060
    assert pickle.loads(pickle.dumps(layout)) == layout
    with pytest.raises(ValueError, match="pitch_bytes must be given for LINEAR only"):
        ta.resource_layout(desc, "64KB_S", pitch_bytes=1024)


@pytest.mark.parametrize(
    ("coordinates", "words"),
    [
        ({"x": 32}, r"x must be in \[0, 31\], got 32"),
        ({"x": -1}, r"x must be in \[0, 31\], got -1"),
        ({"x": 0, "y": [0, 16]}, r"y must be in \[0, 15\], got 16"),
        ({"x": 0, "z": 1}, "z must be 0 unless"),
        ({"x": 0, "array_slice": 1}, r"array_slice must be in \[0, 0\]"),
        ({"x": [16, 3], "mip": [1, 0]}, r"x must be in \[0, 15\], got 16"),
        ({"x": 0, "mip": 6}, r"mip must be in \[0, 5\]"),
        ({"x": 0, "sample": 1}, r"sample must be in \[0, 0\]"),
        ({"x": 0, "plane": 1}, r"plane must be in \[0, 0\]"),
        ({"x": [0, 1], "y": [0, 1, 2]}, "must broadcast together"),
        ({"x": 2**64}, "x must"),
        ({"x": np.uint64(2**63)}, "x must"),
    ],
)
def test_coordinates_outside(coordinates, words):
    layout = layout_of("64KB_S", mip_levels=0)
    with pytest.raises((ValueError, TypeError), match=words):
        ta.texel_offset(layout, **coordinates)


def test_failed_calls_write_nothing(rng):
    layout = layout_of("64KB_S")
    out = np.full(40_000, -7, np.int64)
    x = rng.integers(0, 32, out.shape)
    x[-1] = 99
    with pytest.raises(ValueError, match="x must be in"):
        ta.texel_offset(layout, x, out=out)
    assert (out == -7).all()
    with pytest.raises(TypeError, match="x must be an array of int64"):
        ta.texel_offset(layout, [0.5])
    with pytest.raises(ValueError, match="out must not overlap x"):
        ta.texel_offset(layout, out[:8], out=out[:8])
    with pytest.raises(ValueError, match=r"offset_bytes must be in \[0, 65535\]"):
        ta.offset_texel(layout, [0, 65536])
    with pytest.raises(ValueError, match="offset_bytes must be in"):
        ta.offset_texel(layout, -1)


def test_images_and_buffers_are_checked():
    layout = layout_of("64KB_S")
    image = np.zeros((16, 32), np.uint32)
    tiled = np.zeros(layout.size_bytes, np.uint8)
    for wrong in (image.T, image[:, :31], image.astype(np.uint8), np.zeros((16, 32, 2), np.uint32)):
        with pytest.raises(ValueError, match="image must hold 16 x 32 elements of 4 bytes"):
            ta.swizzle(wrong, layout)
    with pytest.raises(TypeError, match="image must be an array of plain numbers"):
        ta.swizzle(image.astype(object), layout)
    with pytest.raises(ValueError, match=r"out must have shape \(65536,\)"):
        ta.swizzle(image, layout, out=tiled[1:])
    with pytest.raises(TypeError, match="out must be an array of uint8"):
        ta.swizzle(image, layout, out=tiled.view(np.int8))
    frozen = tiled.copy()
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="out must be writeable"):
        ta.swizzle(image, layout, out=frozen)
    with pytest.raises(ValueError, match="out must not overlap image"):
        ta.swizzle(tiled[:2048].view(np.uint32).reshape(16, 32), layout, out=tiled)
    with pytest.raises(ValueError, match="buffer must have shape"):
        ta.deswizzle(tiled[:-1], layout)
    with pytest.raises(ValueError, match="buffer must be C-contiguous"):
        ta.deswizzle(np.zeros(2 * layout.size_bytes, np.uint8)[::2], layout)
    with pytest.raises(TypeError, match="buffer must be a flat array of uint8"):
        ta.deswizzle(tiled.view(np.int8), layout)
    with pytest.raises(ValueError, match="out must have contiguous rows"):
        ta.deswizzle(tiled, layout, out=np.zeros((32, 16), np.uint32).T)
    with pytest.raises(ValueError, match="out must not overlap buffer"):
        ta.deswizzle(tiled, layout, out=tiled[:2048].view(np.uint32).reshape(16, 32))
    with pytest.raises(ValueError, match=r"mip must be in \[0, 0\]"):
        ta.swizzle(image, layout, mip=1)
    with pytest.raises(ValueError, match="array_slice must be in"):
        ta.swizzle(image, layout, array_slice=1)
    with pytest.raises(ValueError, match="subresources must hold 1 arrays"):
        ta.swizzle_resource([image, image], layout)
    two = layout_of("64KB_S", depth_or_array_size=2)
    marked = np.full(two.size_bytes, 5, np.uint8)
    with pytest.raises(ValueError, match=r"subresources\[1\] must hold 16 x 32 elements of 4 bytes"):
        ta.swizzle_resource([image, image[:3]], two, out=marked)
    with pytest.raises(ValueError, match=r"out must not overlap subresources\[1\]"):
        ta.swizzle_resource([image + 1, marked[:2048].view(np.uint32).reshape(16, 32)], two, out=marked)
    assert (marked == 5).all()
    with pytest.raises(ValueError, match="image must be a regular array"):
        ta.swizzle([[1], [1, 2]], layout)
    with pytest.raises(ValueError, match="size of the image along x must be"):
        ta.copy_region(image, tiled, layout, origin=(1, 0))
    for origin in (1, "12", None):
        with pytest.raises(TypeError, match=r"origin(\[0\])? must be"):
            ta.copy_region(image, tiled, layout, origin=origin)
    with pytest.raises(TypeError, match=r"origin\[1\] must be an integer, got 0.5"):
        ta.copy_region(image, tiled, layout, origin=(0, 0.5))
    with pytest.raises(ValueError, match="buffer must be writeable"):
        ta.copy_region(image, frozen, layout)
    with pytest.raises(ValueError, match="image must have contiguous rows"):
        ta.copy_region(np.zeros((4, 8), np.uint32)[:, ::2], tiled, layout, direction="deswizzle")
    with pytest.raises(ValueError, match="direction must be one of"):
        ta.copy_region(image, tiled, layout, direction="up")
    assert not tiled.any()


HOSTILE = [
    {"width": 0},
    {"height": 0},
    {"depth_or_array_size": -1},
    {"width": 2**31 + 1},
    {"width": 2**31, "height": 2**31, "depth_or_array_size": 2**31},
    {"width": 2**31, "height": 2**31, "mip_levels": 15, "depth_or_array_size": 2},
    {"mip_levels": 16},
    {"mip_levels": 0},
    {"mip_levels": 7},
    {"bytes_per_element": 0},
    {"bytes_per_element": 3},
    {"bytes_per_element": 32},
    {"sample_count": 3},
    {"sample_count": 16},
    {"texels_x": 0},
    {"swizzle_mode": -1},
    {"swizzle_mode": 32},
    {"gpu": GpuModel(pipes=0)},
    {"gpu": GpuModel(packers=0)},
    {"pipe_bank_xor": -1},
    {"pipe_bank_xor": 2**32},
    {"pitch_bytes": -256},
    {"width": 2**64},
    {"base_offset_bytes": -1},
    {"base_offset_bytes": 2**63 - 1},
]
DEFAULTS = {"swizzle_mode": 9, "width": 32, "height": 16}


@pytest.mark.parametrize("fields", HOSTILE, ids=str)
def test_the_compiled_layout_entry_refuses_by_name(fields):
    with pytest.raises(ValueError, match=r" must "):
        lay_out_plane(PlaneDesc(**DEFAULTS | fields))


@pytest.mark.parametrize(
    "fields", [{"dimension": 2}, {"gpu": "anaconda"}, {"width": 4.0}, {"depth_stencil": 1}]
)
def test_the_compiled_layout_entry_refuses_other_kinds_by_name(fields):
    with pytest.raises(TypeError, match=f"{next(iter(fields))} must be "):
        PlaneDesc(**fields)


def test_layout_entry_survives_random_descriptions(rng):
    interesting = [-1, 0, 1, 2, 3, 4, 5, 12, 15, 16, 17, 31, 255, 4097, 2**20, 2**31 - 1, 2**31]
    large = ("width", "height", "depth_or_array_size", "pitch_bytes", "base_offset_bytes")
    accepted, refusals = 0, []
    for _ in range(4000):
        fields = dict(DEFAULTS)
        for name in rng.choice(PlaneDesc.FIELDS, rng.integers(1, 8), replace=False):
            value = int(rng.choice(interesting)) if rng.random() < 0.5 else int(rng.integers(0, 64))
            fields[name] = value if name in large else value % 40
        if "depth_stencil" in fields:
            fields["depth_stencil"] = bool(fields["depth_stencil"])
        if "dimension" in fields:
            fields["dimension"] = Dimension(1 + fields["dimension"] % 3)
        if "gpu" in fields:
            fields["gpu"] = GpuModel(pipes=int(rng.choice(interesting[:12])), packers=fields["gpu"])
        try:
            layout = lay_out_plane(PlaneDesc(**fields))
        except ValueError as error:
            refusals.append(str(error))
            continue
        accepted += 1
        mips = layout.mips
        ends = [mip.offset_bytes for mip in mips]
        assert 0 < layout.slice_size_bytes <= layout.size_bytes
        assert all(0 <= offset < layout.slice_size_bytes for offset in ends)
        assert ends == sorted(ends, reverse=True)
        where, zero = np.zeros(1, np.int64), np.zeros(1, np.int64)
        x, y = np.array([mips[-1].width_elements - 1]), np.array([mips[-1].height_elements - 1])
        layout.texel_offset(x, y, zero, np.array([len(mips) - 1]), zero, where, 1)
        assert 0 <= where[0] - fields.get("base_offset_bytes", 0) < layout.size_bytes
    assert accepted > 300
    assert all(" must " in text for text in refusals)
