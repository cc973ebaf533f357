import numpy as np
import pytest

from tilelab.addressing import TextureDesc, locality, resource_layout, texel_offset


def test_rows_are_a_pitch_apart() -> None:
    desc = TextureDesc(width=300, height=20, format="R8G8B8A8_UNORM", mip_levels=2)
    near = locality(resource_layout(desc, "LINEAR"))
    assert (near.mean_distance_x, near.mean_distance_y) == (4, 1280)
    assert (near.median_distance_x, near.median_distance_y) == (4, 1280)
    assert (near.same_line_x, near.same_line_y) == (1 - 9 / 299, 0)


@pytest.mark.parametrize("mode", ["LINEAR", "SW_256B_S", "SW_4KB_S_X", "SW_64KB_R_X"])
@pytest.mark.parametrize("mip", [0, 2])
def test_against_loops(mode: str, mip: int) -> None:
    desc = TextureDesc(width=45, height=36, format="R16_UNORM", mip_levels=3, depth_or_array_size=2)
    layout = resource_layout(desc, mode, "navi22")
    near = locality(layout, mip=mip, array_slice=1, line_bytes=64)
    width, height, _ = desc.mip_size(mip)
    at = [
        [int(texel_offset(layout, x, y, array_slice=1, mip=mip)) for x in range(width)] for y in range(height)
    ]
    right = [abs(row[x + 1] - row[x]) for row in at for x in range(width - 1)]
    below = [abs(at[y + 1][x] - at[y][x]) for x in range(width) for y in range(height - 1)]
    assert near.mean_distance_x == pytest.approx(np.mean(right), rel=1e-12)
    assert near.mean_distance_y == pytest.approx(np.mean(below), rel=1e-12)
    assert near.median_distance_y == np.median(below)
    same = [at[y + 1][x] // 64 == at[y][x] // 64 for x in range(width) for y in range(height - 1)]
    assert near.same_line_y == pytest.approx(np.mean(same), rel=1e-12)
    lines = [
        len(
            {
                at[y][x] // 64
                for y in range(top, min(top + 8, height))
                for x in range(left, min(left + 8, width))
            }
        )
        for top in range(0, height, 8)
        for left in range(0, width, 8)
    ]
    assert near.lines_per_8x8 == pytest.approx(np.mean(lines), rel=1e-12)


def test_a_region_is_a_corner() -> None:
    desc = TextureDesc(width=64, height=64, format="R8G8B8A8_UNORM")
    layout = resource_layout(desc, "SW_64KB_S")
    corner = locality(layout, region=(16, 8))
    assert corner.median_distance_y == 16
    assert locality(layout, region=(999, 999)) == locality(layout)
    with pytest.raises(ValueError, match="region must be"):
        locality(layout, region=(0, 8))


def test_a_single_element_has_no_neighbours() -> None:
    near = locality(resource_layout(TextureDesc(width=1, height=1, format="R8_UNORM"), "SW_4KB_S"))
    assert np.isnan([near.mean_distance_x, near.median_distance_y, near.same_line_x]).all()
    assert near.lines_per_8x8 == 1


def test_bad_arguments_are_named() -> None:
    layout = resource_layout(TextureDesc(width=4, height=4, format="R8_UNORM"), "LINEAR")
    with pytest.raises(ValueError, match="line_bytes must be a power of two, got 96"):
        locality(layout, line_bytes=96)
    with pytest.raises(ValueError, match="mip must be"):
        locality(layout, mip=1)
    with pytest.raises(ValueError, match="array_slice"):
        locality(layout, array_slice=1)
    with pytest.raises(TypeError, match="region must be"):
        locality(layout, region=4)
    with pytest.raises(TypeError, match="layout must be"):
        locality(None)
