"""Memory layout of one plane: padding, mip offsets and the tail, step by step."""

from __future__ import annotations

from dataclasses import dataclass

from tilelab.reference.addressing.equation import block_dimensions, equation, pipe_bank_xor_term
from tilelab.reference.addressing.swizzle_mode import LINEAR, MODES, block_log2, is_thick

__all__ = ["Layout", "Mip", "Plane", "plane_layout"]
__dir__ = __all__.copy

LINEAR_ALIGNMENT = 256
_MICRO_2D = [(16, 16), (16, 8), (8, 8), (8, 4), (4, 4)]
_MICRO_3D = [(8, 4), (4, 4), (4, 4), (4, 2), (2, 2)]  # depth 8, 8, 4, 4, 4


@dataclass(frozen=True)
class Plane:
    """One plane of a resource, all in elements of ``1 << element_log2`` bytes."""

    mode: int
    dimension: int
    width: int
    height: int
    slices: int  # array slices (cubes count faces) or volume depth
    mips: int
    element_log2: int
    samples_log2: int = 0
    pipes_log2: int = 5
    packers_log2: int = 3
    pipe_bank_xor: int = 0
    pitch_bytes: int = 0  # custom pitch of a linear plane without mips


@dataclass(frozen=True)
class Mip:
    """One mip: padded size, offset inside a chain, and its place in the tail."""

    pitch: int
    height: int
    offset: int
    in_tail: bool
    tail_x: int = 0
    tail_y: int = 0


@dataclass(frozen=True)
class Layout:
    """Where the mips of a plane lie."""

    plane: Plane
    block: tuple[int, int, int]
    block_log2: int
    base_align: int
    size_bytes: int
    slice_bytes: int
    padded_slices: int
    first_tail_mip: int
    mips: list[Mip]
    equation: list[tuple[int, int, int, int]]
    xor_term: int


def _round_up(value: int, multiple: int) -> int:
    return -(-value // multiple) * multiple


def plane_layout(plane: Plane) -> Layout:
    """Lay out a plane: offsets grow from the last mip to mip 0, the tail is one block at offset 0."""
    if plane.mode == LINEAR:
        return _linear(plane)
    bits = block_log2(plane.mode, plane.pipes_log2)
    thick = is_thick(plane.mode, plane.dimension)
    log2 = block_dimensions(bits, plane.element_log2, plane.samples_log2, thick)
    block = (1 << log2[0], 1 << log2[1], 1 << log2[2])
    first, limit = _tail(plane, bits, block, thick)
    mips: dict[int, Mip] = {}
    offset = 1 << bits if first < plane.mips else 0
    for i in reversed(range(first)):
        pitch = _round_up(_ceil_shift(plane.width, i), block[0])
        height = _round_up(_ceil_shift(plane.height, i), block[1])
        mips[i] = Mip(pitch, height, offset, False)
        offset += (pitch * height * block[2]) << (plane.element_log2 + plane.samples_log2)
    micro = (_MICRO_3D if thick else _MICRO_2D)[plane.element_log2]
    for j, i in enumerate(range(first, plane.mips)):
        m = _tail_slots(bits, thick) - 1 - j
        nominal = 16 << m if m > 6 else 256 * m
        tail_x, tail_y = _slot_coordinates(nominal, bits, plane.element_log2, micro)
        mips[i] = Mip(
            max(limit[0] >> j, micro[0]), max(limit[1] >> j, micro[1]), nominal, True, tail_x, tail_y
        )
    slice_bytes = offset if first else 1 << bits
    padded_slices = _round_up(plane.slices, block[2])
    return Layout(
        plane=plane,
        block=block,
        block_log2=bits,
        base_align=1 << bits,
        size_bytes=slice_bytes * (padded_slices // block[2]),
        slice_bytes=slice_bytes,
        padded_slices=padded_slices,
        first_tail_mip=first,
        mips=[mips[i] for i in range(plane.mips)],
        equation=equation(
            plane.mode,
            plane.element_log2,
            plane.dimension,
            plane.samples_log2,
            plane.pipes_log2,
            plane.packers_log2,
        ),
        xor_term=pipe_bank_xor_term(plane.pipe_bank_xor, plane.mode, plane.pipes_log2),
    )


def _ceil_shift(value: int, shift: int) -> int:
    return -(-value // (1 << shift))


def _linear(plane: Plane) -> Layout:
    align = LINEAR_ALIGNMENT >> plane.element_log2
    mips: dict[int, Mip] = {}
    offset = 0
    for i in reversed(range(plane.mips)):
        pitch = _round_up(_ceil_shift(plane.width, i), align)
        if plane.pitch_bytes:
            pitch = plane.pitch_bytes >> plane.element_log2
        height = _ceil_shift(plane.height, i)
        mips[i] = Mip(pitch, height, offset, False)
        offset += (pitch * height) << plane.element_log2
    return Layout(
        plane=plane,
        block=(align, 1, 1),
        block_log2=0,
        base_align=LINEAR_ALIGNMENT,
        size_bytes=offset * plane.slices,
        slice_bytes=offset,
        padded_slices=plane.slices,
        first_tail_mip=plane.mips,
        mips=[mips[i] for i in range(plane.mips)],
        equation=[],
        xor_term=0,
    )


def _tail_slots(bits: int, thick: bool) -> int:
    """How many mips a tail can hold."""
    t = bits - (bits - 8) // 3 if thick else bits
    return 1 + (1 << (t - 9)) if t <= 11 else t - 4


def _tail(plane: Plane, bits: int, block: tuple[int, int, int], thick: bool) -> tuple[int, tuple[int, int]]:
    """First tail mip and the reported size of that mip."""
    if plane.mips == 1 or bits == 8:
        return plane.mips, (0, 0)
    limit = (block[0], block[1])
    if not thick or bits % 3 == 1:
        limit = (limit[0] // 2, limit[1])
    else:
        limit = (limit[0], limit[1] // 2)
    test = limit
    if MODES[plane.mode].letter == "Z" and plane.element_log2 == 0:
        test = (test[0] // 2, test[1] // 2)
    elif MODES[plane.mode].letter == "Z" and plane.element_log2 == 1:
        test = (test[0] // 2, test[1])
    for i in range(plane.mips):
        fits = _ceil_shift(plane.width, i) <= test[0] and _ceil_shift(plane.height, i) <= test[1]
        if fits and plane.mips - i <= _tail_slots(bits, thick):
            return i, limit
    return plane.mips, (0, 0)


def _slot_coordinates(nominal: int, bits: int, element_log2: int, micro: tuple[int, int]) -> tuple[int, int]:
    """Texel (0, 0, 0) of the slot with that nominal offset."""
    x = sum((nominal >> (9 + 2 * i) & 1) << i for i in range(6))
    y = sum((nominal >> (8 + 2 * i) & 1) << i for i in range(6))
    if bits % 2:
        x, y = y, x
        if element_log2 % 2:
            x, y = x >> 1, 2 * y + (x & 1)
    return x * micro[0], y * micro[1]
