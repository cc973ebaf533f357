"""The way from a description to a layout: any integers give a layout or a named ValueError, at once."""

import tracemalloc

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tilelab.addressing import (
    GpuModel,
    TextureDesc,
    memory_ranges,
    offset_texel,
    resource_layout,
    texel_offset,
)

MODES = [0, 1, 2, 5, 6, 9, 10, 17, 18, 21, 22, 24, 25, 26, 27, 28, 31]


def mostly(legal: list[int], wild: list[int]) -> st.SearchStrategy[int]:
    """One of the legal values in nine of ten draws."""
    return st.integers(0, 9).flatmap(lambda draw: st.sampled_from(legal if draw else wild))


@given(
    dimension=mostly([2, 3, 3, 3, 4], [-1, 0, 1, 5]),
    width=mostly([1, 5, 16, 100, 250, 2048], [0, 16384, 16385, 1 << 32, 1 << 63, -1]),
    height=mostly([1, 1, 7, 16, 100, 2000], [0, 16384, 16385, 1 << 32, 1 << 63, -1]),
    slices=mostly([1, 1, 3, 6, 12, 100], [0, 2048, 2049, 1 << 32]),
    mips=mostly([0, 1, 1, 2, 3], [7, 15, 16, -1]),
    dxgi=mostly([2, 10, 28, 28, 40, 45, 55, 61, 71, 98, 103, 107], [-1, 0, 6, 66, 131, 189, 500]),
    samples=mostly([1, 1, 1, 1, 1, 1, 2, 4, 8], [0, 3, 16]),
    flags=mostly([0, 0, 0, 1, 2, 4], [3, 1 << 20]),
    cube=st.sampled_from([False, False, False, True]),
    mode=mostly(MODES, [-1, 3, 13, 30, 32]),
    gpu=mostly([0, 1, 2, 2], [3, 4, 5]).map(
        lambda at: [(32, 8), (8, 4), (4, 4), (64, 16), (8, 1), (3, 3)][at]
    ),
    xor=mostly([0, 1, 0xFFFFFFFF], [-1, 1 << 32]),
)
@settings(max_examples=300, deadline=None)
def test_any_integers_give_a_layout_or_a_named_error(
    dimension: int,
    width: int,
    height: int,
    slices: int,
    mips: int,
    dxgi: int,
    samples: int,
    flags: int,
    cube: bool,
    mode: int,
    gpu: tuple[int, int],
    xor: int,
) -> None:
    tracemalloc.start()
    try:
        fields = [dimension, 0, width, height, slices, mips, dxgi, samples, 0, 0, flags]
        desc = TextureDesc.from_d3d12(fields, cube=cube)
        layout = resource_layout(desc, mode, GpuModel("any", *gpu), pipe_bank_xor=xor)
    except ValueError as error:
        assert "must" in str(error)  # noqa: PT017  (the rule; any other error fails the test)
        return
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 1 << 20
    assert desc.size_bytes <= layout.size_bytes < 1 << 63
    plane = layout.planes[-1]
    last = desc.mip_levels - 1
    corner = {"mip": last, "plane": len(layout.planes) - 1}
    x, y = plane.mips[last].width_elements - 1, plane.mips[last].height_elements - 1
    offset = texel_offset(layout, x, y, array_slice=desc.array_size - 1, **corner)
    assert 0 <= offset < layout.size_bytes
    found = offset_texel(layout, offset, plane=corner["plane"])
    assert (found["x"], found["y"], found["mip"], found["valid"]) == (x, y, last, True)
    ranges = memory_ranges(layout, array_slice=desc.array_size - 1, **corner)
    assert np.any((ranges[:, 0] <= offset) & (offset < ranges[:, 1]))
