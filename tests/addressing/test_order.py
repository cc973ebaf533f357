import itertools

import pytest

from tilelab.addressing import TextureDesc, reorder_subresources, subresource_order

ORDERS = ("d3d12", "xbox_one", "xbox_series")
DESCS = [
    TextureDesc(width=8, height=8, depth_or_array_size=3, mip_levels=4, format="BC1_UNORM"),
    TextureDesc(dimension="cube", width=4, height=4, mip_levels=0, format="R8_UNORM"),
    TextureDesc(dimension="3d", width=8, height=8, depth_or_array_size=8, mip_levels=0, format="R8_UNORM"),
    TextureDesc(width=4, height=4, depth_or_array_size=2, mip_levels=2, format="D24_UNORM_S8_UINT"),
]


def test_orders_written_out() -> None:
    names = ["s0m0", "s0m1", "s0m2", "s1m0", "s1m1", "s1m2"]
    desc = TextureDesc(width=4, height=4, depth_or_array_size=2, mip_levels=3, format="R8_UNORM")
    assert reorder_subresources(names, desc, source="d3d12", target="xbox_one") == [
        *("s0m0", "s1m0", "s0m1", "s1m1", "s0m2", "s1m2"),
    ]
    assert reorder_subresources(names, desc, source="d3d12", target="xbox_series") == [
        *("s0m2", "s0m1", "s0m0", "s1m2", "s1m1", "s1m0"),
    ]


@pytest.mark.parametrize("desc", DESCS, ids=lambda desc: f"{desc.dimension}-{desc.format}")
def test_every_pair_of_orders_undoes_itself(desc: TextureDesc) -> None:
    entries = list(range(desc.subresource_count))
    for source, target in itertools.product(ORDERS, ORDERS):
        there = reorder_subresources(entries, desc, source=source, target=target)
        assert sorted(there) == entries
        assert reorder_subresources(there, desc, source=target, target=source) == entries
        assert [int(subresource_order(desc, source)[entry]) for entry in there] == list(
            subresource_order(desc, target)
        )


def test_bad_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="source must be one of"):
        reorder_subresources([1], DESCS[0], source="ps5")
    with pytest.raises(ValueError, match="subresources must hold 12 entries, got 1"):
        reorder_subresources([1], DESCS[0], source="xbox_one")
    with pytest.raises(TypeError, match="subresources must be a sequence, got int"):
        reorder_subresources(12, DESCS[0], source="xbox_one")
    with pytest.raises(TypeError, match="desc must be a TextureDesc"):
        subresource_order(None, "d3d12")
