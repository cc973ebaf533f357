"""Packing and unpacking of records; test_golden.py has the measured words."""

import numpy as np

from tilelab import lighting


def test_one_record_is_packed_and_unpacked_as_scalars() -> None:
    assert lighting.pack_records(1, 2, False, True, False, 1) == lighting.pack_records(1, 2, 0, 1, 0, 1.0)
    assert all(isinstance(field, np.generic) for field in lighting.unpack_records(0x80000395))


def test_records_show_themselves_in_one_line() -> None:
    words = lighting.pack_records([0, 1, 2], 0, [True, False, False], True, False, [0.25, 0.5, 0.75])
    assert repr(lighting.unpack_records(words)) == "Records(3 records, 4 copies)"
    assert repr(lighting.unpack_records(words[0])) == "Records(1 records, 2 copies)"
    page = lighting.unpack_records(words)._repr_html_()
    assert "<td style='text-align:left'>copies</td><td style='text-align:right'>4</td>" in page
    assert "0.25 to 0.75</td>" in page
    assert "depth" not in lighting.unpack_records(words[:0])._repr_html_()
