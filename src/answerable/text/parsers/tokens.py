"""HTML text as a flat list of tags with the text that follows each of them."""

from __future__ import annotations

import re
from html import unescape
from typing import NamedTuple

Token = tuple[str, str, str]
"""A tag (`p`, `/p`), its attributes as written, and the text up to the next tag."""

# Control characters that the drawing uses as marks within inline text.
BREAK, LINK, LINK_END, PICTURE = "\x01", "\x02", "\x03", "\x04"

# Tags and attribute values end as in the HTML standard, 13.2.5; possessive, so linear in time.
# A tag that the end of the text cuts off is dropped, as the standard says.
_TAG = re.compile(
    r"<(/?[a-zA-Z][^\s/>]*+)"
    r"([^>=]*+(?:=\s*+(?:\"[^\"]*\"|'[^']*'|[^\s>]*+)[^>=]*+)*+)(?:>|\Z)"
    r"([^<]*+(?:<(?!/?[a-zA-Z])[^<]*+)*+)"
)
_FIRST = re.compile(r"<(?=/?[a-zA-Z])")
# Declarations and elements whose content is no markup; unclosed ones reach to the end.
_SILENT = re.compile(
    r"<(?:!--(?:>|->|.*?(?:--!?>|\Z))|!\[CDATA\[(.*?)(?:\]\]>|\Z)|[!?][^>]*(?:>|\Z)"
    r"|(script|style|title|textarea|iframe|noembed|noframes)(?=[\s/>])[^>]*>"
    r".*?(?:</\2(?=[\s/>])[^>]*>|\Z))",
    re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"([^\s=/\"'>][^\s=/>]*)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]*)))?")
_MARKS = re.compile(r"[\x00-\x04]")


class Tags(NamedTuple):
    """The text before the first tag, and the tags."""

    lead: str
    tokens: list[Token]


def tokenize(text: str) -> Tags:
    """Tags of `text` without comments, scripts and other raw text; CDATA is kept as text.

    A `<` that begins no tag is text. Never raises; time linear in the length.
    """
    if any(mark in text for mark in "\x00\x01\x02\x03\x04"):
        text = _MARKS.sub("\N{REPLACEMENT CHARACTER}", text)
    text = _SILENT.sub(_kept, text)
    first = _FIRST.search(text)
    if first is None:
        return Tags(text, [])
    return Tags(text[: first.start()], _TAG.findall(text, first.start()))


def _kept(found: re.Match[str]) -> str:
    data = found.group(1)
    return "" if data is None else data.replace("&", "&amp;").replace("<", "&lt;")


def attributes(written: str) -> dict[str, str]:
    """Attribute values by lower-case name, entities resolved; the first of a name counts."""
    values: dict[str, str] = {}
    for name, double, single, bare in _ATTRIBUTE.findall(written):
        values.setdefault(name.lower(), unescape(double or single or bare))
    return values


def attribute(written: str, name: str) -> str:
    """One attribute's value, '' if it is absent."""
    if name not in written and name not in written.lower():
        return ""
    if "'" not in written:
        before, found, after = written.partition(f' {name}="')
        if found and not before.count('"') % 2:
            value = after.partition('"')[0]
            return unescape(value) if "&" in value else value
    return attributes(written).get(name, "")


def escape(text: str) -> str:
    """Text that reads as itself between tags."""
    return text.replace("&", "&amp;").replace("<", "&lt;") if "&" in text or "<" in text else text
