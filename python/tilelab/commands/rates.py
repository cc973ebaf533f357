"""``tilelab rates``: the shading-rate image of a picture or frame."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tilelab._validation import fail, tell
from tilelab.commands import _arguments, _files
from tilelab.frame import Frame

__all__ = ["register", "run"]
__dir__ = __all__.copy

_DESCRIPTION = """\
Derive the shading-rate image of a picture or frame.

OUTPUT.npz gets `rates`, one uint8 D3D12 shading-rate code for every tile (0 = 1x1, 1 = 1x2, 4 = 2x1,
5 = 2x2), and `tile`. OUTPUT.png gets a picture of the input's size: 1x1 red, 2x1 cyan, 1x2 yellow,
2x2 black, laid over the input in grey. The printed ratio is invocations over covered pixels, with one
invocation for each primitive in a coarse pixel where INPUT has primitive ids."""

_EPILOG = """\
examples:
  tilelab rates photograph.jpg rates.png
  tilelab rates frame.exr rates.npz --previous before.exr --tile 16 --threshold 0.2"""


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the command line."""
    parser = subparsers.add_parser(
        "rates",
        help="derive the shading-rate image of a picture or frame",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "input", type=Path, metavar="INPUT", help="a frame (.npz, .exr) or a picture (.png, .jpg, ...)"
    )
    parser.add_argument("output", type=Path, metavar="OUTPUT", help="file to write: .png or .npz")
    parser.add_argument("--force", action="store_true", help="replace OUTPUT where it exists")
    parser.add_argument(
        "--previous",
        type=Path,
        metavar="FILE",
        help="predict from this frame, moved along the motion vectors of INPUT where it has them",
    )
    parser.add_argument(
        "--estimator",
        default="sobel",
        metavar="NAME",
        help="how to measure detail: sobel, or sobel+diff, which also sees 1-pixel stripes (default: sobel)",
    )
    parser.add_argument(
        "--tile", type=int, default=8, metavar="N", help="tile side in pixels: 8, 16 or 32 (default: 8)"
    )
    parser.add_argument(
        "--threshold",
        type=float,
        default=0.1,
        metavar="X",
        help="gradient, relative to brightness, above which a pixel asks for full rate (default: 0.1)",
    )
    parser.add_argument(
        "--env-luma",
        type=float,
        default=0.05,
        metavar="X",
        help="luminance added to the brightness, which lets dark areas go coarse (default: 0.05)",
    )
    parser.add_argument(
        "--vote",
        type=_arguments.whole_number,
        default=0,
        metavar="N",
        help="pixels of a tile that may ask for full rate without getting it (default: 0)",
    )
    parser.add_argument(
        "--motion-scale",
        type=float,
        nargs=2,
        metavar=("X", "Y"),
        help="factors that turn the motion of INPUT into pixels, such as its width and height for UV units",
    )
    _arguments.add_threads(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the command; returns the exit code."""
    from tilelab import vrs

    output: Path = arguments.output
    suffix = output.suffix.lower()
    if suffix not in (".png", ".npz"):
        raise fail("OUTPUT", "must end in .png or .npz", output)
    inputs = [path for path in (arguments.input, arguments.previous) if path is not None]
    _files.check_outputs([(arguments.input, output)], inputs)
    _files.check_absent(output, force=arguments.force)
    frame = _arguments.read_frame(arguments.input)
    before = frame if arguments.previous is None else _arguments.read_frame(arguments.previous)
    if before.shape != frame.shape:
        raise fail("--previous", f"must have the size of INPUT {frame.shape}", before.shape)
    color = _color("INPUT", frame)
    motion = None if before is frame else frame.motion
    if arguments.motion_scale is not None and motion is None:
        raise fail("--motion-scale", "needs --previous and motion in INPUT", arguments.motion_scale)
    rates = vrs.rate_image(
        _color("--previous", before),
        estimator=arguments.estimator,
        tile=arguments.tile,
        threshold=arguments.threshold,
        env_luma=arguments.env_luma,
        vote=arguments.vote,
        motion=motion,
        motion_scale=arguments.motion_scale,
        threads=arguments.threads,
    )
    if before is not frame and motion is None:
        tell("--previous is read in place: INPUT has no motion, so nothing follows moving pixels")
    ids = frame.primitive_id
    counts = vrs.count_invocations(rates, frame.shape, tile=arguments.tile, primitive_id=ids)
    invocations = int(counts.sum())
    covered = frame.shape[0] * frame.shape[1] if ids is None else np.count_nonzero(ids >= 0)

    from tilelab.io._atomic import replace_when_complete

    output.parent.mkdir(parents=True, exist_ok=True)
    with replace_when_complete(str(output)) as fresh:
        if suffix == ".npz":
            np.savez(fresh, rates=rates, tile=np.int64(arguments.tile))
        else:
            _save_picture(Path(fresh), color, rates, arguments.tile)
    tiles = {f"{rate.width}x{rate.height}": np.count_nonzero(rates == rate) for rate in vrs.ShadingRate}
    for label, value in {
        "Resolution": f"{frame.shape[1]}x{frame.shape[0]}",
        "Predicted": "no" if before is frame else "in place" if motion is None else "along motion",
        **{f"Tiles {name}": str(count) for name, count in tiles.items() if count},
        "Invocations": str(invocations),
        "Ratio": f"{invocations / max(covered, 1):.4f}",
        "Written": str(output),
    }.items():
        print(f"{label:<12} {value}")
    return 0


def _color(option: str, frame: Frame) -> npt.NDArray[Any]:
    if frame.color is None:
        raise fail(option, "must have color", frame)
    return frame.color


def _save_picture(path: Path, color: npt.NDArray[Any], rates: npt.NDArray[np.uint8], tile: int) -> None:
    from tilelab import _extras, plot

    image_module = _extras.require("PIL.Image", "plot")
    image_module.fromarray(plot.rate_overlay(rates, color, tile=tile)).save(path, format="PNG")
