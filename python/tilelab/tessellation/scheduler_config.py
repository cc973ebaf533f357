"""Parameters of the scheduling model, each with where its default comes from and how sure that is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tilelab._core.tessellation import PipelineMode, SchedulerMachine, WaveOrder
from tilelab._validation import (
    as_bool,
    as_choice,
    as_float,
    as_int,
    as_names,
    ceil_div,
    fail,
    tell,
    unsupported,
)

__all__ = ["SchedulerConfig"]
__dir__ = __all__.copy

WAVE_SIZE = 64  # lanes of a GCN wave
HARDWARE_WAVE_THRESHOLD = 15  # VGT_TF_PARAM.NUM_DS_WAVES_PER_SIMD has 4 bits

MODES = {mode.name.lower(): mode for mode in PipelineMode}
ORDERS = {order.name.lower(): order for order in WaveOrder}
CHOICES = {
    "mode": tuple(MODES),
    "ds_wave_threshold_scope": ("threadgroup", "simd"),
    "factor_mean": ("all", "edge", "inside", "patch_max", "max"),
    "ds_grouping": ("threadgroup", "patch"),
    "ds_order": tuple(ORDERS),
}
FLAGS = ("hs_passthrough", "shrink_last_group")
# Lowest and highest value of every integer that decides the thread groups; those of the machine are the
# engine's.
RANGES = {
    "ds_wave_threshold": (0, 2**31 - 1),
    "patches_per_threadgroup": (0, 2**31 - 1),
    "lds_bytes_per_cu": (1, 1 << 30),
    "lds_granularity": (1, 1 << 20),
    "max_lds_per_threadgroup": (1, 1 << 30),
    "lds_reserved": (0, 1 << 30),
    "lds_pixel_interpolants": (0, 1 << 30),
    "lds_compute": (0, 1 << 30),
    "lds_on_chip_gs": (0, 1 << 30),
    "max_control_points_per_threadgroup": (32, 1 << 16),
    "auto_patch_limit": (1, 1 << 16),
    "offchip_block_bytes": (1, 1 << 30),
}

OFF_CHIP_FLAGS = ("GS_ONCHIP_TS_OFFCHIP", "GS_OFFCHIP_TS_OFFCHIP")
_FLAG_PREFIX = "D3D12XBOX_PIPELINE_STATE_FLAG_"

# 68 GB/s of DDR3 is 80 bytes a cycle at 853 MHz and 74 at 914 MHz.
PRESETS: Mapping[str, Mapping[str, Any]] = {
    "xbox_one": {"clock_mhz": 853.0, "memory_bytes_per_clock": 80},
    "xbox_one_s": {"clock_mhz": 914.0, "memory_bytes_per_clock": 74},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SchedulerConfig:
    """The machine, the driver's tunables and the shader costs of one simulation.

    Certainty of a default is one of: documented (public driver source, specification or talk), derived
    (follows from documented facts), modelled (our decision; the hardware may differ) and uncertain (a guess,
    for demonstrations).

    Parameters
    ----------
    mode : {"on_chip", "off_chip"}, default "on_chip"
        Pipeline mode. On-chip keeps all hull-shader output in LDS; off-chip lets every thread group decide.
    tf_threshold : float, default 4.0
        A group whose factor mean is strictly below it stays on-chip. Compared as float32. 0 never disables
        off-chip, above 64 (or inf) always does. Default: AMD desktop driver (documented there; uncertain on
        Xbox One).
    ds_wave_threshold : int, default 4
        Domain-shader waves of an off-chip group that run on the group's own CU from LDS; the rest run on any
        CU. Default: AMD desktop driver. The hardware field has 4 bits: above 15 a UserWarning is given.
    ds_wave_threshold_scope : {"threadgroup", "simd"}, default "threadgroup"
        Whether the threshold counts per thread group or per SIMD of the CU, where it is `simd_per_cu` times
        as large (uncertain: the register name says per SIMD).
    patches_per_threadgroup : int, default 0
        0 = automatic (see `threadgroup_size`); otherwise clamped to what the hardware can hold.
    hs_passthrough : bool, default False
        The hull shaders pass their control points through: one thread a patch, and outputs overlay inputs in
        LDS (documented in a PS4 emulator; holds for every draw call of the run).
    shrink_last_group : bool, default False
        A short last group allocates only the LDS it needs instead of that of a full group (modelled).
    factor_mean : {"all", "edge", "inside", "patch_max", "max"}, default "all"
        What is compared with `tf_threshold`: the mean of all factors of all patches, of edge or inside
        factors, of every patch's maximum, or the maximum of the group. Factors count as written: NaN is 0,
        the rest is clamped to [0, 64], culled patches take part (modelled; uncertain which one the hardware
        uses).
    ds_grouping : {"threadgroup", "patch"}, default "threadgroup"
        Whether a domain-shader wave may hold points of several patches of its group (modelled).
    ds_duplication : float, default 1.0
        Domain-shader threads per unique domain point, at least 1: re-emitted shared vertices (uncertain). The
        points of every patch are multiplied and rounded up.
    ds_order : {"oldest_first_skip", "strict_fifo"}, default "oldest_first_skip"
        Whether a group whose next wave cannot start lets younger groups pass (modelled).
    cu_count : int, default 12
        Compute units (documented).
    simd_per_cu : int, default 4
        SIMDs of a CU, each with one issue port (documented).
    wave_slots_per_simd : int, default 10
        Waves resident on a SIMD (documented).
    lds_bytes_per_cu : int, default 65536
        LDS of a CU (documented).
    lds_granularity : int, default 512
        LDS allocation unit of GCN2 in bytes (documented; 256 on GCN1).
    max_lds_per_threadgroup : int, default 32768
        Most LDS of one thread group (documented: one driver's cap; another allows 65536).
    lds_reserved : int, default 0
        LDS bytes of every CU that thread groups cannot have, for whatever reason.
    lds_pixel_interpolants, lds_compute, lds_on_chip_gs : int, default 0
        LDS bytes of every CU held by pixel-shader interpolants, compute groups and the on-chip geometry
        shader; each is rounded up to `lds_granularity` and comes on top of `lds_reserved`.
    max_control_points_per_threadgroup : int, default 256
        Input and output control points of a group, four waves (documented).
    auto_patch_limit : int, default 16
        Most patches chosen automatically (documented: two drivers' value for this generation).
    offchip_block_bytes : int, default 32768
        Off-chip memory block of a group; bounds patches per group in off-chip mode (documented).
    vs_issue, vs_latency, hs_issue, hs_latency, ds_issue, ds_latency : int
        Cycles a wave holds its SIMD's issue port, then cycles it waits without it. Defaults 400/400, 400/300
        and 600/800 (uncertain, for demonstrations).
    hs_decide_issue : int, default 0
        Extra issue cycles of the first hull-shader wave of a group in off-chip mode: the averaging thread
        (uncertain).
    tg_launch_gap : int, default 0
        Least cycles between two thread-group launches (uncertain).
    tess_points_per_clock : int, default 0
        Domain points a tessellator makes per cycle, 0 = infinitely many (uncertain). A domain-shader wave may
        start when its last point has been made; a tessellator works through groups in the order they ask.
    shader_engines : int, default 2
        Tessellators; the CUs are split evenly among them (documented).
    count_tf_ring : bool, default False
        Charge the memory channel with the factor ring: a group's factors are written at its hull shader's end
        and read back by the tessellator, and its domain shader waits for that (uncertain).
    memory_bytes_per_clock : int, default 64
        Bandwidth of the memory channel, 0 = infinite (uncertain, for demonstrations).
    memory_latency : int, default 350
        Cycles from the end of a transfer to its data being usable (uncertain, for demonstrations).
    l2_hit : float, default 0.0
        Part of the bytes read that the channel does not see, 0 to 1 (uncertain).
    clock_mhz : float, default 853
        Turns cycles into microseconds (documented).

    Raises
    ------
    TypeError
        A field has the wrong kind.
    ValueError
        A field is outside its range, or the reserved LDS leaves nothing.

    Warns
    -----
    UserWarning
        `ds_wave_threshold` is above 15.

    Examples
    --------
    >>> from tilelab.tessellation import SchedulerConfig
    >>> config = SchedulerConfig(mode="off_chip", tf_threshold=8, lds_compute=1000)
    >>> config.available_lds_bytes
    64512
    >>> config.replace(cu_count=6).cu_count
    6
    """

    mode: str = "on_chip"
    tf_threshold: float = 4.0
    ds_wave_threshold: int = 4
    ds_wave_threshold_scope: str = "threadgroup"
    patches_per_threadgroup: int = 0
    hs_passthrough: bool = False
    shrink_last_group: bool = False
    factor_mean: str = "all"
    ds_grouping: str = "threadgroup"
    ds_duplication: float = 1.0
    ds_order: str = "oldest_first_skip"
    cu_count: int = 12
    simd_per_cu: int = 4
    wave_slots_per_simd: int = 10
    lds_bytes_per_cu: int = 65536
    lds_granularity: int = 512
    max_lds_per_threadgroup: int = 32768
    lds_reserved: int = 0
    lds_pixel_interpolants: int = 0
    lds_compute: int = 0
    lds_on_chip_gs: int = 0
    max_control_points_per_threadgroup: int = 256
    auto_patch_limit: int = 16
    offchip_block_bytes: int = 32768
    vs_issue: int = 400
    vs_latency: int = 400
    hs_issue: int = 400
    hs_latency: int = 300
    ds_issue: int = 600
    ds_latency: int = 800
    hs_decide_issue: int = 0
    tg_launch_gap: int = 0
    tess_points_per_clock: int = 0
    shader_engines: int = 2
    count_tf_ring: bool = False
    memory_bytes_per_clock: int = 64
    memory_latency: int = 350
    l2_hit: float = 0.0
    clock_mhz: float = 853.0

    def __post_init__(self) -> None:
        def store(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        for name, choices in CHOICES.items():
            store(name, as_choice(name, getattr(self, name), choices))
        for name in FLAGS:
            store(name, as_bool(name, getattr(self, name)))
        for name, (low, high) in RANGES.items():
            store(name, as_int(name, getattr(self, name), low=low, high=high))
        store("tf_threshold", as_float("tf_threshold", self.tf_threshold, low=0.0, finite=False))
        store("ds_duplication", as_float("ds_duplication", self.ds_duplication, low=1.0, high=64.0))
        store("l2_hit", as_float("l2_hit", self.l2_hit, low=0.0, high=1.0))
        store("clock_mhz", as_float("clock_mhz", self.clock_mhz, low=1e-6))
        if self.available_lds_bytes < self.lds_granularity:
            raise fail(
                "lds_reserved",
                "and the other LDS reserves must leave at least one allocation unit of "
                f"{self.lds_granularity} bytes out of {self.lds_bytes_per_cu}",
                f"{self.lds_bytes_per_cu - self.available_lds_bytes} bytes reserved",
            )
        machine = self.machine()
        for name in SchedulerMachine.FIELDS:
            if name not in CHOICES and name != "available_lds_bytes":
                store(name, getattr(machine, name))
        if self.ds_wave_threshold > HARDWARE_WAVE_THRESHOLD:
            tell(
                f"ds_wave_threshold {self.ds_wave_threshold} is modelled, but the hardware field holds 0 to "
                f"{HARDWARE_WAVE_THRESHOLD}"
            )

    @property
    def available_lds_bytes(self) -> int:
        """LDS bytes of a CU that thread groups can have."""
        users = (self.lds_pixel_interpolants, self.lds_compute, self.lds_on_chip_gs)
        return self.lds_bytes_per_cu - self.lds_reserved - sum(map(self.lds_allocation, users))

    @property
    def wave_slots_per_cu(self) -> int:
        """Waves that a CU can hold."""
        return self.simd_per_cu * self.wave_slots_per_simd

    @property
    def kept_waves(self) -> int:
        """Domain-shader waves of an off-chip group that stay on its CU, by threshold and scope."""
        scale = self.simd_per_cu if self.ds_wave_threshold_scope == "simd" else 1
        return self.ds_wave_threshold * scale

    @property
    def issue_by_stage(self) -> tuple[int, int, int]:
        """Cycles that a wave holds its issue port, by `Stage`."""
        return self.vs_issue, self.hs_issue, self.ds_issue

    @property
    def latency_by_stage(self) -> tuple[int, int, int]:
        """Cycles that a wave waits without its issue port, by `Stage`."""
        return self.vs_latency, self.hs_latency, self.ds_latency

    def lds_allocation(self, size: int) -> int:
        """Round LDS bytes up to whole allocation units."""
        return ceil_div(size, self.lds_granularity) * self.lds_granularity

    def machine(self) -> SchedulerMachine:
        """Give the options that the engine takes, which have the same names there."""
        options = {name: getattr(self, name) for name in SchedulerMachine.FIELDS}
        return SchedulerMachine(**{**options, "mode": MODES[self.mode], "ds_order": ORDERS[self.ds_order]})

    def replace(self, **changes: Any) -> SchedulerConfig:
        """Copy with some parameters changed; the result is checked again.

        Parameters
        ----------
        **changes
            Fields of this class.
        """
        return replace(self, **changes)

    @classmethod
    def preset(cls, name: str, **changes: Any) -> SchedulerConfig:
        """Give the configuration of a console.

        Parameters
        ----------
        name : {"xbox_one", "xbox_one_s"}
            12 CUs at 853 or 914 MHz with 68 GB/s of DDR3 (documented). Tunables and shader costs keep their
            defaults: no public source gives the console's own.
        **changes
            Fields to set otherwise.

        Raises
        ------
        UnsupportedError
            `name` is "xbox_one_x": no public source says whether that chip still has the on-chip path.
        ValueError
            `name` is unknown.

        Examples
        --------
        >>> SchedulerConfig.preset("xbox_one", mode="off_chip").memory_bytes_per_clock
        80
        """
        if isinstance(name, str) and name == "xbox_one_x":
            raise unsupported(
                "name",
                "must be a console whose tessellation path is public (xbox_one, xbox_one_s): of xbox_one_x "
                "it is not known whether domain shaders can still read LDS",
                repr(name),
            )
        return cls(**{**PRESETS[as_choice("name", name, tuple(PRESETS))], **changes})

    @classmethod
    def from_parameters(
        cls,
        patches_per_threadgroup: int = 0,
        tf_threshold: float = 4.0,
        ds_wave_threshold: int = 4,
        pipeline_flags: str | Iterable[str] = (),
        **changes: Any,
    ) -> SchedulerConfig:
        """Give the configuration from the fields that a title sets on the console.

        Parameters
        ----------
        patches_per_threadgroup : int, default 0
            ``PatchesPerThreadgroup``, 0 = automatic.
        tf_threshold : float, default 4.0
            ``TfThreshold``.
        ds_wave_threshold : int, default 4
            ``DsWaveThreshold``.
        pipeline_flags : str or iterable of str, default ()
            Pipeline-state flags by name, with or without ``D3D12XBOX_PIPELINE_STATE_FLAG_``;
            ``GS_ONCHIP_TS_OFFCHIP`` or ``GS_OFFCHIP_TS_OFFCHIP`` turns the off-chip mode on, no flag leaves
            it off.
        **changes
            Other fields of this class.

        Returns
        -------
        SchedulerConfig
            `parameters` of the resulting schedule gives the values used, patches per group included.

        Raises
        ------
        TypeError
            `pipeline_flags` is not made of strings (the flags' numeric values are not public).
        ValueError
            A flag is unknown, or a value is outside its range.

        Notes
        -----
        Documented: the structure D3D11X_TESSELLATION_PARAMETERS { Size, Flags, PatchesPerThreadgroup,
        TfThreshold, DsWaveThreshold } of HSSetTessellationParameters. Uncertain: the defaults and the meaning
        of Flags.

        Examples
        --------
        >>> SchedulerConfig.from_parameters(8, 6.0, 2, "GS_OFFCHIP_TS_OFFCHIP").mode
        'off_chip'
        """
        names = [
            as_choice("pipeline_flags", flag.removeprefix(_FLAG_PREFIX), OFF_CHIP_FLAGS)
            for flag in as_names("pipeline_flags", pipeline_flags)
        ]
        return cls(
            mode="off_chip" if names else "on_chip",
            patches_per_threadgroup=patches_per_threadgroup,
            tf_threshold=tf_threshold,
            ds_wave_threshold=ds_wave_threshold,
            **changes,
        )
