"""Layouts of several planes, and how they are shown."""

import numpy as np

import tilelab.addressing as ta


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


def test_print_shows_the_texture_and_every_mip() -> None:
    desc = ta.TextureDesc(dimension="cube", width=64, height=64, format="BC7_UNORM", mip_levels=0)
    lines = str(ta.resource_layout(desc, "SW_4KB_S")).splitlines()
    assert lines[0] == str(desc) == "cube, 64 x 64, BC7_UNORM, 7 mips, 6 faces"
    assert lines[1] == "mode 4KB_S on anaconda (pipes 32, packers 8)"
    assert len(lines) == 5 + 7
