"""Markup that is escaped by being made: text is text until a tag is put around it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

_UNSHOWN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_VOID = frozenset(("meta", "br", "hr", "circle", "rect", "line", "path", "polyline"))


class Markup(str):
    """Text that is markup already; every other string is escaped where it is put in."""

    __slots__ = ()


def tag(name: str, /, *inner: str | None, **attributes: str | float | None) -> Markup:
    """An element; its text and attribute values are escaped, attributes that are None left out.

    Attribute names are given with `_` for `-`, and with one at the end where Python needs it
    (`class_`).
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _VOID and not inner:
        return Markup(f"<{name}{written}/>")
    return Markup(f"<{name}{written}>{join(inner)}</{name}>")


def join(parts: Iterable[str | None], between: str = "") -> Markup:
    """Parts one after another, each escaped unless it is markup."""
    return Markup(text(between).join(text(part) for part in parts if part is not None))


def text(value: str | float) -> str:
    """A value escaped for element or attribute; characters that no page can hold are replaced."""
    if isinstance(value, Markup):
        return value
    if isinstance(value, float):
        return f"{value:.6g}"
    return escape(_UNSHOWN.sub("\ufffd", str(value)))


def foreign(value: str) -> Markup:
    """Text of others, kept from turning the direction of what stands around it."""
    return tag("bdi", value)
