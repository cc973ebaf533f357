"""Motion vectors as kernels take them: pixels per frame."""

from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab._validation import as_array, fail, tell

__all__: list[str] = []
__dir__ = __all__.copy

# Between samples of a picture that is looked through for motion that counts.
SAMPLE_STEP = 8
LARGE = 1 << 20


def as_motion(
    motion: npt.ArrayLike, shape: tuple[int | None, int | None], scale: Any
) -> npt.NDArray[np.float32]:
    """Give motion in pixels, (H, W, 2), from any unit; says so when every vector rounds to 0."""
    pixels: npt.NDArray[np.float32] = as_array("motion", motion, dtype=np.float32, shape=(*shape, 2))
    if scale is not None:
        pixels = pixels * _as_scale(scale)
    sample = pixels[::SAMPLE_STEP, ::SAMPLE_STEP]
    still = pixels.size > LARGE and not sample.any()
    if pixels.size and not still and not (np.abs(sample) > 0.5).any():
        largest = float(np.fmax.reduce(np.abs(pixels), axis=None))
        if 0 < largest <= 0.5:
            tell(
                f"motion has no effect: its largest component is {largest:.3g} pixels, every vector rounds "
                "to 0 (probably UV or NDC units: motion_scale=(width, height), or half of it, makes pixels)"
            )
    return pixels


def _as_scale(scale: Any) -> npt.NDArray[np.float32]:
    factors = as_array("motion_scale", scale, dtype=(np.float64, np.int64))
    if factors.shape not in ((), (2,)):
        raise fail("motion_scale", "must be one number or (x, y)", f"shape {factors.shape}")
    if not np.isfinite(factors).all():
        raise fail("motion_scale", "must be finite", factors.tolist())
    return factors.astype(np.float32)
