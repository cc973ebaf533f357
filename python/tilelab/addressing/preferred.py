"""Which swizzle mode a driver would choose."""

from __future__ import annotations

from tilelab._validation import as_bool, fail
from tilelab.addressing.desc import TextureDesc, as_desc
from tilelab.addressing.gpu_model import GpuModel, as_gpu
from tilelab.addressing.layout import resource_layout
from tilelab.addressing.swizzle_mode import SwizzleMode

__all__ = ["preferred_swizzle_mode"]
__dir__ = __all__.copy


def preferred_swizzle_mode(
    desc: TextureDesc,
    gpu: GpuModel | str = "anaconda",
    *,
    allow_var: bool = False,
    allow_xor: bool = True,
    prt: bool = False,
) -> SwizzleMode:
    """Give the mode that AMD's library prefers for a texture.

    Parameters
    ----------
    desc : TextureDesc
        The texture.
    gpu : GpuModel or str
        The chip.
    allow_var : bool
        Let VAR modes be chosen; console drivers do not by default (documented).
    allow_xor : bool
        False forbids T and X modes.
    prt : bool
        The texture is partially resident (tiled).

    Returns
    -------
    SwizzleMode

    Raises
    ------
    ValueError
        No mode fits: depth, stencil and multisampled textures without XOR or as partially resident ones;
        partially resident 1D textures and 96-bit formats.

    Notes
    -----
    Measured choices of AMD's library: LINEAR for 1D and 96-bit formats, 64KB_Z_X for depth and stencil,
    64KB_S_X for volumes (64KB_D_X as render target), 64KB_D_X for block-compressed formats, else 64KB_R_X;
    64KB_D_T for partially resident textures, 64KB_D when XOR is forbidden, VAR_R_X and VAR_Z_X where VAR is
    allowed. Modelled: small 2D textures take 256B_D or 4KB_D_X while the next larger block would more than
    double their size; partially resident volumes take 64KB_S_T.

    Examples
    --------
    >>> preferred_swizzle_mode(TextureDesc(width=1024, height=1024, format="R8G8B8A8_UNORM")).name
    'SW_64KB_R_X'
    >>> preferred_swizzle_mode(TextureDesc(width=8, height=8, format="R8G8B8A8_UNORM")).name
    'SW_256B_D'
    """
    as_desc(desc)
    model = as_gpu(gpu)
    allow_var, allow_xor, prt = (
        as_bool("allow_var", allow_var),
        as_bool("allow_xor", allow_xor),
        as_bool("prt", prt),
    )
    volume, depth_stencil = (
        desc.dimension == "3d",
        any(plane.usage in ("DEPTH", "STENCIL") for plane in desc.planes),
    )
    if depth_stencil or desc.sample_count > 1:
        what = "depth and stencil" if depth_stencil else "multisampled textures"
        if not allow_xor:
            raise fail("allow_xor", f"must be True for {what}, which have X modes only", allow_xor)
        if prt:
            raise fail("prt", f"must be False for {what}, whose modes take no partial residency", prt)
        if depth_stencil:
            return SwizzleMode.SW_VAR_Z_X if allow_var else SwizzleMode.SW_64KB_Z_X
        return SwizzleMode.SW_VAR_R_X if allow_var else SwizzleMode.SW_64KB_R_X
    if desc.dimension == "1d" or desc.format.bytes_per_element == 12:
        if prt:
            raise fail("prt", "must be False for 1D textures and 96-bit formats, which are LINEAR", prt)
        return SwizzleMode.LINEAR
    if prt:
        if volume:
            return SwizzleMode.SW_64KB_S_T if allow_xor else SwizzleMode.SW_64KB_S
        return SwizzleMode.SW_64KB_D_T if allow_xor else SwizzleMode.SW_64KB_D
    if volume:
        if not allow_xor:
            return SwizzleMode.SW_64KB_S
        return SwizzleMode.SW_64KB_D_X if "render_target" in desc.usage else SwizzleMode.SW_64KB_S_X
    return _by_size(desc, model, allow_var, allow_xor)


def _by_size(desc: TextureDesc, model: GpuModel, allow_var: bool, allow_xor: bool) -> SwizzleMode:
    large = SwizzleMode.SW_64KB_D
    if allow_xor:
        large = SwizzleMode.SW_64KB_D_X if desc.format.is_block_compressed else SwizzleMode.SW_64KB_R_X
    chosen = SwizzleMode.SW_256B_D
    size = resource_layout(desc, chosen, model).size_bytes
    for mode in (SwizzleMode.SW_4KB_D_X if allow_xor else SwizzleMode.SW_4KB_D, large):
        larger = resource_layout(desc, mode, model).size_bytes
        if larger > 2 * size:
            return chosen
        chosen, size = mode, larger
    return SwizzleMode.SW_VAR_R_X if allow_var and allow_xor else chosen
