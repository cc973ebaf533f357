"""The tessellator itself: domain points and connectivity."""

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab import _core, _extras
from tilelab._picture import result_html
from tilelab._validation import Array, as_enum, as_instance, as_int, as_out, as_threads, fail
from tilelab.tessellation.domain import Domain, Partitioning, Topology, as_factors, as_rows

__all__ = ["Tessellation", "tessellate"]
__dir__ = __all__.copy


@dataclass(frozen=True, eq=False)
class Tessellation:
    """Points and connectivity of one or many patches, end to end.

    Parameters
    ----------
    points_fixed : ndarray of int32, shape (P, 2)
        Domain points (u, v) times 65536, exact.
    indices : ndarray of uint16, shape (I,)
        Vertices of the primitives; they start at 0 in each patch.
    point_offsets, index_offsets : ndarray of int64, shape (patches + 1,)
        Patch k owns ``points_fixed[point_offsets[k]:point_offsets[k + 1]]``, and the same for indices.
    topology : Topology
        What the indices make.
    domain : Domain, optional
        Shape of the patches; :func:`tessellate` always sets it.
    """

    points_fixed: npt.NDArray[np.int32]
    indices: npt.NDArray[np.uint16]
    point_offsets: npt.NDArray[np.int64]
    index_offsets: npt.NDArray[np.int64]
    topology: Topology = Topology.TRIANGLE_CW
    domain: Domain | None = None

    def __repr__(self) -> str:
        return (
            f"Tessellation({self.patch_count} patches: {len(self.points_fixed)} points, "
            f"{self.indices.size} indices, {self.topology.name.lower()})"
        )

    def _repr_html_(self) -> str:
        rows = [
            ("domain", self.domain.name.lower() if self.domain is not None else "not said"),
            ("topology", self.topology.name.lower()),
            ("patches", self.patch_count),
            ("patches culled", int(np.count_nonzero(np.diff(self.point_offsets) == 0))),
            ("points", len(self.points_fixed)),
            ("primitives", len(self.primitives)),
        ]
        return result_html("Tessellation", rows)

    def to_xarray(self) -> Any:
        """Give points and primitives with labelled axes as an xarray.Dataset; needs xarray.

        Returns
        -------
        xarray.Dataset
            ``uv`` over point and axis (u, v), ``primitives`` (indices into all points) over primitive and
            corner; the coordinates ``point_patch`` and ``primitive_patch`` say which patch they belong to.

        Raises
        ------
        ImportError
            xarray is not installed.
        """
        xarray = _extras.require("xarray", "sweep")
        corners = self.topology.corners
        patches = np.arange(self.patch_count)
        return xarray.Dataset(
            {
                "uv": (("point", "axis"), self.uv),
                "primitives": (("primitive", "corner"), self.mesh_indices.reshape(-1, corners)),
            },
            coords={
                "axis": ["u", "v"],
                "point_patch": ("point", np.repeat(patches, np.diff(self.point_offsets))),
                "primitive_patch": (
                    "primitive",
                    np.repeat(patches, np.diff(self.index_offsets) // corners),
                ),
            },
        )

    @property
    def patch_count(self) -> int:
        """Patches, culled ones included."""
        return len(self.point_offsets) - 1

    @functools.cached_property
    def uv(self) -> npt.NDArray[np.float32]:
        """Domain points as float32, shape (P, 2): exactly ``points_fixed / 65536``. Made at first use.

        The third barycentric coordinate of a tri patch is ``1 - u - v``, exact as well.
        """
        return np.multiply(self.points_fixed, np.float32(2.0**-16), dtype=np.float32)

    @property
    def primitives(self) -> npt.NDArray[np.uint16]:
        """Indices as one row per primitive, shape (primitives, 1|2|3): a view."""
        return self.indices.reshape(-1, self.topology.corners)

    @functools.cached_property
    def mesh_indices(self) -> npt.NDArray[np.int64]:
        """Indices into all of `points_fixed` instead of into the patch, shape (I,), made at first use."""
        starts = np.repeat(self.point_offsets[:-1], np.diff(self.index_offsets))
        return starts + self.indices.astype(np.int64)

    def patch(self, k: int) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint16]]:
        """Give the points (float32, (p, 2)) and primitives (uint16, (n, 1|2|3)) of patch `k`.

        Raises
        ------
        IndexError
            There is no such patch.
        """
        k = as_int("k", k)
        if not -self.patch_count <= k < self.patch_count:
            raise IndexError(f"k must be in [0, {self.patch_count - 1}], got {k}")
        k %= self.patch_count
        points = slice(self.point_offsets[k], self.point_offsets[k + 1])
        indices = self.indices[self.index_offsets[k] : self.index_offsets[k + 1]]
        return self.uv[points], indices.reshape(-1, self.topology.corners)


def tessellate(
    domain: Domain | str,
    partitioning: Partitioning | str,
    factors: npt.ArrayLike,
    *,
    topology: Topology | str | None = None,
    isoline_order: str = "d3d",
    out: Tessellation | None = None,
    threads: int = 1,
) -> Tessellation:
    """Make the domain points and the connectivity of one patch or of many.

    Parameters
    ----------
    domain : Domain or str
        "isoline", "tri" or "quad".
    partitioning : Partitioning or str
        "integer", "pow2" (to the hardware the same), "fractional_odd" or "fractional_even".
    factors : array_like of float32, shape (2|4|6,) or (..., 2|4|6)
        Factors in the hardware order of :class:`Domain`. float64, float16 and integers become float32.
    topology : Topology or str, optional
        "point" (any domain), "line" (isoline) or "triangle_cw", "triangle_ccw" (tri, quad). The default is
        "triangle_cw", or "line" for isolines.
    isoline_order : {"d3d", "gl", "vulkan", "amd"}
        Order of the two isoline factors; see Notes.
    out : Tessellation, optional
        An earlier result of the same sizes, whose points and indices are written over: it saves the cost of
        fresh memory. Its cached ``uv`` is not renewed, the returned object has its own.
    threads : int
        Threads to use, 0 for all cores.

    Returns
    -------
    Tessellation
        ``points_fixed`` int32 (P, 2), ``indices`` uint16 (I,), ``point_offsets`` and ``index_offsets`` int64
        (patches + 1,), and ``uv`` float32 (P, 2).

    Raises
    ------
    TypeError
        An argument is of the wrong kind.
    ValueError
        `factors` has the wrong width for the domain, a name is unknown, the topology does not belong to the
        domain, there would be more than 2**31 points, or `out` has other sizes.

    Notes
    -----
    Measured: points and indices equal those of the public Direct3D 11 reference tessellator bit for bit and
    in order; counts, vertex sets and triangles equal those of recorded hardware. Documented: clamping,
    rounding and parity (Direct3D 11.3 functional specification, chapter 10.12). Points and triangles come in
    rings from the outside in; the specification asks only that a device repeats itself.

    The isoline factors are (density, detail) in Direct3D and, as ``gl_TessLevelOuter[0]`` and ``[1]``, in
    OpenGL and Vulkan. AMD hardware keeps them the other way round in its factor memory: "amd" takes
    (detail, density).

    Examples
    --------
    >>> from tilelab.tessellation import tessellate
    >>> patch = tessellate("tri", "integer", [1, 1, 1, 2])
    >>> patch.uv
    array([[0.        , 1.        ],
           [0.        , 0.        ],
           [1.        , 0.        ],
           [0.33332825, 0.33332825]], dtype=float32)
    >>> patch.primitives
    array([[3, 0, 1],
           [3, 1, 2],
           [3, 2, 0]], dtype=uint16)
    """
    domain = as_enum("domain", domain, Domain)
    partitioning = as_enum("partitioning", partitioning, Partitioning)
    topology = _as_topology(domain, topology)
    array = as_factors(domain, factors, isoline_order)
    threads = as_threads(threads)
    if out is not None:
        as_instance("out", out, Tessellation)
    rows = as_rows(array)

    point_offsets = np.empty(len(rows) + 1, np.int64)
    index_offsets = np.empty(len(rows) + 1, np.int64)
    _core.tessellation.tessellation_offsets(
        domain, partitioning, topology, rows, point_offsets, index_offsets
    )
    sizes = (int(point_offsets[-1]), 2), (int(index_offsets[-1]),)
    if out is None:
        # One allocation for both: it comes in large pages sooner, and repeated calls get the same memory.
        memory = np.empty(8 * sizes[0][0] + 2 * sizes[1][0], np.uint8)
        points = memory[: 8 * sizes[0][0]].view(np.int32).reshape(sizes[0])
        indices = memory[8 * sizes[0][0] :].view(np.uint16)
    else:
        inputs: list[tuple[str, Array | None]] = [("factors", array)]
        points = as_out("out.points_fixed", out.points_fixed, dtype=np.int32, shape=sizes[0], inputs=inputs)
        inputs.append(("out.points_fixed", points))
        indices = as_out("out.indices", out.indices, dtype=np.uint16, shape=sizes[1], inputs=inputs)
    _core.tessellation.tessellate(
        domain, partitioning, topology, rows, point_offsets, index_offsets, points, indices, threads
    )
    return Tessellation(
        points_fixed=points,
        indices=indices,
        point_offsets=point_offsets,
        index_offsets=index_offsets,
        topology=topology,
        domain=domain,
    )


def _as_topology(domain: Domain, topology: Topology | str | None) -> Topology:
    allowed = [Topology.POINT]
    allowed += [Topology.LINE] if domain is Domain.ISOLINE else [Topology.TRIANGLE_CW, Topology.TRIANGLE_CCW]
    if topology is None:
        return allowed[1]
    chosen = as_enum("topology", topology, Topology)
    if chosen not in allowed:
        names = " or ".join(repr(t.name.lower()) for t in allowed)
        raise fail("topology", f"must be {names} for domain {domain.name.lower()}", repr(chosen.name.lower()))
    return chosen
