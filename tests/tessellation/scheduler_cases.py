"""Draw calls and machines for the scheduler's tests and benchmark: the documented micro-scenarios and seeded
random ones."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tilelab.reference.tessellation import workload as twin
from tilelab.tessellation import DrawCall, SchedulerConfig, tessellation_counts

TINY_MACHINE = {
    "cu_count": 2,
    "simd_per_cu": 1,
    "wave_slots_per_simd": 10,
    "vs_issue": 10,
    "hs_issue": 10,
    "ds_issue": 10,
    "vs_latency": 0,
    "hs_latency": 0,
    "ds_latency": 0,
    "memory_bytes_per_clock": 0,
    "memory_latency": 0,
    "max_lds_per_threadgroup": 65536,
    "ds_grouping": "patch",
}


def tiny_config(**changes: Any) -> SchedulerConfig:
    """All issue costs 10, no latencies, free memory, a wave never mixes patches."""
    return SchedulerConfig(**{**TINY_MACHINE, **changes})


def make_draw(**changes: Any) -> DrawCall:
    """Quads of four control points of two vec4s, cut at integers."""
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
    """Two groups of large factors before 38 of small ones."""
    factors = np.full((640, 6), 3.0)
    factors[:32] = 40.0
    return make_draw(factors=factors, name="skewed")


def group_a() -> DrawCall:
    """One group of 10 patches: V = H = 1, D = 6, 1024 bytes of LDS, mean 10, 640 bytes written off-chip."""
    factors = np.zeros((10, 6))
    factors[:6] = [10, 10, 10, 10, 1, 1]  # 41 points each: one wave a patch
    factors[6:] = [0, 29, 29, 29, 0, 0]  # culled, but their factors count: the sum is 600 of 60 factors
    return make_draw(factors=factors, in_control_points=1, out_control_points=1, out_stride=40)


def plain_draw(factors: Sequence[float], lds_bytes: int) -> DrawCall:
    """Uniform patches of the given factors and LDS bytes that write nothing off-chip."""
    return make_draw(
        factors=np.repeat(np.array(factors, np.float32)[:, None], 6, axis=1),
        in_control_points=1,
        out_control_points=1,
        in_stride=lds_bytes,
        out_stride=0,
        patch_constant_bytes=0,
    )


def domain_points(draws: Sequence[DrawCall]) -> list[np.ndarray]:
    """Domain points of every patch, as the twin takes them."""
    return [tessellation_counts(draw.domain, draw.partitioning, draw.factors)["points"] for draw in draws]


def random_draw(rng: np.random.Generator, *, most_patches: int = 60) -> DrawCall:
    domain = str(rng.choice(["isoline", "tri", "quad"]))
    width = {"isoline": 2, "tri": 4, "quad": 6}[domain]
    patches = int(rng.integers(1, most_patches + 1))
    top = float(rng.choice([3, 8, 24]))
    factors = rng.uniform(0.0, top, (patches, width)).astype(np.float32)
    factors[rng.random(patches) < 0.1] = 0.0
    if rng.random() < 0.2:
        odd = rng.integers(0, patches, 2)
        factors[odd, rng.integers(0, width, 2)] = rng.choice([np.nan, np.inf, -1.0, 64.0], 2)
    return DrawCall(
        domain=domain,
        partitioning=str(rng.choice(["integer", "pow2", "fractional_odd", "fractional_even"])),
        factors=factors,
        in_control_points=int(rng.choice([1, 3, 4, 16, 32])),
        out_control_points=int(rng.choice([1, 3, 4, 16, 32])),
        in_stride=int(rng.choice([0, 16, 32, 64])),
        out_stride=int(rng.choice([0, 16, 48])),
        patch_constant_bytes=int(rng.choice([0, 24, 56])),
    )


def random_config(rng: np.random.Generator) -> SchedulerConfig:
    """Every parameter varies; costs are small, so that ties in time are common."""

    def cost() -> int:
        return int(rng.choice([0, 1, 2, 5, 10, 37]))

    def sometimes(value: Any, otherwise: Any, chance: float = 0.25) -> Any:
        return value if rng.random() < chance else otherwise

    return SchedulerConfig(
        mode=sometimes("on_chip", "off_chip", 0.2),
        tf_threshold=float(rng.choice([0, 1, 2.5, 4, 10])),
        ds_wave_threshold=int(rng.choice([0, 1, 2, 4, 15])),
        ds_wave_threshold_scope=sometimes("simd", "threadgroup"),
        patches_per_threadgroup=int(rng.choice([0, 0, 1, 3, 40])),
        hs_passthrough=bool(sometimes(True, False)),
        shrink_last_group=bool(sometimes(True, False)),
        factor_mean=str(rng.choice(["all", "edge", "patch_max", "max"])),
        ds_grouping=sometimes("patch", "threadgroup"),
        ds_duplication=float(sometimes(1.3, 1.0)),
        ds_order=sometimes("strict_fifo", "oldest_first_skip", 0.4),
        cu_count=int(rng.integers(1, 6)),
        simd_per_cu=int(rng.integers(1, 5)),
        wave_slots_per_simd=int(rng.choice([1, 2, 10])),
        lds_bytes_per_cu=int(rng.choice([16384, 65536])),
        max_lds_per_threadgroup=int(rng.choice([8192, 32768])),
        lds_granularity=int(rng.choice([256, 512])),
        lds_reserved=int(sometimes(3000, 0)),
        lds_compute=int(sometimes(700, 0)),
        vs_issue=cost(),
        vs_latency=cost(),
        hs_issue=cost(),
        hs_latency=cost(),
        ds_issue=cost(),
        ds_latency=cost(),
        hs_decide_issue=int(sometimes(7, 0)),
        tg_launch_gap=int(sometimes(9, 0)),
        tess_points_per_clock=int(sometimes(3, 0)),
        shader_engines=int(rng.integers(1, 4)),
        count_tf_ring=bool(sometimes(True, False)),
        memory_bytes_per_clock=int(rng.choice([0, 4, 64])),
        memory_latency=int(rng.choice([0, 5, 3000])),
        l2_hit=float(sometimes(0.3, 0.0)),
    )


def random_case(seed: int) -> tuple[list[DrawCall], SchedulerConfig]:
    """Draw calls and a machine they fit; a seed whose patches do not fit moves on to the next draw."""
    rng = np.random.default_rng(seed)
    while True:
        draws = [random_draw(rng) for _ in range(rng.integers(1, 4))]
        config = random_config(rng)
        if all(_patch_fits(draw, config) for draw in draws):
            return draws, config


def _patch_fits(draw: DrawCall, config: SchedulerConfig) -> bool:
    size = twin.patch_lds_bytes(draw, config)
    rounded = twin.group_lds_bytes(1, draw, config)
    return size <= config.max_lds_per_threadgroup and rounded <= twin.available_lds(config)
