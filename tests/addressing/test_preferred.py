"""The modes that AMD's library would choose."""

import pytest

import tilelab.addressing as ta


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
