"""The scan pass: which pixels of a G-buffer have to be lit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

from tilelab import _core
from tilelab._core.lighting import (
    Channel,
    Compare,
    DepthEncoding,
    Policy,
    ScanInput,
    ScanOptions,
    ScanOutput,
)
from tilelab._validation import (
    as_choice,
    as_enum,
    as_float,
    as_instance,
    as_member,
    as_out,
    as_threads,
    ceil_div,
    fail,
)
from tilelab.lighting.fast_paths import HASH_BITS, PathPlan, plan_paths
from tilelab.lighting.gbuffer import GBuffer, kernel_range, pixel_bytes
from tilelab.lighting.tiles import TILE, ScanStats, SparseTiles

__all__ = ["scan"]
__dir__ = __all__.copy

MODES = ("exact", "tolerance")
DEFAULT_DELTA = 0.025

# How the kernel compares a channel of each dtype in tolerance mode; exact mode compares bits.
_COMPARE = {
    "uint8": Compare.UNORM8,
    "uint16": Compare.UNORM16,
    "uint32": Compare.BITS,
    "float16": Compare.FLOAT16,
    "float32": Compare.FLOAT32,
}


def scan(
    gbuffer: GBuffer,
    *,
    mode: str = "exact",
    delta: float | Mapping[str, float] = DEFAULT_DELTA,
    depth_delta: float | None = 0.001,
    policy: str = "checker",
    depth_encoding: str = "unorm21",
    rates: npt.ArrayLike | None = None,
    primitive_id: npt.ArrayLike | None = None,
    fast_paths: Iterable[str] = (),
    hash_bits: int = 32,
    out: npt.NDArray[np.uint32] | None = None,
    threads: int = 1,
) -> SparseTiles:
    """List the distinct pixels of every 2x2 quad, tile by tile.

    Parameters
    ----------
    gbuffer : GBuffer
        What is compared.
    mode : {"exact", "tolerance"}
        Bitwise equality of all channels (-0.0 and +0.0 differ, a NaN equals the same NaN), or
        ``|a - b| <= delta`` for every component of every channel.
    delta : float or mapping of str to float
        Largest accepted difference in tolerance mode, for all channels or by name (others keep 0.025).
        uint8 and uint16 are UNORM: ``floor(delta * 255)`` or ``floor(delta * 65535)`` codes. uint32 is always
        exact. float16 and float32 are compared in float32; a difference that is NaN is never accepted.
    depth_delta : float or None
        Largest accepted difference of the normalised depth in both modes (float32); None = no gate.
    policy : {"checker", "first"}
        Order of visits in a quad: (0,0), (1,1), (1,0), (0,1), so that 2x1 and 1x2 both light a chequerboard,
        or row by row. A pixel joins the first earlier leader it matches, else it leads.
    depth_encoding : {"unorm21", "float21"}
        See :func:`pack_records`.
    rates : array_like of uint8, (ceil(H / 8), ceil(W / 8)), optional
        Rate image of the frame, for the fast paths that use it: codes, members of ``vrs.ShadingRate`` or
        names like "2x1". 1x4 and 4x1 count as 1x2 and 2x1.
    primitive_id : array_like of int32, (H, W), optional
        Visible primitive of every pixel, for the fast path ``"single_triangle"``.
    fast_paths : iterable of str
        Any of ``FAST_PATHS``; a tile takes the first that applies, in this order. ``"full_rate"``: all 8x8
        blocks are 1x1, so every pixel is lit and channels are not read (never fewer records).
        ``"single_triangle"``: all blocks are coarse and one primitive covers the tile, so the rate's pattern
        holds and channels are not read. ``"dcc_key"``: every 256-byte block of every channel is constant, so
        one pixel per quad is enough and channels are not read. ``"hash"``: a hash of the channels is compared
        instead (exact mode only; a collision loses a record). ``"fused_read"``: the scan is part of a pass
        that reads the G-buffer anyway, so it reads no bytes of its own. The depth gate holds on every path
        but the first, which groups nothing.
    hash_bits : {32, 16}
        Length of the hash.
    out : ndarray of uint32, (H * W,), optional
        Memory for the records; the result's records are the filled part of it.
    threads : int
        0 for all cores.

    Returns
    -------
    SparseTiles
        Records, offsets, counts and statistics. The same for every thread count and instruction set.

    Raises
    ------
    TypeError, ValueError
        An argument of the wrong kind, value or shape.
    UnsupportedError
        ``"hash"`` in tolerance mode, or ``"dcc_key"`` with a channel whose pixels are not 1, 2, 4, 8 or 16
        bytes.

    Notes
    -----
    Tiles of 16x16, the widths in a record and the two tests (exact; 0.025 per channel with a depth gate of
    0.001) are documented for the Xbox sample "Variable Rate Compute Shaders"; visiting order, record layout
    and the unit of the gate are choices (modelled). Only leaders are compared, so every copy lies within
    `delta` of what it gets. In exact mode without collisions, lighting that depends on the compared channels
    alone is bit-identical to :func:`light_dense`.

    Examples
    --------
    >>> import numpy as np
    >>> from tilelab import lighting
    >>> albedo = np.zeros((16, 16), np.uint8)
    >>> tiles = lighting.scan(lighting.GBuffer({"albedo": albedo}, np.zeros((16, 16), np.float32)))
    >>> tiles.counts, [hex(record) for record in tiles.records[:3]]
    (array([[64]], dtype=uint32), ['0x700', '0x702', '0x704'])
    """
    as_instance("gbuffer", gbuffer, GBuffer)
    exact = as_choice("mode", mode, MODES) == "exact"
    options = ScanOptions(
        depth_range=kernel_range(gbuffer),
        depth_delta=depth_delta,
        policy=as_enum("policy", policy, Policy),
        depth_encoding=as_enum("depth_encoding", depth_encoding, DepthEncoding),
    )
    deltas = _deltas(gbuffer, delta)
    hash_size = as_member("hash_bits", hash_bits, HASH_BITS)
    workers = as_threads(threads)
    height, width = gbuffer.shape
    if out is None:
        records = np.empty(height * width, np.uint32)
    else:
        inputs = [("depth", gbuffer.depth), ("valid", gbuffer.valid), *gbuffer.channels.items()]
        records = as_out("out", out, dtype=np.uint32, shape=(height * width,), inputs=inputs)
    plan = plan_paths(gbuffer, rates, primitive_id, fast_paths, hash_size, exact=exact, threads=workers)

    tiles = ceil_div(height, TILE), ceil_div(width, TILE)
    offsets, counts = np.empty(tiles[0] * tiles[1] + 1, np.int64), np.empty(tiles, np.uint32)
    met = _core.lighting.scan(
        _kernel_channels(gbuffer, plan, deltas, hash_size, exact=exact, threads=workers),
        ScanInput(
            depth=gbuffer.depth,
            valid=None if gbuffer.valid is None else gbuffer.valid.view(np.uint8),
            patterns=plan.patterns,
        ),
        options,
        ScanOutput(records=records, offsets=offsets, counts=counts),
        workers,
    )
    stats = ScanStats(
        valid_pixels=gbuffer.valid_pixels,
        lit_pixels=met.records,
        depth_clamped=met.depth_clamped,
        depth_nan=met.depth_nan,
        path_tiles=plan.tiles,
        path_bytes=plan.bytes,
    )
    return SparseTiles(
        records=records[: met.records],
        offsets=offsets,
        counts=counts,
        stats=stats,
        shape=gbuffer.shape,
        depth_encoding=options.depth_encoding.name.lower(),
        paths=plan.paths,
    )


def _deltas(gbuffer: GBuffer, delta: object) -> dict[str, float]:
    if not isinstance(delta, Mapping):
        return dict.fromkeys(gbuffer.channels, as_float("delta", delta, low=0.0))
    unknown = [name for name in delta if name not in gbuffer.channels]
    if unknown:
        raise fail("delta", f"must name channels of the G-buffer ({', '.join(gbuffer.channels)})", unknown[0])
    given = {name: as_float(f"delta[{name!r}]", value, low=0.0) for name, value in delta.items()}
    return {name: given.get(name, DEFAULT_DELTA) for name in gbuffer.channels}


def _kernel_channels(
    gbuffer: GBuffer,
    plan: PathPlan,
    deltas: Mapping[str, float],
    hash_bits: int,
    *,
    exact: bool,
    threads: int,
) -> list[Channel]:
    pixels = {name: pixel_bytes(channel) for name, channel in gbuffer.channels.items()}
    if plan.hashed:
        hashes = np.empty(gbuffer.shape, np.uint32)
        _core.lighting.hash_pixels(list(pixels.values()), hash_bits, hashes, threads)
        return [Channel(pixels=pixel_bytes(hashes))]
    if exact:
        return [Channel(pixels=channel) for channel in pixels.values()]
    channels = []
    for name, channel in gbuffer.channels.items():
        largest = np.iinfo(channel.dtype).max if channel.dtype.kind == "u" else 1
        channels.append(
            Channel(
                pixels=pixels[name],
                compare=_COMPARE[channel.dtype.name],
                allowance=deltas[name] * float(largest),
            )
        )
    return channels
