"""The notebook picture of a layout: where each mip of a chain lies in memory."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tilelab.addressing.layout import MipLayout, PlaneLayout, ResourceLayout

_WIDTH, _ROW = 720, 26
_COLORS = ("#2e5e8c", "#4f8a5b", "#a0642c", "#7a4a8f", "#8c2e3b", "#3b8c88")


def layout_html(layout: ResourceLayout) -> str:
    """Give a table of the mips and, for every plane, a bar of one chain in the order of addresses."""
    title = (
        f"{layout.swizzle_mode.name} on {layout.gpu.name}: {layout.desc}, {layout.size_bytes} bytes, "
        f"aligned to {layout.base_alignment_bytes}"
    )
    return f"<div><p><b>{html.escape(title)}</b></p>{''.join(map(_plane_html, layout.planes))}</div>"


def _plane_html(plane: PlaneLayout) -> str:
    block = " x ".join(map(str, plane.block_shape))
    head = (
        f"<p>plane {plane.usage}: {plane.size_bytes} bytes at {plane.base_offset_bytes}, "
        f"chain of {plane.slice_size_bytes} bytes, block {block} elements "
        f"of {plane.bytes_per_element} bytes</p>"
    )
    return head + _chain_svg(plane) + _mip_table(plane)


def _mip_table(plane: PlaneLayout) -> str:
    head = "".join(f"<th>{name}</th>" for name in ("mip", "offset", "padded", "elements", "blocks", "place"))
    width, height, _ = plane.block_shape
    rows = []
    for number, mip in enumerate(plane.mips):
        blocks = "in the tail block"
        place = f"tail ({mip.tail_x_elements}, {mip.tail_y_elements})"
        if not mip.is_mip_tail:
            blocks = f"{mip.padded_width_elements // width} x {mip.padded_height_elements // height}"
            place = "standard"
        cells = (
            number,
            mip.offset_bytes,
            f"{mip.padded_width_elements} x {mip.padded_height_elements}",
            f"{mip.width_elements} x {mip.height_elements}",
            blocks,
            place,
        )
        rows.append(f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _chain_svg(plane: PlaneLayout) -> str:
    """One chain from offset 0 to its end, with the tail block enlarged below where there is one."""
    standard = [(number, mip) for number, mip in enumerate(plane.mips) if not mip.is_mip_tail]
    tail = [(number, mip) for number, mip in enumerate(plane.mips) if mip.is_mip_tail]
    parts = []
    if tail:
        parts.append(_box(0, plane.base_alignment_bytes / plane.slice_size_bytes, 0, "#999999", "tail block"))
    for number, mip in standard:
        end = _chain_end(plane, number)
        parts.append(
            _box(
                mip.offset_bytes / plane.slice_size_bytes,
                end / plane.slice_size_bytes,
                0,
                _COLORS[number % len(_COLORS)],
                f"mip {number}",
                f"bytes {mip.offset_bytes} to {end}",
            )
        )
    for number, mip in tail:
        end = _slot_end(plane, number)
        parts.append(
            _box(
                mip.offset_bytes / plane.base_alignment_bytes,
                end / plane.base_alignment_bytes,
                _ROW + 8,
                _COLORS[number % len(_COLORS)],
                f"mip {number}",
                f"slot at {mip.offset_bytes}, elements from ({mip.tail_x_elements}, {mip.tail_y_elements})",
            )
        )
    height = (2 * _ROW + 8 if tail else _ROW) + 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}">{"".join(parts)}</svg>'
    )


def _chain_end(plane: PlaneLayout, number: int) -> int:
    return plane.mips[number - 1].offset_bytes if number else plane.slice_size_bytes


def _slot_end(plane: PlaneLayout, number: int) -> int:
    before: MipLayout | None = plane.mips[number - 1] if number else None
    return before.offset_bytes if before is not None and before.is_mip_tail else plane.base_alignment_bytes


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
