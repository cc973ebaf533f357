from pathlib import Path

import numpy as np
import pytest
from shared_frames import g_buffer_1080p

from tilelab import lighting, tour, vrs
from tilelab.frame import Frame
from tilelab.tour.lighting import LIGHTS, chapter


def run(frame: Frame, threads: int = 1) -> tuple[tour.Chapter, dict[str, str]]:
    made = chapter(tour.TourContext(frame, source="test", threads=threads))
    rows = dict(made.rows)
    assert len(rows) == len(made.rows), "labels must be unique"
    return made, rows


def check(frame: Frame) -> None:
    made, rows = run(frame, threads=2)
    assert frame.color is not None
    rates = vrs.rate_image(frame.color)
    full = lighting.GBuffer.from_frame(frame)
    coarse = lighting.coarse_gbuffer(full, rates, primitive_id=frame.primitive_id)
    exact, near = lighting.scan(coarse), lighting.scan(coarse, mode="tolerance")
    assert rows["Pixels to light"] == str(full.valid_pixels)
    assert rows["Lit pixels, exact"] == str(exact.records.size)
    assert rows["Lit pixels, within 0.025"] == str(near.records.size)
    for wave in (32, 64):
        assert rows[f"Wave loops, exact, Wave{wave}"] == str(lighting.wave_loops(exact.counts, wave).sum())
    assert rows["Pixels that differ from dense lighting, exact"] == "0"
    assert float(rows["PSNR, within 0.025 (dB)"]) > 30
    applied = vrs.count_invocations(rates, frame.shape, primitive_id=frame.primitive_id)
    assert rows["Invocations applied, mesh edges included"] == str(applied.sum())
    assert int(rows["Invocations requested by the rates"]) < int(applied.sum())
    paths = [int(value) for label, value in rows.items() if label.startswith("Tiles, path")]
    assert sum(paths) == exact.counts.size
    assert int(rows["Bytes read with fast paths"]) < int(rows["Bytes read by the scan"])
    names = [picture.name for picture in made.pictures]
    assert names == [f"lighting_{name}" for name in ("counts", "holes", "filled", "detail", "edges")]
    whole = [picture.image for picture in made.pictures if "detail" not in picture.name]
    assert all(image.shape[:2] == frame.shape for image in whole)
    counts, holes, filled, _ = whole
    assert len(np.unique(counts.reshape(-1, 3), axis=0)) > 20
    differs = (holes != filled).any(axis=2)
    np.testing.assert_array_equal(differs | (filled == 0).all(axis=2), differs | (holes == 0).all(axis=2))


def test_the_frame_that_comes_with_the_package(frame_pair: tuple[Frame, Frame]) -> None:
    check(frame_pair[0])


def test_real_frame(shared_data: Path) -> None:
    check(g_buffer_1080p(shared_data, 1))


def test_exact_lighting_of_the_shipped_frames_is_lossless(frame_pair: tuple[Frame, Frame]) -> None:
    for frame in frame_pair:
        full = lighting.GBuffer.from_frame(frame, channels=("albedo", "sh_normal", "material"))
        assert frame.color is not None
        coarse = lighting.coarse_gbuffer(full, vrs.rate_image(frame.color), primitive_id=frame.primitive_id)
        for gbuffer in (full, coarse):
            dense = lighting.light_dense(gbuffer, LIGHTS)
            for gate in (None, 0.001):
                for policy in ("checker", "first"):
                    tiles = lighting.scan(gbuffer, depth_delta=gate, policy=policy, threads=2)
                    sparse = lighting.fill(tiles, lighting.light(tiles, gbuffer, LIGHTS))
                    assert sparse.tobytes() == dense.tobytes()


def test_small_and_odd_frames(rng: np.random.Generator) -> None:
    for shape in ((1, 1), (9, 17), (33, 20)):
        frame = Frame(
            albedo=rng.random((*shape, 3), np.float32),
            sh_normal=np.broadcast_to(np.float32([0, 1, 0]), (*shape, 3)),
            depth=np.full(shape, 3, np.float32),
        )
        made, rows = run(frame)
        assert rows["Pixels to light"] == str(shape[0] * shape[1])
        assert made.pictures[2].image.shape == (*shape, 3)


@pytest.mark.parametrize("missing", ["albedo", "sh_normal", "depth"])
def test_a_frame_without_a_channel_says_so(missing: str) -> None:
    channels = {"albedo": np.ones((4, 4, 3)), "sh_normal": np.ones((4, 4, 3)), "depth": np.ones((4, 4))}
    del channels[missing]
    made, rows = run(Frame(**channels))
    assert made.intro == f"The frame has no {missing}, so there is nothing to light."
    assert not rows
    assert not made.pictures


def test_a_frame_of_sky_says_so() -> None:
    sky = Frame(albedo=np.ones((4, 4, 3)), sh_normal=np.ones((4, 4, 3)), depth=np.full((4, 4), np.inf))
    assert run(sky)[0].intro == "The frame shows only background, so there is nothing to light."
