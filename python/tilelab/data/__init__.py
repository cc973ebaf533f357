"""Real pictures, a real stereo pair and a rendered frame pair; nothing is downloaded."""

from tilelab._skimage import load, names
from tilelab.data.rendered import frame_pair
from tilelab.data.stereo import stereo_pair

__all__ = ["frame_pair", "load", "names", "stereo_pair"]
__dir__ = __all__.copy
