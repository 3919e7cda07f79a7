"""Inline text with marks for breaks, links and pictures, made into runs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape
from typing import NamedTuple

from answerable.text.canonical import Inlines, Run
from answerable.text.parsers.tokens import BREAK, LINK, LINK_END, PICTURE

_SPLIT = re.compile(f"([{BREAK}{LINK}{LINK_END}])")
_SHOWN = re.compile(f"{PICTURE}[^{PICTURE}]*{PICTURE}")
# Soft hyphens and zero-width spaces are hints for line ends; inside words they hide them.
_HINTS = str.maketrans("", "", "\u00ad\u200b\ufeff")


class Line(NamedTuple):
    """Inline content, and whether it is pictures only."""

    content: Inlines
    picture: bool = False


def runs(content: Inlines) -> list[Run]:
    """Content as runs; none for no words."""
    if isinstance(content, str):
        return [Run(content)] if content else []
    return list(content)


def plain(text: str) -> Line:
    """The words of text without marks: entities resolved, white space runs made one space."""
    return Line(" ".join(_read(text).split()))


def marked(text: str, targets: Sequence[str]) -> Line:
    """Runs of marked text; `targets` are the targets of its link marks, in order."""
    text = _read(text)
    picture = PICTURE in text
    if picture:
        rest = _SHOWN.sub("", text)
        picture = not rest.strip(f" \n\t{BREAK}{LINK}{LINK_END}")
        text = text.replace(PICTURE, "")
    found: list[Run] = []
    following = iter(targets)
    target: str | None = None
    gap = ""
    for part in _SPLIT.split(text):
        if part == BREAK:
            gap = "\n"
        elif part == LINK:
            target = next(following, None)
        elif part == LINK_END:
            target = None
        elif part:
            words = " ".join(part.split())
            gap = gap or (" " if part[0].isspace() else "")
            if not words:
                continue
            if gap and found:
                words = _apart(found, gap, words, target)
            found.append(Run(words, target))
            gap = " " if part[-1].isspace() else ""
    if all(run.target is None for run in found):
        return Line("".join(run.text for run in found), picture)
    return Line(found, picture)


def _apart(found: list[Run], gap: str, words: str, target: str | None) -> str:
    """White space between runs belongs to the run that is no link."""
    if target is None:
        return gap + words
    last = found[-1]
    if last.target is None:
        found[-1] = Run(last.text + gap)
    else:
        found.append(Run(gap))
    return words


def _read(text: str) -> str:
    if "&" in text:
        text = unescape(text)
    if "\u00ad" in text or "\u200b" in text or "\ufeff" in text:
        text = text.translate(_HINTS)
    return text
