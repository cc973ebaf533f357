"""Frames rendered with a real renderer."""

from tilelab.scene.camera import Camera
from tilelab.scene.courtyard import render_pair
from tilelab.scene.mitsuba import render_frame

__all__ = ["Camera", "render_frame", "render_pair"]
__dir__ = __all__.copy
