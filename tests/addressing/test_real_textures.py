"""Real textures go through every swizzle mode that accepts them and come back bit for bit."""

import json
import struct
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import zstandard

import tilelab
from tilelab import addressing
from tilelab.addressing import SwizzleMode, TextureDesc, reorder_subresources
from tilelab.io import dds

Texture = tuple[str, TextureDesc, list[np.ndarray]]


def accepted_modes(desc: TextureDesc) -> list[SwizzleMode]:
    modes = []
    for mode in SwizzleMode:
        try:
            addressing.resource_layout(desc, mode, "anaconda")
        except ValueError:
            continue
        modes.append(mode)
    return modes


def assert_round_trip(
    name: str, desc: TextureDesc, subresources: list[np.ndarray], modes: list[SwizzleMode]
) -> None:
    for mode in modes:
        layout = addressing.resource_layout(desc, mode, "anaconda")
        tiled = addressing.swizzle_resource(subresources, layout)
        for have, want in zip(addressing.deswizzle_resource(tiled, layout), subresources, strict=True):
            np.testing.assert_array_equal(
                have, want.view(np.uint8).reshape(have.shape), err_msg=f"{name} {mode.name}"
            )


def of_picture(name: str, picture: np.ndarray) -> Texture:
    """A decoded picture as a texture of one mip; three channels are filled up to four."""
    if picture.ndim == 2:
        picture = picture[..., None]
    if picture.shape[2] == 3:
        picture = np.dstack([picture, np.full(picture.shape[:2], 255, np.uint8)])
    format_name = {1: "R8_UNORM", 2: "R8G8_UNORM", 4: "R8G8B8A8_UNORM"}[picture.shape[2]]
    desc = TextureDesc(width=picture.shape[1], height=picture.shape[0], format=format_name)
    return name, desc, [np.ascontiguousarray(picture)]


def cube_of_ktx2(path: Path, format_name: str) -> Texture:
    """A KTX2 cube, its levels plain or packed with zstd: each level holds all faces, mip 0 first."""
    data = path.read_bytes()
    _, _, width, height, _, _, faces, mips, scheme = struct.unpack_from("<9I", data, 12)
    assert scheme in (0, 2)
    desc = TextureDesc(
        dimension="cube",
        width=width,
        height=height,
        depth_or_array_size=faces,
        mip_levels=mips,
        format=format_name,
    )
    pieces = []
    for mip in range(mips):
        start, size, plain_size = struct.unpack_from("<3Q", data, 80 + 24 * mip)
        level = data[start : start + size]
        if scheme == 2:
            level = zstandard.ZstdDecompressor().decompress(level, max_output_size=plain_size)
        shape = desc.subresource_shape(mip)
        assert len(level) == faces * np.prod(shape)
        pieces += list(np.frombuffer(level, np.uint8).reshape(faces, *shape))
    return path.name, desc, reorder_subresources(pieces, desc, source="xbox_one")


def real_textures(folder: Path) -> Iterator[Texture]:
    image = pytest.importorskip("PIL.Image")
    for entry in json.loads((folder / "index.json").read_text()):
        path = folder / entry["file"]
        if entry["container"] == "DDS":
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                yield path.name, *dds.read(path)
        elif entry["container"] == "KTX1":
            pixels = np.frombuffer(path.read_bytes(), "<u2", 1024 * 1024, entry["data_offset"]).reshape(
                1024, 1024
            )
            yield path.name, TextureDesc(width=1024, height=1024, format="R16_UNORM"), [pixels]
        elif entry["container"] == "KTX2":
            formats = {"E5B9G9R9_UFLOAT_PACK32": "R9G9B9E5_SHAREDEXP", "BC7_SRGB_BLOCK": "BC7_UNORM_SRGB"}
            yield cube_of_ktx2(path, formats[entry["format"]])
        elif path.name == "bevy_array_texture_stack.png":
            _, _, (stack,) = of_picture(path.name, np.asarray(image.open(path)))
            desc = TextureDesc(width=250, height=250, depth_or_array_size=4, format="R8G8B8A8_UNORM")
            yield path.name, desc, list(stack.reshape(4, 250, 250, 4))
        elif entry["container"] in ("PNG", "JPEG"):
            yield of_picture(path.name, np.asarray(image.open(path)))


def test_real_textures_survive_every_mode(shared_data: Path) -> None:
    count = 0
    for name, desc, subresources in real_textures(shared_data / "textures"):
        modes = accepted_modes(desc)
        assert len(modes) >= 15, name
        assert_round_trip(name, desc, subresources, modes)
        count += 1
    assert count == 30


def test_pictures_of_the_package_survive_every_mode() -> None:
    pytest.importorskip("skimage")
    for name in tilelab.data.names():
        _, desc, subresources = of_picture(name, tilelab.data.load(name))
        assert_round_trip(name, desc, subresources, accepted_modes(desc)[::3])


def test_a_picture_as_a_volume_and_as_a_cube(rng: np.random.Generator) -> None:
    pytest.importorskip("skimage")
    picture = tilelab.data.load("coffee")[:384, :576]
    slices = np.ascontiguousarray(picture[..., 0].reshape(6, 64, 576)[:, :, :64])
    volume = TextureDesc(dimension="3d", width=64, height=64, depth_or_array_size=6, format="R8_UNORM")
    assert_round_trip("volume", volume, [slices], accepted_modes(volume))
    cube = TextureDesc(dimension="cube", width=64, height=64, format="R8_UNORM")
    assert_round_trip("cube", cube, list(slices), accepted_modes(cube))
