"""Zero differences from measured layouts, equations, addresses and bulk copies, for core and twin."""

import dataclasses
import hashlib
import json

import numpy as np
import pytest

import tilelab.addressing as ta
from tilelab.reference import addressing as twin

FORMATS = {
    "D32": "D32_FLOAT",
    "S8": "S8_UINT",
    "R32": "R32_FLOAT",
    "R32G32B32A32": "R32G32B32A32_FLOAT",
}


@pytest.fixture(scope="module")
def layouts(golden):
    return json.loads(golden("addressing/layouts.json").read_text())


def models(layouts):
    return {
        name: ta.GpuModel(name, config["pipes"], config["packers"])
        for name, config in layouts["configs"].items()
    }


def describe(surface):
    name = surface["format"]
    dimension = "cube" if surface["cube"] else f"{surface['dim']}d"
    return ta.TextureDesc(
        dimension=dimension,
        width=surface["width"],
        height=surface["height"],
        depth_or_array_size=surface["depth_or_slices"],
        mip_levels=surface["mips"],
        format=FORMATS.get(name, f"{name}_UNORM"),
        sample_count=surface["samples"],
        usage=("render_target",) if surface["usage"] == "color" else (),
    )


def lay_out(surface, gpus, pipe_bank_xor=0):
    return ta.resource_layout(
        describe(surface), surface["mode_name"], gpus[surface["config"]], pipe_bank_xor=pipe_bank_xor
    )


def twin_plane(surface, gpu, pipe_bank_xor=0):
    block = 4 if surface["format"].startswith("BC") else 1
    return twin.Plane(
        mode=surface["mode"],
        dimension=surface["dim"],
        width=-(-surface["width"] // block),
        height=-(-surface["height"] // block),
        slices=surface["depth_or_slices"],
        mips=surface["mips"],
        element_log2=surface["bpe"].bit_length() - 1,
        samples_log2=surface["samples"].bit_length() - 1,
        pipes_log2=gpu.pipes.bit_length() - 1,
        packers_log2=gpu.packers.bit_length() - 1,
        pipe_bank_xor=pipe_bank_xor,
    )


def third(layout):
    return "z" if layout.dimension == "3d" else "array_slice"


def test_named_models_are_those_of_the_measurement(layouts):
    for name, model in models(layouts).items():
        assert getattr(ta, name.upper()) == model
        assert model.var_block_bytes == layouts["configs"][name]["var_block_bytes"]


def test_equations(golden, layouts):
    data = json.loads(golden("addressing/equations.json").read_text())
    gpus = models(layouts)
    for config, mode, name, dim, size, samples, block, block_log2, bits in data["rows"]:
        equation = ta.swizzle_equation(name, size, f"{dim}d", samples, gpus[config])
        got = zip(equation.x_masks, equation.y_masks, equation.z_masks, equation.sample_masks, strict=True)
        assert [list(masks) for masks in got] == bits
        assert equation.block_shape == tuple(block)
        assert equation.block_log2 == block_log2
        model = gpus[config]
        pipes, packers = model.pipes.bit_length() - 1, model.packers.bit_length() - 1
        rows = twin.equation(mode, size.bit_length() - 1, dim, samples.bit_length() - 1, pipes, packers)
        assert [list(masks) for masks in rows] == bits


def test_layouts(layouts):
    gpus = models(layouts)
    for surface in layouts["surfaces"]:
        layout = lay_out(surface, gpus)
        plane = layout.planes[0]
        assert layout.base_alignment_bytes == surface["base_align"]
        assert layout.size_bytes == plane.size_bytes == surface["size_bytes"]
        assert plane.slice_size_bytes == surface["slice_bytes"]
        assert plane.standard_mip_count == surface["first_tail_mip"]
        assert plane.mip_tail_mip_count == surface["mips"] - surface["first_tail_mip"]
        if surface["mode"] != 0:
            assert list(plane.block_shape) == surface["block"]
        reference = twin.plane_layout(twin_plane(surface, gpus[surface["config"]]))
        for number, (mip, expected) in enumerate(zip(plane.mips, surface["mip"], strict=True)):
            first = int(ta.texel_offset(layout, 0, mip=number))
            place = [mip.padded_width_elements, mip.padded_height_elements, mip.offset_bytes]
            tail = [mip.is_mip_tail, mip.tail_x_elements, mip.tail_y_elements]
            assert [*place, *tail, first] == expected
            assert list(dataclasses.astuple(reference.mips[number])) == expected[:6]
            assert mip.padded_depth_or_array_size == surface["padded"][2]


def test_addresses_and_their_inverse(golden, layouts, rng):
    gpus = models(layouts)
    archive = dict(np.load(golden("addressing/addresses.npz")))  # an archive unpacks at every access
    for index, surface in enumerate(layouts["surfaces"]):
        layout = lay_out(surface, gpus, surface["pipe_bank_xor"])
        rows = archive["surface"] == index
        x, y, z, sample, mip = archive["coords"][rows].T
        offset = archive["offset"][rows].astype(np.int64)
        got = ta.texel_offset(layout, x, y, **{third(layout): z}, mip=mip, sample=sample)
        np.testing.assert_array_equal(got, offset)
        inside = offset + rng.integers(0, surface["bpe"], offset.shape)
        back = ta.offset_texel(layout, inside)
        assert back["valid"].all()
        for name, wanted in (("x", x), ("y", y), (third(layout), z), ("sample", sample), ("mip", mip)):
            np.testing.assert_array_equal(back[name], wanted)


def linear_stream(desc):
    """The measured generator: slice, mip, z, y, x; byte k is (131 k + 31 (k >> 8) + 7) & 255."""
    first = 0
    for place in desc.subresources():
        index = np.arange(first, first + place.size_bytes)
        first += place.size_bytes
        yield ((131 * index + 31 * (index >> 8) + 7) & 255).astype(np.uint8).reshape(place.shape)


def test_bulk_copies(golden, layouts):
    gpus = models(layouts)
    surfaces = {surface["id"]: surface for surface in layouts["surfaces"]}
    for row in json.loads(golden("addressing/bulk.json").read_text())["surfaces"]:
        layout = lay_out(surfaces[row["id"]], gpus)
        images = list(linear_stream(layout.desc))
        assert sum(image.nbytes for image in images) == row["linear_bytes"]
        tiled = ta.swizzle_resource(images, layout, threads=2)
        assert hashlib.sha256(tiled).hexdigest() == row["sha256"]
        for image, back in zip(images, ta.deswizzle_resource(tiled, layout), strict=True):
            np.testing.assert_array_equal(image, back)


WORKED = {
    "LINEAR": [(64, 24, 6144), (64, 12, 3072), (64, 6, 1536), (64, 3, 768), (64, 2, 256), (64, 1, 0)],
    "256B": [(48, 24, 2816), (24, 16, 1280), (16, 8, 768), (8, 8, 512), (8, 8, 256), (8, 8, 0)],
    "4KB": [(64, 32, 8192), (32, 32, 4096), (16, 32, 2048), (8, 16, 1536), (8, 8, 1280), (8, 8, 1024)],
    "64KB": [(64, 128, o) for o in (32768,)],
}
SLICES = {
    "LINEAR": (12288, 12288, 12288, 18432, 27648),
    "256B": (3072, 4352, 7424, 13312, 25600),
    "4KB": (8192, 8192, 16384, 24576, 40960),
    "64KB": (65536, 65536, 65536, 65536, 131072),
}
FIRST_TAIL = {"4KB": (1, 1, 2, 2, 3), "64KB": (0, 0, 0, 0, 1)}
BY_SIZE = ("R8_UNORM", "R16_UNORM", "R32_FLOAT", "R32G32_FLOAT", "R32G32B32A32_FLOAT")


def worked_layout(mode, texel_format):
    desc = ta.TextureDesc(width=48, height=24, depth_or_array_size=2, mip_levels=6, format=texel_format)
    return ta.resource_layout(desc, mode)


@pytest.mark.parametrize("letter", ["S", "D"])
@pytest.mark.parametrize("block", ["LINEAR", "256B", "4KB", "64KB"])
def test_worked_example_48_by_24(block, letter):
    mode = block if block == "LINEAR" else f"{block}_{letter}"
    layout = worked_layout(mode, "R32_FLOAT")
    plane = layout.planes[0]
    got = [(mip.padded_width_elements, mip.padded_height_elements, mip.offset_bytes) for mip in plane.mips]
    assert got[: len(WORKED[block])] == WORKED[block]
    assert layout.size_bytes == 2 * plane.slice_size_bytes
    if block == "64KB":
        assert [mip.offset_bytes for mip in plane.mips] == [32768, 16384, 8192, 4096, 2048, 1536]
    if block == "4KB":
        tail = [(mip.tail_x_elements, mip.tail_y_elements) for mip in plane.mips[2:]]
        assert tail == [(16, 0), (8, 16), (0, 24), (0, 16)]
    for texel_format, size, number in zip(BY_SIZE, SLICES[block], range(5), strict=True):
        plane = worked_layout(mode, texel_format).planes[0]
        assert plane.slice_size_bytes == size
        assert plane.standard_mip_count == FIRST_TAIL.get(block, (6,) * 5)[number]
