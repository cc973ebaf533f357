"""Every kernel has a slow twin: one table says which, and must be complete."""

import enum
import inspect
import pkgutil
from collections.abc import Iterator
from types import ModuleType

import pytest

from tilelab import _core

# Kernel below tilelab._core -> module:function below tilelab.reference; the area's tests compare the two.
TWINS = {
    "addressing.PlaneLayout.offset_texel": "addressing:offset_texel",
    "addressing.PlaneLayout.texel_offset": "addressing:texel_offset",
    "addressing.SwizzlePlan.deswizzle": "addressing:deswizzle",
    "addressing.SwizzlePlan.swizzle": "addressing:swizzle",
    "addressing.block_shape": "addressing:block_dimensions",
    "addressing.block_size_log2": "addressing:block_log2",
    "addressing.build_equation": "addressing:equation",
    "addressing.is_thick": "addressing:is_thick",
    "addressing.lay_out_plane": "addressing:plane_layout",
    "core.image_error": "metrics:image_error",
    "lighting.decode_depths": "lighting:decode_depth",
    "lighting.fill_pixels": "lighting:fill",
    "lighting.gather_pixels": "lighting:gather",
    "lighting.hash_pixels": "lighting:hash_pixels",
    "lighting.pack_records": "lighting:pack_records",
    "lighting.record_pixels": "lighting:record_pixels",
    "lighting.requantise_depths": "lighting:requantise_depth",
    "lighting.scan": "lighting:scan",
    "lighting.uniform_blocks": "lighting:uniform_blocks",
    "tessellation.condition_factors": "tessellation:condition_factors",
    "tessellation.simulate_threadgroups": "tessellation.scheduler:simulate",
    "tessellation.tessellate": "tessellation:tessellate",
    "tessellation.tessellation_counts": "tessellation:tessellation_counts",
    "tessellation.tessellation_offsets": "tessellation:tessellate",
    "vrs.broadcast_coarse": "vrs:broadcast_coarse",
    "vrs.combine_table": "vrs:combine_rates",
    "vrs.count_coarse": "vrs:coarse_invocations",
    "vrs.list_coarse": "vrs:coarse_invocations",
    "vrs.luminance": "vrs:luminance",
    "vrs.mean_coarse": "vrs:mean_coarse",
    "vrs.rate_image": "vrs:rate_image",
    "vrs.supported_rates": "vrs:supported_rates",
}

REFUSES = "refuses bad arguments, gives no result"
PROBE = "memory traffic to compare with, not a model of anything"
STATE = "says or sets how the process runs"

WITHOUT_TWIN = {
    "addressing.PlaneLayout": "result of lay_out_plane, which has a twin",
    "addressing.SwizzlePlan": "tables of its two copies, which have twins",
    "addressing.check_gpu": REFUSES,
    "addressing.mode_info": "a row of the documented table of modes",
    "core.ImageErrorSums": "result of a kernel",
    "core.build_config": STATE,
    "core.current_target": STATE,
    "core.force_target": STATE,
    "core.probe_read": PROBE,
    "core.probe_triad": PROBE,
    "core.resolve_threads": STATE,
    "core.supported_targets": STATE,
    "lighting.ScanCounts": "result of a kernel",
    "lighting.check_records": REFUSES,
    "tessellation.SchedulerTotals": "result of a kernel",
}


def kernels(core: ModuleType) -> Iterator[str]:
    """Functions, classes and their methods in the submodules of the extension.

    Enums and options (classes with a table of fields) compute nothing.
    """
    for area, module in inspect.getmembers(core, inspect.ismodule):
        for name, value in inspect.getmembers(module):
            if name.startswith("_") or not callable(value):
                continue
            if not inspect.isclass(value):
                yield f"{area}.{name}"
            elif not issubclass(value, enum.Enum) and not hasattr(value, "FIELDS"):
                yield f"{area}.{name}"
                for method, member in vars(value).items():
                    if not method.startswith("_") and callable(member):
                        yield f"{area}.{name}.{method}"


def test_every_kernel_has_a_twin_or_a_reason() -> None:
    listed, present = {*TWINS, *WITHOUT_TWIN}, set(kernels(_core))
    assert present - listed == set(), "new kernels: name their twins in TWINS"
    assert listed - present == set(), "the table names kernels that are gone"
    assert TWINS.keys() & WITHOUT_TWIN.keys() == set()
    assert all(WITHOUT_TWIN.values())


@pytest.mark.parametrize("twin", sorted(set(TWINS.values())))
def test_twins_exist(twin: str) -> None:
    assert callable(pkgutil.resolve_name(f"tilelab.reference.{twin}"))


def test_methods_are_kernels_and_enums_and_options_are_not() -> None:
    core = ModuleType("core")
    core.area = ModuleType("area")
    core.area.Plan = type("Plan", (), {"copy": lambda self: None, "size": property(lambda self: 1)})
    core.area.Kind = enum.IntEnum("Kind", ["A", "B"])
    core.area.Options = type("Options", (), {"FIELDS": ("tile",)})
    core.area.run = len
    core.area.DTYPE = "u1"
    assert list(kernels(core)) == ["area.Plan", "area.Plan.copy", "area.run"]
