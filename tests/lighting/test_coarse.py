"""The link to variable rate shading: what coarse shading leaves in a G-buffer."""

import warnings
from typing import Any

import numpy as np
import pytest
from lighting_frames import ids_alone

from tilelab import lighting, vrs


def numbered(shape: tuple[int, int]) -> np.ndarray[Any, Any]:
    """Give every pixel another id."""
    return np.arange(shape[0] * shape[1], dtype=np.uint32).reshape(shape)


def test_coarse_shading_with_one_primitive_gives_exact_counts() -> None:
    gbuffer = ids_alone(numbered((64, 64)))
    for rate, count in (("1x1", 256), ("1x2", 128), ("2x1", 128), ("2x2", 64), ("4x4", 64)):
        code = getattr(vrs.ShadingRate, f"RATE_{rate.upper()}")
        coarse = lighting.coarse_gbuffer(gbuffer, np.full((8, 8), code, np.uint8))
        assert (lighting.scan(coarse).counts == count).all()


def test_mesh_edges_raise_the_counts(rng: np.random.Generator) -> None:
    """Records of a quad = distinct pairs of primitive and coarse pixel in it, whatever the rate asked for."""
    shape = (70, 90)
    y, x = np.indices(shape)
    primitives = ((x * 3 + y * 5) // 60).astype(np.int32)
    rates = rng.choice([0, 1, 4, 5], (9, 12)).astype(np.uint8)
    gbuffer = ids_alone(numbered(shape))
    coarse = lighting.coarse_gbuffer(gbuffer, rates, primitive_id=primitives)
    tiles = lighting.scan(coarse)
    assert tiles.records.size == vrs.count_invocations(rates, shape, primitive_id=primitives).sum()
    assert tiles.records.size > vrs.count_invocations(rates, shape).sum()
    np.testing.assert_array_equal(coarse.depth, gbuffer.depth)


def test_background_keeps_its_attributes_under_coarse_shading() -> None:
    ids = numbered((16, 16))
    primitives = np.zeros((16, 16), np.int32)
    primitives[:8] = -1
    coarse = lighting.coarse_gbuffer(
        ids_alone(ids, primitives >= 0), np.full((2, 2), 5, np.uint8), primitive_id=primitives
    )
    np.testing.assert_array_equal(coarse.channels["id"][:8], ids[:8])
    assert lighting.scan(coarse).counts.tolist() == [[32]]


def test_rates_of_another_tile_size_are_told() -> None:
    gbuffer = lighting.GBuffer({"id": np.zeros((64, 64), np.uint32)}, np.zeros((64, 64), np.float32))
    with pytest.warns(UserWarning, match="which fits tile=16, but tile=8"):
        lighting.coarse_gbuffer(gbuffer, np.full((4, 4), 5, np.uint8))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        lighting.coarse_gbuffer(gbuffer, np.full((4, 4), 5, np.uint8), any_size=True)
