"""Tessellation scheduler: the engine against its Python twin, and a whole `simulate` call.

100,000 thread groups of 16 patches on 12 CUs, one thread. The twin runs a small workload of the same kind (it
would need minutes for all) and is compared by events per second, after its log was found equal to the
engine's. The ratio to a binary heap as event queue is measured in C++ (cpp/benchmarks/bench_scheduler.cpp).
"""

import argparse
import statistics
import sys
import time
from pathlib import Path

import numpy as np

from tilelab.reference.tessellation import scheduler as twin
from tilelab.reference.tessellation.workload import make_groups
from tilelab.tessellation import DrawCall, SchedulerConfig, simulate
from tilelab.tessellation.scheduler import run
from tilelab.tessellation.workload import make_workload

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tessellation.scheduler_cases import domain_points, make_draw

PATCHES_PER_GROUP = 16
CONFIGS = {
    "on-chip": SchedulerConfig(),
    "off-chip T=4 K=4": SchedulerConfig(mode="off_chip"),
    "off-chip T=0 K=0": SchedulerConfig(mode="off_chip", tf_threshold=0, ds_wave_threshold=0),
    "off-chip strict": SchedulerConfig(mode="off_chip", ds_order="strict_fifo"),
}
AIM_TWIN = 30.0  # times the twin's events per second
AIM_EVENTS = 20.0  # million events a second, for orientation


def workload(groups: int) -> DrawCall:
    """Uniform factors 1 to 11, drawn patch by patch: 1 to 36 waves a group."""
    rng = np.random.default_rng(1)
    factors = np.repeat(rng.integers(1, 12, (groups * PATCHES_PER_GROUP, 1)), 6, axis=1).astype(np.float32)
    return make_draw(factors=factors)


def check_and_time_twin(config: SchedulerConfig, groups: int) -> float:
    """Compare the twin's log with the engine's, then give its events per second."""
    draw = workload(groups)
    simulator = twin.Simulator(make_groups([draw], config, domain_points([draw])), config)
    start = time.thread_time()
    simulator.run()
    seconds = time.thread_time() - start
    expected, result = twin.wave_table(simulator), simulate(draw, config)
    for name in twin.WAVE_DTYPE.names or ():
        if not np.array_equal(expected[name], result.waves[name]):
            raise SystemExit(f"the engine and the twin differ in {name}")
    return simulator.handled_events / seconds


def main() -> int:
    """Print one row a configuration; the exit code is 1 when an aim is missed by more than half."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--groups", type=int, default=100_000)
    parser.add_argument("--twin-groups", type=int, default=1_500)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--smoke", action="store_true", help="few groups, one round: only results count")
    arguments = parser.parse_args()
    if arguments.smoke:
        arguments.groups, arguments.twin_groups, arguments.rounds = 200, 100, 1

    draw = workload(arguments.groups)
    twins = {name: check_and_time_twin(config, arguments.twin_groups) for name, config in CONFIGS.items()}
    prepared = {name: make_workload((draw,), config) for name, config in CONFIGS.items()}
    times: dict[tuple[str, str], list[float]] = {}
    events = {}
    for _ in range(arguments.rounds):
        for name, config in CONFIGS.items():
            start = time.thread_time()
            result = run((draw,), config, prepared[name])
            middle = time.thread_time()
            simulate(draw, config)
            times.setdefault((name, "schedule"), []).append(middle - start)
            times.setdefault((name, "simulate"), []).append(time.thread_time() - middle)
            events[name] = result.events

    print(
        f"{arguments.groups:,} groups, 12 CUs, one thread, {len(times[name, 'simulate'])} interleaved rounds"
    )
    print(
        f"  {'':18s} {'events':>10s} {'min ms':>8s} {'median':>8s} {'M ev/s':>7s} {'aim':>5s} "
        f"{'twin M ev/s':>12s} {'x twin':>7s} {'aim':>5s} {'simulate() ms':>14s}"
    )
    good = True
    for name in CONFIGS:
        seconds = min(times[name, "schedule"])
        rate = events[name] / seconds
        ratio = rate / twins[name]
        good &= ratio >= AIM_TWIN / 1.5
        print(
            f"  {name:18s} {events[name]:10,d} {seconds * 1e3:8.1f} "
            f"{statistics.median(times[name, 'schedule']) * 1e3:8.1f} {rate / 1e6:7.1f} {AIM_EVENTS:5.0f} "
            f"{twins[name] / 1e6:12.4f} {ratio:7.0f} {AIM_TWIN:5.0f} "
            f"{min(times[name, 'simulate']) * 1e3:14.1f}"
        )
    return 0 if good or arguments.smoke else 1


if __name__ == "__main__":
    sys.exit(main())
