from typing import Any

import numpy as np
import pytest
from lighting_frames import ids_alone

from tilelab import lighting

pyplot = pytest.importorskip("matplotlib.pyplot")
from tilelab import plot  # noqa: E402

IDS = np.zeros((40, 50), np.uint32)
IDS[:, 20:] = np.arange(40 * 30).reshape(40, 30)
VALID = np.ones((40, 50), bool)
VALID[:5] = False
TILES = lighting.scan(ids_alone(IDS, VALID))


@pytest.fixture(autouse=True)
def close_figures() -> Any:
    yield
    pyplot.close("all")


def test_counts_keep_the_picture_size() -> None:
    ax = plot.lit_counts(TILES)
    np.testing.assert_array_equal(ax.images[0].get_array(), TILES.counts)
    assert ax.get_xlim() == (-0.5, 49.5)
    assert ax.get_ylim() == (39.5, -0.5)
    other = pyplot.figure().add_subplot()
    assert plot.lit_counts(TILES, ax=other) is other


@pytest.mark.parametrize("channels", [(), (3,), (4,)])
@pytest.mark.parametrize("dtype", [np.float32, np.uint8])
def test_holes_are_where_nothing_is_lit(channels: tuple[int, ...], dtype: Any) -> None:
    image = np.full((40, 50, *channels), 255 if dtype == np.uint8 else 1.0, dtype)
    shown = np.asarray(plot.lit_pixels(TILES, image, valid=VALID, hole=(0, 0, 1)).images[0].get_array())
    black = (shown == np.array([0, 0, 1], np.float32)).all(axis=2)
    np.testing.assert_array_equal(black, VALID & ~TILES.lit_mask())
    assert (shown[~black] == 1).all()


def test_loops_are_counted_per_scan() -> None:
    ax = plot.wave_loop_tiles({"a": TILES, "b": TILES}, wave_size=32)
    heights = [bar.get_height() for bar in ax.containers[0]]
    assert sum(heights) == np.count_nonzero(TILES.counts)
    assert len(heights) == 8
    loops = lighting.wave_loops(TILES.counts[TILES.counts > 0], 32)
    saved = 1 - loops.sum() / (8 * loops.size)
    assert ax.get_legend().get_texts()[1].get_text() == f"b: {saved:.1%} of the loops saved"


def test_saving_draws_both_costs() -> None:
    ax = plot.lighting_saving(TILES, lights=[0, 5], wave_size=32, scan_cost=2.0)
    costs = [lighting.lighting_cost(TILES, lights=n, wave_size=32, scan_cost=2.0) for n in (0, 5)]
    assert ax.lines[0].get_ydata().tolist() == [cost.gross_saving * 100 for cost in costs]
    assert ax.lines[1].get_ydata().tolist() == [cost.net_saving * 100 for cost in costs]


@pytest.mark.parametrize("call", [plot.lit_counts, plot.wave_loop_tiles, plot.lighting_saving])
def test_other_objects_are_refused(call: Any) -> None:
    with pytest.raises(TypeError, match="must be a SparseTiles, got list"):
        call([1])


def test_other_pictures_are_refused() -> None:
    with pytest.raises(ValueError, match=r"image must have shape \(40, 50\)"):
        plot.lit_pixels(TILES, np.zeros((40, 49), np.float32))
    with pytest.raises(ValueError, match=r"image must have shape \(40, 50\)"):
        plot.lit_pixels(TILES, np.zeros((40, 50, 2), np.float32))
    with pytest.raises(ValueError, match="scans must hold at least one scan"):
        plot.wave_loop_tiles({})
