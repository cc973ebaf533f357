"""The scheduler against worked scenarios, closed forms, its slow twin and its own bounds."""

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tessellation.scheduler_cases import (
    domain_points,
    group_a,
    make_draw,
    plain_draw,
    random_case,
    random_draw,
    tiny_config,
)

from tilelab.reference.tessellation import scheduler as twin
from tilelab.tessellation import Schedule, SchedulerConfig, simulate

SEEDS = st.integers(0, 2**32 - 1)


def wave_counts(schedule: Schedule) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    groups = schedule.groups
    return tuple(groups[name].astype(np.int64) for name in ("vertex_waves", "hull_waves", "domain_waves"))


OFF = {"mode": "off_chip", "ds_wave_threshold": 0}
MEMORY = {"memory_bytes_per_clock": 64, "memory_latency": 5}
A = {"patches_per_threadgroup": 10}
ONE = {"patches_per_threadgroup": 1}
B = ([15.0] * 3, 40960)
# Draw call, parameters, then makespan, waves on/off-chip, bytes written/read, LDS byte-cycles, issue per CU.
SCENARIOS = {
    "A on-chip": (None, A, 80, 6, 0, 0, 0, 81920, [80, 0]),
    "A T=4 K=0": (None, {**A, **OFF}, 50, 0, 6, 640, 384, 20480, [50, 30]),
    "A T=4 K=2": (None, {**A, **OFF, "ds_wave_threshold": 2}, 50, 2, 4, 640, 256, 40960, [50, 30]),
    "A T=4 K=2 memory": (
        None,
        {**A, **OFF, **MEMORY, "ds_wave_threshold": 2},
        *(71, 2, 4, 640, 256, 40960, [50, 30]),
    ),
    "A T=4 K=0 memory": (None, {**A, **OFF, **MEMORY}, 72, 0, 6, 640, 384, 20480, [50, 30]),
    "A T=11": (None, {**A, **OFF, "tf_threshold": 11}, 80, 6, 0, 0, 0, 81920, [80, 0]),
    "A T=10, equal": (None, {**A, **OFF, "tf_threshold": 10}, 50, 0, 6, 640, 384, 20480, [50, 30]),
    "B on-chip": (B, ONE, 120, 12, 0, 0, 0, 7372800, [120, 60]),
    "B T=0 K=0": (B, {**ONE, **OFF, "tf_threshold": 0}, 100, 0, 12, 0, 0, 4096000, [100, 80]),
    "40 slots": (
        ([64.0, 28.0], 512),
        {
            "cu_count": 1,
            "simd_per_cu": 4,
            "vs_issue": 0,
            "hs_issue": 0,
            "ds_issue": 0,
            "vs_latency": 5,
            "hs_latency": 5,
            "ds_latency": 100,
            "patches_per_threadgroup": 2,
        },
        *(310, 81, 0, 0, 0, 317440, [0]),
    ),
    "no domain wave": (([0.0], 1024), ONE, 20, 0, 0, 0, 0, 20480, [20, 0]),
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_worked_scenarios(name: str) -> None:
    draw_arguments, parameters, makespan, on, off, written, read, lds, issue = SCENARIOS[name]
    draw = group_a() if draw_arguments is None else plain_draw(*draw_arguments)
    result = simulate(draw, tiny_config(**parameters))
    assert result.makespan_cycles == makespan
    assert (result.on_chip_waves, result.off_chip_waves) == (on, off)
    assert (result.bytes_written, result.bytes_read) == (written, read)
    assert int(result.lds_byte_cycles.sum()) == lds
    assert result.issue_cycles.tolist() == issue


@given(SEEDS)
@settings(max_examples=60, deadline=None)
def test_the_twin_gives_the_same_tables(seed: int) -> None:
    draws, config = random_case(seed)
    result = simulate(draws, config)
    expected = twin.simulate(draws, config, domain_points(draws))
    for name in twin.WAVE_DTYPE.names or ():
        np.testing.assert_array_equal(result.waves[name], expected["waves"][name], err_msg=name)
    assert result.makespan_cycles == expected["makespan_cycles"]
    assert result.events == expected["events"]
    groups = expected["groups"]
    same = ("cu", "launch", "hull_start", "hull_end", "lds_release", "off_chip", "lds_bytes", "bytes_written")
    stages = ("vertex_waves", "hull_waves", "on_chip_waves")
    for name in (*same, *stages):
        assert result.groups[name].tolist() == [getattr(group, name) for group in groups], name
    assert result.groups["factor_mean"].tolist() == [group.mean for group in groups]
    assert result.groups["domain_waves"].tolist() == [len(group.lanes) for group in groups]
    for reason in ("lds", "slots", "both", "gap"):
        assert result.groups["stall_" + reason].tolist() == [group.stalls[reason] for group in groups], reason


@given(SEEDS)
@settings(max_examples=20, deadline=None)
def test_one_simd_without_latency_works_through_the_issue_costs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cv, ch, cd = (int(cost) for cost in rng.integers(1, 50, 3))
    config = tiny_config(
        cu_count=1,
        vs_issue=cv,
        hs_issue=ch,
        ds_issue=cd,
        ds_grouping="threadgroup",
        lds_bytes_per_cu=int(rng.choice([33000, 65536])),
        max_lds_per_threadgroup=32768,
    )
    draw = random_draw(rng)
    result = simulate(draw, config)
    vertex, hull, domain = wave_counts(result)
    assert result.makespan_cycles == int((vertex * cv + hull * ch + domain * cd).sum())


@given(
    cus=st.integers(1, 7),
    groups=st.integers(1, 60),
    factor=st.integers(1, 40),
    costs=st.tuples(*[st.integers(1, 40)] * 3),
)
@settings(max_examples=40, deadline=None)
def test_equal_groups_on_equal_cus(cus: int, groups: int, factor: int, costs: Sequence[int]) -> None:
    cv, ch, cd = costs
    config = tiny_config(cu_count=cus, vs_issue=cv, hs_issue=ch, ds_issue=cd, patches_per_threadgroup=1)
    # 40,960 bytes each: one group at a time on a CU, so all groups take equally long.
    result = simulate(plain_draw([factor] * groups, 40960), config)
    waves = math.ceil((factor + 1) ** 2 / 64)
    assert result.makespan_cycles == math.ceil(groups / cus) * (cv + ch + waves * cd)


@given(cus=st.integers(1, 12), factor=st.integers(1, 64), costs=st.tuples(*[st.integers(1, 40)] * 3))
@settings(max_examples=40, deadline=None)
def test_one_group_alone(cus: int, factor: int, costs: Sequence[int]) -> None:
    cv, ch, cd = costs
    config = tiny_config(
        cu_count=cus, wave_slots_per_simd=80, vs_issue=cv, hs_issue=ch, ds_issue=cd, patches_per_threadgroup=1
    )
    draw = plain_draw([factor], 1024)
    waves = math.ceil((factor + 1) ** 2 / 64)
    away = simulate(draw, config.replace(mode="off_chip", tf_threshold=0, ds_wave_threshold=0))
    assert away.makespan_cycles == cv + ch + cd * math.ceil(waves / cus)
    assert int(away.lds_byte_cycles.sum()) == 1024 * (cv + ch)
    home = simulate(draw, config)
    assert home.makespan_cycles == cv + ch + cd * waves
    assert int(home.lds_byte_cycles.sum()) == 1024 * (cv + ch + cd * waves)


@given(
    slots=st.integers(1, 30),
    simds=st.integers(1, 4),
    factor=st.integers(1, 64),
    latency=st.tuples(*[st.integers(0, 99)] * 3),
)
@settings(max_examples=30, deadline=None)
def test_waves_that_only_wait_fill_the_slots(
    slots: int, simds: int, factor: int, latency: Sequence[int]
) -> None:
    lv, lh, ld = latency
    config = tiny_config(
        cu_count=1,
        simd_per_cu=simds,
        wave_slots_per_simd=slots,
        patches_per_threadgroup=1,
        vs_issue=0,
        hs_issue=0,
        ds_issue=0,
        vs_latency=lv,
        hs_latency=lh,
        ds_latency=ld,
    )
    waves = math.ceil((factor + 1) ** 2 / 64)
    result = simulate(plain_draw([factor], 512), config)
    assert result.makespan_cycles == lv + lh + ld * math.ceil(waves / (slots * simds))


@given(SEEDS)
@settings(max_examples=25, deadline=None)
def test_bytes_do_not_depend_on_timing(seed: int) -> None:
    draws, config = random_case(seed)
    result = simulate(draws, config)
    fast = simulate(draws, config.replace(cu_count=7, ds_issue=1, vs_latency=0, memory_bytes_per_clock=0))
    assert (result.bytes_written, result.bytes_read) == (fast.bytes_written, fast.bytes_read)
    groups = result.groups
    patch_bytes = np.array([draw.off_chip_patch_bytes for draw in draws])[groups["draw"]]
    expected = np.where(groups["off_chip"], groups["patches"] * patch_bytes, 0)
    np.testing.assert_array_equal(groups["bytes_written"], expected)
    assert not groups["bytes_read"][~groups["off_chip"]].any()


@given(SEEDS)
@settings(max_examples=25, deadline=None)
def test_a_threshold_above_64_is_the_on_chip_mode(seed: int) -> None:
    draws, config = random_case(seed)
    # The two modes may choose other group sizes and only one of them decides: leave both out.
    config = config.replace(offchip_block_bytes=1 << 30, hs_decide_issue=0, mode="on_chip")
    on_chip = simulate(draws, config)
    for threshold in (64.5, math.inf):
        off_chip = simulate(draws, config.replace(mode="off_chip", tf_threshold=threshold))
        np.testing.assert_array_equal(off_chip.waves, on_chip.waves)
        np.testing.assert_array_equal(off_chip.groups, on_chip.groups)
        assert off_chip.makespan_cycles == on_chip.makespan_cycles
        assert off_chip.bytes_written == off_chip.bytes_read == off_chip.off_chip_waves == 0


@given(SEEDS)
@settings(max_examples=25, deadline=None)
@pytest.mark.filterwarnings("ignore:ds_wave_threshold")
def test_a_wave_threshold_above_all_groups_only_adds_writes(seed: int) -> None:
    draws, config = random_case(seed)
    config = config.replace(
        offchip_block_bytes=1 << 30,
        hs_decide_issue=0,
        memory_bytes_per_clock=0,
        memory_latency=0,
        count_tf_ring=False,
    )
    on_chip = simulate(draws, config.replace(mode="on_chip"))
    kept = simulate(draws, config.replace(mode="off_chip", tf_threshold=0, ds_wave_threshold=10**6))
    assert kept.makespan_cycles == on_chip.makespan_cycles
    np.testing.assert_array_equal(kept.waves, on_chip.waves)
    assert kept.wasted_write_bytes == kept.bytes_written
    assert kept.bytes_written == sum(draw.patches * draw.off_chip_patch_bytes for draw in draws)


@given(SEEDS)
@settings(max_examples=15, deadline=None)
def test_extreme_thresholds(seed: int) -> None:
    draws, config = random_case(seed)
    config = config.replace(mode="off_chip", tf_threshold=0)
    everything = simulate(draws, config)
    assert everything.off_chip_groups == len(everything.groups)
    nothing_kept = simulate(draws, config.replace(ds_wave_threshold=0))
    assert nothing_kept.on_chip_waves == 0
    np.testing.assert_array_equal(nothing_kept.groups["lds_release"], nothing_kept.groups["hull_end"])


def test_every_bound_and_balance_holds_on_500_random_draws() -> None:
    for seed in range(500):
        draws, config = random_case(seed)
        result = simulate(draws, config)
        for name, bound in result.bounds.items():
            assert bound <= result.makespan_cycles, (seed, name)
        waves, (vertex, hull, domain) = result.waves, wave_counts(result)
        assert len(waves) == int((vertex + hull + domain).sum())
        assert result.on_chip_waves + result.off_chip_waves == int(domain.sum())
        decisions = int(config.mode == "off_chip") * len(result.groups) * config.hs_decide_issue
        counts = int(vertex.sum()), int(hull.sum()), int(domain.sum())
        total = sum(n * issue for n, issue in zip(counts, config.issue_by_stage, strict=True))
        assert int(result.issue_cycles.sum()) == total + decisions
        assert int(waves["end"].max()) <= result.makespan_cycles
        assert (waves["start"] <= waves["ready"]).all()
        assert (waves["ready"] <= waves["issue"]).all()
        assert (waves["issue"] <= waves["end"]).all()
        assert result.channel_busy_cycles <= result.makespan_cycles


@given(SEEDS)
@settings(max_examples=25, deadline=None)
def test_the_timeline_respects_the_machine(seed: int) -> None:
    draws, config = random_case(seed)
    result = simulate(draws, config)
    rows = result.timeline()
    resident = sum(rows[f"{kind}_waves"] for kind in ("vertex", "hull", "on_chip", "off_chip"))
    assert resident.min() >= 0
    assert resident.max() <= config.wave_slots_per_cu
    assert rows["lds_bytes"].min() >= 0
    assert rows["lds_bytes"].max() <= config.available_lds_bytes
    for cu in range(config.cu_count):
        own = rows[rows["cu"] == cu]
        held = int((own["lds_bytes"][:-1] * np.diff(own["time"])).sum())
        assert held == int(result.lds_byte_cycles[cu])
        if len(own):
            assert own[-1].tolist()[2:] == (0, 0, 0, 0, 0)
            assert int(own["lds_bytes"].max()) == int(result.peak_lds_bytes[cu])


def test_simulations_on_several_threads_give_the_same_log(threads: int) -> None:
    cases = [random_case(seed) for seed in range(40)]
    alone = [simulate(*case) for case in cases]
    with ThreadPoolExecutor(threads) as pool:
        together = list(pool.map(lambda case: simulate(*case), cases))
    for one, other in zip(alone, together, strict=True):
        assert one.waves.tobytes() == other.waves.tobytes()
        assert one.groups.tobytes() == other.groups.tobytes()


def test_times_far_beyond_the_wheel() -> None:
    draw = plain_draw([20.0] * 5, 1024)
    slow = tiny_config(
        mode="off_chip",
        ds_wave_threshold=1,
        memory_latency=10**9,
        ds_latency=10**9,
        patches_per_threadgroup=1,
    )
    result = simulate(draw, slow)
    expected = twin.simulate([draw], slow, domain_points([draw]))
    np.testing.assert_array_equal(result.waves["end"], expected["waves"]["end"])
    assert result.makespan_cycles > 3 * 10**9


def test_strict_fifo_shows_head_of_line_blocking() -> None:
    factors = np.full((64, 6), 3.0)
    factors[:16] = 40.0
    draw = make_draw(factors=factors)
    config = SchedulerConfig(cu_count=4)
    skip, strict = (simulate(draw, config.replace(ds_order=o)) for o in ("oldest_first_skip", "strict_fifo"))
    later = skip.waves["group"] > 0
    assert strict.waves["start"][later].max() > skip.waves["start"][later].max()


def test_draw_calls_run_in_a_row() -> None:
    first, second = group_a(), plain_draw([15.0] * 3, 2048)
    config = tiny_config(patches_per_threadgroup=10)
    both = simulate([first, second], config)
    assert both.groups["draw"].tolist() == [0, 1]
    assert [size.patches for size in both.threadgroup_sizes] == [10, 10]
    assert both.groups["launch"].tolist() == sorted(both.groups["launch"].tolist())
    assert both.makespan_cycles < sum(simulate(draw, config).makespan_cycles for draw in (first, second))


def test_arguments_of_the_wrong_kind() -> None:
    with pytest.raises(TypeError, match="draw_calls must be a DrawCall or a sequence of them, got int"):
        simulate(3, SchedulerConfig())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="draw_calls must hold DrawCall objects, got str"):
        simulate(["quad"], SchedulerConfig())  # type: ignore[list-item]
    with pytest.raises(TypeError, match="config must be a SchedulerConfig, got dict"):
        simulate(group_a(), {})  # type: ignore[arg-type]


def test_reads_behind_l2_are_requested_but_not_transferred() -> None:
    config = SchedulerConfig(mode="off_chip", tf_threshold=0, ds_wave_threshold=0)
    cold, warm = (simulate(make_draw(), config.replace(l2_hit=hit)) for hit in (0.0, 0.75))
    assert cold.bytes_read == warm.bytes_read
    assert cold.channel_bytes == cold.bytes_written + cold.bytes_read
    assert warm.channel_bytes < cold.channel_bytes - cold.bytes_read // 2


def test_nothing_to_draw() -> None:
    for draws in ([], plain_draw([], 512)):
        result = simulate(draws, SchedulerConfig(mode="off_chip"))
        assert (result.makespan_cycles, len(result.waves), result.imbalance, result.bound_ratio) == (
            0,
            0,
            1.0,
            1.0,
        )
        assert len(result.timeline()) == 0
        assert "0 cycles" in result.summary()


def test_the_log_cannot_be_changed() -> None:
    result = simulate(group_a(), tiny_config())
    with pytest.raises(ValueError, match="read-only"):
        result.waves["end"] = 0


@pytest.mark.slow
def test_the_twin_agrees_on_many_cases() -> None:
    for seed in range(10_000, 11_000):
        test_the_twin_gives_the_same_tables.hypothesis.inner_test(seed)
