"""Tiles have the documented sizes."""

import pytest

import tilelab
import tilelab.addressing as ta

FORMATS = {1: "R8_UNORM", 2: "R16_UNORM", 4: "R32_FLOAT", 8: "R32G32_FLOAT", 16: "R32G32B32A32_FLOAT"}


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
