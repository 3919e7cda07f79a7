"""Confluence's query language: literals that stay literals, and the boundary of a source.

The syntax: Atlassian, "Advanced searching using CQL" (text in double quotes, `\\` escapes).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from answerable.errors import ConfigError

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_ORDER = re.compile(r"\border\s+by\b", re.I)
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'', re.S)


def literal(text: str) -> str:
    """A text as one quoted literal, whatever is in it."""
    plain = _CONTROL.sub(" ", text)
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"') + '"'


def among(field: str, values: Sequence[str]) -> str:
    """`field in (...)`, '' for no values."""
    return f"{field} in ({','.join(map(literal, values))})" if values else ""


def is_equal(field: str, value: str) -> str:
    """`field = "..."`."""
    return f"{field} = {literal(value)}"


def all_clauses(*clauses: str) -> str:
    """The clauses that are not empty, joined by `and`."""
    return " and ".join(clause for clause in clauses if clause)


def boundary(
    spaces: Sequence[str], labels: Sequence[str], types: Sequence[str], extra: str = ""
) -> str:
    """What a source holds: every list given narrows it, and so does the clause of one's own."""
    own = f"({checked(extra)})" if extra.strip() else ""
    return all_clauses(among("space", spaces), among("label", labels), among("type", types), own)


def checked(clause: str) -> str:
    """A clause that stays within its parentheses; ConfigError for one that would leave them."""
    clause = clause.strip()
    bare = _QUOTED.sub("x", clause)
    depth = 0
    for sign in bare:
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            break
    if depth or '"' in bare or "'" in bare:
        raise ConfigError(f"cql = {clause!r}", "its quotes or parentheses do not close")
    if _ORDER.search(bare):
        raise ConfigError(f"cql = {clause!r}", "leave out `order by`: the source orders itself")
    return clause
