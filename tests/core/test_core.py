import multiprocessing
import os
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest

import tilelab
from tilelab import _core, _validation, testing


def test_version_is_the_headers_version() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", tilelab.__version__)
    assert tilelab.build_config()["version"] == tilelab.__version__


def test_every_module_is_an_attribute_of_the_package() -> None:
    # In a fresh process: here other tests have long imported the modules.
    code = """
import pkgutil, tilelab
modules = {module.name for module in pkgutil.iter_modules(tilelab.__path__)}
hidden = {name for name in modules if name.startswith("_")} | {"cli", "commands"}
missing = modules - hidden - set(tilelab.__all__)
assert not missing, missing
for name in tilelab.__all__:
    getattr(tilelab, name)
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_unsupported_error_is_a_value_error() -> None:
    assert issubclass(tilelab.UnsupportedError, ValueError)
    error = pickle.loads(pickle.dumps(tilelab.UnsupportedError("mode is not modelled")))
    assert type(error) is tilelab.UnsupportedError


def test_targets_can_be_forced(target: str) -> None:
    assert _core.core.current_target() == target
    data = np.arange(1001, dtype=np.uint64)
    assert _core.core.probe_read(data) == int(data.sum())
    out = np.zeros_like(data)
    _core.core.probe_triad(data, data, out)
    np.testing.assert_array_equal(out, 2 * data)


def test_an_unknown_target_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"target must be one of .*SSE4.*, got AVX9|target must be one of"):
        _core.core.force_target("AVX9")


def test_the_environment_variable_limits_the_target() -> None:
    worst = testing.targets()[-1]
    code = "import tilelab; print(tilelab.build_config()['current_target'])"
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "TILELAB_TARGET": worst},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == worst


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (np.zeros(3), TypeError, r"words must be of dtype uint64, got float64 of shape \(3,\)"),
        (
            np.zeros((2, 2), np.uint64),
            ValueError,
            r"words must have 1 dimensions, got uint64 of shape \(2, 2\)",
        ),
        (np.zeros(8, np.uint64)[::2], ValueError, "words must be C-contiguous"),
        (np.frombuffer(bytes(17), np.uint8)[1:].view(np.uint64), ValueError, "words must be aligned"),
    ],
)
def test_bindings_refuse_by_name(value: np.ndarray, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        _core.core.probe_read(value)


def test_bindings_refuse_read_only_output() -> None:
    data = np.zeros(4, np.uint64)
    out = np.zeros(4, np.uint64)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="out must be writeable"):
        _core.core.probe_triad(data, data, out)


def test_kernel_errors_reach_python_with_their_names() -> None:
    with pytest.raises(ValueError, match="a must have the extent of out, got 3"):
        _core.core.probe_triad(np.zeros(3, np.uint64), np.zeros(4, np.uint64), np.zeros(4, np.uint64))
    with pytest.raises(ValueError, match="threads must be 0"):
        _core.core.resolve_threads(-1)


class TestAsArray:
    def test_float64_becomes_float32(self) -> None:
        assert _validation.as_array("color", [[0.5]], dtype=np.float32).dtype == np.float32
        assert np.isposinf(_validation.as_array("color", [1e300], dtype=np.float32))[0]

    def test_misaligned_arrays_are_copied(self) -> None:
        skewed = np.zeros(41, np.uint8)[1:].view(np.float32).reshape(2, 5)
        given = _validation.as_array("color", skewed, dtype=np.float32)
        assert given.flags.aligned
        assert given.shape == (2, 5)
        assert _validation.as_array("x", np.int64(3), dtype=np.int64).shape == ()

    def test_integers_of_another_width_are_range_checked(self) -> None:
        assert _validation.as_array("rates", [0, 10], dtype=np.uint8).dtype == np.uint8
        with pytest.raises(
            ValueError, match=r"rates must hold integers in \[0, 255\], got values in \[0, 256\]"
        ):
            _validation.as_array("rates", [0, 256], dtype=np.uint8)

    @pytest.mark.parametrize(
        "value",
        [
            np.zeros(2, complex),
            np.array([None, 1]),
            np.array(["a"]),
            np.zeros(2, np.int64),
            np.zeros(2, bool),
        ],
    )
    def test_other_kinds_are_refused(self, value: np.ndarray) -> None:
        with pytest.raises(TypeError, match="color must be an array of float32"):
            _validation.as_array("color", value, dtype=np.float32)

    def test_shapes_are_named(self) -> None:
        with pytest.raises(
            ValueError, match=r"motion must have shape \(any, 4, 2\), got float32 of shape \(3, 5, 2\)"
        ):
            _validation.as_array(
                "motion", np.zeros((3, 5, 2), np.float32), dtype=np.float32, shape=(None, 4, 2)
            )
        with pytest.raises(ValueError, match="color must not be empty"):
            _validation.as_array("color", np.zeros((0, 5), np.float32), dtype=np.float32, allow_empty=False)


class TestAsOut:
    def test_wrong_outputs_are_refused(self) -> None:
        data = np.zeros((4, 4), np.uint8)
        cases = [
            (np.zeros((4, 4), np.int8), TypeError, "out must be an array of uint8"),
            (np.zeros((4, 5), np.uint8), ValueError, r"out must have shape \(4, 4\)"),
            (np.zeros((4, 8), np.uint8)[:, ::2], ValueError, "out must be C-contiguous"),
            (data, ValueError, "out must not overlap color"),
        ]
        for out, error, text in cases:
            with pytest.raises(error, match=text):
                _validation.as_out("out", out, dtype=np.uint8, shape=(4, 4), inputs=[("color", data)])


def test_numbers_are_checked() -> None:
    assert _validation.as_int("tile", np.uint8(8)) == 8
    for bad in (True, 8.0, "8", None):
        with pytest.raises(TypeError, match="tile must be an integer"):
            _validation.as_int("tile", bad)
    with pytest.raises(ValueError, match=r"mips must be in \[1, 15\], got 16"):
        _validation.as_int("mips", 16, low=1, high=15)
    for bad in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="threshold must be finite"):
            _validation.as_float("threshold", bad)
    for bad in ("0.1", b"0.1", True, 1j, np.complex64(1)):
        with pytest.raises(TypeError, match="threshold must be a real number"):
            _validation.as_float("threshold", bad)
    with pytest.raises(ValueError, match="threshold must be finite"):
        _validation.as_float("threshold", 10**400)


def _sum_in_child(count: int) -> int:
    return _core.core.probe_read(np.arange(count, dtype=np.uint64))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork on this system")
def test_kernels_work_in_forked_children() -> None:
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(_sum_in_child, [10, 100]) == [45, 4950]
