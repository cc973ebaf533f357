"""Configuration, draw calls, group sizes, advice, and the ways to look at a schedule."""

import base64
import gzip
import io
import json
import math
import pickle
import re
import warnings
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tessellation.scheduler_cases import group_a, plain_draw, tiny_config

import tilelab
from tilelab.tessellation import (
    DrawCall,
    Partitioning,
    SchedulerConfig,
    advise,
    patch_count,
    pixel_interpolant_bytes,
    simulate,
    threadgroup_size,
)


def make_draw(**changes: Any) -> DrawCall:
    fields = {
        "domain": "quad",
        "partitioning": "integer",
        "factors": np.full((40, 6), 5.0),
        "in_control_points": 4,
        "out_control_points": 4,
        "in_stride": 32,
        "out_stride": 32,
        "patch_constant_bytes": 24,
    }
    return DrawCall(**{**fields, **changes})


def skewed() -> DrawCall:
    factors = np.full((640, 6), 3.0)
    factors[:32] = 40.0
    return make_draw(factors=factors, name="skewed")


@pytest.mark.parametrize(
    ("changes", "error", "text"),
    [
        ({"in_control_points": 0}, ValueError, "in_control_points must be in [1, 32], got 0"),
        ({"out_control_points": 33}, ValueError, "out_control_points must be in [1, 32], got 33"),
        ({"in_control_points": 4.0}, TypeError, "in_control_points must be an integer"),
        ({"in_stride": -16}, ValueError, "in_stride must be in"),
        ({"patch_constant_bytes": -1}, ValueError, "patch_constant_bytes must be in"),
        ({"factors": np.ones((3, 4))}, ValueError, "factors must have shape (..., 6)"),
        ({"factors": np.float32(1)}, ValueError, "factors must have shape"),
        ({"factors": np.ones((3, 6), complex)}, TypeError, "factors must be an array"),
        ({"domain": "hexagon"}, ValueError, "domain must be one of"),
        ({"partitioning": 1.5}, TypeError, "partitioning must be"),
        ({"name": 3}, TypeError, "name must be a string"),
    ],
)
def test_bad_draw_calls(changes: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error) as caught:
        make_draw(**changes)
    assert text in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "error", "text"),
    [
        ({"cu_count": 0}, ValueError, "cu_count must be in [1, 4096], got 0"),
        ({"simd_per_cu": 0}, ValueError, "simd_per_cu must be in"),
        ({"wave_slots_per_simd": -1}, ValueError, "wave_slots_per_simd must be in"),
        ({"vs_issue": -1}, ValueError, "vs_issue must be in"),
        ({"ds_latency": -5}, ValueError, "ds_latency must be in"),
        ({"hs_issue": 1.5}, TypeError, "hs_issue must be an integer"),
        ({"memory_bytes_per_clock": -64}, ValueError, "memory_bytes_per_clock must be in"),
        ({"tf_threshold": math.nan}, ValueError, "tf_threshold must not be NaN"),
        ({"tf_threshold": -0.5}, ValueError, "tf_threshold must be at least 0, got -0.5"),
        ({"ds_wave_threshold": -1}, ValueError, "ds_wave_threshold must be in"),
        ({"ds_duplication": 0.5}, ValueError, "ds_duplication must be at least 1"),
        ({"l2_hit": 1.5}, ValueError, "l2_hit must be at most 1"),
        ({"clock_mhz": 0}, ValueError, "clock_mhz must be at least"),
        ({"mode": "sideways"}, ValueError, "mode must be one of 'on_chip', 'off_chip', got 'sideways'"),
        ({"factor_mean": "median"}, ValueError, "factor_mean must be one of"),
        ({"count_tf_ring": 1}, TypeError, "count_tf_ring must be True or False"),
        ({"lds_reserved": 65536}, ValueError, "lds_reserved and the other LDS reserves must leave"),
        ({"lds_compute": 70000}, ValueError, "70144 bytes reserved"),
    ],
)
def test_bad_configurations(changes: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error) as caught:
        SchedulerConfig(**changes)
    assert text in str(caught.value)


def test_a_patch_that_does_not_fit_names_bytes_and_limit() -> None:
    with pytest.raises(
        ValueError, match=r"32768 LDS bytes.*got 40024 bytes a patch, 40448 when rounded up to 512"
    ):
        simulate(make_draw(in_stride=10000, out_stride=0), SchedulerConfig())
    with pytest.raises(ValueError, match="1536 LDS bytes"):
        simulate(make_draw(in_stride=500), SchedulerConfig(lds_reserved=64000))


def test_arguments_of_the_wrong_kind() -> None:
    with pytest.raises(TypeError, match="draw_calls must be a DrawCall or a sequence of them, got int"):
        simulate(3, SchedulerConfig())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="draw_calls must hold DrawCall objects, got str"):
        simulate(["quad"], SchedulerConfig())  # type: ignore[list-item]
    with pytest.raises(TypeError, match="config must be a SchedulerConfig, got dict"):
        simulate(group_a(), {})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="draw_call must be a DrawCall, got list"):
        threadgroup_size([group_a()], SchedulerConfig())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="config must be a SchedulerConfig, got NoneType"):
        threadgroup_size(group_a(), None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"path must be a str or os\.PathLike, got int"):
        simulate(group_a(), SchedulerConfig()).save_chrome_trace(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="name must be a string"):
        SchedulerConfig.preset(np.zeros(2))  # type: ignore[arg-type]
    isolines = make_draw(domain="isoline", factors=np.ones((3, 2)))
    with pytest.raises(tilelab.UnsupportedError, match="no inside factors"):
        simulate(isolines, SchedulerConfig(factor_mean="inside"))


def test_wave_thresholds_beyond_the_hardware_field_are_warned_about() -> None:
    with pytest.warns(UserWarning, match="ds_wave_threshold 16 is modelled"):
        SchedulerConfig(ds_wave_threshold=16)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SchedulerConfig(ds_wave_threshold=15)


def test_configurations_and_draw_calls_are_values() -> None:
    config = SchedulerConfig(mode="off_chip", tf_threshold=2)
    assert config == pickle.loads(pickle.dumps(config))
    assert hash(config) == hash(config.replace(cu_count=12))
    assert config != config.replace(cu_count=11)
    draw = make_draw()
    assert draw == pickle.loads(pickle.dumps(draw))
    assert hash(draw) == hash(make_draw(partitioning=Partitioning.INTEGER))
    assert draw != make_draw(factors=np.full((40, 6), 5.5))
    with pytest.raises(ValueError, match="read-only"):
        draw.factors[:] = 0
    assert make_draw(factors=np.ones((2, 3, 6))).patches == 6


def test_presets() -> None:
    one = SchedulerConfig.preset("xbox_one", mode="off_chip")
    assert (one.cu_count, one.clock_mhz, one.memory_bytes_per_clock, one.mode) == (12, 853, 80, "off_chip")
    assert SchedulerConfig.preset("xbox_one_s").clock_mhz == 914
    with pytest.raises(tilelab.UnsupportedError, match="xbox_one_x"):
        SchedulerConfig.preset("xbox_one_x")
    with pytest.raises(ValueError, match="name must be one of"):
        SchedulerConfig.preset("toaster")


def test_parameters_go_in_and_come_back() -> None:
    config = SchedulerConfig.from_parameters(
        100, 4.1, 3, "D3D12XBOX_PIPELINE_STATE_FLAG_GS_ONCHIP_TS_OFFCHIP"
    )
    assert config.mode == "off_chip"
    assert SchedulerConfig.from_parameters().mode == "on_chip"
    assert SchedulerConfig.from_parameters(pipeline_flags=["GS_OFFCHIP_TS_OFFCHIP"], cu_count=3).cu_count == 3
    used = simulate([make_draw(), make_draw(in_control_points=32)], config).parameters
    assert [one.patches_per_threadgroup for one in used] == [64, 8]
    assert used[0].tf_threshold == float(np.float32(4.1))
    assert (used[0].ds_wave_threshold, used[0].size, used[0].flags) == (3, 20, 0)
    with pytest.raises(ValueError, match="pipeline_flags must be one of"):
        SchedulerConfig.from_parameters(pipeline_flags="TS_SOMETIMES")
    for flags in (1, [2]):
        with pytest.raises(TypeError, match="pipeline_flags must "):
            SchedulerConfig.from_parameters(pipeline_flags=flags)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("draw", "config", "patches", "reason"),
    [
        ({}, {}, 16, "automatic limit"),
        ({"in_control_points": 32}, {}, 8, "256 control points"),
        ({"in_stride": 1000}, {}, 7, "32768 LDS bytes per thread group"),
        ({"in_stride": 1000}, {"lds_compute": 50000}, 3, "free LDS bytes of a CU"),
        ({"out_stride": 700}, {"mode": "off_chip", "max_lds_per_threadgroup": 65536}, 11, "off-chip block"),
        ({}, {"patches_per_threadgroup": 200}, 64, "256 control points"),
        ({}, {"patches_per_threadgroup": 5}, 5, "patches_per_threadgroup=5 as asked"),
        ({"in_control_points": 32}, {"simd_per_cu": 1, "wave_slots_per_simd": 1}, 2, "wave slots"),
    ],
)
def test_patches_per_threadgroup(
    draw: dict[str, Any], config: dict[str, Any], patches: int, reason: str
) -> None:
    size = threadgroup_size(make_draw(**draw), SchedulerConfig(**config))
    assert size.patches == patches == min(size.limits.values())
    assert reason in size.reason


def test_lds_account() -> None:
    config = SchedulerConfig(
        lds_pixel_interpolants=pixel_interpolant_bytes(6, 32),
        lds_compute=1000,
        lds_on_chip_gs=512,
        lds_reserved=100,
    )
    size = threadgroup_size(make_draw(), config)
    assert size.patch_bytes == {"inputs": 128, "outputs": 128, "constants": 24}
    assert (size.lds_bytes, size.rounding_bytes) == (4608, 4608 - 16 * 280)
    assert size.reserved_bytes == {
        "pixel_interpolants": 9216,
        "compute": 1024,
        "on_chip_gs": 512,
        "other": 100,
    }
    assert size.available_lds_bytes == 65536 - 9216 - 1024 - 512 - 100
    assert size.groups_per_cu == size.available_lds_bytes // 4608
    overlaid = threadgroup_size(make_draw(), config.replace(hs_passthrough=True))
    assert overlaid.patch_bytes["outputs"] == 0


def test_a_pass_through_hull_shader_runs_one_thread_a_patch() -> None:
    draw = make_draw(out_control_points=32)
    groups = simulate(draw, SchedulerConfig(hs_passthrough=True)).groups
    assert set(groups["hs_waves"].tolist()) == {1}
    assert simulate(draw, SchedulerConfig()).groups["hs_waves"][0] == 4


def test_the_short_last_group_may_shrink() -> None:
    draw = plain_draw([2.0] * 5, 1024)
    config = tiny_config(patches_per_threadgroup=4)
    assert simulate(draw, config).groups["lds_bytes"].tolist() == [4096, 4096]
    assert simulate(draw, config.replace(shrink_last_group=True)).groups["lds_bytes"].tolist() == [4096, 1024]


def test_means() -> None:
    factors = [[1, 2, 3, 4, 5, 9], [math.nan, -3, math.inf, 0, 8, 8]]
    draw = make_draw(factors=factors)
    expected = {
        "all": (24 + 64 + 16) / 12,
        "edge": (10 + 64) / 8,
        "inside": 30 / 4,
        "patch_max": 36.5,
        "max": 64,
    }
    for which, mean in expected.items():
        assert simulate(draw, SchedulerConfig(factor_mean=which)).groups["factor_mean"].tolist() == [mean]


def test_the_threshold_is_compared_as_float32() -> None:
    draw = make_draw(factors=np.full((16, 6), np.float32(4.1)))
    assert simulate(draw, SchedulerConfig(mode="off_chip", tf_threshold=4.1)).off_chip_groups == 1


def test_reads_behind_l2_are_requested_but_not_transferred() -> None:
    config = SchedulerConfig(mode="off_chip", tf_threshold=0, ds_wave_threshold=0)
    cold, warm = (simulate(make_draw(), config.replace(l2_hit=hit)) for hit in (0.0, 0.75))
    assert cold.bytes_read == warm.bytes_read
    assert cold.channel_bytes == cold.bytes_written + cold.bytes_read
    assert warm.channel_bytes < cold.channel_bytes - cold.bytes_read // 2


def test_patch_count() -> None:
    assert [patch_count(v, 3) for v in (0, 2, 3, 8)] == [0, 0, 1, 2]
    assert patch_count(8, 3, instances=5) == 10


def test_advice_stands_on_its_own_simulations(threads: int) -> None:
    advice = advise(skewed(), SchedulerConfig(), threads=threads)
    table = advice.table
    np.testing.assert_array_equal(table, advise(skewed(), SchedulerConfig()).table)
    for row in table[::17]:
        config = SchedulerConfig(
            mode="off_chip", tf_threshold=row["tf_threshold"], ds_wave_threshold=int(row["ds_wave_threshold"])
        )
        result = simulate(skewed(), config)
        assert result.makespan_cycles == row["makespan_cycles"]
        assert result.bytes_written + result.bytes_read == row["memory_bytes"]
        assert int(result.lds_byte_cycles.sum()) == row["lds_byte_cycles"]
    costs = np.stack([table[name] for name in ("makespan_cycles", "memory_bytes", "lds_byte_cycles")], axis=1)
    for cost, on_front in zip(costs, table["on_front"], strict=True):
        beaten = ((costs <= cost).all(axis=1) & (costs < cost).any(axis=1)).any()
        assert not (on_front and beaten)
        if not beaten:
            assert (costs[table["on_front"]] == cost).all(axis=1).sum() == 1
    assert len(advice.reasons) == len(advice.front)
    assert "fastest" in advice.reasons[0]
    assert advice.best["makespan_cycles"] <= 1.02 * table["makespan_cycles"].min()
    eager = advise(skewed(), SchedulerConfig(), time_slack=0.0)
    assert eager.best["makespan_cycles"] == table["makespan_cycles"].min()
    assert simulate(skewed(), advice.config).makespan_cycles == advice.best["makespan_cycles"]
    assert str(advice).count("\n") == len(advice.front) + 1


def test_advice_as_a_labelled_grid() -> None:
    pytest.importorskip("xarray")
    advice = advise(skewed(), SchedulerConfig(), tf_thresholds=[4, 0, 9], ds_wave_thresholds=[2, 0])
    grid = advice.to_xarray()
    assert dict(grid.sizes) == {"tf_threshold": 3, "ds_wave_threshold": 2}
    for row in advice.table:
        cell = grid.sel(tf_threshold=row["tf_threshold"], ds_wave_threshold=row["ds_wave_threshold"])
        assert int(cell["makespan_cycles"]) == row["makespan_cycles"]
        assert bool(cell["on_front"]) == row["on_front"]


def test_advice_knows_when_the_threshold_helps() -> None:
    # Few groups with large factors: spreading them must win, and low factors must stay on-chip.
    best = advise(skewed(), SchedulerConfig()).best
    assert 0 < best["off_chip_groups"] < 40
    low = advise(make_draw(factors=np.full((400, 6), 1.5)), SchedulerConfig()).front
    assert low["memory_bytes"].min() == 0


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"tf_thresholds": []}, ValueError, "tf_thresholds must not be empty"),
        ({"tf_thresholds": [-1]}, ValueError, "tf_thresholds must be at least 0"),
        ({"tf_thresholds": 4.0}, TypeError, "tf_thresholds must be a sequence, got 4.0"),
        ({"ds_wave_thresholds": [16]}, ValueError, "ds_wave_thresholds must be in [0, 15], got 16"),
        ({"time_slack": -0.1}, ValueError, "time_slack must be at least 0"),
        ({"threads": -1}, ValueError, "threads must be in"),
    ],
)
def test_bad_advice(arguments: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error) as caught:
        advise(group_a(), SchedulerConfig(), **arguments)
    assert text in str(caught.value)


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


def test_pictures_and_notebook_cells() -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    result = simulate(skewed(), SchedulerConfig(mode="off_chip"))
    ax = tilelab.plot.scheduler_timeline(result)
    image = ax.images[0].get_array()
    assert image.shape[0] == 12 * 40
    assert len(np.unique(image.reshape(-1, 3), axis=0)) > 8
    own = pyplot.figure().add_subplot()
    assert tilelab.plot.scheduler_timeline(simulate([], SchedulerConfig()), ax=own) is own
    for size in ((10, 5), (14, 6)):
        for layout in (None, "constrained"):
            figure, axes = pyplot.subplots(1, 2, figsize=size, layout=layout)
            for own in axes:
                tilelab.plot.scheduler_timeline(result, ax=own)
            figure.draw_without_rendering()
            for own in axes:  # panel, title and the LDS panel with its labels stay inside the picture
                box = own.get_tightbbox()
                assert -1 <= box.y0 < box.y1 <= figure.bbox.height + 1
    with pytest.raises(TypeError, match="schedule must be a Schedule, got NoneType"):
        tilelab.plot.scheduler_timeline(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="advice must be an Advice, got Schedule"):
        tilelab.plot.scheduler_trade_off(result)  # type: ignore[arg-type]
    advice = advise(skewed(), SchedulerConfig(), tf_thresholds=[0, 4, 65], ds_wave_thresholds=[0, 4])
    assert tilelab.plot.scheduler_trade_off(advice).get_xlabel().startswith("bytes")
    pyplot.close("all")
    cell = result._repr_html_()
    assert cell.startswith("<img")
    encoded = re.search('data:image/png;base64,([^"]+)', cell)
    assert encoded
    cu_count, slots = result.config.cu_count, result.config.wave_slots_per_cu
    assert pyplot.imread(io.BytesIO(base64.b64decode(encoded[1]))).shape[0] == cu_count * (slots + 1)
    assert all(name in cell for name in ("DS off-chip", "waits for memory", "skewed"))
    assert not pyplot.get_fignums()
