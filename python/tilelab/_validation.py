"""Argument checks shared by every area: each error names the argument, the rule and what came."""

import enum
import math
import operator
import os
import sys
import warnings
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from tilelab._core import UnsupportedError as UnsupportedError  # the one import of it inside the package

Array = npt.NDArray[Any]
E = TypeVar("E", bound=enum.IntEnum)
N = TypeVar("N", int, npt.NDArray[np.int64])
T = TypeVar("T")


def fail(name: str, rule: str, got: object) -> ValueError:
    """Build the ValueError of an argument whose value breaks a rule."""
    return ValueError(f"{name} {rule}, got {got}")


def fail_type(name: str, rule: str, got: object) -> TypeError:
    """Build the TypeError of an argument of the wrong kind."""
    return TypeError(f"{name} {rule}, got {got}")


def unsupported(name: str, rule: str, got: object) -> UnsupportedError:
    """Build the UnsupportedError of a legal combination that is not modelled."""
    return UnsupportedError(f"{name} {rule}, got {got}")


def tell(message: str) -> None:
    """Warn the caller of the package, once for each place: an option without effect, a guess, a repair."""
    level, frame = 2, sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "tilelab":
        level, frame = level + 1, frame.f_back  # type: ignore[assignment]
    warnings.warn(message, UserWarning, stacklevel=level)


def ceil_div(value: N, divisor: int) -> N:
    """Divide an integer or an array of them and round up; `divisor` is positive."""
    return -(-value // divisor)


def describe(array: Array) -> str:
    """Name an array by dtype and shape, as error messages show it."""
    return f"{array.dtype} of shape {array.shape}"


def as_regular(name: str, value: npt.ArrayLike) -> Array:
    """Give `value` as an array of whatever dtype; nested sequences of unequal lengths are refused."""
    try:
        return np.asarray(value)
    except ValueError as error:
        raise fail(name, "must be a regular array", str(error)) from None


def _dtype_names(dtypes: Iterable[npt.DTypeLike]) -> str:
    return " or ".join(str(np.dtype(dtype)) for dtype in dtypes)


def as_array(
    name: str,
    value: npt.ArrayLike,
    *,
    dtype: npt.DTypeLike | Sequence[npt.DTypeLike],
    ndim: int | Sequence[int] | None = None,
    shape: Sequence[int | None] | None = None,
    allow_empty: bool = True,
) -> Array:
    """Give `value` as a C-contiguous array of one of the wanted dtypes.

    The first dtype is the preferred one. What is converted, and nothing else: float16 and float64 to a
    wanted float32 or float64, and integers of another width to a wanted integer dtype when every value
    fits. A non-contiguous or misaligned array is copied to C order. Float never becomes integer, integer
    never becomes float, and complex, object and string arrays are refused.

    Parameters
    ----------
    name : str
        Argument name for the message.
    value : array_like
        What the caller passed.
    dtype : dtype or sequence of dtype
        Accepted dtypes.
    ndim : int or sequence of int, optional
        Accepted numbers of dimensions.
    shape : sequence of int or None, optional
        Exact extents, None for any.
    allow_empty : bool
        False refuses arrays without elements.

    Raises
    ------
    TypeError
        The dtype is not accepted.
    ValueError
        Rank, shape or range is not accepted.
    """
    dtypes = [np.dtype(d) for d in (dtype if isinstance(dtype, list | tuple) else (dtype,))]
    array = as_regular(name, value)
    if array.dtype not in dtypes:
        array = _convert(name, array, dtypes)
    if ndim is not None:
        ranks = (ndim,) if isinstance(ndim, int) else tuple(ndim)
        if array.ndim not in ranks:
            wanted = " or ".join(str(rank) for rank in ranks)
            raise fail(name, f"must have {wanted} dimensions", describe(array))
    if shape is not None and (
        array.ndim != len(shape)
        or any(want not in (None, have) for want, have in zip(shape, array.shape, strict=True))
    ):
        text = "(" + ", ".join("any" if extent is None else str(extent) for extent in shape) + ")"
        raise fail(name, f"must have shape {text}", describe(array))
    if not allow_empty and array.size == 0:
        raise fail(name, "must not be empty", describe(array))
    return np.require(array, requirements=("C_CONTIGUOUS", "ALIGNED"))


def _convert(name: str, array: Array, dtypes: Sequence[np.dtype[Any]]) -> Array:
    rule = f"must be an array of {_dtype_names(dtypes)}"
    for wanted in dtypes:
        if wanted.kind == "f" and array.dtype.kind == "f":
            with np.errstate(over="ignore"):  # what float32 cannot hold becomes infinite
                return array.astype(wanted)
        if wanted.kind in "iu" and array.dtype.kind in "iu":
            limits = np.iinfo(wanted)
            if array.size and not (limits.min <= int(array.min()) and int(array.max()) <= limits.max):
                raise fail(
                    name,
                    f"must hold integers in [{limits.min}, {limits.max}]",
                    f"values in [{array.min()}, {array.max()}]",
                )
            return array.astype(wanted)
    raise fail_type(name, rule, describe(array))


def as_int(name: str, value: object, *, low: int | None = None, high: int | None = None) -> int:
    """Give an integer argument inside [low, high]; bool and float are refused."""
    if isinstance(value, bool | np.bool_):
        raise fail_type(name, "must be an integer", repr(value))
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise fail_type(name, "must be an integer", repr(value)) from None
    if low is not None and number < low:
        raise fail(name, f"must be at least {low}" if high is None else f"must be in [{low}, {high}]", number)
    if high is not None and number > high:
        raise fail(name, f"must be at most {high}" if low is None else f"must be in [{low}, {high}]", number)
    return number


def as_member(name: str, value: object, members: Sequence[int]) -> int:
    """Give an integer that is one of a few."""
    number = as_int(name, value)
    if number not in members:
        raise fail(name, "must be one of " + ", ".join(map(str, members)), number)
    return number


def as_instance(name: str, value: object, kind: type[T]) -> T:
    """Give an object of class `kind`."""
    if not isinstance(value, kind):
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        raise fail_type(name, f"must be {article} {kind.__name__}", type(value).__name__)
    return value


def as_float(
    name: str,
    value: object,
    *,
    low: float | None = None,
    high: float | None = None,
    finite: bool = True,
) -> float:
    """Give a real argument inside [low, high]; NaN is always refused, infinities unless finite=False."""
    if isinstance(value, bool | np.bool_ | str | bytes | complex | np.complexfloating):
        raise fail_type(name, "must be a real number", repr(value))
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise fail_type(name, "must be a real number", repr(value)) from None
    except OverflowError:
        raise fail(name, "must be finite", "a number beyond the range of float64") from None
    if math.isnan(number) or (finite and math.isinf(number)):
        raise fail(name, "must be finite" if finite else "must not be NaN", number)
    if low is not None and number < low:
        raise fail(name, f"must be at least {low:g}", number)
    if high is not None and number > high:
        raise fail(name, f"must be at most {high:g}", number)
    return number


def as_bool(name: str, value: object) -> bool:
    """Give a flag; only bool is accepted."""
    if not isinstance(value, bool | np.bool_):
        raise fail_type(name, "must be True or False", repr(value))
    return bool(value)


def as_choice(name: str, value: object, choices: Sequence[str]) -> str:
    """Give one of the named choices."""
    if not isinstance(value, str):
        raise fail_type(name, "must be a string", repr(value))
    if value not in choices:
        raise fail(name, "must be one of " + ", ".join(repr(choice) for choice in choices), repr(value))
    return value


def as_list(name: str, values: Any) -> list[Any]:
    """Give the items of a sequence or any other iterable but a string."""
    if not isinstance(values, str | bytes):
        try:
            return list(values)
        except TypeError:  # no iterable, or an array without dimensions
            pass
    raise fail_type(name, "must be a sequence", repr(values))


def as_names(name: str, values: Any) -> tuple[str, ...]:
    """Give names from a sequence of them, or from one."""
    names = [values] if isinstance(values, str) else as_list(name, values)
    for item in names:
        if not isinstance(item, str):
            raise fail_type(name, "must hold names", repr(item))
    return tuple(names)


def as_path(name: str, path: object) -> str:
    """Give the path of a file as text."""
    if not isinstance(path, str | os.PathLike):
        raise fail_type(name, "must be a str or os.PathLike", type(path).__name__)
    text = os.fspath(path)
    if not isinstance(text, str):
        raise fail_type(name, "must be a path of text", repr(text))
    return text


def as_enum(name: str, value: object, kind: type[E], *, prefix: str = "") -> E:
    """Give a member of `kind` from a member, its integer value or its name.

    Names are compared without case; `prefix` may be left out ("2x2" for RATE_2X2 with prefix "RATE_").
    """
    if isinstance(value, kind):
        return value
    if isinstance(value, str):
        key = value.strip().upper()
        for member in kind:
            if key in (member.name, member.name.removeprefix(prefix)):
                return member
    elif not isinstance(value, bool | np.bool_ | enum.Enum):
        try:
            return kind(operator.index(value))  # type: ignore[arg-type]
        except TypeError:
            raise fail_type(name, f"must be a {kind.__name__}, its name or its value", repr(value)) from None
        except ValueError:
            pass
    else:
        raise fail_type(name, f"must be a {kind.__name__}, its name or its value", repr(value))
    names = ", ".join(member.name.removeprefix(prefix).lower() for member in kind)
    raise fail(name, f"must be one of {names}", repr(value))


def as_threads(threads: object) -> int:
    """Give a thread count: 0 stands for all cores."""
    return as_int("threads", threads, low=0, high=1024)


def as_out(
    name: str,
    out: Array,
    *,
    dtype: npt.DTypeLike,
    shape: Sequence[int],
    inputs: Iterable[tuple[str, Array | None]] = (),
) -> Array:
    """Check an output array: exact dtype and shape, C-contiguous, writeable, apart from the inputs."""
    if not isinstance(out, np.ndarray):
        raise fail_type(name, "must be a NumPy array", type(out).__name__)
    if out.dtype != np.dtype(dtype):
        raise fail_type(name, f"must be an array of {np.dtype(dtype)}", describe(out))
    if out.shape != tuple(shape):
        raise fail(name, f"must have shape {tuple(shape)}", describe(out))
    if not out.flags.c_contiguous:
        raise fail(name, "must be C-contiguous", f"{describe(out)} with strides {out.strides}")
    if not out.flags.writeable:
        raise fail(name, "must be writeable", "a read-only array")
    for other_name, other in inputs:
        if other is not None and np.may_share_memory(out, other):
            raise fail(name, f"must not overlap {other_name}", "arrays that share memory")
    return out
