"""Whether a page's storage format holds macros whose words only the site can make."""

from __future__ import annotations

import re
from collections.abc import Collection

_OPENING = re.compile(r"<ac:(?:structured-)?macro\b(?P<attributes>[^>]*?)(?P<empty>/?)>")
_NAME = re.compile(r"\bac:name\s*=\s*([\"'])(.*?)\1", re.S)
_EDGE = re.compile(r"</?ac:(?:structured-)?macro\b")
_SHOWN_BY_ID = "ri:content-entity"

_OWN = (
    "code code-block codeblock noformat panel expand ui-expand status toc toc-zone anchor info "
    "note warning tip success error excerpt section column mathinline mathblock latex math "
    "eazy-math-inline easy-math-block details"
)

READ_ALREADY = frozenset(_OWN.split())
"""Macros that are read from their storage, and rendered show nothing but what is in it."""


def needs_view(storage: str, shown: Collection[str] = ()) -> bool:
    """Whether a macro of `shown` has no words in the storage, and no other macro stands beside it.

    Rendered, any macro that is not known may show other pages, as the one who asks may read them
    and not every reader of the page may. `shown` are lower-case names.
    """
    needed = False
    for opening in _OPENING.finditer(storage):
        found = _NAME.search(opening["attributes"])
        name = found[2].lower() if found else ""
        if name in READ_ALREADY:
            continue
        if name not in shown:
            return False
        needed = needed or bool(opening["empty"]) or not _has_body(storage, opening.end())
    return needed and _SHOWN_BY_ID not in storage


def _has_body(storage: str, start: int) -> bool:
    edge = _EDGE.search(storage, start)
    return "-body" in storage[start : edge.start() if edge else len(storage)]
