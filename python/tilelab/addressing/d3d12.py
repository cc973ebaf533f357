"""Reading a Direct3D 12 resource description: JSON text, a mapping or the struct's integers."""

import difflib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from tilelab._validation import as_int, fail, fail_type

__all__ = ["d3d12_arguments"]
__dir__ = __all__.copy

_STRUCT = (
    *("Dimension", "Alignment", "Width", "Height", "DepthOrArraySize", "MipLevels", "Format"),
    *("SampleDesc.Count", "SampleDesc.Quality", "Layout", "Flags"),
)
_DIMENSIONS = {"TEXTURE1D": 2, "TEXTURE2D": 3, "TEXTURE3D": 4}
_USAGE_OF_FLAG = ("render_target", "depth_stencil", "unordered_access")  # flag bits 0, 1, 2
_FLAGS = {
    "NONE": 0x0,
    "ALLOW_RENDER_TARGET": 0x1,
    "ALLOW_DEPTH_STENCIL": 0x2,
    "ALLOW_UNORDERED_ACCESS": 0x4,
    "DENY_SHADER_RESOURCE": 0x8,
    "ALLOW_CROSS_ADAPTER": 0x10,
    "ALLOW_SIMULTANEOUS_ACCESS": 0x20,
    "VIDEO_DECODE_REFERENCE_ONLY": 0x40,
    "VIDEO_ENCODE_REFERENCE_ONLY": 0x80,
    "RAYTRACING_ACCELERATION_STRUCTURE": 0x100,
}


def d3d12_arguments(source: object, extra: Mapping[str, Any], *, cube: bool) -> dict[str, Any]:
    """Translate a resource description to the arguments of `TextureDesc` (see `TextureDesc.from_d3d12`)."""
    fields = _flatten({**_mapping(source), **extra})
    for required in ("Dimension", "Width", "Format"):
        if required not in fields:
            raise fail(required, "must be given in a D3D12 description", ", ".join(fields) or "no field")
    dimension = _enumerator("Dimension", fields["Dimension"], "D3D12_RESOURCE_DIMENSION_", _DIMENSIONS)
    for name in ("Alignment", "SampleDesc.Quality"):
        as_int(name, fields.get(name, 0), low=0)
    layout = fields.get("Layout", 0)
    if not isinstance(layout, str):
        as_int("Layout", layout, low=0)
    flags = fields.get("Flags", 0)
    if isinstance(flags, str):
        flags = sum({_enumerator("Flags", flag, "D3D12_RESOURCE_FLAG_", _FLAGS) for flag in flags.split("|")})
    flags = as_int("Flags", flags, low=0)
    if flags & ~sum(_FLAGS.values()):
        raise fail("Flags", "must hold documented bits of D3D12_RESOURCE_FLAGS only", f"{flags:#x}")
    name = {2: "1d", 3: "2d", 4: "3d"}[dimension]
    if cube:
        if name != "2d":
            rule = "must be False for a D3D12 resource that is not a 2D texture"
            raise fail("cube", rule, f"Dimension {dimension}")
        name = "cube"
    return {
        "dimension": name,
        "width": as_int("Width", fields["Width"], low=1),
        "height": as_int("Height", fields.get("Height", 1), low=1),
        "depth_or_array_size": fields.get("DepthOrArraySize", 6 if cube else 1),
        "mip_levels": fields.get("MipLevels", 1),
        "format": fields["Format"],
        "sample_count": fields.get("SampleDesc.Count", 1),
        "usage": tuple(usage for bit, usage in enumerate(_USAGE_OF_FLAG) if flags >> bit & 1),
    }


def _mapping(source: object) -> dict[str, Any]:
    if source is None:
        return {}
    if isinstance(source, str):
        try:
            source = json.loads(source)
        except (ValueError, RecursionError) as error:
            got = f"text that fails: {error}"
            raise fail("source", "must be JSON text of a D3D12 description", got) from None
    if isinstance(source, Mapping):
        return dict(source)
    if isinstance(source, Sequence) and not isinstance(source, str | bytes | bytearray):
        if len(source) != len(_STRUCT):
            rule = f"must hold the {len(_STRUCT)} integers {', '.join(_STRUCT)}"
            raise fail("source", rule, f"{len(source)} values")
        return dict(zip(_STRUCT, source, strict=True))
    rule = "must be JSON text of an object, a mapping or integers"
    raise fail_type("source", rule, type(source).__name__)


def _flatten(fields: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in fields.items():
        if name == "SampleDesc":
            if isinstance(value, Mapping):
                flat |= {f"SampleDesc.{key}": entry for key, entry in value.items()}
            elif isinstance(value, Sequence) and not isinstance(value, str) and len(value) == 2:
                flat |= {"SampleDesc.Count": value[0], "SampleDesc.Quality": value[1]}
            else:
                raise fail_type("SampleDesc", "must hold Count and Quality", repr(value))
        else:
            flat[name] = value
    for name in flat:
        if name not in _STRUCT:
            near = difflib.get_close_matches(str(name), _STRUCT, n=2)
            hint = f"; nearest: {', '.join(near)}" if near else ""
            raise fail("source", "must hold fields of D3D12_RESOURCE_DESC only", f"{name!r}{hint}")
    return flat


def _enumerator(name: str, value: object, prefix: str, values: Mapping[str, int]) -> int:
    if isinstance(value, str):
        key = value.strip().upper().removeprefix(prefix)
        if key in values:
            return values[key]
    else:
        number = as_int(name, value, low=0)
        if number in values.values():
            return number
    choices = ", ".join(f"{key} ({number})" for key, number in values.items())
    raise fail(name, f"must be one of {choices}", repr(value))
