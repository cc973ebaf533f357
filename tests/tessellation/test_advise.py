"""The thresholds advised: the front stands on its own simulations."""

from typing import Any

import numpy as np
import pytest
from tessellation.scheduler_cases import group_a, make_draw, skewed

from tilelab.tessellation import SchedulerConfig, advise, simulate


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


def test_advice_shows_itself() -> None:
    advice = advise(skewed(), SchedulerConfig(), tf_thresholds=[0, 4, 65], ds_wave_thresholds=[0, 4])
    assert repr(advice) == (
        "Advice(4 of 6 pairs on the front, recommended TfThreshold 4, DsWaveThreshold 0: 14900 cycles)"
    )
    cell = advice._repr_html_()
    assert cell.count("<tr>") == len(advice.front) + 8
    assert all(reason in cell for reason in advice.reasons)


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
