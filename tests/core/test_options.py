"""The frozen options classes that carry options into the kernels."""

import gc
import inspect
import re

import numpy as np
import pytest

from tilelab import vrs
from tilelab._core import vrs as core

NAN = float("nan")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"tile": 12}, ValueError, "tile must be one of 8, 16, 32, got 12"),
        ({"tile": 8.0}, TypeError, "tile must be an integer, got 8.0"),
        ({"tile": True}, TypeError, "tile must be an integer, got True"),
        ({"tile": np.bool_(True)}, TypeError, "tile must be an integer, got "),
        ({"tile": 2**70}, ValueError, f"tile must fit 64 bits, got {2**70}"),
        ({"threshold": -1}, ValueError, "threshold must be at least 0, got -1"),
        ({"threshold": NAN}, ValueError, "threshold must be finite, got nan"),
        ({"threshold": float("inf")}, ValueError, "threshold must be finite, got inf"),
        ({"threshold": 10**400}, ValueError, "threshold must be finite, got a number beyond"),
        ({"threshold": "0.1"}, TypeError, "threshold must be a real number, got '0.1'"),
        ({"threshold": 1j}, TypeError, "threshold must be a real number, got 1j"),
        ({"threshold": np.complex64(1)}, TypeError, "threshold must be a real number, got "),
        ({"lum_lo": NAN}, ValueError, "lum_lo must not be NaN, got nan"),
        ({"vote": -1}, ValueError, "vote must be at least 0, got -1"),
        ({"vote": 1.5}, ValueError, "vote must be at most 1, got 1.5"),
        ({"vote": True}, TypeError, r"vote must be a count (int) or a fraction (float), got True"),
        ({"estimator": 0}, TypeError, "estimator must be a "),
    ],
)
def test_each_field_is_checked_by_name(
    options: dict[str, object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=re.escape(message)):
        core.RateImageOptions(**options)  # type: ignore[arg-type]


def test_fields_keep_their_kind() -> None:
    options = core.RateImageOptions(tile=np.int64(16), threshold=np.float32(0.5), vote=np.float64(0.25))
    assert options.tile == 16
    assert options.threshold == 0.5
    assert options.vote == 0.25
    assert isinstance(options.vote, float)
    assert isinstance(core.RateImageOptions(vote=np.uint8(3)).vote, int)
    assert core.RateImageOptions(lum_hi=float("inf")).lum_hi == float("inf")


def test_the_class_shows_its_fields() -> None:
    chain = core.CombinerChain(first=core.Combiner.MAX, supported=33)
    assert repr(chain).startswith("CombinerChain(first=<Combiner.MAX: 3>, second=<Combiner.PASSTHROUGH: 0>")
    assert repr(chain).endswith("supported=33, max_axis_log2=1)")
    assert repr(core.CoarseImage()) == "CoarseImage()"  # arrays are not shown


def test_the_class_is_frozen() -> None:
    with pytest.raises(AttributeError):
        core.RateImageOptions().tile = 16  # type: ignore[misc]
    with pytest.raises(TypeError):
        core.RateImageOptions(16)  # type: ignore[call-arg]


def test_defaults_are_those_of_the_public_signature() -> None:
    defaults = core.RateImageOptions()
    signature = inspect.signature(vrs.rate_image).parameters
    assert set(core.RateImageOptions.FIELDS) <= set(signature)
    for name in set(core.RateImageOptions.FIELDS) - {"estimator", "weights"}:
        shown = signature[name].default
        assert getattr(defaults, name) == (np.float32(shown) if isinstance(shown, float) else shown), name
    assert signature["estimator"].default == defaults.estimator.name.lower()
    np.testing.assert_array_equal(
        vrs.luminance(np.eye(3, dtype=np.float32), signature["weights"].default), defaults.weights
    )


def test_arrays_are_kept_alive() -> None:
    motion = core.Motion(pixels=np.full((8, 8, 2), 100.0, np.float32))
    gc.collect()
    _ = [np.zeros((8, 8, 2), np.float32) for _ in range(64)]
    rates = np.empty((1, 1), np.uint8)
    core.rate_image(np.zeros((8, 8, 1), np.float32), core.RateImageOptions(), motion, rates, None, 1)
    assert rates[0, 0] == vrs.ShadingRate.RATE_1X1  # every pixel came from outside the picture


def test_arrays_are_checked_by_name() -> None:
    with pytest.raises(TypeError, match="pixels must be of dtype float32, got float64"):
        core.Motion(pixels=np.zeros((8, 8, 2)))
    with pytest.raises(TypeError, match="pixels must be a NumPy array, got 'motion'"):
        core.Motion(pixels="motion")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="positions must be writeable"):
        core.CoarseRows(positions=np.broadcast_to(np.zeros(1), (1, 2)).copy().view(ReadOnly))


class ReadOnly(np.ndarray):  # type: ignore[type-arg]
    """An array that nobody may write."""

    def __array_finalize__(self, source: object) -> None:
        self.flags.writeable = False
