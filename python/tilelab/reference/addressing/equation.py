"""Block dimensions and address equations: the obvious way.

An equation is a list with one entry per address bit of a block; entry ``b`` is ``(x_mask, y_mask, z_mask,
sample_mask)`` and bit ``b`` of the byte offset is the parity of the masked coordinates. Rules and their
status: swizzle patterns with the letters S and D are derived closed forms; Z, R and thick 64KB_D_X are
measured masks (``measured_masks.csv``).
"""

from __future__ import annotations

from pathlib import Path

from tilelab.reference.addressing.swizzle_mode import MODES, block_log2, is_thick

__all__ = [
    "block_dimensions",
    "equation",
    "measured_masks_file",
    "pipe_bank_xor_term",
    "read_measured_masks",
]
__dir__ = __all__.copy


def block_dimensions(bits: int, element_log2: int, samples_log2: int, thick: bool) -> tuple[int, int, int]:
    """Log2 of a block's width, height and depth in elements."""
    if thick:
        width, height, depth = [(4, 3, 3), (3, 3, 3), (3, 3, 2), (3, 2, 2), (2, 2, 2)][element_log2]
        third, rest = divmod(bits - 10, 3)
        return width + third, height + third + rest // 2, depth + third + (rest > 0)
    area = bits - element_log2 - samples_log2
    width = (area + (samples_log2 % 2 == 0 or bits % 2 == 1)) // 2
    return width, area - width, 0


_MICRO_2D = {
    "S": [
        "x0 x1 x2 x3 y0 y1 y2 y3",
        "x0 x1 x2 y0 y1 y2 x3",
        "x0 x1 y0 y1 y2 x2",
        "x0 y0 y1 x1 x2",
        "y0 y1 x0 x1",
    ],
    "D": [
        "x0 x1 x2 y1 y0 y2 x3 y3",
        "x0 x1 x2 y0 y1 y2 x3",
        "x0 x1 y0 y1 x2 y2",
        "x0 y0 x1 x2 y1",
        "x0 y0 x1 y1",
    ],
}
_MICRO_3D = {
    "S": [
        "x0 x1 z0 y0 z1 y1 x2 z2",
        "x0 z0 y0 z1 y1 x1 z2",
        "x0 y0 z0 y1 x1 z1",
        "x0 z0 y0 x1 z1",
        "z0 y0 x0 z1",
    ],
    "D": [
        "x0 x1 z0 y0 y1 z1 x2 z2",
        "x0 z0 y0 x1 z1 y1 z2",
        "x0 y0 x1 z0 y1 z1",
        "x0 y0 z0 x1 z1",
        "x0 z0 y0 z1",
    ],
}


def _stream(letter: str, element_log2: int, thick: bool, bits: int) -> list[str | None]:
    """First ``bits`` entries of the S or D base stream; the bits below the element are None."""
    entries: list[str | None] = [None] * element_log2
    entries += (_MICRO_3D if thick else _MICRO_2D)[letter][element_log2].split()
    count = {axis: sum(1 for entry in entries if entry and entry[0] == axis) for axis in "xyz"}
    while len(entries) < bits:
        position = len(entries) - 8
        axis = "yxz"[position % 3] if thick else "yx"[position % 2]
        entries.append(f"{axis}{count[axis]}")
        count[axis] += 1
    return entries


def _micro_r_or_z(letter: str, element_log2: int, samples_log2: int) -> list[str | None]:
    """Address bits below 8 of the R and Z letters."""
    if letter == "R":  # the samples are in the high bits
        return _stream("S" if element_log2 < 2 else "D", element_log2, False, 8)
    entries: list[str | None] = [None] * element_log2 + [f"s{i}" for i in range(samples_log2)]
    entries += [f"{'xy'[i % 2]}{i // 2}" for i in range(8)]
    return entries[:8]


def measured_masks_file() -> Path:
    """Name the file of the measured rows: the installed copy, or in a checkout the core's own."""
    installed = Path(__file__).with_name("measured_masks.csv")
    if installed.exists():
        return installed
    return Path(__file__).parents[4] / "cpp" / "src" / "addressing" / installed.name


def read_measured_masks() -> dict[tuple[int, ...], list[int]]:
    """Read the measured rows: (pipes, packers, mode, dimension, bytes, samples) to one word a bit."""
    rows = {}
    for line in measured_masks_file().read_text(encoding="ascii").splitlines():
        if not line.startswith("//"):
            numbers = [int(number, 0) for number in line.rstrip(",").split(",")]
            rows[tuple(numbers[:6])] = numbers[6:]
    return rows


_MEASURED = read_measured_masks()


def equation(
    mode: int,
    element_log2: int,
    dimension: int,
    samples_log2: int,
    pipes_log2: int,
    packers_log2: int,
) -> list[tuple[int, int, int, int]]:
    """Masks ``(x, y, z or slice, sample)`` of every address bit inside a block."""
    name, _, letter, xor, *_ = MODES[mode]
    bits = block_log2(mode, pipes_log2)
    thick = is_thick(mode, dimension)
    if letter in "RZ" or (thick and name == "64KB_D_X"):
        rows = _measured_bits(mode, element_log2, 3 if thick else 2, samples_log2, pipes_log2, packers_log2)
        micro = (
            _stream("D", element_log2, True, 8)
            if thick
            else _micro_r_or_z(letter, element_log2, samples_log2)
        )
        return [_mask([entry]) for entry in micro[:8]] + rows[: bits - 8]
    pipe_bits = min(pipes_log2, bits - 8)
    stream = _stream(letter, element_log2, thick, bits + 3 * pipe_bits)
    terms = [[entry] for entry in stream[:bits]]
    for i in range(pipe_bits if xor else 0):
        if thick:
            target, sources = 8 + pipe_bits - 1 - i, [8 + pipe_bits + 2 * i, 8 + pipe_bits + 2 * i + 1]
        else:
            target, sources = 8 + i, [8 + 2 * pipe_bits - 1 - i]
        terms[target] += [stream[source] for source in sources if xor == "X" or source < bits]
    if xor == "X" and not thick:
        for j in range(min(pipes_log2, max(1, packers_log2))):
            if 8 <= 8 + pipes_log2 - 1 - j < bits:
                terms[8 + pipes_log2 - 1 - j].append(f"z{j}")
    return [_mask(entries) for entries in terms]


def _measured_bits(
    mode: int, element_log2: int, dimension: int, samples_log2: int, pipes_log2: int, packers_log2: int
) -> list[tuple[int, int, int, int]]:
    key = (1 << pipes_log2, 1 << packers_log2, mode, dimension, 1 << element_log2, 1 << samples_log2)
    if key not in _MEASURED:
        raise ValueError(f"no measured masks for {key}")
    return [(word & 0xFFF, word >> 12 & 0xFFF, word >> 24 & 0x1F, word >> 29) for word in _MEASURED[key]]


def _mask(entries: list[str | None]) -> tuple[int, int, int, int]:
    masks = dict.fromkeys("xyzs", 0)
    for entry in entries:
        if entry:
            masks[entry[0]] ^= 1 << int(entry[1:])
    return masks["x"], masks["y"], masks["z"], masks["s"]


def pipe_bank_xor_term(value: int, mode: int, pipes_log2: int) -> int:
    """Give the byte XOR of a pipe/bank XOR value: pipe bits, then bank bits two places further up."""
    if not MODES[mode].xor:
        return 0
    bits = block_log2(mode, pipes_log2)
    bank_bits = max(0, min(4, bits - 8 - pipes_log2 - 2))
    kept = ((1 << pipes_log2) - 1) | (((1 << bank_bits) - 1) << (pipes_log2 + 2))
    return ((value & kept) << 8) & ((1 << bits) - 1)
