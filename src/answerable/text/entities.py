"""Named characters of HTML made readable for an XML parser."""

from __future__ import annotations

import re
from html.entities import html5

_XML = frozenset(("amp", "lt", "gt", "quot", "apos"))
# CDATA and comments first: what looks like an entity inside them is none.
_PART = re.compile(
    r"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)"
    r"|&(?:([A-Za-z][A-Za-z0-9]{0,40});|#([0-9]{1,8}|[xX][0-9a-fA-F]{1,6});)?",
    re.DOTALL,
)


def numeric(text: str, *, declared: bool = False) -> str:
    """`text` with HTML's named characters as numbers, the five of XML left as they are.

    A stray `&` and an unknown name become text; with `declared` (the text named its own entities in
    a document type that was removed) unknown names are left out. CDATA and comments stay untouched.
    """

    def replaced(found: re.Match[str]) -> str:
        whole = found.group(0)
        if whole[0] == "<":
            return whole
        name, number = found.group(1), found.group(2)
        if name is not None:
            if name in _XML:
                return whole
            value = html5.get(name + ";")
            if value is not None:
                return "".join(f"&#{ord(char)};" for char in value)
            return "" if declared else "&amp;" + whole[1:]
        if number is not None:
            code = int(number[1:], 16) if number[0] in "xX" else int(number)
            return whole if allowed(code) else "&#65533;"
        return "&amp;"

    return _PART.sub(replaced, text)


def allowed(code: int) -> bool:
    """Whether XML 1.0 (2.2) allows the character with this code point."""
    return (
        code in (0x9, 0xA, 0xD)
        or 0x20 <= code <= 0xD7FF
        or 0xE000 <= code <= 0xFFFD
        or 0x10000 <= code <= 0x10FFFF
    )
