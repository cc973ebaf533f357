"""Tessellation against the memory traffic that it cannot avoid. Run as a script."""

import argparse
import sys

import numpy as np
from ratio_table import RatioTable, reference_read

from tilelab.reference import tessellation as twin
from tilelab.tessellation import COUNTS_DTYPE, Domain, Tessellation, tessellate, tessellation_counts

PATCHES = 2_000_000
ROUNDS = 9
BYTES = {"in L2 and L3": 4_000_000, "in memory": 64_000_000}


def check_against_twin(domain: str, partitioning: str, factors: np.ndarray) -> None:
    """Compare a few patches with the slow definition before anything is timed."""
    some = factors[:: max(1, len(factors) // 5)][:5]
    points, indices, *_ = twin.tessellate(domain, partitioning, some, topology="triangle_cw")
    made = tessellate(domain, partitioning, some)
    np.testing.assert_array_equal(made.points_fixed, points)
    np.testing.assert_array_equal(made.indices, indices)
    counts = tessellation_counts(domain, partitioning, some)
    np.testing.assert_array_equal(counts["points"], np.diff(made.point_offsets))


def bench_counts(rng: np.random.Generator, patches: int, rounds: int) -> None:
    table = RatioTable(
        f"tessellation_counts, {patches} patches: ratio to read of factors + write of counts", rounds
    )
    for domain in Domain:
        factors = rng.uniform(0.5, 66, (patches, domain.factor_count)).astype(np.float32)
        out = np.zeros(patches, COUNTS_DTYPE)
        for partitioning in ("integer", "fractional_odd", "fractional_even"):
            name = f"{domain.name.lower()} {partitioning}"

            def read_and_write(factors: np.ndarray = factors, out: np.ndarray = out) -> None:
                reference_read(factors)
                out.view(np.uint8).fill(1)

            def count(
                domain: Domain = domain, p: str = partitioning, f: np.ndarray = factors, o: np.ndarray = out
            ) -> None:
                tessellation_counts(domain, p, f, out=o)

            table.add(f"{name}: read + write", read_and_write, bytes_moved=factors.nbytes + out.nbytes)
            table.add(name, count, reference=f"{name}: read + write", items=patches, limit=6.0)
    table.run()


def draw(
    rng: np.random.Generator, kind: str, patches: int, width: int, factor: int
) -> tuple[str, np.ndarray]:
    """Give a partitioning and factors: all equal, or within 40 % of `factor`."""
    if kind == "equal":
        return "integer", np.full((patches, width), factor, np.float32)
    spread = rng.uniform(max(1, 0.6 * factor), min(64, 1.4 * factor), (patches, width)).astype(np.float32)
    return ("integer" if kind == "varied integer" else "fractional_odd"), spread


def bench_tessellate(rng: np.random.Generator, size: str, total_bytes: int, rounds: int) -> None:
    table = RatioTable(
        f"tessellate with triangles, one thread, output {size}: ratio to memcpy of the output", rounds
    )
    for domain in ("tri", "quad"):
        width = Domain[domain.upper()].factor_count
        for factor in (4, 16, 64):
            row = tessellation_counts(domain, "integer", [factor] * width)
            patches = max(1, total_bytes // (8 * int(row["points"]) + 6 * int(row["primitives"])))
            for kind in ("equal", "varied integer", "varied odd"):
                partitioning, factors = draw(rng, kind, patches, width, factor)
                check_against_twin(domain, partitioning, factors)
                made = tessellate(domain, partitioning, factors)
                copies = [(np.empty_like(a), a.copy()) for a in (made.points_fixed, made.indices)]
                name = f"{domain} {factor} {kind}"

                def copy(copies: list[tuple[np.ndarray, np.ndarray]] = copies) -> None:
                    for target, source in copies:
                        np.copyto(target, source)

                def run(
                    d: str = domain, p: str = partitioning, f: np.ndarray = factors, o: Tessellation = made
                ) -> None:
                    tessellate(d, p, f, out=o)

                def fresh(d: str = domain, p: str = partitioning, f: np.ndarray = factors) -> None:
                    tessellate(d, p, f)

                moved = made.points_fixed.nbytes + made.indices.nbytes
                table.add(f"{name}: memcpy", copy, bytes_moved=moved)
                table.add(
                    f"{name}: out=",
                    run,
                    reference=f"{name}: memcpy",
                    bytes_moved=moved,
                    items=len(made.points_fixed),
                    limit=4.0,
                )
                table.add(
                    f"{name}: new memory",
                    fresh,
                    reference=f"{name}: memcpy",
                    items=len(made.points_fixed),
                    limit=4.0,
                )
    table.run()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", choices=list(BYTES), help="one output size instead of all")
    parser.add_argument("--smoke", action="store_true", help="few patches, one round: only results count")
    arguments = parser.parse_args()
    patches, rounds = (1_000, 1) if arguments.smoke else (PATCHES, ROUNDS)
    rng = np.random.default_rng(1)
    print("items are patches in the first table and points in the others")
    bench_counts(rng, patches, rounds)
    for size, total_bytes in BYTES.items():
        if arguments.size in (None, size):
            bench_tessellate(rng, size, 10_000 if arguments.smoke else total_bytes, rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
