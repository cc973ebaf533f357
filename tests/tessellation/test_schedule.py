"""The ways to look at a schedule: summary, trace, notebook cell, labelled axes."""

import base64
import gzip
import io
import json
import re
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from tessellation.scheduler_cases import group_a, random_case, skewed, tiny_config

from tilelab.tessellation import SchedulerConfig, Stage, simulate
from tilelab.tessellation.schedule_picture import CELL_COLUMNS, LDS_ROWS, picture_instants, wave_image


def test_stages_have_names() -> None:
    stages = simulate(group_a(), tiny_config()).waves["stage"]
    assert [Stage(stage).name for stage in stages[[0, 1, -1]]] == ["VERTEX", "HULL", "DOMAIN"]


def test_the_chrome_trace_is_what_happened(tmp_path: Path) -> None:
    result = simulate(skewed(), SchedulerConfig(mode="off_chip"))
    for name in ("trace.json", "trace.json.gz"):
        result.save_chrome_trace(tmp_path / name)
    plain = (tmp_path / "trace.json").read_bytes()
    assert gzip.decompress((tmp_path / "trace.json.gz").read_bytes()) == plain
    trace = json.loads(plain)
    assert trace == result.chrome_trace()
    slices = defaultdict(list)
    for event in trace["traceEvents"]:
        if event["ph"] == "X":
            slices[event["pid"], event["tid"]].append((event["args"]["start"], event["args"]["end"]))
            assert event["dur"] * 853 == pytest.approx(event["args"]["end"] - event["args"]["start"])
    assert sum(map(len, slices.values())) == len(result.waves)
    for spans in slices.values():
        spans.sort()
        assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    assert max(thread for _, thread in slices) < 40
    begins = [event for event in trace["traceEvents"] if event["ph"] == "b"]
    assert len(begins) == len(result.groups)


def test_a_trace_needs_a_path() -> None:
    with pytest.raises(TypeError, match=r"path must be a str or os\.PathLike, got int"):
        simulate(group_a(), SchedulerConfig()).save_chrome_trace(3)  # type: ignore[arg-type]


def test_the_summary_names_what_matters() -> None:
    result = simulate(skewed(), SchedulerConfig(mode="off_chip"))
    text = result.summary()
    for part in (
        f"{result.makespan_cycles:,} cycles",
        "skewed",
        "2 off-chip",
        "for nothing",
        "launch stalls",
        "LDS",
    ):
        assert part in text
    assert max(len(line) for line in text.splitlines()) < 140
    assert f"{result.makespan_cycles} cycles" in repr(result)


def test_a_notebook_cell_shows_the_timeline_without_matplotlib() -> None:
    image_module = pytest.importorskip("PIL.Image")
    result = simulate(skewed(), SchedulerConfig(mode="off_chip"))
    cell = result._repr_html_()
    encoded = re.search('data:image/png;base64,([^"]+)', cell)
    assert encoded
    image = np.asarray(image_module.open(io.BytesIO(base64.b64decode(encoded[1]))))
    cu_count, slots = result.config.cu_count, result.config.wave_slots_per_cu
    assert image.shape == (cu_count * slots + cu_count - 1 + 3 + LDS_ROWS, CELL_COLUMNS, 3)
    instants = picture_instants(result, CELL_COLUMNS)
    np.testing.assert_array_equal(image[:slots], wave_image(result, instants)[:slots])
    assert (image[slots] == 255).all()  # between the CUs
    held = image[-1, :, 1] < 255
    last = result.groups["lds_release"].max()
    np.testing.assert_array_equal(held, instants < last)
    for part in ("domain off-chip", "waits for memory", "skewed", f"{result.makespan_cycles:,} cycles"):
        assert part in cell


@pytest.mark.parametrize("cu_count", [1, 40, 300])
def test_pictures_of_small_and_large_machines(cu_count: int) -> None:
    pytest.importorskip("PIL.Image")
    cell = simulate(group_a(), tiny_config(cu_count=cu_count, patches_per_threadgroup=1))._repr_html_()
    assert "<img" in cell


def test_a_schedule_without_waves_has_no_picture() -> None:
    cell = simulate([], SchedulerConfig())._repr_html_()
    assert "<img" not in cell
    assert "on-chip schedule on 12 CUs" in cell


def test_groups_cus_and_timeline_with_labelled_axes() -> None:
    pytest.importorskip("xarray")
    draws, config = random_case(5)
    result = simulate(draws, config)
    grid = result.to_xarray()
    assert grid.sizes["group"] == len(result.groups)
    assert grid.sizes["cu"] == config.cu_count
    np.testing.assert_array_equal(grid["lds_byte_cycles"], result.lds_byte_cycles)
    np.testing.assert_array_equal(grid["group_cu"], result.groups["cu"])
    np.testing.assert_array_equal(grid["hull_end"], result.groups["hull_end"])
    timeline = result.timeline()
    np.testing.assert_array_equal(grid["change_time"], timeline["time"])
    np.testing.assert_array_equal(grid["resident_off_chip_waves"], timeline["off_chip_waves"])
    own = grid.where(grid["change_cu"] == 0, drop=True)
    assert int(own["resident_lds_bytes"].max()) == result.peak_lds_bytes[0]
