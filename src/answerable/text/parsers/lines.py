"""Inline text with marks for breaks, links and pictures, made into runs."""

from __future__ import annotations

import re
from html import unescape
from typing import NamedTuple

from answerable.text.canonical import Inlines, Run
from answerable.text.parsers.tokens import BREAK, LINK, LINK_END, PICTURE

_SPACE = re.compile(r"\s+")
_BREAKS = re.compile(rf" *{BREAK}[ {BREAK}]*")
_OPENING = re.compile(rf"({LINK}+) ")
_CLOSING = re.compile(rf" ({LINK_END}+)")
_SPACES = re.compile(r"  +")
_SPLIT = re.compile(f"([{LINK}{LINK_END}])")
_SHOWN = re.compile(f"{PICTURE}[^{PICTURE}]*{PICTURE}")
# Soft hyphens and zero-width spaces are hints for line ends; inside words they hide them.
_HINTS = str.maketrans("", "", "\u00ad\u200b\ufeff")


class Line(NamedTuple):
    """Inline content, and whether it is pictures only."""

    content: Inlines
    picture: bool = False


def plain(text: str) -> Line:
    """The words of text without marks: entities resolved, white space runs made one space."""
    if "&" in text:
        text = unescape(text)
    if not text.isascii():
        text = text.translate(_HINTS)
    return Line(" ".join(text.split()))


def marked(text: str, targets: list[str]) -> Line:
    """Runs of marked text; `targets` are the targets of its link marks, in order."""
    if "&" in text:
        text = unescape(text)
    text = _SPACE.sub(" ", text.translate(_HINTS))
    picture = PICTURE in text
    if picture:
        rest = _SHOWN.sub("", text)
        picture = not rest.strip(f" {BREAK}{LINK}{LINK_END}")
        text = text.replace(PICTURE, "")
    text = _CLOSING.sub(r"\1 ", _OPENING.sub(r" \1", text))
    text = _BREAKS.sub("\n", _SPACES.sub(" ", text)).strip(" \n")
    if LINK not in text:
        return Line(text.replace(LINK_END, ""), picture)
    runs: list[Run] = []
    number = 0
    target: str | None = None
    for part in _SPLIT.split(text):
        if part == LINK:
            target = targets[number]
            number += 1
        elif part == LINK_END:
            target = None
        elif part:
            if not runs and part == " ":
                continue
            runs.append(Run(part, target))
    if runs and not any(run.text.strip() for run in runs):
        return Line("", picture)
    return Line(runs, picture)
