from pathlib import Path

import numpy as np
import pytest
from shared_frames import g_buffer_1080p, g_buffer_2160p

from tilelab import data, metrics, tour, vrs
from tilelab.frame import Frame
from tilelab.tour.vrs import chapter


def run(frame: Frame, previous: Frame | None = None, threads: int = 1) -> tuple[tour.Chapter, dict[str, str]]:
    made = chapter(tour.TourContext(frame, previous, source="test", threads=threads))
    rows = dict(made.rows)
    assert len(rows) == len(made.rows), "labels must be unique"
    return made, rows


def noise(rng: np.random.Generator, height: int, width: int) -> np.ndarray:
    return rng.random((height, width, 3), dtype=np.float32)


def test_flat_frame_runs_once_for_four_pixels() -> None:
    _, rows = run(Frame(color=np.full((16, 24, 3), 0.5, np.float32)))
    assert rows["Resolution"] == "24x16"
    assert rows["Tiles"] == rows["Tiles 2x2"] == "6"
    assert rows["Invocations"] == "96"
    assert rows["Ratio"] == "0.2500"
    assert rows["PSNR (dB)"] == "inf"
    assert rows["Max error"] == "0.0000"


def test_noise_keeps_every_pixel(rng: np.random.Generator) -> None:
    _, rows = run(Frame(color=noise(rng, 23, 12)))
    assert rows["Tiles 1x1"] == rows["Tiles"] == "6"
    assert rows["Invocations"] == str(23 * 12)
    assert rows["Ratio"] == "1.0000"
    assert rows["PSNR (dB)"] == "inf"


def test_rows_are_what_the_areas_say() -> None:
    frame, previous = data.stereo_pair()
    made, rows = run(frame, previous)
    rates = vrs.rate_image(previous.color, motion=frame.motion)
    coarse = vrs.shade_coarse(frame.color, rates)
    assert [rows[f"Tiles {name}"] for name in ("1x1", "2x1", "1x2", "2x2")] == [
        str(np.count_nonzero(rates == code)) for code in (0, 4, 1, 5)
    ]
    assert rows["Invocations"] == str(coarse.invocations.sum())
    assert rows["PSNR (dB)"] == f"{metrics.psnr(coarse.image, frame.color):.2f}"
    parts = ("predicted exactly", "predicted finer than needed", "predicted too coarse")
    assert sum(int(rows[f"Tiles {part}"]) for part in parts) == int(rows["Tiles"])
    assert [picture.name for picture in made.pictures] == [
        "vrs_frame",
        "vrs_rates",
        "vrs_error",
        "vrs_detail",
    ]
    assert all(picture.image.shape[:2] == frame.shape for picture in made.pictures[:3])


def test_intro_says_what_the_rates_come_from(rng: np.random.Generator) -> None:
    color, motion = noise(rng, 16, 16), np.zeros((16, 16, 2), np.float32)
    still, moving = Frame(color=color), Frame(color=color, motion=motion)
    assert "along the motion vectors" in run(moving, still)[0].intro
    assert "has no motion vectors" in run(still, still)[0].intro
    assert "no previous frame was given" in run(moving)[0].intro
    assert "no previous frame was given" in run(moving, Frame(depth=np.ones((16, 16), np.float32)))[0].intro
    made, rows = run(Frame(depth=np.ones((16, 16), np.float32)))
    assert "has no colour" in made.intro
    assert rows == {}
    assert made.pictures == ()


def test_mesh_edges_cost_invocations_and_background_costs_none() -> None:
    ids = np.zeros((16, 16), np.int32)
    ids[:, 1::2] = 1
    ids[8:] = -1
    _, rows = run(Frame(color=np.full((16, 16, 3), 0.5, np.float32), primitive_id=ids))
    assert rows["Pixels covered"] == "128"
    assert rows["Invocations without mesh edges"] == "32"
    assert rows["Invocations"] == "64"
    assert rows["Ratio"] == "0.5000"


def test_frame_without_any_covered_pixel() -> None:
    frame = Frame(color=np.full((8, 8, 3), 0.5, np.float32), primitive_id=np.full((8, 8), -1, np.int32))
    _, rows = run(frame)
    assert rows["Invocations"] == "0"
    assert rows["Ratio"] == "0.0000"


@pytest.mark.parametrize("size", [(1, 1), (1, 33), (9, 2), (200, 3)])
def test_odd_sizes(size: tuple[int, int], rng: np.random.Generator) -> None:
    made, _ = run(Frame(color=noise(rng, *size)))
    assert made.pictures[0].image.shape[:2] == size


def test_alpha_and_values_out_of_range_are_shown(rng: np.random.Generator) -> None:
    color = rng.normal(size=(20, 20, 4)).astype(np.float32) * 4
    color[3, 3, 0], color[4, 4, 1] = np.nan, np.inf
    made, _ = run(Frame(color=color))
    assert len(made.pictures) == 4


def test_threads_change_nothing(threads: int) -> None:
    frame, previous = data.stereo_pair()
    assert run(frame, previous, threads)[0].rows == run(frame, previous)[0].rows


def test_real_g_buffer(shared_data: Path) -> None:
    frame, previous = g_buffer_1080p(shared_data, 1), g_buffer_1080p(shared_data, 0)
    _, rows = run(frame, previous, threads=0)
    assert rows["Resolution"] == "1920x1080"
    assert float(rows["Ratio without mesh edges"]) < float(rows["Ratio"]) < 1
    assert float(rows["PSNR (dB)"]) > 30
    assert int(rows["Tiles predicted exactly"]) > 0.8 * int(rows["Tiles"])


@pytest.mark.slow
def test_real_g_buffer_at_4k(shared_data: Path) -> None:
    _, rows = run(g_buffer_2160p(shared_data), threads=0)
    assert rows["Resolution"] == "3840x2160"
    assert float(rows["Ratio without mesh edges"]) < float(rows["Ratio"]) < 1


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_values_that_are_not_finite_are_counted(value: float) -> None:
    color = np.repeat(np.linspace(0.2, 0.8, 64, dtype=np.float32)[None, :, None], 48, 0).repeat(3, 2).copy()
    color[20, 30] = value
    _, rows = run(Frame(color=color))
    assert rows["Values not finite, left out of the errors"] == "3"
    assert np.isfinite(float(rows["Max error"]))
    assert not np.isnan(float(rows["PSNR (dB)"]))
