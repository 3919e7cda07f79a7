"""Identifiers and names as they stand in a text."""

from __future__ import annotations

import re

# A token with a digit, an inner underscore, dot, slash or hyphen: an article, a code, a path.
_TOKEN = re.compile(r"[^\W_][\w./:\\-]*[\w]|--?[a-z][\w-]+")
_PLAIN_NUMBER = re.compile(r"[\d.,:/-]+(?:st|nd|rd|th|s|h|%)?|\d+(?:\.\d+)?[a-zA-Z]{1,2}")
_CODE = re.compile(r"[A-Z]+[-_/]?\d[\w/-]*")
_DOTTED = re.compile(
    r"[a-z_]\w*(?:\.\w+)*(?:\.[a-z]\w*_\w*|_\w+)(?:\.\w+)*|[a-z]\w+\.[a-z]\w+\.\w+", re.I
)
_ABBREVIATION = re.compile(r"(?:\w\.)+\w?|[a-z]{1,3}\.[a-z]{1,3}", re.I)
_CAPITAL = re.compile(
    r"[A-ZÀ-ÖØ-Þ][\w'’-]+(?:\s+(?:(?:of|de|van|von|der|la)\s+)?[A-ZÀ-ÖØ-Þ][\w'’-]+)*"
)


def identifiers(text: str) -> tuple[str, ...]:
    """The identifiers of `text` in order: ERR-4120, SKU-9999/Z, HTTP_418, guard.leak.hold_s.

    Numbers, dates and abbreviations with points are none.
    """
    found: dict[str, None] = {}
    for match in _TOKEN.finditer(text):
        token = match[0].rstrip(".:/-\\")
        if _PLAIN_NUMBER.fullmatch(token) or _ABBREVIATION.fullmatch(token):
            continue
        if _CODE.fullmatch(token) or _DOTTED.fullmatch(token) or _mixed(token):
            found[token] = None
    return tuple(found)


def capitalised(text: str) -> tuple[tuple[int, int], ...]:
    """The places of runs of capitalised words in `text`."""
    return tuple(match.span() for match in _CAPITAL.finditer(text))


def stands_in(name: str, text: str) -> bool:
    """Whether `name` stands in `text` as a token of its own, whatever the case."""
    return bool(re.search(rf"(?<![\w]){re.escape(name)}(?![\w]|[-/.]\w)", text, re.I))


def _mixed(token: str) -> bool:
    """Letters with a digit and a joint, or capitals joined by hyphen, slash or underscore."""
    joint = re.search(r"[-_/.]", token) is not None
    digit = any(map(str.isdigit, token))
    letter = any(map(str.isalpha, token))
    capitals = re.fullmatch(r"[A-Z]{2,}(?:[-_/][A-Z0-9]{1,})+", token) is not None
    return capitals or (
        letter and digit and joint and not re.fullmatch(r"\d+-[a-z]+(?:-[a-z]+)?", token)
    )
