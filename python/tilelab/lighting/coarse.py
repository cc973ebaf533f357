"""The link to variable rate shading: a G-buffer as coarse shading leaves it."""

from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from tilelab import vrs
from tilelab._validation import as_instance
from tilelab.lighting.gbuffer import GBuffer

__all__ = ["coarse_gbuffer"]
__dir__ = __all__.copy


def coarse_gbuffer(
    gbuffer: GBuffer,
    rates: npt.ArrayLike,
    *,
    primitive_id: npt.ArrayLike | None = None,
    tile: int = 8,
    location: str = "center",
    any_size: bool = False,
    threads: int = 1,
) -> GBuffer:
    """Write a G-buffer again at variable rate, so that it holds the duplicates it would hold on hardware.

    Parameters
    ----------
    gbuffer : GBuffer
        The G-buffer at full rate.
    rates : array_like of uint8, (h, w)
        Rate image: codes, members of ``vrs.ShadingRate`` or names like "2x1".
    primitive_id : array_like of int32, (H, W), optional
        Visible primitive of every pixel, -1 for none. Default: one primitive everywhere.
    tile : {8, 16, 32}
        Pixels per tile side of the rate image.
    location : {"center", "centroid"}
        Where a coarse pixel is shaded.
    any_size : bool
        As for :func:`tilelab.vrs.shade_coarse`.
    threads : int
        0 for all cores.

    Returns
    -------
    GBuffer
        Every channel's pixel is that of its invocation. Depth, which is always written at full rate, and
        validity are the same.

    Raises
    ------
    TypeError, ValueError
        As for :func:`tilelab.vrs.shade_coarse`.

    Notes
    -----
    One invocation per primitive and coarse pixel (documented), so where primitives meet inside a coarse pixel
    the applied rate is finer than the requested one. An invocation takes the attributes of the covered pixel
    nearest to its position (modelled: hardware interpolates there).

    Examples
    --------
    >>> import numpy as np
    >>> from tilelab import lighting
    >>> columns = np.tile(np.arange(16, dtype=np.uint8), (16, 1))
    >>> full = lighting.GBuffer({"albedo": columns}, np.zeros((16, 16), np.float32))
    >>> coarse = lighting.coarse_gbuffer(full, np.full((2, 2), 4, np.uint8))
    >>> lighting.scan(full).counts, lighting.scan(coarse).counts
    (array([[128]], dtype=uint32), array([[64]], dtype=uint32))
    """
    height, width = as_instance("gbuffer", gbuffer, GBuffer).shape
    own = np.arange(height * width, dtype=np.int32).reshape(height, width)
    shaded = vrs.shade_coarse(
        own,
        rates,
        primitive_id=primitive_id,
        tile=tile,
        location=location,
        any_size=any_size,
        threads=threads,
    )
    source = shaded.image
    if primitive_id is not None:
        source = np.where(shaded.pixel_invocation < 0, own, source)
    channels = {
        name: channel.reshape(height * width, *channel.shape[2:])[source]
        for name, channel in gbuffer.channels.items()
    }
    return dataclasses.replace(gbuffer, channels=channels)
