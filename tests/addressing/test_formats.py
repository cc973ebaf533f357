import copy
import pickle

import numpy as np
import pytest

from tilelab import UnsupportedError
from tilelab.addressing import Format, PlaneUsage

# name, DXGI number (dxgiformat.h), bytes of an element, its width and height in texels
KNOWN = [
    ("R32G32B32A32_SINT", 4, 16, 1, 1),
    ("R32G32B32_FLOAT", 6, 12, 1, 1),
    ("R16G16B16A16_SNORM", 13, 8, 1, 1),
    ("R10G10B10A2_UINT", 25, 4, 1, 1),
    ("R11G11B10_FLOAT", 26, 4, 1, 1),
    ("R8G8B8A8_UNORM_SRGB", 29, 4, 1, 1),
    ("R16G16_SINT", 38, 4, 1, 1),
    ("R32_TYPELESS", 39, 4, 1, 1),
    ("R32_SINT", 43, 4, 1, 1),
    ("R8G8_SINT", 52, 2, 1, 1),
    ("R16_FLOAT", 54, 2, 1, 1),
    ("R16_SINT", 59, 2, 1, 1),
    ("R8_SINT", 64, 1, 1, 1),
    ("A8_UNORM", 65, 1, 1, 1),
    ("R9G9B9E5_SHAREDEXP", 67, 4, 1, 1),
    ("G8R8_G8B8_UNORM", 69, 4, 2, 1),
    ("BC1_UNORM_SRGB", 72, 8, 4, 4),
    ("BC3_UNORM", 77, 16, 4, 4),
    ("BC4_SNORM", 81, 8, 4, 4),
    ("BC5_SNORM", 84, 16, 4, 4),
    ("B5G5R5A1_UNORM", 86, 2, 1, 1),
    ("R10G10B10_XR_BIAS_A2_UNORM", 89, 4, 1, 1),
    ("B8G8R8A8_UNORM_SRGB", 91, 4, 1, 1),
    ("B8G8R8X8_UNORM_SRGB", 93, 4, 1, 1),
    ("BC6H_SF16", 96, 16, 4, 4),
    ("BC7_UNORM_SRGB", 99, 16, 4, 4),
    ("Y416", 102, 8, 1, 1),
    ("YUY2", 107, 4, 2, 1),
    ("Y216", 109, 8, 2, 1),
    ("B4G4R4A4_UNORM", 115, 2, 1, 1),
    ("A4B4G4R4_UNORM", 191, 2, 1, 1),
]


@pytest.mark.parametrize(("name", "number", "size", "width", "height"), KNOWN)
def test_known_formats(name: str, number: int, size: int, width: int, height: int) -> None:
    found = Format(name)
    assert (found.name, found.dxgi) == (name, number)
    assert (found.bytes_per_element, found.block_width, found.block_height) == (size, width, height)
    assert (
        Format(number) is Format(np.uint32(number)) is Format(f"dxgi_format_{name}") is Format(found) is found
    )


def test_numbers_are_unique_and_complete() -> None:
    numbers = [Format(name).dxgi for name in Format.names()]
    assert len(numbers) == len(set(numbers))
    # 66 is R1_UNORM, 121..129 are unassigned, 131 and 132 have three planes
    assert set(range(1, 131)) - set(numbers) == {66, *range(121, 130)}


@pytest.mark.parametrize(
    ("name", "planes"),
    [
        ("D32_FLOAT", [("DEPTH", 4, 1, 1)]),
        ("D16_UNORM", [("DEPTH", 2, 1, 1)]),
        ("S8_UINT", [("STENCIL", 1, 1, 1)]),
        ("D24_UNORM_S8_UINT", [("DEPTH", 4, 1, 1), ("STENCIL", 1, 1, 1)]),
        ("D32_FLOAT_S8X24_UINT", [("DEPTH", 4, 1, 1), ("STENCIL", 1, 1, 1)]),
        ("D16_UNORM_S8_UINT", [("DEPTH", 2, 1, 1), ("STENCIL", 1, 1, 1)]),
        ("NV12", [("LUMA", 1, 1, 1), ("CHROMA", 2, 2, 2)]),
        ("P010", [("LUMA", 2, 1, 1), ("CHROMA", 4, 2, 2)]),
        ("NV11", [("LUMA", 1, 1, 1), ("CHROMA", 2, 4, 1)]),
        ("P208", [("LUMA", 1, 1, 1), ("CHROMA", 2, 2, 1)]),
    ],
)
def test_planes(name: str, planes: list[tuple[str, int, int, int]]) -> None:
    found = [(p.usage, p.bytes_per_element, p.block_width, p.block_height) for p in Format(name).planes]
    assert found == planes


def test_every_format_pickles_copies_and_hashes() -> None:
    formats = [Format(name) for name in Format.names()]
    assert len(set(formats)) == len(formats)
    for one in formats:
        assert pickle.loads(pickle.dumps(one)) is copy.deepcopy(one) is copy.copy(one) is one
        assert eval(repr(one)) is one
        assert one != one.name
        assert all(1 <= plane.bytes_per_element <= 16 for plane in one.planes)


def test_metadata_planes_exist_as_names() -> None:
    assert [usage.name for usage in PlaneUsage if usage.is_metadata] == [
        "HTILE",
        "FMASK",
        "CMASK",
        "DELTA_COLOR_COMPRESSION",
    ]


@pytest.mark.parametrize(
    ("legacy", "dxgi"),
    [("DXT1", "BC1_UNORM"), ("dxt3", "BC2_UNORM"), ("DXT5", "BC3_UNORM"), ("ATI2", "BC5_UNORM")],
)
def test_names_from_before_dxgi_map_to_dxgi_ones(legacy: str, dxgi: str) -> None:
    assert Format(legacy) == Format(dxgi)
    assert Format(legacy).name == dxgi


@pytest.mark.parametrize(
    ("wrong", "near"),
    [
        ("BC7_UNROM", "BC7_UNORM"),
        ("R8", "R8_UNORM"),
        ("RGBA8_UNORM", "R8G8B8A8_UNORM"),
        ("D24S8", "D24_UNORM_S8_UINT"),
    ],
)
def test_an_unknown_name_lists_the_nearest(wrong: str, near: str) -> None:
    with pytest.raises(ValueError, match=f"format must be .*{wrong}.*nearest: .*{near}"):
        Format(wrong)


@pytest.mark.parametrize("wrong", ["", "x" * 10_000, 0, -1, 121, 1 << 80])
def test_bad_values_are_refused(wrong: object) -> None:
    with pytest.raises(ValueError, match="format must be"):
        Format(wrong)


@pytest.mark.parametrize("wrong", [None, True, 28.0, b"R8_UNORM", [28]])
def test_bad_kinds_are_refused(wrong: object) -> None:
    with pytest.raises(TypeError, match="format must be"):
        Format(wrong)


@pytest.mark.parametrize("name", [66, "R1_UNORM", "V208", 132, "SAMPLER_FEEDBACK_MIN_MIP_OPAQUE"])
def test_unmodelled_formats_say_why(name: object) -> None:
    with pytest.raises(UnsupportedError, match=r"which (has|is)"):
        Format(name)


@pytest.mark.parametrize("number", [189, 190])
def test_numbers_that_differ_on_the_console_are_refused(number: int) -> None:
    with pytest.raises(ValueError, match="differs on PC and console"):
        Format(number)


def test_a_format_is_read_only() -> None:
    with pytest.raises(AttributeError, match="read-only"):
        Format("R8_UNORM").name = "other"
    with pytest.raises(AttributeError, match="read-only"):
        del Format("R8_UNORM").name
