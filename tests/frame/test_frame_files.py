"""Frame.load and Frame.save: same bits back, and no trust in what a file says about itself."""

import contextlib
import io
import os
import stat
import struct
import zipfile

import numpy as np
import pytest

from tilelab.frame import CHANNELS, Frame

FORMATS = ["npz", "exr"]


@pytest.fixture(params=FORMATS)
def ending(request):
    if request.param == "exr":
        pytest.importorskip("OpenEXR")
    return request.param


def full_frame(rng, height=9, width=13):
    channels = {}
    for name, rule in CHANNELS.items():
        shape = (height, width) if rule.components == (0,) else (height, width, rule.components[-1])
        if rule.dtype is np.int32:
            channels[name] = rng.integers(-1, 2**31, shape).astype(np.int32)
        else:
            # every kind of float32: NaN payloads, infinities, subnormals, both zeros
            channels[name] = rng.integers(0, 2**32, shape, dtype=np.uint32).view(np.float32)
    return Frame(**channels, origin="déjà vu")


def npy_bytes(array, header=None):
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, allow_pickle=True)
    data = buffer.getvalue()
    if header is not None:
        text = header.encode("latin1")
        payload = data[10 + struct.unpack("<H", data[8:10])[0] :]
        data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + payload
    return data


def write_zip(path, entries, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)


@pytest.mark.parametrize("size", [(1, 1), (9, 13), (33, 2)])
def test_round_trip_keeps_every_bit(tmp_path, rng, ending, size):
    frame = full_frame(rng, *size)
    path = tmp_path / f"frame.{ending}"
    frame.save(path)
    assert Frame.load(path) == frame
    assert Frame.load(str(path), channels=["depth", "material"]) == Frame(
        depth=frame.depth, material=frame.material, origin=frame.origin
    )
    assert os.listdir(tmp_path) == [f"frame.{ending}"]


@pytest.mark.parametrize("name", CHANNELS)
def test_each_channel_alone(tmp_path, rng, ending, name):
    frame = Frame(**{name: full_frame(rng).channels[name]})
    path = tmp_path / f"FRAME.{ending.upper()}"
    frame.save(path)
    assert Frame.load(path) == frame


def test_save_replaces_only_when_complete(tmp_path, rng, ending, monkeypatch):
    path = tmp_path / f"frame.{ending}"
    first, second = full_frame(rng), full_frame(rng)
    first.save(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~_umask()

    def fail(*args):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        second.save(path)
    monkeypatch.undo()
    assert os.listdir(tmp_path) == [path.name]
    assert Frame.load(path) == first
    second.save(path)
    assert Frame.load(path) == second


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_save_where_nothing_can_be_written(tmp_path, rng, ending):
    with pytest.raises(FileNotFoundError, match="path must be in an existing folder"):
        full_frame(rng).save(tmp_path / "no folder" / f"frame.{ending}")
    folder = tmp_path / f"folder.{ending}"
    folder.mkdir()
    with pytest.raises(OSError, match="path must name a file, got the folder"):
        full_frame(rng).save(folder)
    assert os.listdir(tmp_path) == [folder.name]


def test_missing_file_and_unknown_ending(tmp_path, rng, ending):
    with pytest.raises(FileNotFoundError):
        Frame.load(tmp_path / f"none.{ending}")
    with pytest.raises(ValueError, match=r"path must end in .npz or .exr, got .*frame.png"):
        Frame.load(tmp_path / "frame.png")
    with pytest.raises(ValueError, match=r"path must end in .npz or .exr"):
        full_frame(rng).save(tmp_path / "frame")
    with pytest.raises(TypeError, match=r"path must be a str or os.PathLike, got int"):
        Frame.load(3)


def test_bad_selections(tmp_path, rng, ending):
    path = tmp_path / f"frame.{ending}"
    Frame(depth=np.ones((2, 2), np.float32)).save(path)
    with pytest.raises(ValueError, match="path must hold the channel 'uv'"):
        Frame.load(path, channels=["uv"])
    with pytest.raises(ValueError, match=r"channels must be of color.*got 'colour'"):
        Frame.load(path, channels=["colour"])
    with pytest.raises(TypeError, match="channels must be a sequence, got 3"):
        Frame.load(path, channels=3)
    with pytest.raises(TypeError, match="channels must hold names, got 3"):
        Frame.load(path, channels=[3])
    with pytest.raises(ValueError, match="channels must name at least one channel"):
        Frame.load(path, channels=[])
    with pytest.raises(ValueError, match="at most max_bytes = 8 bytes, got 16"):
        Frame.load(path, max_bytes=8)
    with pytest.raises(ValueError, match="max_bytes must be at least 1, got 0"):
        Frame.load(path, max_bytes=0)


def test_every_truncation_is_refused(tmp_path, rng, ending, capfd):
    path = tmp_path / f"frame.{ending}"
    full_frame(rng).save(path)
    data = path.read_bytes()
    for length in [*range(0, len(data), max(len(data) // 40, 1)), len(data) - 1]:
        path.write_bytes(data[:length])
        with pytest.raises(ValueError, match="path must be a complete"):
            Frame.load(path)
    capfd.readouterr()  # the OpenEXR library reports damage on stderr as well


def test_damage_never_escapes_as_another_error(tmp_path, rng, ending, capfd):
    path = tmp_path / f"frame.{ending}"
    full_frame(rng, 4, 4).save(path)
    data = path.read_bytes()
    for _ in range(150):
        damaged = bytearray(data)
        for position in rng.integers(0, len(data), 3):
            damaged[position] = rng.integers(0, 256)
        path.write_bytes(damaged)
        with contextlib.suppress(ValueError, OSError):
            Frame.load(path)
    capfd.readouterr()


HEADER = "{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }\n"
ONES = np.ones((2, 2), np.float32)


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"depth.npy": npy_bytes(ONES, HEADER % "4000, 4000")}, "depth must have the size its header says"),
        ({"depth.npy": npy_bytes(ONES, HEADER % "2, 1")}, "depth must have the size its header says"),
        ({"depth.npy": npy_bytes(ONES, HEADER % "99999, 99999")}, "depth must have sides of 1..16384"),
        ({"depth.npy": npy_bytes(ONES, HEADER % "-2, -2")}, "depth must have sides of 1..16384"),
        ({"depth.npy": npy_bytes(ONES, HEADER % "0, 4")}, "depth must have sides of 1..16384"),
        ({"depth.npy": npy_bytes(ONES, "{'descr': '<f4'}\n")}, "path must hold .npy arrays, got 'depth'"),
        ({"depth.npy": npy_bytes(ONES, "__import__('os')\n")}, "path must hold .npy arrays, got 'depth'"),
        ({"depth.npy": npy_bytes(np.array([[{}]], object))}, "depth must be a numeric"),
        ({"depth.npy": npy_bytes(np.array([["a"]]))}, "depth must be a numeric"),
        ({"depth.npy": b"\x93NUMPY\x07\x00 nothing"}, "path must hold .npy arrays, got 'depth'"),
        ({"depth.npy": b""}, "path must hold .npy arrays, got 'depth'"),
        (
            {"depth.npy": npy_bytes(ONES.astype(np.int32))},
            "path must hold a valid frame.*depth must be an array of float32",
        ),
        (
            {"depth.npy": npy_bytes(ONES), "uv.npy": npy_bytes(np.zeros((2, 3, 2), "f4"))},
            "uv must have the height",
        ),
        (
            {"depth.npy": npy_bytes(ONES), "picture.npy": npy_bytes(ONES)},
            "only frame channels .*got 'picture.npy'",
        ),
        ({"depth": npy_bytes(ONES)}, "only frame channels .*got 'depth'"),
        ({"origin.npy": npy_bytes(np.array("alone"))}, "at least one channel"),
        (
            {"depth.npy": npy_bytes(ONES), "origin.npy": npy_bytes(np.ones(3))},
            "origin must be one short text",
        ),
        ({}, "at least one channel"),
    ],
)
def test_lying_npz_is_refused(tmp_path, entries, message):
    path = tmp_path / "frame.npz"
    write_zip(path, entries)
    with pytest.raises(ValueError, match=message):
        Frame.load(path)


def test_npz_zip_bomb_takes_no_memory(tmp_path):
    side = 16384
    path = tmp_path / "bomb.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("depth.npy", npy_bytes(ONES, HEADER % f"{side}, {side}"))
    data = bytearray(path.read_bytes())
    # the central directory now claims the size the header wants
    at = data.rindex(b"PK\x01\x02")
    header_bytes = 10 + len(HEADER % f"{side}, {side}")
    data[at + 24 : at + 28] = struct.pack("<I", header_bytes + side * side * 4)
    path.write_bytes(data)
    with pytest.raises(ValueError, match="path must be able to hold what it declares"):
        Frame.load(path)


def test_npz_methods_other_than_deflate_are_refused(tmp_path):
    path = tmp_path / "frame.npz"
    write_zip(path, {"depth.npy": npy_bytes(ONES)}, zipfile.ZIP_LZMA)
    with pytest.raises(ValueError, match="path must be stored or deflated, got method 14"):
        Frame.load(path)


def test_npz_with_a_channel_twice_is_refused(tmp_path):
    path = tmp_path / "frame.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("depth.npy", npy_bytes(ONES))
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("depth.npy", npy_bytes(ONES))
    with pytest.raises(ValueError, match="path must hold each channel once, got 'depth' twice"):
        Frame.load(path)


def test_npz_is_plain_and_the_same_every_time(tmp_path, rng):
    frame = full_frame(rng)
    for name in ("one.npz", "two.npz"):
        frame.save(tmp_path / name)
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    with np.load(tmp_path / "one.npz") as archive:  # NumPy reads it without this package
        np.testing.assert_array_equal(archive["uv"].view(np.uint32), frame.uv.view(np.uint32))


def test_npz_made_by_numpy_itself(tmp_path):
    path = tmp_path / "frame.npz"
    depth = np.arange(6, dtype=">f8").reshape(3, 2).T
    np.savez(path, depth=depth, material=np.ones((2, 3), ">i2"))
    frame = Frame.load(path)
    assert frame.depth.tolist() == depth.tolist()
    assert frame.material.tolist() == [[1, 1, 1]] * 2
    assert frame.depth.dtype == np.float32
    assert frame.depth.dtype.isnative


def _write_exr(path, planes, header=None):
    exr = pytest.importorskip("OpenEXR")
    exr.File({"compression": exr.ZIP_COMPRESSION, "type": exr.scanlineimage, **(header or {})}, planes).write(
        str(path)
    )


def test_exr_of_another_renderer(tmp_path, rng):
    path = tmp_path / "frame.exr"
    plane = rng.random((4, 6)).astype(np.float16)
    window = (np.array([10, 20], np.int32), np.array([15, 23], np.int32))
    _write_exr(path, {"R": plane, "G": plane, "B": plane, "AO": plane}, {"dataWindow": window})
    with pytest.raises(ValueError, match="path must hold only frame channels, got AO"):
        Frame.load(path)
    frame = Frame.load(path, channels=["color"])
    np.testing.assert_array_equal(frame.color[..., 1], plane.astype(np.float32))


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["N.X", "N.Y"], "sh_normal must have the channels N.X, N.Y, N.Z, got"),
        (["color.R", "color.B"], "color must have the channels color.R"),
        (["uv.V"], "uv must have the channels uv.U, uv.V"),
        (["primitive_id"], "primitive_id must be UINT, got float32"),
        (["Depth.Z"], "path must hold only frame channels, got Depth.Z"),
    ],
)
def test_incomplete_exr_is_refused(tmp_path, names, message):
    path = tmp_path / "frame.exr"
    _write_exr(path, {name: np.ones((4, 6), np.float32) for name in names})
    with pytest.raises(ValueError, match=message):
        Frame.load(path)


def test_exr_with_float_ids_or_integer_depth(tmp_path):
    path = tmp_path / "frame.exr"
    _write_exr(path, {"Z": np.ones((4, 6), np.uint32)})
    with pytest.raises(ValueError, match="Z must be FLOAT or HALF, got uint32"):
        Frame.load(path)


@pytest.mark.parametrize(
    ("right", "bottom", "message"),
    [
        (16383, 16383, "path must be able to hold what it declares"),
        (20000, 5, "path must have sides of 1..16384"),
        (-5, 5, "path must"),
        (7, 900, "path must be a complete"),
    ],
)
def test_lying_exr_window_takes_no_memory(tmp_path, right, bottom, message, capfd):
    path = tmp_path / "frame.exr"
    _write_exr(path, {"Z": np.ones((4, 6), np.float32)})
    data = path.read_bytes()
    at = data.index(b"dataWindow\0box2i\0") + len(b"dataWindow\0box2i\0") + 4
    path.write_bytes(data[:at] + struct.pack("<4i", 0, 0, right, bottom) + data[at + 16 :])
    with pytest.raises(ValueError, match=message):
        Frame.load(path)
    capfd.readouterr()


def test_exr_with_several_parts_is_refused(tmp_path):
    exr = pytest.importorskip("OpenEXR")
    path = tmp_path / "frame.exr"
    parts = [exr.Part({"name": name}, {"Z": np.ones((4, 6), np.float32)}) for name in ("left", "right")]
    exr.File(parts).write(str(path))
    with pytest.raises(ValueError, match=r"path must be a complete single-part .exr file, got 2"):
        Frame.load(path)


def test_colours_of_bytes_come_back_as_bytes(tmp_path, rng, ending):
    codes = rng.integers(0, 256, (5, 7, 4)).astype(np.uint8)
    frame = Frame(color=codes, albedo=codes[..., :3], depth=np.ones((5, 7), np.float32))
    path = tmp_path / f"bytes.{ending}"
    frame.save(path)
    assert Frame.load(path) == frame


def test_exr_codes_above_8_bits_are_refused(tmp_path):
    exr = pytest.importorskip("OpenEXR")
    path = str(tmp_path / "wide.exr")
    planes = {f"color.{part}": np.full((2, 3), 256, np.uint32) for part in "RGB"}
    exr.File({"compression": exr.ZIP_COMPRESSION, "type": exr.scanlineimage}, planes).write(path)
    with pytest.raises(ValueError, match=r"color.R must hold codes of 8 bits where it is UINT, got 256"):
        Frame.load(path)
