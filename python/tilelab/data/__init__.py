"""Real pictures found on the machine and a real stereo pair; nothing is downloaded."""

from tilelab.data.pictures import load, names
from tilelab.data.stereo import stereo_pair

__all__ = ["load", "names", "stereo_pair"]
