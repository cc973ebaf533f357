"""Wave loops and the modelled cost of both ways; test_golden.py has the loops of every count."""

from typing import Any

import numpy as np
import pytest
from lighting_frames import duplicated_ids, ids_alone

from tilelab import lighting


def test_cost_follows_its_formula(rng: np.random.Generator) -> None:
    shape = (48, 80)
    ids = duplicated_ids(shape, rng, most=2)
    valid = np.ones(shape, bool)
    valid[16:32, 32:48] = False
    tiles = lighting.scan(ids_alone(ids, valid))
    lights = rng.integers(0, 50, tiles.counts.shape)
    costs: dict[str, Any] = {
        "wave_size": 32,
        "loop_cost": 7.0,
        "light_cost": 3.0,
        "scan_cost": 0.5,
        "store_cost": 0.125,
    }
    cost = lighting.lighting_cost(tiles, lights=lights, **costs)
    loops = -(-tiles.counts.astype(int) // 32)
    assert cost.dense == (8 * (7.0 + 3.0 * lights))[tiles.counts > 0].sum()
    assert cost.light == (loops * (7.0 + 3.0 * lights)).sum()
    assert cost.scan == 0.5 * 48 * 80
    assert cost.store == 0.125 * (valid.sum() - tiles.records.size)
    assert (cost.dense_loops, cost.sparse_loops) == (8 * 14, loops.sum())
    assert cost.gross_saving > cost.net_saving
    even = lighting.lighting_cost(tiles, lights=cost.break_even_lights, **costs)
    if cost.break_even_lights:
        assert even.net_saving == pytest.approx(0.0, abs=1e-12)
    free = lighting.lighting_cost(
        lighting.scan(ids_alone(ids), rates=np.zeros((6, 10), np.uint8), fast_paths="full_rate")
    )
    assert free.scan == 0
    assert free.break_even_lights == np.inf
    assert free.net_saving == 0


def test_cost_shows_itself_in_one_line() -> None:
    cost = lighting.lighting_cost(lighting.scan(ids_alone(np.zeros((64, 64), np.uint32))), lights=32)
    assert repr(cost) == f"LightingCost(dense 47360, sparse {cost.sparse:.6g}: 69.1% saved)"
    page = cost._repr_html_()
    assert "modelled" in page
    assert "<td style='text-align:left'>loops, sparse</td><td style='text-align:right'>16</td>" in page
    assert "69.1%</td>" in page
