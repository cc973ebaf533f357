"""Copies that do not fit the caches take another path: the same bytes must come out of it."""

import numpy as np
import pytest

import tilelab.addressing as ta

FORMATS = {
    1: "R8_UNORM",
    2: "R16_UNORM",
    4: "R8G8B8A8_UNORM",
    8: "R16G16B16A16_FLOAT",
    16: "R32G32B32A32_FLOAT",
}
MODES = ["4KB_S", "64KB_D_X", "64KB_R_X", "64KB_Z_X", "VAR_R_X"]


def aligned_zeros(size, misalignment):
    whole = np.zeros(size + 128, np.uint8)
    start = (misalignment - whole.ctypes.data) % 64
    return whole[start : start + size]


def check(desc, mode, rng, misalignment):
    """One large copy against many small ones (slabs of rows or slices)."""
    layout = ta.resource_layout(desc, mode, "navi22", pipe_bank_xor=13)
    plan = ta.SwizzlePlan(layout)
    shape = plan.image_shape
    size = int(np.prod(shape))
    assert size > 8 << 20
    image = aligned_zeros(size, misalignment).reshape(shape)
    image[...] = np.frombuffer(rng.bytes(size), np.uint8).reshape(shape)
    tiled = aligned_zeros(layout.size_bytes, misalignment)
    plan.swizzle(image, out=tiled)
    pieces = np.zeros_like(tiled)
    volume = desc.dimension == "3d"
    for first in range(0, shape[0], 41):
        origin = (0, 0, first) if volume else (0, first)
        ta.copy_region(image[first : first + 41], pieces, layout, origin=origin)
    np.testing.assert_array_equal(tiled, pieces)
    back = aligned_zeros(size, misalignment).reshape(shape)
    plan.deswizzle(tiled, out=back, threads=2)
    np.testing.assert_array_equal(back, image)


@pytest.mark.parametrize("size", FORMATS)
@pytest.mark.parametrize("mode", MODES)
def test_flat_copies(mode, size, rng):
    if mode == "64KB_Z_X" and size == 16:
        pytest.skip("Z modes hold at most 8 bytes")
    width = 2048 if size < 8 else 1040
    height = (9 << 20) // (width * size) - 3
    check(ta.TextureDesc(width=width + 16, height=height, format=FORMATS[size]), mode, rng, 16)


@pytest.mark.parametrize("size", FORMATS)
@pytest.mark.parametrize("mode", ["64KB_S_X", "64KB_D_X"])
def test_volume_copies(mode, size, rng):
    depth = (9 << 20) // (size * 400 * 112) + 1
    desc = ta.TextureDesc(
        dimension="3d", width=400, height=112, depth_or_array_size=depth, format=FORMATS[size]
    )
    check(desc, mode, rng, 48)


@pytest.mark.parametrize("misalignment", [0, 1, 16, 40])
def test_alignments_and_targets(misalignment, target, rng):
    for width in (1536, 1537):
        desc = ta.TextureDesc(width=width, height=1500, format="R8G8B8A8_UNORM")
        check(desc, "64KB_R_X", rng, misalignment)
    check(ta.TextureDesc(width=3077, height=3000, format="S8_UINT"), "64KB_Z_X", rng, misalignment)


@pytest.mark.parametrize("samples", [2, 4, 8])
@pytest.mark.parametrize("size", [1, 4, 16])
def test_multisampled_copies(samples, size, rng):
    height = (9 << 20) // (1024 * size * samples)
    for mode in ("64KB_R_X", "VAR_R_X") if size > 4 else ("64KB_R_X", "64KB_Z_X"):
        texel_format = {1: "S8_UINT", 2: "D16_UNORM", 4: "D32_FLOAT"}[size] if "Z" in mode else FORMATS[size]
        desc = ta.TextureDesc(width=1030, height=height, format=texel_format, sample_count=samples)
        check(desc, mode, rng, 16)
