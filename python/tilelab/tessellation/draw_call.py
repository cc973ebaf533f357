"""What is drawn: a list of patches with their tessellation factors and the sizes of their data."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tilelab import _extras
from tilelab._picture import result_html
from tilelab._validation import as_enum, as_int, fail_type
from tilelab.tessellation.domain import Domain, Partitioning, as_factors, as_rows

__all__ = ["DrawCall", "patch_count"]
__dir__ = __all__.copy

MAX_CONTROL_POINTS = 32  # D3D11 limit; the VGT_LS_HS_CONFIG fields of GCN hold 1..32
MAX_BYTES = 1 << 20  # far above any LDS; keeps every product of the model inside 64 bits
FACTOR_NAMES = {
    Domain.ISOLINE: ("density", "detail"),
    Domain.TRI: ("U==0", "V==0", "W==0", "inside"),
    Domain.QUAD: ("U==0", "V==0", "U==1", "V==1", "inside U", "inside V"),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DrawCall:
    """One draw call with tessellation, as the scheduler sees it.

    Parameters
    ----------
    domain : Domain or str
        "isoline", "tri" or "quad".
    partitioning : Partitioning or str
        "integer", "pow2", "fractional_odd" or "fractional_even".
    factors : array_like of float32, shape (..., 2 | 4 | 6)
        Tessellation factors in hardware order, one row a patch: isoline density and detail; tri edges U==0,
        V==0, W==0, inside; quad edges U==0, V==0, U==1, V==1, inside U, inside V. Stored flat as a read-only
        (patches, F) float32 array; other real numbers become float32. NaN, infinities and culled patches are
        legal.
    in_control_points, out_control_points : int
        Control points of a patch read and written by the hull shader, 1 to 32 (documented: D3D11 limit).
    in_stride, out_stride : int
        Bytes of one input and one output control point. Attributes are vec4s, so multiples of 16 are usual.
    patch_constant_bytes : int
        Bytes of patch constants of one patch, tessellation factors included (isoline 8, tri 16, quad 24).
    name : str, default ""
        Label for summaries and pictures.

    Raises
    ------
    TypeError
        A field has the wrong kind.
    ValueError
        A field is outside its range, or `factors` has the wrong width.

    Examples
    --------
    >>> import numpy as np
    >>> from tilelab.tessellation import DrawCall
    >>> draw = DrawCall(domain="quad", partitioning="integer", factors=np.full((100, 6), 8.0),
    ...                 in_control_points=4, out_control_points=4, in_stride=32, out_stride=32,
    ...                 patch_constant_bytes=24)
    >>> draw.patches, draw.off_chip_patch_bytes
    (100, 152)
    """

    domain: Domain
    partitioning: Partitioning
    factors: npt.NDArray[np.float32]
    in_control_points: int
    out_control_points: int
    in_stride: int
    out_stride: int
    patch_constant_bytes: int
    name: str = ""

    if TYPE_CHECKING:  # what the constructor takes is wider than what the fields hold

        def __init__(
            self,
            *,
            domain: Domain | str,
            partitioning: Partitioning | str,
            factors: npt.ArrayLike,
            in_control_points: int,
            out_control_points: int,
            in_stride: int,
            out_stride: int,
            patch_constant_bytes: int,
            name: str = "",
        ) -> None: ...

    def __post_init__(self) -> None:
        def store(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        store("domain", as_enum("domain", self.domain, Domain))
        store("partitioning", as_enum("partitioning", self.partitioning, Partitioning))
        factors = as_rows(as_factors(self.domain, self.factors), own=True)
        factors.flags.writeable = False
        store("factors", factors)
        for name in ("in_control_points", "out_control_points"):
            store(name, as_int(name, getattr(self, name), low=1, high=MAX_CONTROL_POINTS))
        for name in ("in_stride", "out_stride", "patch_constant_bytes"):
            store(name, as_int(name, getattr(self, name), low=0, high=MAX_BYTES))
        if not isinstance(self.name, str):
            raise fail_type("name", "must be a string", repr(self.name))

    @property
    def patches(self) -> int:
        """Number of patches."""
        return len(self.factors)

    @property
    def off_chip_patch_bytes(self) -> int:
        """Bytes of one patch in memory when it goes off-chip: output control points and patch constants."""
        return self.out_control_points * self.out_stride + self.patch_constant_bytes

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DrawCall):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        values = (getattr(self, field.name) for field in fields(self) if field.name != "factors")
        return (self.factors.shape, self.factors.tobytes(), *values)

    def __repr__(self) -> str:
        sizes = f"{self.in_control_points} -> {self.out_control_points} control points"
        kind = f"{self.domain.name.lower()}, {self.partitioning.name.lower()}"
        return f"DrawCall({self.name or 'unnamed'}: {self.patches} patches, {kind}, {sizes})"

    def _repr_html_(self) -> str:
        rows = [
            ("domain", self.domain.name.lower()),
            ("partitioning", self.partitioning.name.lower()),
            ("patches", self.patches),
            ("control points of a patch", f"{self.in_control_points} -> {self.out_control_points}"),
            ("bytes of an input control point", self.in_stride),
            ("bytes of an output control point", self.out_stride),
            ("patch constant bytes", self.patch_constant_bytes),
        ]
        return result_html(f"Draw call {self.name}".rstrip(), rows)

    def to_xarray(self) -> Any:
        """Give the factors with labelled axes as an xarray.DataArray; needs xarray.

        Returns
        -------
        xarray.DataArray
            The factors over patch and factor, the latter by the names of the edges.

        Raises
        ------
        ImportError
            xarray is not installed.
        """
        xarray = _extras.require("xarray", "sweep")
        names = list(FACTOR_NAMES[self.domain])
        return xarray.DataArray(
            self.factors, dims=("patch", "factor"), coords={"factor": names}, name="factors"
        )


def patch_count(vertices: int, in_control_points: int, *, instances: int = 1) -> int:
    """Whole patches in a draw call; an incomplete trailing patch is discarded, instance by instance.

    Parameters
    ----------
    vertices : int
        Vertices (indices) of one instance.
    in_control_points : int
        Control points of a patch, 1 to 32.
    instances : int, default 1
        Instances drawn.

    Returns
    -------
    int
        Patches that reach the hull shader (documented: D3D11).

    Examples
    --------
    >>> from tilelab.tessellation import patch_count
    >>> patch_count(11, 4, instances=3)
    6
    """
    points = as_int("in_control_points", in_control_points, low=1, high=MAX_CONTROL_POINTS)
    whole = as_int("vertices", vertices, low=0) // points
    return whole * as_int("instances", instances, low=0)
