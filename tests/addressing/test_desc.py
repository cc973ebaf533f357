import copy
import dataclasses
import json
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilelab.addressing import Format, TextureDesc


def make(**arguments: object) -> TextureDesc:
    return TextureDesc(**{"width": 64, "height": 32, "format": "R8G8B8A8_UNORM", **arguments})


def test_the_full_chain_is_counted() -> None:
    assert make(mip_levels=0).mip_levels == 7
    assert make(dimension="3d", depth_or_array_size=300, mip_levels=0).mip_levels == 9
    assert make(width=16384, height=1, mip_levels=0).mip_levels == 15
    assert make(width=1, height=1, mip_levels=0).mip_levels == 1


def test_slices_depth_and_faces() -> None:
    assert make(depth_or_array_size=5).array_size == 5
    volume = make(dimension="3d", depth_or_array_size=5)
    assert (volume.array_size, volume.depth, volume.mip_size(1)) == (1, 5, (32, 16, 2))
    assert make(dimension="cube", height=64).depth_or_array_size == 6
    assert make(dimension="cube", height=64, depth_or_array_size=12).array_size == 12


def test_subresources_follow_direct3d_order() -> None:
    desc = make(width=6, height=2, format="NV12", depth_or_array_size=2)
    assert [(s.plane, s.array_slice, s.shape) for s in desc.subresources()] == [
        (0, 0, (2, 6, 1)),
        (0, 1, (2, 6, 1)),
        (1, 0, (1, 3, 2)),
        (1, 1, (1, 3, 2)),
    ]
    assert desc.subresource_count == 4
    assert desc.size_bytes == 2 * (12 + 6)
    assert make(sample_count=4).subresource_shape(0) == (32, 64, 4, 4)
    assert make(dimension="3d", depth_or_array_size=2, mip_levels=2).subresource_shape(1) == (1, 16, 32, 4)


@given(
    st.integers(1, 70),
    st.integers(1, 70),
    st.integers(1, 7),
    st.sampled_from(["R8_UNORM", "BC1_UNORM", "YUY2"]),
)
@settings(max_examples=30, deadline=None)
def test_sizes_add_up(width: int, height: int, slices: int, name: str) -> None:
    desc = make(width=width * 2, height=height, depth_or_array_size=slices, format=name, mip_levels=0)
    subresources = list(desc.subresources())
    assert len(subresources) == desc.subresource_count
    assert sum(sub.size_bytes for sub in subresources) == desc.size_bytes
    assert subresources[-1].shape[:2] == (1, 1)


def test_a_typeless_parent_becomes_a_depth_plane() -> None:
    assert [p.usage for p in make(format="R32_TYPELESS").planes] == ["DEFAULT"]
    assert [p.usage for p in make(format="R32_TYPELESS", usage="depth_stencil").planes] == ["DEPTH"]


def test_equality_hash_pickle_replace() -> None:
    desc = make(usage=["unordered_access", "render_target", "render_target"])
    assert desc.usage == ("render_target", "unordered_access")
    assert desc.format is Format("R8G8B8A8_UNORM")
    assert pickle.loads(pickle.dumps(desc)) == copy.deepcopy(desc) == desc
    assert hash(dataclasses.replace(desc, width=65)) != hash(desc)
    assert eval(repr(desc)) == desc
    with pytest.raises(dataclasses.FrozenInstanceError):
        desc.width = 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"width": 0}, "width must be in .1, 16384., got 0"),
        ({"height": -3}, "height must be in .1, 16384., got -3"),
        ({"width": 1 << 80}, "width must be in"),
        ({"depth_or_array_size": 0}, "depth_or_array_size must be in .1, 2048., got 0"),
        ({"depth_or_array_size": 2049}, "depth_or_array_size must be in"),
        ({"dimension": "4d"}, "dimension must be one of"),
        ({"dimension": "1d"}, 'height must be 1 for dimension "1d", got 32'),
        ({"dimension": "cube"}, "height must equal width"),
        ({"dimension": "cube", "height": 64, "depth_or_array_size": 8}, "multiple of 6"),
        ({"mip_levels": 8}, "mip_levels must be at most 7 for 64 x 32 x 1 texels, got 8"),
        ({"mip_levels": -1}, "mip_levels must be at least 0"),
        ({"mip_levels": 16}, "mip_levels must be at most 7"),
        ({"sample_count": 3}, "sample_count must be one of 1, 2, 4, 8, got 3"),
        ({"sample_count": 4, "mip_levels": 2}, "mip_levels must be 1 for a multisampled texture"),
        ({"sample_count": 2, "dimension": "3d"}, "sample_count must be 1"),
        ({"sample_count": 2, "format": "BC1_UNORM"}, "sample_count must be 1 for format BC1_UNORM"),
        ({"format": "BC1_UNORM", "dimension": "1d", "height": 1}, "block-compressed"),
        ({"format": "D32_FLOAT", "dimension": "3d"}, "depth/stencil"),
        ({"format": "NV12", "width": 63}, "width and height must be multiples of 2 and 2"),
        ({"format": "NV12", "mip_levels": 2}, "mip_levels must be 1 for format NV12"),
        ({"usage": "target"}, "usage must be one of"),
        ({"usage": "depth_stencil"}, "format must hold depth or stencil"),
        ({"usage": ("depth_stencil", "render_target"), "format": "D16_UNORM"}, "must stand alone"),
        ({"usage": "depth_stencil", "format": "R32_TYPELESS", "dimension": "3d"}, "usage must not hold"),
        ({"usage": "render_target", "format": "BC7_UNORM"}, "render_target"),
        ({"format": "BC9_UNORM"}, "format must be a DXGI format name.*nearest"),
    ],
)
def test_bad_values_are_named(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make(**arguments)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("width", 64.0),
        ("width", True),
        ("height", "32"),
        ("mip_levels", None),
        ("sample_count", 1.5),
        ("format", None),
        ("usage", 3),
        ("usage", [3]),
        ("dimension", 2),
    ],
)
def test_bad_kinds_are_named(name: str, value: object) -> None:
    with pytest.raises(TypeError, match=f"{name} must be"):
        make(**{name: value})


def test_from_d3d12_takes_json_mapping_integers_and_fields() -> None:
    wanted = make(
        depth_or_array_size=2, mip_levels=3, format="BC7_UNORM", usage="unordered_access", width=60, height=30
    )
    integers = [3, 65536, 60, 30, 2, 3, 98, 1, 0, 0x109, 4]
    fields = {
        "Dimension": "D3D12_RESOURCE_DIMENSION_TEXTURE2D",
        "Width": 60,
        "Height": 30,
        "DepthOrArraySize": 2,
        "MipLevels": 3,
        "Format": "DXGI_FORMAT_BC7_UNORM",
        "SampleDesc": {"Count": 1, "Quality": 0},
        "Layout": "D3D12_TEXTURE_LAYOUT_UNKNOWN",
        "Flags": "ALLOW_UNORDERED_ACCESS | D3D12_RESOURCE_FLAG_ALLOW_CROSS_ADAPTER",
    }
    for source in (integers, tuple(integers), fields, json.dumps(fields)):
        assert TextureDesc.from_d3d12(source) == wanted
    assert TextureDesc.from_d3d12(**fields) == wanted
    assert TextureDesc.from_d3d12(integers, Width=61).width == 61
    assert TextureDesc.from_d3d12({**fields, "SampleDesc": [1, 0]}) == wanted


def test_from_d3d12_cubes_are_asked_for() -> None:
    fields = {"Dimension": 3, "Width": 8, "Height": 8, "DepthOrArraySize": 12, "MipLevels": 0, "Format": 28}
    assert TextureDesc.from_d3d12(fields).dimension == "2d"
    cube = TextureDesc.from_d3d12(fields, cube=True)
    assert (cube.dimension, cube.array_size, cube.mip_levels) == ("cube", 12, 4)
    with pytest.raises(ValueError, match="cube must be False"):
        TextureDesc.from_d3d12({**fields, "Dimension": 4}, cube=True)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("{", "source must be JSON text"),
        ("[" * 100_000, "source must be JSON text"),
        ([3, 0, 64], "source must hold the 11 integers"),
        ({"Width": 3, "Format": 28}, "Dimension must be given"),
        ({"Dimension": 1, "Width": 3, "Format": 28}, "Dimension must be one of TEXTURE1D"),
        ({"Dimension": 3, "Width": 3, "Format": 28, "Widht": 4}, "got 'Widht'; nearest: Width"),
        ({"Dimension": 3, "Width": 3, "Format": 28, 5: 4}, "got 5"),
        ({"Dimension": 3, "Width": 3, "Format": 28, "Flags": 1 << 20}, "Flags must hold documented bits"),
        ({"Dimension": 3, "Width": 3, "Format": 28, "Flags": "ALLOW_ALL"}, "Flags must be one of"),
        ({"Dimension": 3, "Width": 0, "Format": 28}, "Width must be at least 1"),
        ({"Dimension": 3, "Width": 1 << 63, "Format": 28}, "width must be in"),
        ({"Dimension": 3, "Width": 3, "Format": 0}, "format must be a DXGI format number"),
    ],
)
def test_from_d3d12_names_what_is_wrong(source: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TextureDesc.from_d3d12(source)


@pytest.mark.parametrize("source", [5, b"\x03\x00", None, {"Dimension": 3, "Width": "4", "Format": 28}])
def test_from_d3d12_refuses_other_kinds(source: object) -> None:
    with pytest.raises((TypeError, ValueError), match="must be"):
        TextureDesc.from_d3d12(source)


def test_samples_are_named() -> None:
    desc = TextureDesc(width=640, height=360, format="R8G8B8A8_UNORM", sample_count=4)
    assert str(desc) == "2d, 640 x 360, R8G8B8A8_UNORM, 1 mip, 4 samples"
