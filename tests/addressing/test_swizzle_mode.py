"""The table of modes."""

import tilelab.addressing as ta
from tilelab import _core
from tilelab._core.addressing import MicroTile, XorKind


def test_mode_table():
    rows = ta.swizzle_modes("lockhart")
    assert [row.value for row in rows] == list(range(32))
    assert [row.value for row in rows if row.supported] == [
        0,
        1,
        2,
        5,
        6,
        9,
        10,
        17,
        18,
        21,
        22,
        24,
        25,
        26,
        27,
        28,
        31,
    ]
    assert rows[31].block_bytes == 131072
    assert rows[24].volume_blocks == "thin"
    assert rows[26].volume_blocks == "thick"
    assert "SW_64KB_R_X" in rows._repr_html_()
    assert ta.SwizzleMode["SW_VAR_R_X"].block_bytes("anaconda") == 524288
    assert not ta.SwizzleMode.SW_4KB_S.hardware_specific


def test_the_core_knows_modes_by_name() -> None:
    info = _core.addressing.mode_info(27)
    assert (info.micro_tile, info.xor_kind, info.block_log2) == (MicroTile.R, XorKind.X, 16)
    assert ta.SwizzleMode.SW_VAR_Z_X.info.block_log2 == _core.addressing.VAR_BLOCK
    for mode in ta.SwizzleMode:
        parts = [part for part in (mode.micro_tile, mode.xor) if part]
        assert mode.name.removeprefix("SW_") == "_".join([mode.block, *parts])
