"""What notebooks show of a layout: where each mip of a chain lies in memory."""

from __future__ import annotations

import dataclasses
import html
from typing import TYPE_CHECKING

from tilelab._picture import result_html, table_html

if TYPE_CHECKING:
    from tilelab.addressing.layout import MipLayout, PlaneLayout, ResourceLayout

__all__ = ["layout_html", "mip_html", "plane_html"]
__dir__ = __all__.copy

_WIDTH, _ROW = 720, 26
_COLORS = ("#2e5e8c", "#4f8a5b", "#a0642c", "#7a4a8f", "#8c2e3b", "#3b8c88")
_COLUMNS = ("mip", "offset", "padded", "elements", "blocks", "place")


def layout_html(layout: ResourceLayout) -> str:
    """Give a table of the mips and, for every plane, a bar of one chain in the order of addresses."""
    title = (
        f"{layout.swizzle_mode.name} on {layout.gpu.name}: {layout.desc}, {layout.size_bytes:,} bytes, "
        f"aligned to {layout.base_alignment_bytes:,}"
    )
    return f"<div><p><b>{html.escape(title)}</b></p>{''.join(map(plane_html, layout.planes))}</div>"


def plane_html(plane: PlaneLayout) -> str:
    """Give the table of the mips of a plane and the bar of one chain."""
    block = " x ".join(map(str, plane.block_shape))
    head = (
        f"<p>plane {plane.usage}: {plane.size_bytes:,} bytes at {plane.base_offset_bytes:,}, "
        f"chain of {plane.slice_size_bytes:,} bytes, block {block} elements "
        f"of {plane.bytes_per_element} bytes</p>"
    )
    return f"<div>{head}{_chain_svg(plane)}{_mip_table(plane)}</div>"


def mip_html(mip: MipLayout) -> str:
    """Give a table of the fields of a mip."""
    fields = [(field.name, getattr(mip, field.name)) for field in dataclasses.fields(mip)]
    rows = [(name, mip.swizzle_mode.name if name == "swizzle_mode" else value) for name, value in fields]
    return result_html("Mip", rows)


def _mip_table(plane: PlaneLayout) -> str:
    width, height, _ = plane.block_shape
    rows = []
    for number, mip in enumerate(plane.mips):
        blocks = "in the tail block"
        place = f"tail ({mip.tail_x_elements}, {mip.tail_y_elements})"
        if not mip.is_mip_tail:
            blocks = f"{mip.padded_width_elements // width} x {mip.padded_height_elements // height}"
            place = "standard"
        rows.append(
            (
                number,
                mip.offset_bytes,
                f"{mip.padded_width_elements} x {mip.padded_height_elements}",
                f"{mip.width_elements} x {mip.height_elements}",
                blocks,
                place,
            )
        )
    return table_html(_COLUMNS, rows)


def _chain_svg(plane: PlaneLayout) -> str:
    """One chain from offset 0 to its end, with the tail block enlarged below where there is one."""
    parts = []
    if any(mip.is_mip_tail for mip in plane.mips):
        parts.append(_box(0, plane.base_alignment_bytes / plane.slice_size_bytes, 0, "#999999", "tail block"))
    tail = bool(parts)
    for number, mip in enumerate(plane.mips):
        end = _end(plane, number)
        whole = plane.base_alignment_bytes if mip.is_mip_tail else plane.slice_size_bytes
        detail = f"bytes {mip.offset_bytes} to {end}"
        if mip.is_mip_tail:
            detail = (
                f"slot at {mip.offset_bytes}, elements from ({mip.tail_x_elements}, {mip.tail_y_elements})"
            )
        parts.append(
            _box(
                mip.offset_bytes / whole,
                end / whole,
                _ROW + 8 if mip.is_mip_tail else 0,
                _COLORS[number % len(_COLORS)],
                f"mip {number}",
                detail,
            )
        )
    height = (2 * _ROW + 8 if tail else _ROW) + 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}">{"".join(parts)}</svg>'
    )


def _end(plane: PlaneLayout, number: int) -> int:
    """Where a mip ends in the chain, or a slot in the tail block: the mip before it begins there."""
    in_tail = plane.mips[number].is_mip_tail
    before = plane.mips[number - 1] if number else None
    if before is not None and before.is_mip_tail == in_tail:
        return before.offset_bytes
    return plane.base_alignment_bytes if in_tail else plane.slice_size_bytes


def _box(begin: float, end: float, y: int, color: str, label: str, detail: str = "") -> str:
    x, width = begin * (_WIDTH - 2) + 1, max((end - begin) * (_WIDTH - 2), 1.0)
    text = ""
    if width > 7 * len(label):
        text = (
            f'<text x="{x + width / 2:.1f}" y="{y + _ROW / 2 + 5:.1f}" fill="white" font-size="12" '
            f'text-anchor="middle">{label}</text>'
        )
    hint = f"<title>{html.escape(f'{label}: {detail}' if detail else label)}</title>"
    return (
        f'<g>{hint}<rect x="{x:.1f}" y="{y + 1}" width="{width:.1f}" height="{_ROW}" fill="{color}" '
        f'stroke="white" stroke-width="0.8"/>{text}</g>'
    )
