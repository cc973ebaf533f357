"""Speed of sparse lighting against one read of what it reads, and against its NumPy twin.

Run as a script: ``bench_lighting.py [--height 2160 --width 3840] [--all-targets] [--smoke]``.
"""

import argparse
from typing import Any

import numpy as np
from ratio_table import RatioTable, reference_copy, reference_read

from tilelab import lighting, testing
from tilelab.reference import lighting as twin

READ_LIMIT = 2.5  # scan / one read of its inputs
NUMPY_LIMIT = 1 / 30  # scan / twin


def coarse_frame(height: int, width: int) -> lighting.GBuffer:
    """Albedo and normal of 4 bytes each as written at random rates, and a smooth depth."""
    rng = np.random.default_rng(7)
    rates = rng.integers(0, 4, (-(-height // 8), -(-width // 8))).repeat(8, 0).repeat(8, 1)[:height, :width]
    y, x = np.indices((height, width), np.int32)
    source = np.where(rates & 1, y & ~1, y), np.where(rates & 2, x & ~1, x)
    channels = {
        name: rng.integers(0, 256, (height, width, 4), np.uint8)[source] for name in ("albedo", "normal")
    }
    slope = np.linspace(0, 0.9, height, dtype=np.float32)[:, None]
    return lighting.GBuffer(channels, slope + rng.random((height, width), np.float32) / np.float32(9999))


def shade(channels: dict[str, Any], x: Any, y: Any, depth: Any) -> Any:
    return channels["albedo"].astype(np.float32) * np.float32(0.5)


def check(gbuffer: lighting.GBuffer, mode: str) -> None:
    slow = twin.scan(gbuffer.channels, gbuffer.depth, mode=mode)
    np.testing.assert_array_equal(lighting.scan(gbuffer, mode=mode).records, slow.records)


def scans(gbuffer: lighting.GBuffer, title: str, rounds: int) -> dict[str, float]:
    """Exact and tolerance scan, one thread, into given and into new memory."""
    arrays = [*gbuffer.channels.values(), gbuffer.depth]
    size, pixels = sum(array.nbytes for array in arrays), gbuffer.depth.size
    memory = np.zeros(pixels, np.uint32)
    table = RatioTable(title, rounds)
    table.add("one read of the inputs", lambda: reference_read(*arrays), bytes_moved=size)
    for mode in ("exact", "tolerance"):
        check(gbuffer, mode)
        for label, out in (("out=", memory), ("new memory", None)):
            table.add(
                f"scan, {mode}, {label}",
                lambda mode=mode, out=out: lighting.scan(gbuffer, mode=mode, out=out),
                reference="one read of the inputs",
                bytes_moved=size,
                items=pixels,
                limit=READ_LIMIT,
            )
    return table.run()


def against_numpy(gbuffer: lighting.GBuffer, rounds: int) -> None:
    table = RatioTable("scan against the vectorised NumPy twin", rounds)
    for mode in ("exact", "tolerance"):
        name = f"NumPy twin, {mode}"
        table.add(name, lambda mode=mode: twin.scan(gbuffer.channels, gbuffer.depth, mode=mode))
        table.add(
            f"scan, {mode}",
            lambda mode=mode: lighting.scan(gbuffer, mode=mode),
            reference=name,
            limit=NUMPY_LIMIT,
        )
    result = table.run()
    for mode in ("exact", "tolerance"):
        print(f"  {mode}: {1 / result[f'scan, {mode}']:.0f} x faster than NumPy")


def other_types(height: int, width: int, rounds: int) -> None:
    """Channel types with their own way of reading, and the general one."""
    rng = np.random.default_rng(3)
    depth = np.full((height, width), 0.5, np.float32)
    memory = np.zeros(depth.size, np.uint32)
    types = [("uint8", 1), ("uint8", 3), ("uint8", 4), ("uint16", 1), ("uint32", 1), ("float16", 1)]
    types += [("float16", 3), ("float16", 4), ("float32", 1), ("float32", 3), ("float32", 4), ("float32", 5)]
    for dtype, components in types:
        values = rng.integers(0, 200, (height, width, components)).astype(dtype)
        gbuffer = lighting.GBuffer({"c": values}, depth)
        table = RatioTable(f"{dtype} x {components}, {width}x{height}", rounds)
        table.add("one read", lambda g=gbuffer: reference_read(g.channels["c"], g.depth))
        for mode in ("exact", "tolerance"):
            check(gbuffer, mode)
            table.add(
                f"scan, {mode}",
                lambda g=gbuffer, mode=mode: lighting.scan(g, mode=mode, out=memory),
                reference="one read",
                items=depth.size,
            )
        table.run()


def passes(gbuffer: lighting.GBuffer, rounds: int) -> None:
    """Gather and fill."""
    tiles = lighting.scan(gbuffer)
    values = lighting.light(tiles, gbuffer, shade)
    out = lighting.fill(tiles, values)
    np.testing.assert_array_equal(out, lighting.light_dense(gbuffer, shade))
    source = out.copy()
    table = RatioTable("fill of 16-byte values, gather of 4-byte pixels", rounds)
    table.add("copy of the 16-byte image", lambda: reference_copy(out, source))
    table.add("fill", lambda: lighting.fill(tiles, values, out=out), reference="copy of the 16-byte image")
    table.add(
        "gather",
        lambda: tiles.gather(gbuffer.channels["albedo"]),
        reference="copy of the 16-byte image",
    )
    table.run()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--height", type=int, default=2160)
    parser.add_argument("--width", type=int, default=3840)
    parser.add_argument(
        "--all-targets", action="store_true", help="repeat the scan for every instruction set"
    )
    parser.add_argument("--smoke", action="store_true", help="small frames, one round: only results count")
    arguments = parser.parse_args()
    if arguments.smoke:
        arguments.height, arguments.width = 72, 136
    other = (36, 68) if arguments.smoke else (1080, 1920)
    rounds, more_rounds = (1, 1) if arguments.smoke else (7, 11)
    gbuffer = coarse_frame(arguments.height, arguments.width)
    size = f"{arguments.width}x{arguments.height}"
    ratios = scans(gbuffer, f"scan, {size}, albedo 4 B + normal 4 B + depth 4 B, one thread", more_rounds)
    against_numpy(gbuffer, rounds)
    passes(gbuffer, rounds)
    other_types(*other, rounds)
    if arguments.all_targets:
        for target in testing.targets():
            with testing.force_target(target):
                scans(gbuffer, f"scan, {size}, {target}", more_rounds)
    slow = [label for label, ratio in ratios.items() if label.endswith("out=") and ratio > 1.5 * READ_LIMIT]
    return 1 if slow and not arguments.smoke else 0


if __name__ == "__main__":
    raise SystemExit(main())
