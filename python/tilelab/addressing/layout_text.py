"""What print() shows of a layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tilelab.addressing.layout import PlaneLayout, ResourceLayout

__all__ = ["layout_text"]
__dir__ = __all__.copy


def layout_text(layout: ResourceLayout) -> str:
    """Give the texture, the sizes, and a table of the mips of every plane."""
    mode = layout.swizzle_mode.name.removeprefix("SW_")
    gpu = layout.gpu
    lines = [
        str(layout.desc),
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
