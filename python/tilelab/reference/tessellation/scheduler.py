"""Slow, obvious twin of the tessellation scheduler: plain Python, one loop per rule.

It takes the same draw calls and configuration as `tilelab.tessellation.simulate`, plus the domain points of
every patch, and returns the same wave and group tables. Nothing here is clever: every scheduling pass looks
at every thread group in flight and at every CU.
"""

from __future__ import annotations

import enum
import heapq
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = [
    "Group",
    "Simulator",
    "available_lds",
    "domain_waves",
    "factor_mean",
    "group_lds_bytes",
    "make_groups",
    "patch_lds_bytes",
    "patches_per_group",
    "simulate",
    "wave_table",
]
__dir__ = __all__.copy

WAVE_SIZE = 64
VS, HS, DS = 0, 1, 2

WAVE_DTYPE = np.dtype(
    [
        ("draw", np.int32),
        ("group", np.int32),
        ("stage", np.uint8),
        ("off_chip", np.bool_),
        ("cu", np.int16),
        ("simd", np.int16),
        ("index", np.int32),
        ("start", np.int64),
        ("ready", np.int64),
        ("issue", np.int64),
        ("end", np.int64),
    ],
    align=True,
)


class Event(enum.Enum):
    """What may happen when time advances."""

    WAVE_END = enum.auto()
    DATA_ARRIVED = enum.auto()
    WRITES_USABLE = enum.auto()
    FACTORS_WRITTEN = enum.auto()
    FACTORS_READ = enum.auto()
    POINTS_READY = enum.auto()
    LAUNCH_OPEN = enum.auto()


@dataclass
class Group:
    """One thread group: what it asks for, then where it is."""

    draw: int
    patches: int
    vs_waves: int
    hs_waves: int
    lds_bytes: int
    mean: float
    off_chip: bool
    write_bytes: int
    factor_bytes: int
    lanes: list[int]
    touched_patches: list[int]
    kept: int
    channel_read_bytes: list[int]
    cu: int = -1
    launch: int = -1
    vs_left: int = 0
    hs_left: int = 0
    kept_left: int = 0
    next_wave: int = 0
    points_ready: int = 0
    points_start: int = 0
    vs_done: bool = False
    hs_started: bool = False
    hs_done: bool = False
    writes_usable: bool = False
    hs_start: int = -1
    hs_end: int = -1
    lds_release: int = -1
    stalls: dict[str, int] = field(default_factory=lambda: {"lds": 0, "slots": 0, "both": 0, "gap": 0})


def patch_lds_bytes(draw: Any, config: Any) -> int:
    """LDS of one patch: inputs, constants, and outputs unless a pass-through hull shader overlays them."""
    outputs = 0 if config.hs_passthrough else draw.out_control_points * draw.out_stride
    return int(draw.in_control_points * draw.in_stride + outputs + draw.patch_constant_bytes)


def available_lds(config: Any) -> int:
    """LDS of a CU that thread groups can have."""
    unit = config.lds_granularity
    others = (config.lds_pixel_interpolants, config.lds_compute, config.lds_on_chip_gs)
    return int(config.lds_bytes_per_cu - config.lds_reserved - sum(-(-n // unit) * unit for n in others))


def group_lds_bytes(patches: int, draw: Any, config: Any) -> int:
    """LDS of a thread group, rounded up to the allocation unit."""
    unit: int = config.lds_granularity
    return -(-patches * patch_lds_bytes(draw, config) // unit) * unit


def patches_per_group(draw: Any, config: Any) -> int:
    """Find the largest patch count that meets every limit, by counting up."""
    widest = max(draw.in_control_points, draw.out_control_points)
    off_chip_patch = draw.out_control_points * draw.out_stride + draw.patch_constant_bytes

    def fits(n: int) -> bool:
        ok: bool = n * widest <= config.max_control_points_per_threadgroup
        ok = ok and -(-n * widest // WAVE_SIZE) <= config.simd_per_cu * config.wave_slots_per_simd
        ok = ok and n * patch_lds_bytes(draw, config) <= config.max_lds_per_threadgroup
        ok = ok and group_lds_bytes(n, draw, config) <= available_lds(config)
        if config.mode == "off_chip" and n > 1:
            ok = ok and n * off_chip_patch <= config.offchip_block_bytes
        if config.patches_per_threadgroup == 0:
            return ok and n <= config.auto_patch_limit
        return ok and n <= config.patches_per_threadgroup

    best = 0
    while fits(best + 1):
        best += 1
    if best == 0:
        raise ValueError("one patch does not fit")
    return best


def factor_mean(factors: Any, edges: int, which: str) -> float:
    """Give the number compared with the threshold, from the factors (P, F) of one group."""
    chosen = {"all": slice(None), "edge": slice(0, edges), "inside": slice(edges, None)}.get(
        which, slice(None)
    )
    rows = []
    for patch in factors[:, chosen]:
        rows.append([0.0 if math.isnan(f) else min(max(float(f), 0.0), 64.0) for f in patch])
    if which == "max":
        return max(max(row) for row in rows)
    values = [max(row) for row in rows] if which == "patch_max" else [f for row in rows for f in row]
    total = 0.0
    for value in values:
        total += value
    return total / len(values)


def domain_waves(points: list[int], grouping: str) -> tuple[list[int], list[int]]:
    """Lanes and number of touched patches of each domain-shader wave of one group."""
    if grouping == "patch":
        lanes = [min(WAVE_SIZE, n - first) for n in points for first in range(0, n, WAVE_SIZE)]
        return lanes, [1] * len(lanes)
    owner = [patch for patch, n in enumerate(points) for _ in range(n)]
    waves = [owner[first : first + WAVE_SIZE] for first in range(0, len(owner), WAVE_SIZE)]
    return [len(wave) for wave in waves], [len(set(wave)) for wave in waves]


def make_groups(draw_calls: Any, config: Any, points: Any) -> list[Group]:
    """Cut every draw call into thread groups and decide each group's mode."""
    groups = []
    for number, (draw, draw_points) in enumerate(zip(draw_calls, points, strict=True)):
        size = patches_per_group(draw, config)
        patch_bytes = draw.out_control_points * draw.out_stride + draw.patch_constant_bytes
        threshold = float(np.float32(config.tf_threshold))
        keep = config.ds_wave_threshold
        if config.ds_wave_threshold_scope == "simd":
            keep *= config.simd_per_cu
        for first in range(0, len(draw.factors), size):
            factors = draw.factors[first : first + size]
            count = len(factors)
            duplicated = [
                math.ceil(int(n) * config.ds_duplication) for n in draw_points[first : first + size]
            ]
            lanes, touched = domain_waves(duplicated, config.ds_grouping)
            mean = factor_mean(factors, draw.domain.edge_count, config.factor_mean)
            off_chip = config.mode == "off_chip" and not mean < threshold
            hs_threads = count * (1 if config.hs_passthrough else draw.out_control_points)
            groups.append(
                Group(
                    draw=number,
                    patches=count,
                    vs_waves=math.ceil(draw.in_control_points * count / WAVE_SIZE),
                    hs_waves=math.ceil(hs_threads / WAVE_SIZE),
                    lds_bytes=group_lds_bytes(count if config.shrink_last_group else size, draw, config),
                    mean=mean,
                    off_chip=off_chip,
                    write_bytes=count * patch_bytes if off_chip else 0,
                    factor_bytes=4 * factors.size if config.count_tf_ring else 0,
                    lanes=lanes,
                    touched_patches=touched,
                    kept=min(keep, len(lanes)) if off_chip else len(lanes),
                    channel_read_bytes=[math.ceil(n * patch_bytes * (1.0 - config.l2_hit)) for n in touched],
                )
            )
    return groups


class Simulator:
    """The machine: CUs of SIMDs with wave slots and one issue port each, LDS per CU, one memory channel."""

    def __init__(self, groups: list[Group], config: Any) -> None:
        self.groups, self.config = groups, config
        self.now = 0
        self.events: list[tuple[int, int, Event, Any]] = []
        self.created = 0
        cus, simds = range(config.cu_count), range(config.simd_per_cu)
        self.lds_free = [available_lds(config) for _ in cus]
        self.resident = [[0 for _ in simds] for _ in cus]
        self.port_free = [[0 for _ in simds] for _ in cus]
        self.channel_free = 0
        self.tessellator_free = [0] * config.shader_engines
        self.in_flight: list[int] = []
        self.next_launch = 0
        self.pointer = 0
        self.launch_open = 0
        self.waves: list[dict[str, Any]] = []
        self.handled_events = 0

    def push(self, time: int, event: Event, payload: Any) -> None:
        """Expect an event."""
        heapq.heappush(self.events, (time, self.created, event, payload))
        self.created += 1

    def free_slots(self, cu: int) -> int:
        """Count the waves that a CU can still take."""
        return int(self.config.simd_per_cu * self.config.wave_slots_per_simd - sum(self.resident[cu]))

    def transfer(self, byte_count: int) -> int:
        """Queue bytes on the memory channel; the time at which they are usable."""
        rate = self.config.memory_bytes_per_clock
        cycles = -(-byte_count // rate) if rate else 0
        self.channel_free = max(self.channel_free, self.now) + cycles
        return int(self.channel_free + self.config.memory_latency)

    def start_wave(self, group: int, stage: int, index: int, cu: int, off_chip: bool = False) -> None:
        """Take a slot on the SIMD with the fewest resident waves."""
        simd = min(range(self.config.simd_per_cu), key=lambda s: (self.resident[cu][s], s))
        self.resident[cu][simd] += 1
        wave = {
            "draw": self.groups[group].draw,
            "group": group,
            "stage": stage,
            "off_chip": off_chip,
            "cu": cu,
            "simd": simd,
            "index": index,
            "start": self.now,
        }
        self.waves.append(wave)
        if off_chip:
            arrival = self.transfer(self.groups[group].channel_read_bytes[index])
            self.push(arrival, Event.DATA_ARRIVED, wave)
        else:
            self.join_issue_queue(wave)

    def join_issue_queue(self, wave: dict[str, Any]) -> None:
        """Queue for the issue port; first-in first-out, so the wave's whole future is known at once."""
        config, stage = self.config, wave["stage"]
        issue = (config.vs_issue, config.hs_issue, config.ds_issue)[stage]
        latency = (config.vs_latency, config.hs_latency, config.ds_latency)[stage]
        if stage == HS and wave["index"] == 0 and config.mode == "off_chip":
            issue += config.hs_decide_issue
        ports = self.port_free[wave["cu"]]
        wave["ready"] = self.now
        wave["issue"] = max(self.now, ports[wave["simd"]])
        ports[wave["simd"]] = wave["issue"] + issue
        wave["end"] = wave["issue"] + issue + latency
        self.push(wave["end"], Event.WAVE_END, wave)

    def handle(self, event: Event, payload: Any) -> None:
        """Let one event happen."""
        if event is Event.WAVE_END:
            self.end_wave(payload)
        elif event is Event.DATA_ARRIVED:
            self.join_issue_queue(payload)
        elif event is Event.WRITES_USABLE:
            self.groups[payload].writes_usable = True
        elif event is Event.FACTORS_WRITTEN:
            self.push(self.transfer(self.groups[payload].factor_bytes), Event.FACTORS_READ, payload)
        elif event is Event.FACTORS_READ:
            self.tessellate(payload)
        elif event is Event.POINTS_READY:
            self.groups[payload].points_ready += 1
            self.expect_next_points(payload)

    def end_wave(self, wave: dict[str, Any]) -> None:
        """Free the slot, and what the group can free when its last wave of a kind ends."""
        number = wave["group"]
        group = self.groups[number]
        self.resident[wave["cu"]][wave["simd"]] -= 1
        if wave["stage"] == VS:
            group.vs_left -= 1
            group.vs_done = group.vs_left == 0
        elif wave["stage"] == HS:
            group.hs_left -= 1
            if group.hs_left == 0:
                self.end_hull_shader(number)
        elif not wave["off_chip"]:
            group.kept_left -= 1
            if group.kept_left == 0:
                self.release_lds(group)

    def end_hull_shader(self, number: int) -> None:
        """Write off-chip data, tell the tessellator, free LDS that no domain-shader wave will read."""
        group = self.groups[number]
        group.hs_done = True
        group.hs_end = self.now
        if group.off_chip:
            self.push(self.transfer(group.write_bytes), Event.WRITES_USABLE, number)
        if self.config.count_tf_ring:
            self.push(self.transfer(group.factor_bytes), Event.FACTORS_WRITTEN, number)
        else:
            self.tessellate(number)
        if group.kept == 0:
            self.release_lds(group)

    def release_lds(self, group: Group) -> None:
        """Give the LDS of a group back to its CU."""
        group.lds_release = self.now
        self.lds_free[group.cu] += group.lds_bytes

    def tessellate(self, number: int) -> None:
        """Queue the points of a group on the tessellator of its shader engine."""
        group = self.groups[number]
        rate = self.config.tess_points_per_clock
        if rate == 0:
            group.points_ready = len(group.lanes)
            return
        engine = group.cu * self.config.shader_engines // self.config.cu_count
        group.points_start = max(self.now, self.tessellator_free[engine])
        self.tessellator_free[engine] = group.points_start + -(-sum(group.lanes) // rate)
        self.expect_next_points(number)

    def expect_next_points(self, number: int) -> None:
        """Await the last point of the next domain-shader wave; before it the wave may not start."""
        group = self.groups[number]
        if group.points_ready < len(group.lanes):
            made = sum(group.lanes[: group.points_ready + 1])
            time = group.points_start + -(-made // self.config.tess_points_per_clock)
            self.push(time, Event.POINTS_READY, number)

    def start_hull_shaders(self) -> None:
        """Start hull shaders, oldest group first, each with all its waves at once."""
        for number in self.in_flight:
            group = self.groups[number]
            if group.vs_done and not group.hs_started and self.free_slots(group.cu) >= group.hs_waves:
                group.hs_started = True
                group.hs_start = self.now
                group.hs_left = group.hs_waves
                for index in range(group.hs_waves):
                    self.start_wave(number, HS, index, group.cu)

    def start_domain_shaders(self) -> None:
        """Start domain-shader waves, oldest group first, in wave order inside a group."""
        for number in self.in_flight:
            group = self.groups[number]
            if not group.hs_done:
                continue
            while group.next_wave < len(group.lanes) and self.start_domain_wave(number):
                group.next_wave += 1
            if group.next_wave < len(group.lanes) and self.config.ds_order == "strict_fifo":
                return

    def start_domain_wave(self, number: int) -> bool:
        """Start the next domain-shader wave of a group if it can start."""
        group = self.groups[number]
        index = group.next_wave
        if index >= group.points_ready:
            return False
        if index < group.kept:
            cu = group.cu
        elif not group.writes_usable:
            return False
        else:
            count = self.config.cu_count
            cu = min(range(count), key=lambda c: (sum(self.resident[c]), (c - self.pointer) % count))
        if self.free_slots(cu) == 0:
            return False
        self.start_wave(number, DS, index, cu, off_chip=index >= group.kept)
        return True

    def launch_groups(self) -> None:
        """Launch groups in order, scanning the CUs from the round-robin pointer."""
        count = self.config.cu_count
        while self.next_launch < len(self.groups) and self.now >= self.launch_open:
            group = self.groups[self.next_launch]
            order = [(self.pointer + step) % count for step in range(count)]
            fitting = [
                cu
                for cu in order
                if self.lds_free[cu] >= group.lds_bytes and self.free_slots(cu) >= group.vs_waves
            ]
            if not fitting:
                return
            group.cu = fitting[0]
            group.launch = self.now
            group.vs_left = group.vs_waves
            group.kept_left = group.kept
            self.lds_free[group.cu] -= group.lds_bytes
            self.in_flight.append(self.next_launch)
            for index in range(group.vs_waves):
                self.start_wave(self.next_launch, VS, index, group.cu)
            self.pointer = (group.cu + 1) % count
            self.next_launch += 1
            if self.config.tg_launch_gap:
                self.launch_open = self.now + self.config.tg_launch_gap
                self.push(self.launch_open, Event.LAUNCH_OPEN, None)

    def head_stall(self) -> str:
        """Why the oldest thread group not yet launched has to wait."""
        group = self.groups[self.next_launch]
        if self.now < self.launch_open:
            return "gap"
        cus = range(self.config.cu_count)
        lds = any(self.lds_free[cu] >= group.lds_bytes for cu in cus)
        slots = any(self.free_slots(cu) >= group.vs_waves for cu in cus)
        return "both" if lds == slots else ("slots" if lds else "lds")

    def run(self) -> None:
        """Run until nothing is left to happen."""
        while True:
            self.start_hull_shaders()
            self.start_domain_shaders()
            self.launch_groups()
            self.in_flight = [g for g in self.in_flight if not self.is_finished(self.groups[g])]
            if not self.events:
                return
            time = self.events[0][0]
            if self.next_launch < len(self.groups) and time > self.now:
                self.groups[self.next_launch].stalls[self.head_stall()] += time - self.now
            self.now = time
            while self.events and self.events[0][0] == self.now:
                _, _, event, payload = heapq.heappop(self.events)
                self.handled_events += 1
                self.handle(event, payload)

    @staticmethod
    def is_finished(group: Group) -> bool:
        """Whether every wave of the group has started."""
        return group.hs_done and group.next_wave == len(group.lanes)


def wave_table(simulator: Simulator) -> npt.NDArray[Any]:
    """Every wave, ordered by thread group, stage and number inside the stage."""
    rows = sorted(simulator.waves, key=lambda w: (w["group"], w["stage"], w["index"]))
    table = np.zeros(len(rows), WAVE_DTYPE)
    for name in WAVE_DTYPE.names or ():
        table[name] = [row[name] for row in rows]
    return table


def simulate(draw_calls: Any, config: Any, points: Any) -> dict[str, Any]:
    """Run the model on draw calls whose patches have the given numbers of domain points.

    Parameters
    ----------
    draw_calls : sequence of DrawCall
    config : SchedulerConfig
    points : sequence of int array, one (patches,) array a draw call
        Domain points of every patch.

    Returns
    -------
    dict
        ``waves`` (structured array), ``groups`` (list of `Group`), ``makespan_cycles``, ``events``.
    """
    simulator = Simulator(make_groups(draw_calls, config, points), config)
    simulator.run()
    waves = wave_table(simulator)
    last_wave = int(waves["end"].max()) if len(waves) else 0
    return {
        "waves": waves,
        "groups": simulator.groups,
        "makespan_cycles": max(last_wave, simulator.channel_free),
        "events": simulator.handled_events,
    }
