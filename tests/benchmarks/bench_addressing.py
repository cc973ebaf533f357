"""Bulk copies against memcpy of the same bytes, and texel offsets against a triad, measured in one run.

Usage: python tests/benchmarks/bench_addressing.py [--quick | --smoke] [mode ...]
"""

import argparse
import sys

import numpy as np
from ratio_table import RatioTable, reference_triad

import tilelab.addressing as ta

FORMATS = {
    1: "R8_UNORM",
    2: "R16_UNORM",
    4: "R8G8B8A8_UNORM",
    8: "R16G16B16A16_FLOAT",
    16: "R32G32B32A32_FLOAT",
}
AIMS = {1: 1.7, 2: 1.7, 4: 1.25, 8: 1.7, 16: 1.25}
AIMED = ["64KB_S", "64KB_S_X", "64KB_R_X", "4KB_S", "64KB_Z_X"]  # at 32 MB and more
MODES = ["64KB_S", "64KB_S_X", "64KB_R_X", "4KB_S", "64KB_Z_X", "64KB_D_X", "VAR_R_X"]
LARGE, SMALL, SMOKE = 64 << 20, 1 << 20, 1 << 16


def surface(size_bytes, element_bytes, *, odd=False):
    """Width and height of a power-of-two (or odd) surface of about that many bytes."""
    texels = size_bytes // element_bytes
    width = 1 << (texels.bit_length() - 1) // 2
    return (width + 13, texels // width - 11) if odd else (width, texels // width)


def check(layout, image, tiled, rng):
    """Compare random texels of the result with the address equation."""
    lead = image.ndim - 1
    places = [rng.integers(0, extent, 1000) for extent in image.shape[:lead]]
    coordinates = dict(zip("xyz", reversed(places), strict=False))
    offsets = ta.texel_offset(layout, **coordinates)
    got = tiled[offsets[:, None] + np.arange(image.shape[-1])]
    if not np.array_equal(got, image[tuple(places)]):
        raise SystemExit(f"{layout.swizzle_mode.name}: the result differs from the address equation")


def copies(title, cases, rounds):
    rng = np.random.default_rng(1)
    table = RatioTable(title, rounds=rounds)
    for label, layout, aim in cases:
        plan = ta.SwizzlePlan(layout)
        image = rng.integers(0, 256, plan.image_shape, np.uint8)
        tiled = np.zeros(layout.size_bytes, np.uint8)
        back = np.zeros_like(image)
        plain = np.zeros_like(image)
        check(layout, image, plan.swizzle(image, out=tiled), rng)
        if not np.array_equal(plan.deswizzle(tiled, out=back), image):
            raise SystemExit(f"{label}: deswizzle does not undo swizzle")
        memcpy = f"memcpy for {label}"
        table.add(memcpy, lambda a=plain, b=image: np.copyto(a, b), bytes_moved=image.nbytes)
        for name, call in (
            ("swizzle", lambda p=plan, a=image, b=tiled: p.swizzle(a, out=b)),
            ("deswizzle", lambda p=plan, a=tiled, b=back: p.deswizzle(a, out=b)),
        ):
            table.add(f"{name} {label}", call, reference=memcpy, bytes_moved=image.nbytes, limit=aim)
    return table.run()


def flat_cases(modes, size_bytes, sizes, odd=False):
    for mode in modes:
        for element_bytes in sizes:
            if mode.endswith("Z_X") and element_bytes == 16:
                continue
            width, height = surface(size_bytes, element_bytes, odd=odd)
            desc = ta.TextureDesc(width=width, height=height, format=FORMATS[element_bytes])
            aim = None
            if size_bytes == LARGE and not odd and mode in AIMED:
                aim = 2.0 if mode == "64KB_Z_X" else AIMS[element_bytes]
            yield f"{mode} {element_bytes} B", ta.resource_layout(desc, mode), aim


def volume_cases(modes, size_bytes, sizes):
    for mode in modes:
        for element_bytes in sizes:
            texels = size_bytes // element_bytes
            width, height = (512, 256) if size_bytes == LARGE else (32, 16)
            desc = ta.TextureDesc(
                dimension="3d",
                width=width,
                height=height,
                depth_or_array_size=texels // width // height,
                format=FORMATS[element_bytes],
            )
            yield f"{mode} 3D {element_bytes} B", ta.resource_layout(desc, mode), 1.5


def addresses(count, rounds):
    rng = np.random.default_rng(2)
    desc = ta.TextureDesc(width=4096, height=4096, format="R8G8B8A8_UNORM", mip_levels=0)
    x, y = rng.integers(0, 4096, count), rng.integers(0, 4096, count)
    out = np.zeros(count, np.int64)
    table = RatioTable(f"texel addresses, {count} int64 coordinates", rounds=rounds)
    table.add("triad", lambda: reference_triad(out, x, y), bytes_moved=24 * count, items=count)
    for mode in ("64KB_R_X", "64KB_S", "4KB_S", "LINEAR"):
        layout = ta.resource_layout(desc, mode)
        table.add(
            f"texel_offset {mode}",
            lambda layout=layout: ta.texel_offset(layout, x, y, out=out),
            reference="triad",
            items=count,
            limit=3.0,
        )
    layout = ta.resource_layout(desc, "64KB_R_X")
    offsets = ta.texel_offset(layout, x, y)
    table.add(
        "offset_texel 64KB_R_X", lambda: ta.offset_texel(layout, offsets), reference="triad", items=count
    )
    return table.run()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer sizes")
    parser.add_argument("--smoke", action="store_true", help="small sizes, one round: only results count")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("modes", nargs="*", default=MODES)
    options = parser.parse_args()
    large, small, rounds = (SMOKE, SMOKE, 1) if options.smoke else (LARGE, SMALL, options.rounds)
    sizes = (4, 16) if options.quick else tuple(FORMATS)
    mega = large / (1 << 20)
    for mode in options.modes:
        copies(f"{mode}, {mega:g} MB, one thread", flat_cases([mode], large, sizes), rounds)
    copies(
        f"thick volumes, {mega:g} MB",
        volume_cases(["64KB_S", "64KB_S_X", "64KB_D_X"], large, sizes),
        rounds,
    )
    if not options.quick:
        copies("inside the L2 cache", flat_cases(MODES, small, sizes), 1 if options.smoke else 25)
        copies(
            f"odd sizes, {mega:g} MB",
            flat_cases(["64KB_R_X", "64KB_S"], large, (4, 16), odd=True),
            rounds,
        )
    addresses(10_000 if options.smoke else 10_000_000, rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
