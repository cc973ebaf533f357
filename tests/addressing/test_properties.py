"""What must hold for every layout, on small random surfaces."""

import pickle

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import tilelab.addressing as ta
from tilelab.reference import addressing as twin

MODES = [row.mode for row in ta.swizzle_modes() if row.supported]
ROWS = {row.mode: row for row in ta.swizzle_modes()}
FORMATS = {
    1: ["R8_UNORM", "S8_UINT"],
    2: ["R16_FLOAT", "D16_UNORM"],
    4: ["R8G8B8A8_UNORM", "D32_FLOAT"],
    8: ["R16G16B16A16_FLOAT", "BC1_UNORM"],
    16: ["R32G32B32A32_FLOAT", "BC7_UNORM"],
}
PLANAR = ["D24_UNORM_S8_UINT", "NV12", "P010"]
GPUS = ["anaconda", "lockhart", "navi21", "navi22", "navi23", "navi24"]


@st.composite
def layouts(draw, limit=70):
    mode = draw(st.sampled_from(MODES))
    row = ROWS[mode]
    dimension = draw(st.sampled_from(["2d", "2d", "cube", "3d", "1d"]))
    assume({"1d": row.takes_1d, "3d": row.takes_3d}.get(dimension, row.takes_2d))
    texel_format = draw(st.sampled_from([name for names in [*FORMATS.values(), PLANAR] for name in names]))
    width = draw(st.integers(1, limit))
    height = 1 if dimension == "1d" else width if dimension == "cube" else draw(st.integers(1, limit))
    if texel_format in ("NV12", "P010"):
        width, height = width + width % 2, height + height % 2
    slices = draw(st.integers(1, 5)) * (6 if dimension == "cube" else 1)
    samples = draw(st.sampled_from([1, 1, 2, 4, 8])) if dimension == "2d" and row.msaa else 1
    try:
        desc = ta.TextureDesc(
            dimension=dimension,
            width=width,
            height=height,
            depth_or_array_size=slices,
            mip_levels=draw(st.sampled_from([1, 0])),
            format=texel_format,
            sample_count=samples,
        )
        layout = ta.resource_layout(
            desc, mode, draw(st.sampled_from(GPUS)), pipe_bank_xor=draw(st.integers(0, 2**11))
        )
    except ValueError:
        assume(False)
    assume(layout.size_bytes < 1 << 22)
    return layout


def grid(layout, place):
    """Offsets of all elements of a subresource, (d, h, w, samples)."""
    level = layout.planes[place.plane].mips[place.mip]
    volume = layout.dimension == "3d"
    depth = level.depth_or_array_size if volume else 1
    z, y, x, sample = np.ix_(
        range(depth), range(level.height_elements), range(level.width_elements), range(level.sample_count)
    )
    slices = {"z": z} if volume else {"array_slice": place.array_slice}
    return ta.texel_offset(layout, x, y, **slices, mip=place.mip, sample=sample, plane=place.plane)


@settings(max_examples=60, deadline=None)
@given(layouts())
def test_offsets_are_injective_and_invertible(layout):
    size = 0
    seen = np.zeros(layout.size_bytes, np.uint8)
    for place in layout.desc.subresources():
        plane = layout.planes[place.plane]
        offsets = grid(layout, place)
        touched = (offsets[..., None] + np.arange(plane.bytes_per_element)).reshape(-1)
        assert touched.min() >= plane.base_offset_bytes
        assert touched.max() < plane.base_offset_bytes + plane.size_bytes
        np.add.at(seen, touched, 1)
        size += touched.size
    assert seen.max() == 1
    assert seen.sum() == size
    for number, plane in enumerate(layout.planes):
        every = np.arange(plane.base_offset_bytes, plane.base_offset_bytes + plane.size_bytes)
        texels = ta.offset_texel(layout, every, plane=number)
        np.testing.assert_array_equal(texels["valid"], seen[every] == 1)
        assert (texels["x"][~texels["valid"]] == -1).all()
        found = texels[texels["valid"]]
        names = ("x", "y", "z", "array_slice", "mip", "sample")
        again = ta.texel_offset(layout, **{name: found[name] for name in names}, plane=number)
        np.testing.assert_array_equal(
            again, every[texels["valid"]] // plane.bytes_per_element * plane.bytes_per_element
        )


@settings(max_examples=60, deadline=None)
@given(layouts(), st.integers(0, 4), st.randoms(use_true_random=False))
def test_swizzle_and_back(layout, threads, random):
    rng = np.random.default_rng(random.getrandbits(32))
    images = [rng.integers(0, 256, place.shape, np.uint8) for place in layout.desc.subresources()]
    background = rng.integers(0, 256, layout.size_bytes, np.uint8)
    tiled = ta.swizzle_resource(images, layout, out=background.copy(), threads=threads)
    expected = background.copy()
    for place, image in zip(layout.desc.subresources(), images, strict=True):
        size = layout.planes[place.plane].bytes_per_element
        offsets = grid(layout, place)
        expected[offsets[..., None] + np.arange(size)] = image.reshape(*offsets.shape, size)
    np.testing.assert_array_equal(tiled, expected)  # padding untouched too
    for image, back in zip(images, ta.deswizzle_resource(tiled, layout, threads=threads), strict=True):
        np.testing.assert_array_equal(image, back)


@settings(max_examples=60, deadline=None)
@given(layouts())
def test_memory_ranges_are_the_touched_blocks(layout):
    for place in layout.desc.subresources():
        plane = layout.planes[place.plane]
        ranges = ta.memory_ranges(layout, mip=place.mip, array_slice=place.array_slice, plane=place.plane)
        level = plane.mips[place.mip]
        unit = plane.base_alignment_bytes
        if layout.swizzle_mode is ta.SwizzleMode.LINEAR:
            unit = level.pitch_bytes
            assert int((ranges[:, 1] - ranges[:, 0]).sum()) % unit == 0
            offsets = grid(layout, place)
            assert ranges[0, 0] == offsets.min()
            assert ranges[-1, 1] - unit < offsets.max() + plane.bytes_per_element <= ranges[-1, 1]
            continue
        blocks = np.unique((grid(layout, place) - plane.base_offset_bytes) // unit)
        named = [np.arange(begin, end, unit) for begin, end in (ranges - plane.base_offset_bytes).tolist()]
        np.testing.assert_array_equal(np.concatenate(named) // unit, blocks)
        assert (np.diff(ranges.reshape(-1)) > 0).all()


@settings(max_examples=60, deadline=None)
@given(layouts(), st.randoms(use_true_random=False))
def test_regions_equal_the_whole_surface(layout, random):
    places = list(layout.desc.subresources())
    place = places[random.randrange(len(places))]
    rng = np.random.default_rng(random.getrandbits(32))
    image = rng.integers(0, 256, place.shape, np.uint8)
    at = {"mip": place.mip, "array_slice": place.array_slice, "plane": place.plane}
    whole = ta.swizzle(image, layout, **at)
    lead = 3 if layout.dimension == "3d" else 2
    first = [random.randrange(extent) for extent in place.shape[:lead]]
    last = [
        random.randint(begin + 1, extent) for begin, extent in zip(first, place.shape[:lead], strict=True)
    ]
    box = tuple(slice(begin, end) for begin, end in zip(first, last, strict=True))
    origin = tuple(reversed(first))
    read = np.empty_like(image[box])
    assert ta.copy_region(read, whole, layout, origin=origin, direction="deswizzle", **at) is read
    np.testing.assert_array_equal(read, image[box])
    part = ta.copy_region(image[box], np.zeros_like(whole), layout, origin=origin, **at)
    masked = np.zeros_like(image)
    masked[box] = image[box]
    np.testing.assert_array_equal(part, ta.swizzle(masked, layout, **at))


CASES = [
    (mode, size, dim, samples)
    for mode in MODES
    for size in (1, 2, 4, 8, 16)
    for dim in (2, 3)
    for samples in (1, 2, 4, 8)
    if (dim == 2 or (ROWS[mode].takes_3d and samples == 1))
    and (samples == 1 or ROWS[mode].msaa)
    and not (
        ROWS[mode].micro_tile == "Z" and size * (4 if samples > 1 else 1) > 8 * (2 if samples > 1 else 1)
    )
]


@pytest.mark.parametrize("case", range(0, len(CASES), 1))
def test_every_target_equals_the_twin(case, every_target, rng):
    mode, size, dim, samples = CASES[case]
    depth_stencil = ROWS[mode].micro_tile == "Z" and (samples > 1 or size <= 4)
    texel_format = FORMATS[size][1 if depth_stencil and dim == 2 else 0]
    width, height = (int(v) for v in rng.integers(1, 150, 2) // (2 if samples > 2 else 1) + 8)
    depth = 11 if dim == 3 else 3
    desc = ta.TextureDesc(
        dimension=f"{dim}d",
        width=width,
        height=height,
        depth_or_array_size=depth,
        format=texel_format,
        sample_count=samples,
    )
    layout = ta.resource_layout(desc, mode)
    reference = twin.plane_layout(
        twin.Plane(mode, dim, width, height, depth, 1, size.bit_length() - 1, samples.bit_length() - 1)
    )
    shape = (depth if dim == 3 else 1, height, width, samples, size)
    image = rng.integers(0, 256, shape, np.uint8)
    slices = {} if dim == 3 else {"array_slice": 2}
    expected = twin.swizzle(
        image, reference, np.zeros(layout.size_bytes, np.uint8), first_z=slices.get("array_slice", 0)
    )
    z, y, x, sample = np.ix_(range(shape[0]), range(height), range(width), range(samples))
    grid_of_twin = twin.texel_grid(reference, (width, height, shape[0]), first_z=slices.get("array_slice", 0))
    bytes_asked = rng.integers(0, layout.size_bytes, 500)
    places = twin.offset_texel(reference, [(width, height, depth)], bytes_asked)
    names = ("x", "y", "z" if dim == 3 else "array_slice", "mip", "sample")
    for _ in every_target():
        plan = ta.SwizzlePlan(layout)
        tiled = plan.swizzle(image.reshape(plan.image_shape), **slices)
        np.testing.assert_array_equal(tiled, expected)
        np.testing.assert_array_equal(plan.deswizzle(tiled, **slices).reshape(shape), image)
        offsets = ta.texel_offset(layout, x, y, sample=sample, **({"z": z} if dim == 3 else slices))
        np.testing.assert_array_equal(offsets, grid_of_twin)
        texels = ta.offset_texel(layout, bytes_asked)
        np.testing.assert_array_equal(texels["valid"], places[:, 0] >= 0)
        np.testing.assert_array_equal(np.stack([texels[name] for name in names], axis=-1), places)


def test_plans_can_be_pickled(rng):
    desc = ta.TextureDesc(width=64, height=32, format="NV12")
    plan = ta.SwizzlePlan(ta.resource_layout(desc, "64KB_R_X", "navi21"), plane="chroma")
    image = rng.integers(0, 2**16, (16, 32), np.uint16)
    again = pickle.loads(pickle.dumps(plan))
    assert (again.layout, again.mip, again.plane) == (plan.layout, plan.mip, plan.plane)
    np.testing.assert_array_equal(again.swizzle(image), plan.swizzle(image))


@pytest.mark.parametrize("mode", ["64KB_R_X", "64KB_S", "4KB_S_X", "VAR_Z_X", "64KB_D_X"])
def test_threads_do_not_matter(mode, threads, rng):
    desc = ta.TextureDesc(width=523, height=391, depth_or_array_size=2, format="R8G8B8A8_UNORM")
    layout = ta.resource_layout(desc, mode, "lockhart")
    image = rng.integers(0, 2**32, (391, 523), np.uint32)
    one = ta.swizzle(image, layout, array_slice=1)
    np.testing.assert_array_equal(ta.swizzle(image, layout, array_slice=1, threads=threads), one)
    back = ta.deswizzle(one, layout, array_slice=1, threads=threads)
    np.testing.assert_array_equal(back.view(np.uint32)[..., 0], image)
    x, y = rng.integers(0, 523, 100_001), rng.integers(0, 391, 100_001)
    offsets = ta.texel_offset(layout, x, y, array_slice=1, threads=threads)
    np.testing.assert_array_equal(one[offsets], image.view(np.uint8).reshape(391, 523, 4)[y, x, 0])
    texels = ta.offset_texel(layout, offsets, threads=threads)
    np.testing.assert_array_equal(texels["x"], x)
