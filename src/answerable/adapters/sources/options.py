"""The options of a source as they were given: checked by name, and as the kind they must be."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from answerable.errors import ConfigError

_TRUE, _FALSE = ("true", "yes", "1"), ("false", "no", "0")


def check_options(kind: str, options: Mapping[str, Any], allowed: Collection[str]) -> None:
    """ConfigError for the first option that a source of this kind does not have.

    Its value is not shown: it may be a secret that was meant to be named.
    """
    for key in options:
        if key not in allowed:
            raise ConfigError(
                f"a {kind} source has no option {key!r}",
                f"allowed: {', '.join(sorted(allowed))}",
            )


def many(options: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """The values of an option that may be given more than once; none if it was not given."""
    value = options.get(key, ())
    return tuple(map(str, value)) if isinstance(value, list | tuple) else (str(value),)


def one(options: Mapping[str, Any], key: str, default: str = "") -> str:
    """The value of an option that is given once; ConfigError when it is given more often."""
    values = many(options, key)
    if len(values) > 1:
        raise ConfigError(f"the option {key!r} is given {len(values)} times", "give it once")
    return values[0] if values else default


def number(options: Mapping[str, Any], key: str, default: float, low: float = 0.0) -> float:
    """A number of at least `low`; ConfigError with the value otherwise."""
    text = one(options, key, str(default))
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not low <= value < float("inf"):
        raise ConfigError(f"{key} = {text!r}", f"give a number of at least {low:g}")
    return value


def truth(options: Mapping[str, Any], key: str, default: bool = False) -> bool:
    """A truth value: true or false (also yes, no, 1, 0); ConfigError with the value otherwise."""
    text = one(options, key, "true" if default else "false").lower()
    if text not in (*_TRUE, *_FALSE):
        raise ConfigError(f"{key} = {text!r}", "give true or false")
    return text in _TRUE
