"""Which elements of a page are not part of its words, and where they end."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from answerable.text.parsers.tokens import Token, attributes


class Jump(NamedTuple):
    """The next token to read, and the text to read before it."""

    at: int
    text: str


# Opened without an end tag by design: they can hide nothing.
VOID = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
        "keygen",
        "frame",
    ]
)
# Their end tags may be left out, so they end where a sister begins or their parent ends.
_OPTIONAL = frozenset(
    ["p", "li", "dt", "dd", "td", "th", "tr", "option", "thead", "tbody", "tfoot"]
)
_HOLDERS = frozenset(
    [
        "ul",
        "ol",
        "dl",
        "table",
        "thead",
        "tbody",
        "tfoot",
        "tr",
        "div",
        "section",
        "article",
        "main",
        "body",
        "select",
        "blockquote",
    ]
)
_UNSEEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_EDITING = re.compile(r"\bmw-editsection\b|\bheaderlink\b")


def may_hide(written: str) -> bool:
    """A quick look at attributes: False means surely visible."""
    return "hid" in written or "none" in written or "mw-edit" in written or "headerl" in written


def hidden(written: str) -> bool:
    """Whether attributes take the element away from readers."""
    values = attributes(written)
    if "hidden" in values and values["hidden"].lower() != "until-found":
        return True
    if values.get("aria-hidden", "").strip().lower() == "true":
        return True
    style, css = values.get("style", ""), values.get("class", "")
    return bool(_UNSEEN.search(style) or _EDITING.search(css))


class Ends:
    """Finds the end of an element; remembers which names have no end left, to stay linear."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._none_left: set[str] = set()

    def past(self, tag: str, start: int) -> Jump | None:
        """Where to go on behind element `tag`, opened just before `start`; None: it never ends."""
        if tag in VOID or tag in self._none_left:
            return None
        found = self._optional(tag, start) if tag in _OPTIONAL else self._strict(tag, start)
        if found is None:
            self._none_left.add(tag)
        return found

    def _strict(self, tag: str, start: int) -> Jump | None:
        depth = 1
        close = "/" + tag
        for at in range(start, len(self._tokens)):
            name = self._tokens[at][0].lower()
            if name == tag:
                depth += 1
            elif name == close:
                depth -= 1
                if not depth:
                    return Jump(at + 1, self._tokens[at][2])
        return None

    def _optional(self, tag: str, start: int) -> Jump | None:
        depth = 0
        close = "/" + tag
        for at in range(start, len(self._tokens)):
            name = self._tokens[at][0].lower()
            if depth == 0 and name == close:
                return Jump(at + 1, self._tokens[at][2])
            if depth == 0 and name == tag:
                return Jump(at, "")
            if name in _HOLDERS:
                depth += 1
            elif name[0] == "/" and name[1:] in _HOLDERS:
                depth -= 1
                if depth < 0:
                    return Jump(at, "")
        return None
