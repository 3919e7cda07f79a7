"""The only serializer of records: dataclasses to plain JSON values and back."""

from __future__ import annotations

import json
import math
import types
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from answerable.errors import InputError

FORMAT_VERSION = 1

R = TypeVar("R")


def to_plain(value: Any) -> Any:
    """A record (or tuple, mapping, scalar) as plain JSON values; non-finite floats raise."""
    kind: Any = type(value)
    if kind is str or kind is int:
        return value
    names = _names(kind)
    if names is not None:
        return {name: to_plain(getattr(value, name)) for name in names}
    if isinstance(value, tuple | list):
        return [to_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError(f"a number that is not finite cannot be stored: {value}")
    if value is None or isinstance(value, str | int | float | bool):
        return value
    raise TypeError(f"not a record value: {type(value).__name__}")


def canonical_json(value: Any) -> str:
    """One text for one value: sorted keys, no spaces, characters as themselves."""
    return json.dumps(to_plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def flat(value: Any) -> Iterator[tuple[str, str]]:
    """Every key of a record or table, as `half.part.key`, with its value as canonical JSON."""
    yield from _flat(to_plain(value), "")


def _flat(value: Any, at: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _flat(item, f"{at}.{key}" if at else key)
    elif isinstance(value, list) and value and isinstance(value[0], Mapping):
        for number, item in enumerate(value):
            yield from _flat(item, f"{at}[{number}]")
    else:
        yield at, canonical_json(value)


def from_plain(kind: type[R], value: Any) -> R:
    """The record of type `kind` that `to_plain` turned into `value`; InputError if it is not."""
    try:
        return _build(kind, value)  # type: ignore[no-any-return]
    except (TypeError, KeyError, ValueError, OverflowError) as fault:
        raise InputError(f"not a stored {kind.__name__}: {fault}") from fault


@cache
def _names(kind: Any) -> tuple[str, ...] | None:
    """The fields of a record type, None for other types."""
    return tuple(f.name for f in fields(kind)) if is_dataclass(kind) else None


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _build(kind: Any, value: Any) -> Any:
    if isinstance(kind, type) and is_dataclass(kind):
        if not isinstance(value, dict):
            raise TypeError(f"expected an object, found {type(value).__name__}")
        hints = _hints(kind)
        unknown = sorted(set(value) - set(hints))
        if unknown:
            raise KeyError(f"unknown field {unknown[0]!r}")
        return kind(**{name: _build(hints[name], item) for name, item in value.items()})
    origin = get_origin(kind)
    if origin is tuple:
        if not isinstance(value, list | tuple):
            raise TypeError(f"expected a list, found {type(value).__name__}")
        args = get_args(kind)
        if len(args) == 2 and args[1] is Ellipsis:
            return tuple(_build(args[0], item) for item in value)
        return tuple(_build(arg, item) for arg, item in zip(args, value, strict=True))
    if origin in (Union, types.UnionType):
        options = [arg for arg in get_args(kind) if arg is not type(None)]
        if value is None:
            return None
        return _build(options[0], value) if len(options) == 1 else value
    if kind is float and isinstance(value, int):
        return float(value)
    if kind in _SCALARS and not isinstance(value, kind):
        raise TypeError(f"expected {kind.__name__}, found {type(value).__name__}")
    return value


_SCALARS = frozenset((str, int, float, bool))
