"""Patches per thread group, the LDS they take, and the means that decide."""

import math
from typing import Any

import numpy as np
import pytest
from tessellation.scheduler_cases import group_a, make_draw, plain_draw, tiny_config

import tilelab
from tilelab.tessellation import SchedulerConfig, pixel_interpolant_bytes, simulate, threadgroup_size


def test_a_patch_that_does_not_fit_names_bytes_and_limit() -> None:
    with pytest.raises(
        ValueError, match=r"32768 LDS bytes.*got 40024 bytes a patch, 40448 when rounded up to 512"
    ):
        simulate(make_draw(in_stride=10000, out_stride=0), SchedulerConfig())
    with pytest.raises(ValueError, match="1536 LDS bytes"):
        simulate(make_draw(in_stride=500), SchedulerConfig(lds_reserved=64000))


def test_arguments_of_the_wrong_kind() -> None:
    with pytest.raises(TypeError, match="draw_call must be a DrawCall, got list"):
        threadgroup_size([group_a()], SchedulerConfig())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="config must be a SchedulerConfig, got NoneType"):
        threadgroup_size(group_a(), None)  # type: ignore[arg-type]
    isolines = make_draw(domain="isoline", factors=np.ones((3, 2)))
    with pytest.raises(tilelab.UnsupportedError, match="no inside factors, got 'inside'"):
        simulate(isolines, SchedulerConfig(factor_mean="inside"))


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


def test_a_size_shows_itself() -> None:
    size = threadgroup_size(make_draw(), SchedulerConfig(lds_compute=1000))
    assert repr(size) == (
        "ThreadgroupSize(16 patches: automatic limit of 16 patches; 4608 LDS bytes, 14 groups a CU)"
    )
    cell = size._repr_html_()
    for part in ("limit: lds_cu", "LDS bytes of a patch: outputs", "64,512"):
        assert part in cell


def test_a_pass_through_hull_shader_runs_one_thread_a_patch() -> None:
    draw = make_draw(out_control_points=32)
    groups = simulate(draw, SchedulerConfig(hs_passthrough=True)).groups
    assert set(groups["hull_waves"].tolist()) == {1}
    assert simulate(draw, SchedulerConfig()).groups["hull_waves"][0] == 4


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
