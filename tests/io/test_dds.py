import hashlib
import json
import os
import struct
import tracemalloc
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilelab import UnsupportedError
from tilelab.addressing import Format, TextureDesc
from tilelab.io import dds

RGB, ALPHAPIXELS, ALPHA, LUMINANCE, BUMP = 0x40, 0x1, 0x2, 0x20000, 0x80000
ALL_FACES, VOLUME = 0xFE00, 0x200000


def legacy(
    width: int = 4,
    height: int = 4,
    *,
    depth: int = 0,
    mips: int = 0,
    fourcc: bytes = b"",
    flags: int = 0,
    bits: int = 0,
    masks: tuple[int, ...] = (0, 0, 0, 0),
    caps2: int = 0,
) -> bytes:
    """The first 128 bytes of a file, field by field from the documented structure."""
    pixel_format = struct.pack("<2I4s5I", 32, 4 if fourcc else flags, fourcc or bytes(4), bits, *masks)
    head = struct.pack("<4s7I44x", b"DDS ", 124, 0x1007, height, width, 0, depth, mips)
    return head + pixel_format + struct.pack("<4I4x", 0x1000, caps2, 0, 0)


def dx10(dxgi: int, dimension: int = 3, misc: int = 0, slices: int = 1, **fields: int) -> bytes:
    return legacy(fourcc=b"DX10", **fields) + struct.pack("<5I", dxgi, dimension, misc, slices, 0)


def save(folder: Path, data: bytes) -> Path:
    path = folder / "texture.dds"
    path.write_bytes(data)
    return path


def random_subresources(desc: TextureDesc, rng: np.random.Generator) -> list[np.ndarray]:
    return [rng.integers(0, 256, sub.shape, np.uint8) for sub in desc.subresources()]


DESCS = [
    TextureDesc(width=7, height=5, format="R8G8B8A8_UNORM", mip_levels=0),
    TextureDesc(width=9, height=6, format="BC7_UNORM_SRGB", mip_levels=0, depth_or_array_size=3),
    TextureDesc(dimension="1d", width=13, format="R16_FLOAT", mip_levels=0, depth_or_array_size=2),
    TextureDesc(
        dimension="3d", width=6, height=5, depth_or_array_size=4, format="R32G32B32A32_FLOAT", mip_levels=0
    ),
    TextureDesc(dimension="3d", width=8, height=8, depth_or_array_size=1, format="BC4_SNORM", mip_levels=2),
    TextureDesc(dimension="cube", width=8, height=8, format="BC6H_UF16", mip_levels=0),
    TextureDesc(dimension="cube", width=4, height=4, depth_or_array_size=12, format="R11G11B10_FLOAT"),
    TextureDesc(width=5, height=3, format="R32G32B32_FLOAT"),
    TextureDesc(width=5, height=3, format="R8G8_B8G8_UNORM", mip_levels=0),
    TextureDesc(width=6, height=4, format="NV12", depth_or_array_size=2),
    TextureDesc(width=6, height=4, format="P010"),
    TextureDesc(width=6, height=4, format="D32_FLOAT", mip_levels=0),
    TextureDesc(width=5, height=4, format="D32_FLOAT_S8X24_UINT", depth_or_array_size=2, mip_levels=0),
]


@pytest.mark.parametrize("desc", DESCS, ids=lambda desc: f"{desc.dimension}-{desc.format}")
def test_write_then_read_is_the_identity(desc: TextureDesc, tmp_path: Path, rng: np.random.Generator) -> None:
    subresources = random_subresources(desc, rng)
    dds.write(tmp_path / "a.dds", desc, subresources)
    again, read = dds.read(str(tmp_path / "a.dds"))
    assert again == desc == dds.describe(tmp_path / "a.dds")
    assert len(read) == desc.subresource_count
    for have, want in zip(read, subresources, strict=True):
        assert have.dtype == np.uint8
        assert have.flags.c_contiguous
        np.testing.assert_array_equal(have, want, strict=True)
    assert os.listdir(tmp_path) == ["a.dds"]


def test_the_header_is_the_documented_one(tmp_path: Path) -> None:
    desc = TextureDesc(dimension="cube", width=8, height=8, format="BC7_UNORM", mip_levels=0)
    dds.write(tmp_path / "a.dds", desc, [np.zeros(sub.shape, np.uint8) for sub in desc.subresources()])
    data = (tmp_path / "a.dds").read_bytes()
    words = struct.unpack_from("<37I", data)
    assert data[:4] == b"DDS "
    assert words[1:8] == (
        124,
        0xA1007,
        8,
        8,
        64,
        1,
        4,
    )  # size, flags, height, width, linear size, depth, mips
    assert (words[19], words[20], data[84:88]) == (32, 4, b"DX10")
    assert words[27:29] == (0x401008, 0xFE00)
    assert words[32:37] == (98, 3, 4, 1, 0)
    assert len(data) == 148 + desc.size_bytes


def test_any_dtype_of_the_right_size_is_written(tmp_path: Path, rng: np.random.Generator) -> None:
    desc = TextureDesc(width=5, height=3, format="R16G16_FLOAT")
    image = rng.standard_normal((3, 5, 2)).astype(np.float16)
    for given_image in (image, image[::-1, ::-1][::-1, ::-1], image.astype(">f2")):
        dds.write(tmp_path / "a.dds", desc, [given_image])
        np.testing.assert_array_equal(dds.read(tmp_path / "a.dds")[1][0].view(np.float16), image)


def test_24_bit_depth_shares_its_word_with_stencil(tmp_path: Path) -> None:
    desc = TextureDesc(width=2, height=1, format="D24_UNORM_S8_UINT")
    path = save(tmp_path, dx10(45, width=2, height=1) + bytes([1, 2, 3, 4, 5, 6, 7, 8]))
    again, (depth, stencil) = dds.read(path)
    assert again == desc
    assert depth.tolist() == [[[1, 2, 3, 0], [5, 6, 7, 0]]]
    assert stencil.tolist() == [[[4], [8]]]
    dds.write(tmp_path / "b.dds", desc, [depth, stencil])
    assert (tmp_path / "b.dds").read_bytes()[148:] == bytes([1, 2, 3, 4, 5, 6, 7, 8])
    with pytest.raises(ValueError, match="top byte of 24-bit depth zero"):
        dds.write(tmp_path / "c.dds", desc, [depth + 1, stencil])


@pytest.mark.parametrize(
    ("fourcc", "name"),
    [
        (b"DXT1", "BC1_UNORM"),
        (b"DXT2", "BC2_UNORM"),
        (b"DXT3", "BC2_UNORM"),
        (b"DXT4", "BC3_UNORM"),
        (b"DXT5", "BC3_UNORM"),
        (b"ATI1", "BC4_UNORM"),
        (b"BC4U", "BC4_UNORM"),
        (b"BC4S", "BC4_SNORM"),
        (b"ATI2", "BC5_UNORM"),
        (b"BC5U", "BC5_UNORM"),
        (b"BC5S", "BC5_SNORM"),
        (b"RGBG", "R8G8_B8G8_UNORM"),
        (b"YUY2", "YUY2"),
        (b"\x24\0\0\0", "R16G16B16A16_UNORM"),
        (b"\x6f\0\0\0", "R16_FLOAT"),
        (b"\x70\0\0\0", "R16G16_FLOAT"),
        (b"\x71\0\0\0", "R16G16B16A16_FLOAT"),
        (b"\x72\0\0\0", "R32_FLOAT"),
        (b"\x73\0\0\0", "R32G32_FLOAT"),
        (b"\x74\0\0\0", "R32G32B32A32_FLOAT"),
    ],
)
def test_fourcc_names(fourcc: bytes, name: str, tmp_path: Path) -> None:
    desc = TextureDesc(width=10, height=6, format=name, mip_levels=2)
    path = save(tmp_path, legacy(10, 6, mips=2, fourcc=fourcc) + bytes(desc.size_bytes))
    assert dds.read(path)[0] == desc


@pytest.mark.parametrize(
    ("flags", "bits", "masks", "name"),
    [
        (RGB | ALPHAPIXELS, 32, (0xFF, 0xFF00, 0xFF0000, 0xFF000000), "R8G8B8A8_UNORM"),
        (RGB | ALPHAPIXELS, 32, (0xFF0000, 0xFF00, 0xFF, 0xFF000000), "B8G8R8A8_UNORM"),
        (RGB, 32, (0xFF0000, 0xFF00, 0xFF, 0), "B8G8R8X8_UNORM"),
        (
            RGB,
            32,
            (0xFF0000, 0xFF00, 0xFF, 0xFF000000),
            "B8G8R8X8_UNORM",
        ),  # the mask counts with the flag only
        (RGB | ALPHAPIXELS, 32, (0x3FF, 0xFFC00, 0x3FF00000, 0xC0000000), "R10G10B10A2_UNORM"),
        (RGB, 32, (0xFFFF, 0xFFFF0000, 0, 0), "R16G16_UNORM"),
        (RGB, 32, (0xFFFFFFFF, 0, 0, 0), "R32_FLOAT"),
        (RGB, 16, (0xF800, 0x7E0, 0x1F, 0), "B5G6R5_UNORM"),
        (RGB | ALPHAPIXELS, 16, (0x7C00, 0x3E0, 0x1F, 0x8000), "B5G5R5A1_UNORM"),
        (RGB | ALPHAPIXELS, 16, (0xF00, 0xF0, 0xF, 0xF000), "B4G4R4A4_UNORM"),
        (LUMINANCE, 8, (0xFF, 0, 0, 0), "R8_UNORM"),
        (LUMINANCE, 16, (0xFFFF, 0, 0, 0), "R16_UNORM"),
        (LUMINANCE | ALPHAPIXELS, 16, (0xFF, 0, 0, 0xFF00), "R8G8_UNORM"),
        (ALPHA, 8, (0, 0, 0, 0xFF), "A8_UNORM"),
        (BUMP, 16, (0xFF, 0xFF00, 0, 0), "R8G8_SNORM"),
        (BUMP, 32, (0xFF, 0xFF00, 0xFF0000, 0xFF000000), "R8G8B8A8_SNORM"),
    ],
)
def test_masks(flags: int, bits: int, masks: tuple[int, ...], name: str, tmp_path: Path) -> None:
    head = legacy(3, 2, flags=flags, bits=bits, masks=masks)
    assert dds.read(save(tmp_path, head + bytes(6 * bits // 8)))[0].format == Format(name)


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (legacy(flags=RGB, bits=24, masks=(0xFF0000, 0xFF00, 0xFF, 0)), "B8G8R8 .24 bits."),
        (legacy(flags=RGB, bits=32, masks=(0xFF, 0xFF00, 0xFF0000, 0)), "R8G8B8X8"),
        (
            legacy(flags=RGB | ALPHAPIXELS, bits=32, masks=(0x3FF00000, 0xFFC00, 0x3FF, 0xC0000000)),
            "B10G10R10A2",
        ),
        (legacy(flags=RGB, bits=32, masks=(1, 2, 3, 4)), "flags 0x40"),
        (legacy(flags=0x20, bits=8), "flags 0x20"),
        (legacy(fourcc=b"UYVY"), "UYVY"),
        (legacy(fourcc=b"\x75\0\0\0"), "D3DFORMAT 117"),
        (legacy(fourcc=b"XBOX"), "tiled variant"),
        (legacy(fourcc=b"DXT1", caps2=0x600), "six faces"),
        (dx10(66), "R1_UNORM"),
        (dx10(118), "16-bit depth"),
    ],
)
def test_formats_without_an_equal_are_named(head: bytes, name: str, tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match=name):
        dds.read(save(tmp_path, head + bytes(1 << 12)))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "must start with 'DDS '"),
        (b"PNG\r" + bytes(200), "must start with 'DDS '"),
        (legacy(fourcc=b"DXT1")[:100], "header must have 128 bytes, got 100"),
        (dx10(98)[:140], "DX10 header must have 148 bytes, got 140"),
        (legacy(fourcc=b"DXT1") + bytes(7), "asks for 8 bytes of texels, got 7"),
        (dx10(2, width=16384, height=16384), "asks for 4294967296 bytes of texels, got 0"),
        (dx10(2, width=16384, height=16384, mips=15, slices=2048) + bytes(99), "bytes of texels, got 99"),
        (dx10(28, width=1 << 31, height=1 << 31), "width must be in"),
        (dx10(28, width=0), "width must be in"),
        (dx10(28, mips=16), "mip_levels must be at most 3"),
        (dx10(28, mips=0xFFFFFFFF), "mip_levels must be at most 3"),
        (dx10(0), "format must be a DXGI format number"),
        (dx10(28, dimension=1), "resourceDimension must be"),
        (dx10(28, slices=0), "arraySize must be at least 1"),
        (dx10(28, slices=0xFFFFFFFF), "depth_or_array_size must be in"),
        (dx10(28, misc=4, slices=400), "depth_or_array_size must be in"),
        (dx10(28, dimension=4, slices=2, depth=2), "arraySize must be 1 for a volume"),
        (dx10(28, dimension=4, depth=0), "depth_or_array_size must be in"),
        (dx10(28, dimension=4, misc=4, depth=2), "resourceDimension must be 3 for a cube map"),
        (dx10(28, dimension=2), "height must be 1"),
        (dx10(28, misc=4, width=8), "height must equal width"),
        (legacy(fourcc=b"DXT1", caps2=ALL_FACES | VOLUME, depth=2), "both a cube map and a volume"),
        (b"DDS " + bytes(124), "header sizes must be 124 and 32"),
    ],
)
def test_lying_headers_are_refused(data: bytes, message: str, tmp_path: Path) -> None:
    path = save(tmp_path, data)
    for reader in (dds.read, dds.describe):
        tracemalloc.start()
        with pytest.raises(ValueError, match=message) as caught:
            reader(path)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert str(path) in str(caught.value)
        assert peak < 1 << 20


def test_volumes_cubes_and_1d_of_other_writers(tmp_path: Path) -> None:
    volume = save(tmp_path, legacy(4, 4, depth=3, fourcc=b"DXT5", caps2=VOLUME) + bytes(48))
    assert [elements.shape for elements in dds.read(volume)[1]] == [(3, 1, 1, 16)]
    cube = save(tmp_path, legacy(4, 4, fourcc=b"DXT1", caps2=ALL_FACES) + bytes(range(48)))
    assert [elements[0, 0, 0] for elements in dds.read(cube)[1]] == [0, 8, 16, 24, 32, 40]
    line = save(tmp_path, dx10(61, dimension=2, width=5, height=0) + bytes(5))
    assert dds.read(line)[1][0].shape == (1, 5, 1)


def test_trailing_bytes_are_tolerated_with_a_warning(tmp_path: Path) -> None:
    path = save(tmp_path, legacy(fourcc=b"DXT1") + bytes(8 + 36))
    with pytest.warns(UserWarning, match="36 bytes after the last subresource"):
        dds.read(path)


def test_paths_that_are_no_files(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        dds.read(tmp_path / "absent.dds")
    with pytest.raises(OSError, match="directory"):
        dds.read(tmp_path)
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "fifo")
        with pytest.raises(OSError, match="regular file"):
            dds.read(tmp_path / "fifo")
    with pytest.raises(TypeError, match="path must be"):
        dds.read(3)


@pytest.mark.parametrize(
    ("subresources", "error", "message"),
    [
        ([], ValueError, "must hold 2 arrays, got 0"),
        ([np.zeros((4, 4, 4), np.uint8)], ValueError, "must hold 2 arrays, got 1"),
        (
            [np.zeros((4, 4, 3), np.uint8)] * 2,
            ValueError,
            r"subresources\[0\] must have shape \(4, 4\) and 4 bytes",
        ),
        ([np.zeros((4, 4), np.uint32)] * 2, ValueError, r"subresources\[1\] must have shape \(2, 2\)"),
        ([np.zeros((4, 4), object)] * 2, TypeError, r"subresources\[0\] must hold integers or floats"),
        (np.zeros((2, 4, 4), np.uint32), TypeError, "must be a list"),
        (3, TypeError, "must be a list"),
    ],
)
def test_write_checks_before_it_touches_the_disk(
    subresources: object, error: type[Exception], message: str, tmp_path: Path
) -> None:
    path = save(tmp_path, b"old")
    desc = TextureDesc(width=4, height=4, mip_levels=2, format="R8G8B8A8_UNORM")
    with pytest.raises(error, match=message):
        dds.write(path, desc, subresources)
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == [path.name]


def test_write_refuses_what_a_file_cannot_hold(tmp_path: Path) -> None:
    for desc in (
        TextureDesc(width=4, height=4, sample_count=2, format="R8_UNORM"),
        TextureDesc(width=4, height=4, format="S8_UINT"),
        TextureDesc(width=4, height=4, format="D16_UNORM_S8_UINT"),
    ):
        with pytest.raises(UnsupportedError, match="in a DDS file"):
            dds.write(
                tmp_path / "a.dds", desc, [np.zeros(sub.shape, np.uint8) for sub in desc.subresources()]
            )
    with pytest.raises(TypeError, match="desc must be a TextureDesc"):
        dds.write(tmp_path / "a.dds", None, [])
    with pytest.raises(OSError, match="existing folder"):
        dds.write(tmp_path / "none" / "a.dds", DESCS[7], [np.zeros((3, 5, 12), np.uint8)])
    assert os.listdir(tmp_path) == []


def read_bounded(path: Path, data: bytes) -> None:
    """Read hostile bytes: only named errors, and no more memory than the file justifies."""
    path.write_bytes(data)
    tracemalloc.start()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            desc, subresources = dds.read(path)
        assert sum(elements.nbytes for elements in subresources) == desc.size_bytes
    except (ValueError, OSError):
        pass  # any other error, or none at all where bytes are missing, fails the test
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    # every subresource has at least a byte in the file and costs a few Python objects
    assert peak < (1 << 18) + 1000 * len(data)


words = st.sampled_from(
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 16, 28, 45, 98, 103, 255, 2048, 16384, 1 << 16, 1 << 31]
) | st.integers(0, 2**32 - 1)


@given(
    base=st.sampled_from(
        [
            dx10(28),
            dx10(98, mips=3, slices=2),
            dx10(103),
            dx10(45, slices=3),
            dx10(61, dimension=4, depth=3),
            dx10(71, misc=4),
            legacy(fourcc=b"DXT5", caps2=ALL_FACES),
            legacy(flags=RGB | ALPHAPIXELS, bits=32, masks=(0xFF0000, 0xFF00, 0xFF, 0xFF000000)),
        ]
    ),
    changes=st.lists(st.tuples(st.integers(0, 36), words), max_size=4),
    payload=st.integers(0, 700),
    cut=st.none() | st.integers(0, 148),
)
@settings(max_examples=250, deadline=None)
def test_mutated_headers_raise_named_errors_only(
    tmp_path_factory: pytest.TempPathFactory,
    base: bytes,
    changes: list[tuple[int, int]],
    payload: int,
    cut: int | None,
) -> None:
    data = bytearray(base)
    for word, value in changes:
        if 4 * word + 4 <= len(data):
            struct.pack_into("<I", data, 4 * word, value)
    read_bounded(tmp_path_factory.getbasetemp() / "fuzz.dds", bytes(data[:cut]) + bytes(payload))


@given(st.binary(max_size=300), st.booleans())
@settings(max_examples=60, deadline=None)
def test_random_bytes_raise_named_errors_only(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, magic: bool
) -> None:
    start = struct.pack("<4sI", b"DDS ", 124) if magic else b""
    read_bounded(tmp_path_factory.getbasetemp() / "fuzz.dds", start + data)


def test_real_files_read_and_write_back(shared_data: Path, tmp_path: Path) -> None:
    index = {
        entry["file"]: entry for entry in json.loads((shared_data / "textures" / "index.json").read_text())
    }
    files = sorted((shared_data / "textures").glob("*.dds"))
    assert len(files) >= 12
    for path in files:
        entry = index[path.name]
        assert hashlib.sha256(path.read_bytes()).hexdigest() == entry["sha256"]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            desc, subresources = dds.read(path)
        assert (desc.width, desc.height, desc.mip_levels) == (entry["width"], entry["height"], entry["mips"])
        assert desc.array_size == entry["faces"] * entry["layers"]
        payload = path.read_bytes()[148 if desc.format.name.startswith("BC7") else 128 :]
        assert b"".join(elements.tobytes() for elements in subresources) == payload[: desc.size_bytes]
        dds.write(tmp_path / path.name, desc, subresources)
        again, elements = dds.read(tmp_path / path.name)
        assert again == desc
        assert all(np.array_equal(have, want) for have, want in zip(elements, subresources, strict=True))
