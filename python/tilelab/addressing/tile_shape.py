"""The size of a 64 KB tile, the unit of partial residency."""

from __future__ import annotations

from tilelab import _core
from tilelab._core.addressing import Dimension
from tilelab._validation import as_member, fail, unsupported
from tilelab.addressing.desc import SAMPLE_COUNTS, as_dimension
from tilelab.addressing.formats import Format

__all__ = ["tile_shape"]
__dir__ = __all__.copy

_TILE_LOG2 = 16


def tile_shape(
    format: Format | str | int,  # noqa: A002
    *,
    dimension: str = "2d",
    sample_count: int = 1,
) -> tuple[int, int, int]:
    """Give the size of a 64 KB tile in texels.

    Parameters
    ----------
    format : Format, str or int
        The format; the first plane counts.
    dimension : {"1d", "2d", "3d", "cube"}
        "3d" gives the thick tile of volumes.
    sample_count : {1, 2, 4, 8}
        Samples of a texel.

    Returns
    -------
    tuple of int
        Width, height and depth in texels.

    Raises
    ------
    UnsupportedError
        For 96-bit formats, which cannot be tiled.

    Notes
    -----
    Measured block sizes of the 64 KB modes; for S modes equal to the documented standard tile shapes of
    Direct3D 12.

    Examples
    --------
    >>> tile_shape("R8G8B8A8_UNORM"), tile_shape("BC1_UNORM"), tile_shape("R8G8B8A8_UNORM", dimension="3d")
    ((128, 128, 1), (512, 256, 1), (32, 32, 16))
    """
    plane = Format(format).planes[0]
    axes = as_dimension(dimension)
    samples = as_member("sample_count", sample_count, SAMPLE_COUNTS)
    if samples > 1 and axes is not Dimension.TEXTURE_2D:
        raise fail("sample_count", f'must be 1 for dimension "{dimension}"', samples)
    if samples > 1 and (plane.block_width, plane.block_height) != (1, 1):
        raise fail("sample_count", f"must be 1 for format {Format(format)}", samples)
    if plane.bytes_per_element == 12:
        got = f"{Format(format)}: 96-bit texels are linear only"
        raise unsupported("format", "must be one that can be tiled", got)
    width, height, depth = _core.addressing.block_shape(
        block_log2=_TILE_LOG2,
        element_log2=plane.bytes_per_element.bit_length() - 1,
        samples_log2=samples.bit_length() - 1,
        thick=axes is Dimension.TEXTURE_3D,
    )
    return width * plane.block_width, height * plane.block_height, depth
