"""Rates, caps and combiners against the specification tables, a measured GPU, and the twin."""

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tilelab import UnsupportedError
from tilelab.reference import vrs as twin
from tilelab.vrs import Combiner, ShadingRate, VrsCaps, combine_rates, sanitize_rate

Golden = Callable[[str], Path]
CODES = np.array([0, 1, 2, 4, 5, 6, 8, 9, 10], np.uint8)


def all_chains(**options: Any) -> np.ndarray:
    """Every draw, primitive and image for every pair of combiners: (5, 5, 9, 9, 9)."""
    draw, primitive, image = CODES[:, None, None], CODES[None, :, None], CODES[None, None, :]
    return np.array(
        [
            [combine_rates(draw, primitive, image, combiners=(a, b), **options) for b in Combiner]
            for a in Combiner
        ]
    )


def test_names_and_codes() -> None:
    assert [(rate.name, rate.value) for rate in ShadingRate] == [
        ("RATE_1X1", 0),
        ("RATE_1X2", 1),
        ("RATE_2X1", 4),
        ("RATE_2X2", 5),
        ("RATE_2X4", 6),
        ("RATE_4X2", 9),
        ("RATE_4X4", 10),
    ]
    assert all(
        rate == (rate.width.bit_length() - 1) << 2 | rate.height.bit_length() - 1 for rate in ShadingRate
    )
    assert [combiner.name.lower() for combiner in Combiner] == [
        "passthrough",
        "override",
        "min",
        "max",
        "sum",
    ]


def test_combiner_truth_tables(golden: Golden) -> None:
    truth = json.loads(golden("vrs/combiner_truth.json").read_text())
    assert truth["codes"] == CODES.tolist()
    for case in truth["caps"]:
        caps, samples = VrsCaps(additional_rates=case["additional_rates"]), case["msaa"]
        assert sorted(caps.supported_rates(samples)) == sorted(case["supported"])
        wanted = [case["sanitize"][str(code)] for code in CODES]
        assert sanitize_rate(CODES, caps, samples).tolist() == wanted
        for name, table in case["table"].items():
            result = combine_rates(
                CODES[:, None], CODES, combiners=(name, "passthrough"), caps=caps, sample_count=samples
            )
            assert result.tolist() == table, (case["msaa"], name)


def test_combiner_chains(golden: Golden) -> None:
    chains = json.loads(golden("vrs/combiner_chain.json").read_text())
    for case in chains["random"]:
        caps = VrsCaps(additional_rates=case["additional"])
        for sanitize, key in (("each", "d3d12"), ("final", "final_clamp_only")):
            result = combine_rates(
                case["draw"], case["prim"], case["image"], combiners=case["ops"], caps=caps, sanitize=sanitize
            )
            assert result == case[key]


def test_only_eight_chains_differ_between_the_two_specifications(golden: Golden) -> None:
    wanted = json.loads(golden("vrs/combiner_chain.json").read_text())["divergent_all"]
    each, final = all_chains(sanitize="each"), all_chains(sanitize="final")
    legal = [rate.value for rate in ShadingRate]
    found = []
    for a, b, i, j, k in np.argwhere(each != final).tolist():
        draw, primitive, image = (int(CODES[n]) for n in (i, j, k))
        if {draw, primitive, image} <= set(legal):
            found.append([draw, primitive, image, a, b, int(each[a, b, i, j, k]), int(final[a, b, i, j, k])])
    assert sorted(found) == sorted(wanted)


def test_measured_gpu_combiners(golden: Golden) -> None:
    measured = np.load(golden("gpu/vrs/combiners.npz"))
    assert measured["rate_codes"].tolist() == CODES.tolist()
    misses = {
        way: int((all_chains(sanitize=way) != measured["rate"]).sum()) for way in ("outputs", "each", "final")
    }
    assert misses == {"outputs": 0, "each": 888, "final": 408}
    area = 1 << ((CODES >> 2) + (CODES & 3)).astype(int)
    lookup = dict(zip(CODES.tolist(), area.tolist(), strict=True))
    assert (np.vectorize(lookup.get)(measured["rate"]) * measured["invocations"] == 256).all()


def test_rates_of_the_measured_gpu_with_multisampling(golden: Golden) -> None:
    supported = np.load(golden("gpu/vrs/combiners.npz"))["supported"].tolist()
    for samples in (1, 2, 4, 8, 16):
        wanted = {(w, h) for mask, w, h in supported if mask & samples}
        rates = VrsCaps(profile="nvidia").supported_rates(samples)
        assert {(rate.width, rate.height) for rate in rates} == wanted


@pytest.mark.parametrize(
    ("profile", "additional"),
    [("d3d12", False), ("d3d12", True), ("nvidia", False), ("nvidia", True), ("xbox_series", False)],
)
@pytest.mark.parametrize("samples", [1, 2, 4, 8, 16])
def test_twin_agrees(profile: str, additional: bool, samples: int) -> None:
    caps = VrsCaps(profile=profile, additional_rates=additional)
    supported = twin.supported_rates(profile, additional, samples)
    assert set(caps.supported_rates(samples)) == supported
    for sanitize in ("each", "final", "outputs"):
        result = all_chains(caps=caps, sample_count=samples, sanitize=sanitize)
        for a, b in itertools.product(range(5), repeat=2):
            for i, j, k in ((0, 0, 0), (1, 1, 3), (8, 8, 8), (2, 6, 4), (5, 7, 1), (3, 1, 2)):
                chain = [int(CODES[n]) for n in (i, j, k)]
                wanted = twin.combine_rates(*chain, (a, b), supported, 1 + additional, sanitize)
                assert result[a, b, i, j, k] == wanted


def test_strings_enums_and_shapes() -> None:
    assert combine_rates("2X1", ShadingRate.RATE_1X2, 0, combiners=(Combiner.MAX, "PassThrough")) == 5
    assert sanitize_rate("1x4") == 1
    assert sanitize_rate(["1x1", "rate_4x1"]).tolist() == [0, 4]
    assert combine_rates(5).shape == ()
    assert combine_rates(np.zeros((3, 1), int), np.zeros(4, int)).shape == (3, 4)
    assert combine_rates("2x2", combiners=("passthrough", "override")) == 0  # no image is 1x1


def test_identities_of_an_absent_image() -> None:
    for rate in ShadingRate:
        for combiner, wanted in (
            ("min", 0),
            ("override", 0),
            ("max", rate),
            ("passthrough", rate),
            ("sum", rate),
        ):
            assert combine_rates(rate, combiners=("passthrough", combiner)) == wanted


def test_caps() -> None:
    assert VrsCaps().additional_rates
    assert VrsCaps(profile="xbox_series").additional_rates is False
    assert VrsCaps(profile="xbox_series").supported_rates(8) == [0, 1, 4, 5]
    with pytest.raises(ValueError, match="additional_rates must be False"):
        VrsCaps(profile="xbox_series", additional_rates=True)
    with pytest.raises(ValueError, match="profile must be one of"):
        VrsCaps(profile="amiga")
    with pytest.raises(ValueError, match=r"tier must be in \[1, 2\], got 3"):
        VrsCaps(tier=3)
    with pytest.raises(TypeError, match="sum_combiner must be True or False"):
        VrsCaps(sum_combiner=1)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: combine_rates(3), ValueError, "draw must hold rate codes .*, got 3"),
        (lambda: combine_rates(0, 11), ValueError, "primitive must hold rate codes"),
        (lambda: combine_rates(0, -1), ValueError, "primitive must hold integers in"),
        (lambda: combine_rates(0, 0, 1.0), TypeError, "image must be an array of uint8, got float64"),
        (lambda: combine_rates("3x1"), ValueError, "draw must be one of 1x1, .*, got '3x1'"),
        (lambda: combine_rates(0, combiners="max"), TypeError, "combiners must be a pair"),
        (lambda: combine_rates(0, combiners=("max",)), ValueError, "combiners must be a pair"),
        (lambda: combine_rates(0, combiners=("max", "multiply")), ValueError, "combiners must be one of"),
        (lambda: combine_rates(0, combiners=(0, 5)), ValueError, "combiners must be one of"),
        (lambda: combine_rates(0, sanitize="never"), ValueError, "sanitize must be one of"),
        (
            lambda: combine_rates(0, sample_count=3),
            ValueError,
            "sample_count must be one of 1, 2, 4, 8, 16, got 3",
        ),
        (lambda: combine_rates(0, caps="full"), TypeError, "caps must be a VrsCaps"),  # type: ignore[arg-type]
        (lambda: combine_rates([0, 0], [0, 0, 0]), ValueError, "must broadcast together"),
        (
            lambda: combine_rates(0, combiners=("sum", 0), caps=VrsCaps(sum_combiner=False)),
            UnsupportedError,
            "combiners must not hold SUM",
        ),
        (
            lambda: combine_rates(0, combiners=("max", 0), caps=VrsCaps(tier=1)),
            UnsupportedError,
            "caps.tier is 1",
        ),
    ],
)
def test_bad_input(call: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
