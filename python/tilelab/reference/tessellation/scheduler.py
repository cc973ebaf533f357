"""Slow, obvious twin of the tessellation scheduler: plain Python, one loop per rule.

It takes the same draw calls and configuration as `tilelab.tessellation.simulate`, plus the domain points of
every patch, and returns the same wave and group tables. Nothing here is clever: every scheduling pass looks
at every thread group in flight and at every CU.
"""

from __future__ import annotations

import enum
import heapq
from typing import Any

import numpy as np
import numpy.typing as npt

from .workload import Group, available_lds, make_groups

__all__ = ["Simulator", "simulate", "wave_table"]
__dir__ = __all__.copy

VERTEX, HULL, DOMAIN = 0, 1, 2

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
        if stage == HULL and wave["index"] == 0 and config.mode == "off_chip":
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
        if wave["stage"] == VERTEX:
            group.vertex_left -= 1
            group.vertex_done = group.vertex_left == 0
        elif wave["stage"] == HULL:
            group.hull_left -= 1
            if group.hull_left == 0:
                self.end_hull_shader(number)
        elif not wave["off_chip"]:
            group.on_chip_left -= 1
            if group.on_chip_left == 0:
                self.release_lds(group)

    def end_hull_shader(self, number: int) -> None:
        """Write off-chip data, tell the tessellator, free LDS that no domain-shader wave will read."""
        group = self.groups[number]
        group.hull_done = True
        group.hull_end = self.now
        if group.off_chip:
            self.push(self.transfer(group.bytes_written), Event.WRITES_USABLE, number)
        if self.config.count_tf_ring:
            self.push(self.transfer(group.factor_bytes), Event.FACTORS_WRITTEN, number)
        else:
            self.tessellate(number)
        if group.on_chip_waves == 0:
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
            if group.vertex_done and not group.hull_started and self.free_slots(group.cu) >= group.hull_waves:
                group.hull_started = True
                group.hull_start = self.now
                group.hull_left = group.hull_waves
                for index in range(group.hull_waves):
                    self.start_wave(number, HULL, index, group.cu)

    def start_domain_shaders(self) -> None:
        """Start domain-shader waves, oldest group first, in wave order inside a group."""
        for number in self.in_flight:
            group = self.groups[number]
            if not group.hull_done:
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
        if index < group.on_chip_waves:
            cu = group.cu
        elif not group.writes_usable:
            return False
        else:
            count = self.config.cu_count
            cu = min(range(count), key=lambda c: (sum(self.resident[c]), (c - self.pointer) % count))
        if self.free_slots(cu) == 0:
            return False
        self.start_wave(number, DOMAIN, index, cu, off_chip=index >= group.on_chip_waves)
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
                if self.lds_free[cu] >= group.lds_bytes and self.free_slots(cu) >= group.vertex_waves
            ]
            if not fitting:
                return
            group.cu = fitting[0]
            group.launch = self.now
            group.vertex_left = group.vertex_waves
            group.on_chip_left = group.on_chip_waves
            self.lds_free[group.cu] -= group.lds_bytes
            self.in_flight.append(self.next_launch)
            for index in range(group.vertex_waves):
                self.start_wave(self.next_launch, VERTEX, index, group.cu)
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
        slots = any(self.free_slots(cu) >= group.vertex_waves for cu in cus)
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
        return group.hull_done and group.next_wave == len(group.lanes)


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
