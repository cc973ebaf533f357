"""Chips are checked as AMD's library does."""

import pickle

import numpy as np
import pytest

import tilelab.addressing as ta


@pytest.mark.parametrize(
    ("pipes", "packers", "words"),
    [
        (3, 1, "pipes must be a power of two"),
        (128, 64, "pipes must be in"),
        (8, 16, "packers must satisfy"),
        (32, 4, "packers must satisfy"),
        (8, 3, "packers must be a power of two"),
    ],
)
def test_gpu_models_are_checked(pipes, packers, words):
    with pytest.raises(ValueError, match=words):
        ta.GpuModel("x", pipes, packers)


def test_counts_become_plain_integers() -> None:
    model = ta.GpuModel("mine", np.int64(16), packers=np.uint8(8))
    assert (type(model.pipes), type(model.packers)) == (int, int)
    assert pickle.loads(pickle.dumps(model)) == model == ta.GpuModel("mine", 16, 8)
    assert (model.core.pipes, model.core.packers) == (16, 8)
    with pytest.raises(TypeError, match=r"packers must be an integer, got 8\.0"):
        ta.GpuModel("mine", 16, 8.0)
    with pytest.raises(TypeError, match="name must be a string"):
        ta.GpuModel(16, 16, 8)
