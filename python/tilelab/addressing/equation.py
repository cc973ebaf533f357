"""Address equations: their bits, and functions to paste into a shader or a tool."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any

from tilelab import _core, _extras
from tilelab._core.addressing import EquationDesc
from tilelab._picture import table_html
from tilelab._validation import fail
from tilelab.addressing.desc import as_dimension
from tilelab.addressing.gpu_model import GpuModel, as_gpu
from tilelab.addressing.swizzle_mode import SwizzleMode, as_swizzle_mode

__all__ = ["SwizzleEquation", "swizzle_equation"]
__dir__ = __all__.copy


@dataclass(frozen=True, slots=True, kw_only=True)
class SwizzleEquation:
    """Which coordinate bits make each address bit inside a block; made by `swizzle_equation`.

    Attributes
    ----------
    x_masks, y_masks, z_masks, sample_masks : tuple of int
        One mask per address bit, lowest bit first: the bit is the parity of ``(x & x_mask) ^ (y & y_mask) ^
        (z & z_mask) ^ (sample & sample_mask)``. z is the depth slice of a volume, else the array slice.
    swizzle_mode : SwizzleMode
        The mode.
    bytes_per_element, sample_count : int
        The element.
    dimension : str
        Dimension of the resource.
    gpu : GpuModel
        The chip.
    block_shape : tuple of int
        Width, height and depth of a block in elements.
    """

    x_masks: tuple[int, ...]
    y_masks: tuple[int, ...]
    z_masks: tuple[int, ...]
    sample_masks: tuple[int, ...]
    swizzle_mode: SwizzleMode
    bytes_per_element: int
    dimension: str
    sample_count: int
    gpu: GpuModel
    block_shape: tuple[int, int, int]

    @property
    def block_log2(self) -> int:
        """Address bits inside a block."""
        return len(self.x_masks)

    def terms(self, bit: int) -> tuple[str, ...]:
        """Give the coordinate bits of an address bit: ``("y3", "x6")``; empty below the element."""
        masks = zip("xyzs", (self.x_masks, self.y_masks, self.z_masks, self.sample_masks), strict=True)
        found = [(axis in "zs", k, axis) for axis, mask in masks for k in range(32) if mask[bit] >> k & 1]
        return tuple(f"{axis}{k}" for _, k, axis in sorted(found))

    def __repr__(self) -> str:
        lines = [f"bit {bit} = {self._parity(bit)}" for bit in range(self.block_log2)]
        return "\n".join([self._title(), *lines])

    def _title(self) -> str:
        width, height, depth = self.block_shape
        samples = f", {self.sample_count} samples" if self.sample_count > 1 else ""
        return (
            f"{self.swizzle_mode.name}, {self.dimension}, {self.bytes_per_element} bytes per element"
            f"{samples}, {self.gpu.name}: block {width} x {height} x {depth}"
        )

    def _parity(self, bit: int) -> str:
        return " ^ ".join(self.terms(bit)) or "0"

    def _repr_html_(self) -> str:
        table = table_html(
            ("address bit", "parity of"), [(bit, self._parity(bit)) for bit in range(self.block_log2)]
        )
        return f"<div><b>{html.escape(self._title())}</b>{table}</div>"

    def to_xarray(self) -> Any:
        """Give the masks as an xarray.Dataset; needs xarray.

        Returns
        -------
        xarray.Dataset
            ``x_masks``, ``y_masks``, ``z_masks`` and ``sample_masks`` over ``bit``, the address bits.
        """
        xarray = _extras.require("xarray", "sweep")
        names = ("x_masks", "y_masks", "z_masks", "sample_masks")
        return xarray.Dataset(
            {name: ("bit", list(getattr(self, name))) for name in names},
            coords={"bit": range(self.block_log2)},
            attrs={
                "swizzle_mode": self.swizzle_mode.name,
                "bytes_per_element": self.bytes_per_element,
                "dimension": self.dimension,
                "sample_count": self.sample_count,
                "gpu": self.gpu.name,
            },
        )

    def to_c(self, name: str | None = None) -> str:
        """Give a C99 function that computes the byte offset of an element.

        Parameters
        ----------
        name : str, optional
            Name of the function; made from the mode otherwise.

        Returns
        -------
        str
            ``uint64_t name(uint32_t x, uint32_t y, uint32_t z, uint32_t s, uint32_t pitch_elements,
            uint64_t slice_bytes, uint64_t mip_offset_bytes, uint32_t xor_bytes)``. `z` is the depth slice
            of a volume, else the array slice; `s` the sample; the others are fields of the layout. For a
            tail mip add its tail coordinates to x and y and pass ``mip_offset_bytes`` 0. `xor_bytes` is the
            pipe/bank XOR shifted left by 8.

        Examples
        --------
        >>> print(swizzle_equation("4KB_S", 4).to_c("where").splitlines()[0])
        #include <stdint.h>
        """
        head = (
            f"uint64_t {self._function_name(name)}(uint32_t x, uint32_t y, uint32_t z, uint32_t s,\n"
            "    uint32_t pitch_elements, uint64_t slice_bytes, uint64_t mip_offset_bytes,\n"
            "    uint32_t xor_bytes)"
        )
        return "#include <stdint.h>\n\n" + self._source(head, "uint32_t", "uint64_t", "1u")

    def to_hlsl(self, name: str | None = None) -> str:
        """Give an HLSL function that computes the byte offset of an element.

        Parameters
        ----------
        name : str, optional
            Name of the function; made from the mode otherwise.

        Returns
        -------
        str
            As `to_c`, with 32-bit offsets: for resources below 4 GB.
        """
        head = (
            f"uint {self._function_name(name)}(uint x, uint y, uint z, uint s, uint pitch_elements,\n"
            "    uint slice_bytes, uint mip_offset_bytes, uint xor_bytes)"
        )
        return self._source(head, "uint", "uint", "1u")

    def _function_name(self, name: str | None) -> str:
        if name is None:
            return f"{self.swizzle_mode.name.lower()}_{self.bytes_per_element}_byte_offset"
        if not isinstance(name, str) or not name.isidentifier() or not name.isascii():
            raise fail("name", "must be an ASCII identifier", repr(name))
        return name

    def _source(self, head: str, word: str, wide: str, one: str) -> str:
        width, height, depth = (size.bit_length() - 1 for size in self.block_shape)
        title = f"{self.swizzle_mode.name}, {self.dimension}, {self.bytes_per_element} bytes, {self.gpu.name}"
        lines = [f"// {title}. Block: {' x '.join(map(str, self.block_shape))} elements.", head, "{"]
        lines.append(f"    {word} inside = 0;")
        for bit in range(self.block_log2):
            terms = [f"({term[0]} >> {term[1:]})" if term[1:] != "0" else term[0] for term in self.terms(bit)]
            if terms:
                parity = f"({' ^ '.join(terms)})" if len(terms) > 1 else terms[0]
                lines.append(f"    inside |= ({parity} & {one}) << {bit};")
        lines += [
            f"    {wide} block = ({wide})(y >> {height}) * (pitch_elements >> {width}) + (x >> {width});",
            f"    return (z >> {depth}) * slice_bytes + mip_offset_bytes + (block << {self.block_log2})"
            " + (inside ^ xor_bytes);",
            "}",
        ]
        used = "".join("".join(self.terms(bit)) for bit in range(self.block_log2))
        if "s" not in used and wide == "uint64_t":
            lines.insert(3, "    (void)s;")
        return "\n".join(lines) + "\n"


def swizzle_equation(
    swizzle_mode: SwizzleMode | str | int,
    bytes_per_element: int,
    dimension: str = "2d",
    sample_count: int = 1,
    gpu: GpuModel | str = "anaconda",
) -> SwizzleEquation:
    """Give the address equation of a block mode.

    Parameters
    ----------
    swizzle_mode : SwizzleMode, str or int
        A supported mode other than LINEAR.
    bytes_per_element : {1, 2, 4, 8, 16}
        Bytes of an element.
    dimension : {"1d", "2d", "3d", "cube"}
        Dimension of the resource.
    sample_count : {1, 2, 4, 8}
        Samples of an element.
    gpu : GpuModel or str
        The chip.

    Returns
    -------
    SwizzleEquation
        Masks per address bit; its repr shows them bit by bit.

    Raises
    ------
    TypeError, ValueError
        Naming the argument and the rule.
    UnsupportedError
        Modes that GFX10.3 refuses, and (pipes, packers) pairs without measured masks.

    Notes
    -----
    S and D modes: derived closed form. Z, R, VAR and thick 64KB_D_X: masks measured on AMD's public address
    library.

    Examples
    --------
    >>> swizzle_equation("4KB_S_X", 8).terms(8)
    ('y2', 'x6')
    """
    mode, model = as_swizzle_mode(swizzle_mode), as_gpu(gpu)
    desc = EquationDesc(
        swizzle_mode=mode,
        bytes_per_element=bytes_per_element,
        dimension=as_dimension(dimension),
        sample_count=sample_count,
        gpu=model.core,
    )
    core = _core.addressing.build_equation(desc)
    bits = core.bits
    return SwizzleEquation(
        x_masks=tuple(bit.x for bit in bits),
        y_masks=tuple(bit.y for bit in bits),
        z_masks=tuple(bit.z for bit in bits),
        sample_masks=tuple(bit.sample for bit in bits),
        swizzle_mode=mode,
        bytes_per_element=desc.bytes_per_element,
        dimension=dimension,
        sample_count=desc.sample_count,
        gpu=model,
        block_shape=core.block_shape,
    )
