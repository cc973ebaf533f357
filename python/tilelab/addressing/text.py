"""What print() shows of a texture and of its layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tilelab.addressing.desc import TextureDesc
    from tilelab.addressing.layout import PlaneLayout, ResourceLayout

_SIDES = {"1d": 1, "2d": 2, "cube": 2, "3d": 3}


def desc_text(desc: TextureDesc) -> str:
    """Give one line: dimension, size, format, mips, slices, samples."""
    size = " x ".join(str(side) for side in desc.mip_size(0)[: _SIDES[desc.dimension]])
    mips = "1 mip" if desc.mip_levels == 1 else f"{desc.mip_levels} mips"
    parts = [desc.dimension, size, desc.format.name, mips]
    if desc.array_size > 1:
        parts.append(f"{desc.array_size} {'faces' if desc.dimension == 'cube' else 'slices'}")
    if desc.sample_count > 1:
        parts.append(f"{desc.sample_count} samples")
    return ", ".join(parts)


def layout_text(layout: ResourceLayout) -> str:
    """Give the texture, the sizes, and a table of the mips of every plane."""
    mode = layout.swizzle_mode.name.removeprefix("SW_")
    gpu = layout.gpu
    lines = [
        desc_text(layout.desc),
        f"mode {mode} on {gpu.name} (pipes {gpu.pipes}, packers {gpu.packers})",
        f"size {layout.size_bytes} bytes, alignment {layout.base_alignment_bytes} bytes, "
        f"padding {100.0 * layout.padding_share:.1f} %",
    ]
    for plane in layout.planes:
        lines += _plane_lines(plane)
    return "\n".join(lines)


def _plane_lines(plane: PlaneLayout) -> list[str]:
    lines = [
        f"plane {plane.usage}: base {plane.base_offset_bytes}, size {plane.size_bytes}, "
        f"slice {plane.slice_size_bytes} bytes",
        f"{'mip':>5}{'elements':>16}{'padded':>16}{'pitch bytes':>13}{'offset':>13}{'size':>13}  tail",
    ]
    for number, mip in enumerate(plane.mips):
        elements = f"{mip.width_elements} x {mip.height_elements}"
        padded = f"{mip.padded_width_elements} x {mip.padded_height_elements}"
        lines.append(
            f"{number:>5}{elements:>16}{padded:>16}{mip.pitch_bytes:>13}{mip.offset_bytes:>13}"
            f"{mip.size_bytes:>13}  {'tail' if mip.is_mip_tail else '-'}"
        )
    return lines
