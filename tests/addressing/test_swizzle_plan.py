"""Copies: what reaches the kernel, and the path of those that do not fit the caches."""

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


def test_rows_may_lie_apart(rng):
    layout = ta.resource_layout(ta.TextureDesc(width=32, height=16, format="R8G8B8A8_UNORM"), "4KB_D_X")
    wide = rng.integers(0, 2**32, (16, 50), np.uint32)
    tiled = ta.swizzle(wide[:, 7:39], layout)
    np.testing.assert_array_equal(tiled, ta.swizzle(np.ascontiguousarray(wide[:, 7:39]), layout))
    np.testing.assert_array_equal(tiled, ta.swizzle(np.asfortranarray(wide[:, 7:39]), layout))
    np.testing.assert_array_equal(
        ta.swizzle(wide[::-1, 7:39], layout), ta.swizzle(wide[::-1, 7:39].copy(), layout)
    )
    apart = np.zeros((16, 64), np.uint32)
    result = ta.deswizzle(bytes(tiled), layout, out=apart[:, :32])
    np.testing.assert_array_equal(result, wide[:, 7:39])
    assert not apart[:, 32:].any()


@pytest.fixture
def copied(monkeypatch):
    """Shapes of the arrays that were copied to C order."""
    shapes = []

    def count(array):
        shapes.append(array.shape)
        return array.copy(order="C")

    monkeypatch.setattr(np, "ascontiguousarray", count)
    return shapes


def test_an_image_is_copied_once_and_only_where_its_rows_have_gaps(copied, rng):
    desc = ta.TextureDesc(width=32, height=16, depth_or_array_size=3, format="R8G8B8A8_UNORM")
    layout = ta.resource_layout(desc, "64KB_R_X")
    whole = rng.integers(0, 2**32, (16, 32), np.uint32)
    apart = np.zeros((16, 40), np.uint32)[:, 4:36]
    apart[...] = whole
    gaps = np.asfortranarray(whole)
    tiled = ta.swizzle_resource([whole, apart, gaps], layout)
    assert copied == [(16, 32)]
    for number, image in enumerate(ta.deswizzle_resource(tiled, layout)):
        np.testing.assert_array_equal(image.view(np.uint32)[..., 0], whole, err_msg=str(number))
    ta.swizzle(gaps, layout)
    ta.copy_region(gaps, tiled, layout)
    assert copied == [(16, 32)] * 3
    ta.swizzle(apart, layout, out=tiled)
    ta.deswizzle(tiled, layout, out=apart)
    assert len(copied) == 3


def test_slices_may_lie_apart(copied, rng):
    desc = ta.TextureDesc(
        dimension="3d", width=20, height=9, depth_or_array_size=7, format="R16G16B16A16_FLOAT"
    )
    layout = ta.resource_layout(desc, "64KB_S")
    image = rng.integers(0, 2**16, (7, 9, 20, 4), np.uint16)
    expected = ta.swizzle(image, layout)
    apart = np.zeros((14, 12, 23, 4), np.uint16)[::2, 1:10, 2:22]
    apart[...] = image
    np.testing.assert_array_equal(ta.swizzle(apart, layout), expected)
    assert not copied
    moved = np.moveaxis(np.zeros((9, 7, 20, 4), np.uint16), 0, 1)  # slices lie inside rows
    moved[...] = image
    np.testing.assert_array_equal(ta.swizzle(moved, layout), expected)
    np.testing.assert_array_equal(ta.swizzle(apart[::-1][::-1], layout), expected)
    np.testing.assert_array_equal(ta.swizzle(image[::-1], layout), ta.swizzle(image[::-1].copy(), layout))
    assert len(copied) == 2
    with pytest.raises(ValueError, match="out must have contiguous rows that do not overlap"):
        ta.deswizzle(expected, layout, out=moved)


@pytest.mark.parametrize("gaps", [False, True])
def test_an_image_apart_from_out_is_asked_for(gaps):
    layout = ta.resource_layout(ta.TextureDesc(width=32, height=16, format="R8_UNORM"), "4KB_S")
    tiled = np.zeros(layout.size_bytes, np.uint8)
    inside = tiled[:512].reshape(32, 16).T if gaps else tiled[:512].reshape(16, 32)
    with pytest.raises(ValueError, match="out must not overlap image"):
        ta.swizzle(inside, layout, out=tiled)
    with pytest.raises(ValueError, match=r"out must not overlap subresources\[0\]"):
        ta.swizzle_resource([inside], layout, out=tiled)
    with pytest.raises(ValueError, match="buffer must not overlap image"):
        ta.copy_region(inside, tiled, layout)
