"""The enums of the tessellator: numbers, names, pickles, and factors however they are laid out."""

import pickle

import numpy as np
import pytest

from tilelab.tessellation import Domain, Partitioning, Topology, tessellate, tessellation_counts


@pytest.mark.parametrize(
    ("domain", "factors", "edges"), [(Domain.ISOLINE, 2, 2), (Domain.TRI, 4, 3), (Domain.QUAD, 6, 4)]
)
def test_numbers_that_follow_from_a_domain(domain: Domain, factors: int, edges: int) -> None:
    assert (domain.factor_count, domain.edge_count) == (factors, edges)
    with pytest.raises(AttributeError):
        domain.factor_count = 3  # type: ignore[misc]


def test_corners_of_a_topology() -> None:
    assert [topology.corners for topology in Topology] == [1, 2, 3, 3]


@pytest.mark.parametrize("member", [*Domain, *Partitioning, *Topology])
def test_members_are_integers_with_names(member: Domain | Partitioning | Topology) -> None:
    assert pickle.loads(pickle.dumps(member)) is member
    assert type(member)(int(member)) is type(member)[member.name] is member


@pytest.mark.parametrize("domain", ["tri", "TRI", Domain.TRI, 1, np.int64(1)])
def test_a_member_goes_by_name_and_by_value(domain: object) -> None:
    assert tessellate(domain, "Integer", [1, 1, 1, 2]).domain is Domain.TRI  # type: ignore[arg-type]


def test_factors_in_any_layout() -> None:
    factors = np.random.default_rng(1).uniform(1, 9, (5, 4)).astype(np.float32)
    wanted = tessellation_counts("tri", "integer", factors)
    misaligned = np.frombuffer(b"\0" + factors.tobytes(), np.uint8)[1:].view(np.float32).reshape(5, 4)
    assert not misaligned.flags.aligned
    readonly = factors.copy()
    readonly.flags.writeable = False
    for same in (
        np.asfortranarray(factors),
        factors.astype(np.float64),
        misaligned,
        readonly,
        factors.tolist(),
    ):
        np.testing.assert_array_equal(tessellation_counts("tri", "integer", same), wanted)
