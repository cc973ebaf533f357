"""What the channels of a frame must look like: the rules that `tilelab.frame` and `tilelab.io` share."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

# The side limit of a D3D12 2-D texture (D3D12_REQ_TEXTURE2D_U_OR_V_DIMENSION): nothing larger is a frame.
MAX_SIDE = 16384


class ChannelRule(NamedTuple):
    """What a channel must look like: element type, component counts (0 = no component axis), meaning."""

    dtype: type[np.generic]
    components: tuple[int, ...]
    meaning: str
    unorm: bool = False  # uint8 is kept as well and means value / 255

    def describe_shape(self) -> str:
        """Return the shape as it is written in error messages."""
        if self.components == (0,):
            return "(H, W)"
        return f"(H, W, {'|'.join(str(count) for count in self.components)})"


CHANNELS: Mapping[str, ChannelRule] = {
    "color": ChannelRule(np.float32, (3, 4), "shaded colour", unorm=True),
    "albedo": ChannelRule(np.float32, (3, 4), "base colour", unorm=True),
    "sh_normal": ChannelRule(np.float32, (3,), "shading normal, world space, unit length, 0 on background"),
    "depth": ChannelRule(np.float32, (0,), "view depth in metres along the camera axis, +inf on background"),
    "uv": ChannelRule(np.float32, (2,), "texture coordinates, not wrapped"),
    "duv_dx": ChannelRule(np.float32, (2,), "change of uv per pixel to the right"),
    "duv_dy": ChannelRule(np.float32, (2,), "change of uv per pixel down"),
    "motion": ChannelRule(np.float32, (2,), "pixels: position now minus position in the previous frame"),
    "material": ChannelRule(np.int32, (0,), "material number, -1 none"),
    "primitive_id": ChannelRule(np.int32, (0,), "primitive number, unique over the scene, -1 none"),
}
"""The rule of every channel that a frame may have, by name."""
