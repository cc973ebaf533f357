"""What print() shows of textures and layouts."""

from tilelab.addressing import TextureDesc, resource_layout


def test_print_shows_the_texture_and_every_mip() -> None:
    desc = TextureDesc(dimension="cube", width=64, height=64, format="BC7_UNORM", mip_levels=0)
    lines = str(resource_layout(desc, "SW_4KB_S")).splitlines()
    assert lines[0] == str(desc) == "cube, 64 x 64, BC7_UNORM, 7 mips, 6 faces"
    assert lines[1] == "mode 4KB_S on anaconda (pipes 32, packers 8)"
    assert len(lines) == 5 + 7


def test_samples_are_named() -> None:
    desc = TextureDesc(width=640, height=360, format="R8G8B8A8_UNORM", sample_count=4)
    assert str(desc) == "2d, 640 x 360, R8G8B8A8_UNORM, 1 mip, 4 samples"
