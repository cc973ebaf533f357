"""What a patch is and how it is cut: the enums of the tessellator."""

import enum

__all__ = ["Domain", "Partitioning", "Topology"]


class Domain(enum.IntEnum):
    """Shape of a patch.

    =========  ==========================================================================
    member     factors of a patch, in hardware order
    =========  ==========================================================================
    ISOLINE    density (number of lines, along V), detail (segments of a line, along U)
    TRI        edges U==0, V==0, W==0, then inside
    QUAD       edges U==0, V==0, U==1, V==1, then inside U, inside V
    =========  ==========================================================================
    """

    ISOLINE = 0
    TRI = 1
    QUAD = 2

    @property
    def factor_count(self) -> int:
        """Factors of one patch."""
        return (2, 4, 6)[self]

    @property
    def edge_count(self) -> int:
        """Factors among them that cull the patch when they are not positive."""
        return (2, 3, 4)[self]


class Partitioning(enum.IntEnum):
    """How a factor becomes segments. The hardware treats POW2 as INTEGER: the shader rounds it before."""

    INTEGER = 0
    POW2 = 1
    FRACTIONAL_ODD = 2
    FRACTIONAL_EVEN = 3


class Topology(enum.IntEnum):
    """What the tessellator makes: points of any domain, lines of isolines, triangles of tri and quad."""

    POINT = 0
    LINE = 1
    TRIANGLE_CW = 2
    TRIANGLE_CCW = 3

    @property
    def corners(self) -> int:
        """Indices of one primitive."""
        return (1, 2, 3, 3)[self]
