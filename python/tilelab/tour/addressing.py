"""Chapter of the tour: where the texels of the frame's picture lie in memory."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tilelab import addressing
from tilelab.addressing import ResourceLayout, SwizzleMode, TextureDesc
from tilelab.addressing.locality import locality
from tilelab.tour.chapter import Chapter, Picture, figure_image
from tilelab.tour.context import TourContext
from tilelab.tour.pictures import display_image, side_by_side

__all__ = ["chapter"]
__dir__ = __all__.copy

_MODES = ("LINEAR", "SW_256B_D", "SW_4KB_S", "SW_64KB_S", "SW_64KB_R_X", "SW_VAR_R_X")
_GPU = "anaconda"
_REGION = 1024  # distances repeat: a corner of large pictures tells them
_BLOCK_SIDE = 128  # texels of four bytes across and down a 64 KB block
_INTRO = """\
The frame's picture as a texture of four bytes a texel with all its mips. A swizzle mode decides at which byte
each texel lies. In rows (LINEAR) the neighbour below is a whole row away; the other modes fold squares of
texels into short runs of memory, so that what a wave of 8 x 8 pixels reads lies in few cache lines. The
addresses are exact: the rules of the hardware's address library, not a model."""


def chapter(context: TourContext) -> Chapter:
    """Make the chapter on texel addresses."""
    height, width = context.frame.shape
    color = context.frame.color if context.frame.color is not None else context.frame.albedo
    picture = np.zeros((height, width, 3), np.uint8) if color is None else display_image(color)
    texture = np.dstack([picture, np.full((height, width), 255, np.uint8)])
    desc = TextureDesc(width=width, height=height, format="R8G8B8A8_UNORM", mip_levels=0)
    layouts = {name: addressing.resource_layout(desc, name, _GPU) for name in _MODES}
    one_mip = addressing.resource_layout(
        TextureDesc(width=width, height=height, format="R8G8B8A8_UNORM"), "SW_64KB_R_X", _GPU
    )
    with context.stage("swizzle", pixels=width * height):
        tiled = addressing.swizzle(texture, one_mip, threads=context.threads)
    with context.stage("deswizzle", pixels=width * height):
        again = addressing.deswizzle(tiled, one_mip, threads=context.threads)

    rows = [
        ("Texture width (texels)", str(width)),
        ("Texture height (texels)", str(height)),
        ("Mips", str(desc.mip_levels)),
        ("Preferred mode", _short(addressing.preferred_swizzle_mode(desc, _GPU))),
        ("Bytes that differ after the round trip", str(int(np.count_nonzero(again != texture)))),
        ("Texels, all mips (bytes)", str(desc.size_bytes)),
    ]
    with context.stage("measure distances"):
        for layout in layouts.values():
            near = locality(layout, region=(_REGION, _REGION))
            name = _short(layout.swizzle_mode)
            rows += [
                (f"{name}: surface (bytes)", str(layout.size_bytes)),
                (f"{name}: to the texel below, median (bytes)", f"{near.median_distance_y:.0f}"),
                (f"{name}: 128-byte lines per 8 x 8 texels", f"{near.lines_per_8x8:.2f}"),
            ]
    return Chapter(
        title="Texel addresses",
        intro=_INTRO
        if color is not None
        else f"{_INTRO} The frame has no colour: its texels are black here.",
        rows=rows,
        pictures=[
            Picture(
                "addressing_walk",
                "The first 32 x 32 texels in the order of their addresses, dark to light. Coloured steps go "
                "to the next texel in memory, grey lines are jumps.",
                _walks([layouts[name] for name in ("LINEAR", "SW_4KB_S", "SW_64KB_S", "SW_64KB_R_X")]),
            ),
            Picture(
                "addressing_memory",
                "The picture, and its bytes in mode 64KB_R_X as a memory viewer would show them: each 64 KB "
                "block stands at its place, its bytes drawn as rows. Black is padding.",
                _memory(picture, tiled, one_mip),
            ),
        ],
    )


def _short(mode: SwizzleMode) -> str:
    return mode.name.removeprefix("SW_")


def _walks(layouts: list[ResourceLayout]) -> npt.NDArray[np.uint8]:
    from matplotlib.figure import Figure

    from tilelab.plot.addressing import address_walk

    figure = Figure(figsize=(16, 4.6), dpi=80, layout="constrained")
    for ax, layout in zip(figure.subplots(1, len(layouts)), layouts, strict=True):
        address_walk(layout, width=32, height=32, ax=ax)
    return figure_image(figure)


def _memory(
    picture: npt.NDArray[np.uint8], tiled: npt.NDArray[np.uint8], layout: ResourceLayout
) -> npt.NDArray[np.uint8]:
    """Draw the picture beside its memory: every 64 KB block at its place, its bytes as rows of pixels."""
    mip = layout.planes[0].mips[0]
    across, side = mip.padded_width_elements // _BLOCK_SIDE, _BLOCK_SIDE
    blocks = tiled.reshape(-1, across, side, side, 4).swapaxes(1, 2)
    memory = blocks.reshape(mip.padded_height_elements, mip.padded_width_elements, 4)[..., :3]
    padded = np.zeros_like(memory)
    padded[: picture.shape[0], : picture.shape[1]] = picture
    return side_by_side(padded, memory)
