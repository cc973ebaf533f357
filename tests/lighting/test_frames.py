"""Sparse lighting of whole frames: exact mode loses nothing, coarse shading gives duplicates."""

from pathlib import Path

import numpy as np
import pytest
from lighting_frames import surface
from shared_frames import g_buffer_1080p, g_buffer_2160p

from tilelab import lighting, vrs
from tilelab.frame import Frame
from tilelab.reference import lighting as twin


def assert_lossless(gbuffer: lighting.GBuffer) -> lighting.SparseTiles:
    dense = lighting.light_dense(gbuffer, surface)
    for gate in (None, 0.001):
        tiles = lighting.scan(gbuffer, depth_delta=gate, threads=2)
        sparse = lighting.fill(tiles, lighting.light(tiles, gbuffer, surface))
        assert sparse.tobytes() == dense.tobytes()
    return tiles


def check_frame(frame: Frame, full: lighting.GBuffer) -> None:
    assert frame.color is not None
    rates = vrs.rate_image(frame.color, threads=2)
    coarse = lighting.coarse_gbuffer(full, rates, primitive_id=frame.primitive_id, threads=2)
    ungated = lighting.scan(coarse, depth_delta=None)
    for gbuffer in (full, coarse):
        tiles = assert_lossless(gbuffer)
        near = lighting.scan(gbuffer, mode="tolerance", depth_delta=None, threads=2)
        assert near.records.size <= lighting.scan(gbuffer, depth_delta=None).records.size
    # Requested is not applied: mesh edges add records, equal attributes take some away.
    applied = vrs.count_invocations(rates, frame.shape, primitive_id=frame.primitive_id).sum()
    assert ungated.records.size <= applied
    assert ungated.records.size < lighting.scan(full, depth_delta=None).records.size
    slow = twin.scan(coarse.channels, coarse.depth, coarse.valid, depth_range=coarse.depth_range)
    np.testing.assert_array_equal(tiles.records, slow.records)


def test_real_frame_with_its_own_formats(shared_data: Path) -> None:
    frame = g_buffer_1080p(shared_data, 1)
    assert frame.albedo is not None
    assert frame.sh_normal is not None
    stored = lighting.GBuffer.from_frame(frame)
    full = lighting.GBuffer(
        {
            "albedo": np.rint(frame.albedo * 255).astype(np.uint8),
            "normal": frame.sh_normal.astype(np.float16),
        },
        stored.depth,
        stored.valid,
        stored.depth_range,
    )
    assert full.channel_bytes == {"albedo": 3, "normal": 6}
    check_frame(frame, full)


@pytest.mark.parametrize("index", [0, 1])
def test_real_frames(shared_data: Path, index: int) -> None:
    frame = g_buffer_1080p(shared_data, index)
    check_frame(frame, lighting.GBuffer.from_frame(frame))


@pytest.mark.slow
def test_real_frame_2160p(shared_data: Path) -> None:
    frame = g_buffer_2160p(shared_data)
    check_frame(frame, lighting.GBuffer.from_frame(frame, channels=("sh_normal", "material")))
