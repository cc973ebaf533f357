"""Where texels live in memory: formats, textures, layouts and the bulk copies between linear and tiled."""

from tilelab.addressing.desc import Subresource, TextureDesc
from tilelab.addressing.formats import Format, FormatPlane, PlaneUsage

__all__ = ["Format", "FormatPlane", "PlaneUsage", "Subresource", "TextureDesc"]
