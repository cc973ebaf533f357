"""SchedulerConfig: values, refusals, presets, and the machine that the engine gets."""

import math
import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from tessellation.scheduler_cases import make_draw

import tilelab
from tilelab._core.tessellation import PipelineMode, SchedulerMachine, WaveOrder
from tilelab.tessellation import SchedulerConfig, simulate


@pytest.mark.parametrize(
    ("changes", "error", "text"),
    [
        ({"cu_count": 0}, ValueError, "cu_count must be in [1, 4096], got 0"),
        ({"simd_per_cu": 0}, ValueError, "simd_per_cu must be in"),
        ({"wave_slots_per_simd": -1}, ValueError, "wave_slots_per_simd must be in"),
        ({"vs_issue": -1}, ValueError, "vs_issue must be in"),
        ({"ds_latency": -5}, ValueError, "ds_latency must be in"),
        ({"hs_issue": 1.5}, TypeError, "hs_issue must be an integer"),
        ({"memory_bytes_per_clock": -64}, ValueError, "memory_bytes_per_clock must be in"),
        ({"tf_threshold": math.nan}, ValueError, "tf_threshold must not be NaN"),
        ({"tf_threshold": -0.5}, ValueError, "tf_threshold must be at least 0, got -0.5"),
        ({"ds_wave_threshold": -1}, ValueError, "ds_wave_threshold must be in"),
        ({"ds_duplication": 0.5}, ValueError, "ds_duplication must be at least 1"),
        ({"l2_hit": 1.5}, ValueError, "l2_hit must be at most 1"),
        ({"clock_mhz": 0}, ValueError, "clock_mhz must be at least"),
        ({"mode": "sideways"}, ValueError, "mode must be one of 'on_chip', 'off_chip', got 'sideways'"),
        ({"factor_mean": "median"}, ValueError, "factor_mean must be one of"),
        ({"count_tf_ring": 1}, TypeError, "count_tf_ring must be True or False"),
        ({"lds_reserved": 65536}, ValueError, "lds_reserved and the other LDS reserves must leave"),
        ({"lds_compute": 70000}, ValueError, "70144 bytes reserved"),
    ],
)
def test_bad_configurations(changes: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error) as caught:
        SchedulerConfig(**changes)
    assert text in str(caught.value)


def test_the_engine_has_the_same_names_and_defaults() -> None:
    config, machine = SchedulerConfig(), SchedulerMachine()
    for name in SchedulerMachine.FIELDS:
        found = getattr(machine, name)
        assert (found.name.lower() if name in ("mode", "ds_order") else found) == getattr(config, name), name


def test_every_option_of_the_machine_reaches_the_engine() -> None:
    numbers = [name for name in SchedulerMachine.FIELDS if name not in ("mode", "ds_order")]
    values = {name: number for number, name in enumerate(numbers, 3)}
    del values["available_lds_bytes"]
    values["count_tf_ring"] = True
    config = SchedulerConfig(mode="off_chip", ds_order="strict_fifo", lds_reserved=512, **values)
    machine = config.machine()
    assert {name: getattr(machine, name) for name in values} == values
    assert (machine.mode, machine.ds_order) == (PipelineMode.OFF_CHIP, WaveOrder.STRICT_FIFO)
    assert machine.available_lds_bytes == 65024


def test_wave_thresholds_beyond_the_hardware_field_are_warned_about() -> None:
    with pytest.warns(UserWarning, match="ds_wave_threshold 16 is modelled"):
        SchedulerConfig(ds_wave_threshold=16)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SchedulerConfig(ds_wave_threshold=15)


def test_configurations_are_values() -> None:
    config = SchedulerConfig(mode="off_chip", tf_threshold=2)
    assert config == pickle.loads(pickle.dumps(config))
    assert hash(config) == hash(config.replace(cu_count=12))
    assert config != config.replace(cu_count=11)
    assert type(config.replace(cu_count=np.int64(3), count_tf_ring=np.bool_(True)).cu_count) is int


def test_presets() -> None:
    one = SchedulerConfig.preset("xbox_one", mode="off_chip")
    assert (one.cu_count, one.clock_mhz, one.memory_bytes_per_clock, one.mode) == (12, 853, 80, "off_chip")
    assert SchedulerConfig.preset("xbox_one_s").clock_mhz == 914
    with pytest.raises(tilelab.UnsupportedError, match="xbox_one_x"):
        SchedulerConfig.preset("xbox_one_x")
    with pytest.raises(ValueError, match="name must be one of"):
        SchedulerConfig.preset("toaster")
    with pytest.raises(TypeError, match="name must be a string"):
        SchedulerConfig.preset(np.zeros(2))  # type: ignore[arg-type]


def test_parameters_go_in_and_come_back() -> None:
    config = SchedulerConfig.from_parameters(
        100, 4.1, 3, "D3D12XBOX_PIPELINE_STATE_FLAG_GS_ONCHIP_TS_OFFCHIP"
    )
    assert config.mode == "off_chip"
    assert SchedulerConfig.from_parameters().mode == "on_chip"
    assert SchedulerConfig.from_parameters(pipeline_flags=["GS_OFFCHIP_TS_OFFCHIP"], cu_count=3).cu_count == 3
    used = simulate([make_draw(), make_draw(in_control_points=32)], config).parameters
    assert [one.patches_per_threadgroup for one in used] == [64, 8]
    assert used[0].tf_threshold == float(np.float32(4.1))
    assert (used[0].ds_wave_threshold, used[0].size, used[0].flags) == (3, 20, 0)
    with pytest.raises(ValueError, match="pipeline_flags must be one of"):
        SchedulerConfig.from_parameters(pipeline_flags="TS_SOMETIMES")
    for flags in (1, [2]):
        with pytest.raises(TypeError, match="pipeline_flags must "):
            SchedulerConfig.from_parameters(pipeline_flags=flags)  # type: ignore[arg-type]


def test_parameters_show_themselves() -> None:
    used = simulate(make_draw(), SchedulerConfig()).parameters[0]
    assert repr(used).startswith("TessellationParameters(patches_per_threadgroup=16, tf_threshold=4.0")
    assert "ds_wave_threshold</td><td style='text-align:right'>4<" in used._repr_html_()
