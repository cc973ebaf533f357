"""Workloads: the built-in terrain and factor files."""

from pathlib import Path

import numpy as np
import pytest
from tessellation.scheduler_cases import make_draw

import tilelab
from tilelab.frame import Frame
from tilelab.tessellation import (
    SchedulerConfig,
    load_factors,
    simulate,
    terrain_draw_call,
    terrain_factors,
)
from tilelab.tour import TourContext
from tilelab.tour import tessellation as chapter_module


@pytest.mark.parametrize("camera", [0, 1, 2])
def test_terrain_factors_are_what_a_terrain_gives(camera: int) -> None:
    factors = terrain_factors(64, camera=camera)
    grid = factors.reshape(64, 64, 6)
    seen = factors[:, 0] > 0
    assert 0.2 < seen.mean() < 1.0
    assert (factors[~seen] == 0).all()
    assert factors[seen].min() >= 1
    assert factors[seen].max() <= 64
    # Neighbours in view agree on their common edge, so the surface has no cracks.
    both = seen.reshape(64, 64)[:, :-1] & seen.reshape(64, 64)[:, 1:]
    np.testing.assert_array_equal(grid[:, :-1, 2][both], grid[:, 1:, 0][both])
    both = seen.reshape(64, 64)[:-1] & seen.reshape(64, 64)[1:]
    np.testing.assert_array_equal(grid[:-1, :, 3][both], grid[1:, :, 1][both])


def test_the_draw_call_of_a_terrain_has_its_factors() -> None:
    draw = terrain_draw_call(8, camera=2, target_edge_pixels=4.0)
    wanted = terrain_factors(8, camera=2, target_edge_pixels=4.0)
    np.testing.assert_array_equal(draw.factors, wanted)


def test_finer_targets_give_larger_factors() -> None:
    fine, coarse = (terrain_factors(16, target_edge_pixels=pixels) for pixels in (4.0, 16.0))
    assert (fine >= coarse).all()
    assert fine.mean() > 1.5 * coarse.mean()
    for arguments in ({"patches": 0}, {"camera": 3}, {"target_edge_pixels": 0.0}):
        with pytest.raises(ValueError, match="must be"):
            terrain_factors(**arguments)


def test_factor_files(tmp_path: Path) -> None:
    path = tmp_path / "factors.npz"
    np.savez(path, edge_1=np.full((3, 4), 2.0), inside_1=np.full((3, 2), 3.0))
    assert load_factors(path, camera=1).tolist() == [[2, 2, 2, 2, 3, 3]] * 3
    with pytest.raises(ValueError, match=r"camera must be .* got 0 \(no edge_0"):
        load_factors(path)
    with pytest.raises(TypeError, match=r"path must be a str or os\.PathLike, got NoneType"):
        load_factors(None)  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        load_factors(tmp_path / "absent.npz")
    np.savez(path, edge_0=np.ones((3, 4)), inside_0=np.ones(3))
    with pytest.raises(ValueError, match="path must hold edge factors"):
        load_factors(path)
    np.save(tmp_path / "one.npy", np.ones(3))
    with pytest.raises(ValueError, match="path must be an"):
        load_factors(tmp_path / "one.npy")
    for content in (b"", b"no archive", path.read_bytes()[:100]):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="path must be an"):
            load_factors(path)


@pytest.mark.parametrize("camera", [0, 1, 2])
def test_real_workloads(shared_data: Path, camera: int) -> None:
    for name, patches in (("terrain_quad_128", 16384), ("helmet_tri", 94722)):
        factors = load_factors(shared_data / "tess" / f"{name}.npz", camera=camera)
        shape = {"domain": "quad"} if factors.shape[1] == 6 else {"domain": "tri", "in_control_points": 3}
        draw = make_draw(factors=factors, partitioning="fractional_odd", out_control_points=3, **shape)
        assert draw.patches == patches
        result = simulate(draw, SchedulerConfig(mode="off_chip"))
        assert result.best_bound <= result.makespan_cycles < 2 * result.best_bound


def test_the_chapter_tells_one_story(
    monkeypatch: pytest.MonkeyPatch, frame_pair: tuple[Frame, Frame]
) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(chapter_module, "_SIDE", 32)
    chapter = chapter_module.chapter(TourContext(frame_pair[0], source="test"))
    rows = dict(chapter.rows)
    assert rows["Patches"] == "1024"
    assert all(value.replace(".", "").isdigit() or value == "inf" for value in rows.values())
    for name in ("on-chip", "advised"):
        assert int(rows[f"Lower bound {name} (cycles)"]) <= int(rows[f"Time {name} (cycles)"])
    assert rows["Memory traffic on-chip (bytes)"] == "0"
    assert len({picture.name for picture in chapter.pictures}) == 4


def test_the_explorer_follows_its_sliders() -> None:
    pytest.importorskip("matplotlib")
    pytest.importorskip("ipywidgets")
    draw = terrain_draw_call(16)
    box = tilelab.plot.scheduler_explorer(draw, SchedulerConfig())
    factor, waves = box.children[0].children
    before = box.children[1].value
    assert "data:image/png" in before
    factor.value, waves.value = 0.0, 0
    assert box.children[1].value != before
    assert "TfThreshold" in factor.description
