"""The ready-made lighting function."""

import numpy as np
import pytest

from tilelab import lighting


def test_directional_lights_treat_every_pixel_by_itself(rng: np.random.Generator) -> None:
    lamps = lighting.DirectionalLights(directions=[(1, 2, 2), (0, 0, -5)], colors=[(1, 0.5, 0.25), (0, 1, 0)])
    channels = {
        "albedo": rng.integers(0, 256, (101, 4)).astype(np.uint8),
        "sh_normal": rng.integers(0, 256, (101, 4)).astype(np.uint8),
    }
    together = lamps(channels, None, None, None)
    normal = channels["sh_normal"][:, :3] / 255 * 2 - 1
    light = 0.1 + np.maximum(normal @ [1 / 3, 2 / 3, 2 / 3], 0)[:, None] * [1, 0.5, 0.25]
    light = light + np.maximum(normal @ [0, 0, -1], 0)[:, None] * [0, 1, 0]
    np.testing.assert_allclose(together, channels["albedo"][:, :3] / 255 * light, rtol=2e-5, atol=2e-6)
    for i in range(101):
        alone = lamps({name: channel[i : i + 1] for name, channel in channels.items()}, None, None, None)
        assert alone.tobytes() == together[i : i + 1].tobytes()
    for options, message in (
        ({"directions": [(0, 0, 0)], "colors": [(1, 1, 1)]}, "directions must be finite and longer"),
        ({"directions": [(0, 1)], "colors": [(1, 1)]}, "directions must have shape"),
        ({"directions": [(0, 1, 0)], "colors": [(1, 1, 1)] * 2}, r"colors must have shape \(1, 3\)"),
    ):
        with pytest.raises(ValueError, match=message):
            lighting.DirectionalLights(**options)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="channels must hold 'albedo', got id"):
        lamps({"id": np.zeros(3)}, None, None, None)
