"""The 32 swizzle modes, their blocks and what each takes: the obvious way."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["LINEAR", "MODES", "Mode", "block_log2", "is_thick"]
__dir__ = __all__.copy

LINEAR = 0
"""The mode without blocks."""
VAR = -1  # block size follows the number of pipes


class Mode(NamedTuple):
    """What a hardware swizzle mode is made of."""

    name: str
    block_log2: int  # 0 linear, 8, 12, 16, or VAR
    letter: str
    xor: str  # "", "T" (inside the block) or "X" (across blocks)
    dimensions: tuple[int, ...]  # resource dimensions that the library accepts
    depth_stencil: bool
    msaa: bool


_ACCEPTED = {
    0: ((1, 2, 3), False, False),
    1: ((2,), False, False),
    2: ((2,), False, False),
    5: ((2, 3), False, False),
    6: ((2,), False, False),
    9: ((2, 3), False, False),
    10: ((2,), False, False),
    17: ((2, 3), False, False),
    18: ((2,), False, False),
    21: ((2, 3), False, False),
    22: ((2,), False, False),
    24: ((1, 2, 3), True, True),
    25: ((2, 3), False, False),
    26: ((2, 3), False, False),
    27: ((1, 2, 3), False, True),
    28: ((1, 2, 3), True, True),
    31: ((1, 2, 3), False, True),
}


def _modes() -> list[Mode]:
    blocks = [("256B", 8), ("4KB", 12), ("64KB", 16), ("VAR", VAR)]
    modes: list[Mode] = []
    for group, xor in (((0, 1, 2, 3), ""), ((2,), "T"), ((1, 2, 3), "X")):
        for index in group:
            for letter in "ZSDR":
                number = len(modes)
                name, log2 = blocks[index]
                if number == LINEAR:
                    modes.append(Mode("LINEAR", 0, "L", "", *_ACCEPTED[0]))
                else:
                    label = f"{name}_{letter}" + (f"_{xor}" if xor else "")
                    modes.append(Mode(label, log2, letter, xor, *_ACCEPTED.get(number, ((), False, False))))
    return modes


MODES = _modes()
"""The 32 modes of the hardware, by number."""


def is_thick(mode: int, dimension: int) -> bool:
    """Volumes in S and D modes have three-dimensional blocks."""
    return dimension == 3 and MODES[mode].letter in "SD"


def block_log2(mode: int, pipes_log2: int) -> int:
    """Log2 of the block's bytes; a VAR block has 16 KB per pipe."""
    log2 = MODES[mode].block_log2
    return pipes_log2 + 14 if log2 == VAR else log2
