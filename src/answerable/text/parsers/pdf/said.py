"""The words of a line in the order in which they are read, whichever way their scripts run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby, pairwise
from unicodedata import bidirectional

from answerable.text.parsers.pdf.page import Word

_OPENS, _CLOSES = re.compile(r"(?<!\S)[)\]}](?=\w)"), re.compile(r"(?<=\w)[(\[{](?!\S)")
"""Brackets the wrong way round in a line read from the right: there they are mirrored."""
_OTHER = dict(zip("()[]{}", ")(][}{", strict=True))


def is_rtl(text: str) -> bool:
    """Whether the first letter with a direction is written right to left."""
    if text.isascii():
        return False
    for char in text:
        if char >= "\u0590":
            kind = bidirectional(char)
            if kind in ("R", "AL"):
                return True
            if kind == "L":
                return False
        elif char.isalpha():
            return False
    return False


def said(row: Sequence[Word], rtl: bool) -> str:
    """The words of one line in the order in which they are read.

    A line is read from right to left where `rtl`; runs of words of the other direction inside it
    keep theirs (Unicode Standard Annex 9, levels 0 to 2).
    """
    ways = _ways(row, rtl)
    runs = [[word for _, word in run] for _, run in groupby(zip(ways, row, strict=True), _first)]
    turns = [way for way, _ in groupby(ways)]
    order = list(zip(turns, runs, strict=True))
    ordered: list[Word] = []
    for turned, run in reversed(order) if rtl else order:
        ordered.extend(reversed(run) if turned else run)
    out = [ordered[0].text] if ordered else []
    for last, word in pairwise(ordered):
        if _blank(last, word):
            out.append(" ")
        out.append(word.text)
    text = "".join(out)
    return _CLOSES.sub(_mirrored, _OPENS.sub(_mirrored, text)) if rtl else text


def _first(pair: tuple[bool, Word]) -> bool:
    return pair[0]


def _ways(row: Sequence[Word], rtl: bool) -> list[bool]:
    """For each word from the left whether it belongs to a run read from the right.

    In a line read from the right, figures follow each other from the right too, unless they stand
    behind a word of the other direction; signs go with the line between unlike neighbours.
    """
    kinds = [_kind(word.text) for word in row]
    if not rtl:
        way = False
        out = []
        for kind in kinds:
            way = way if kind == "" else kind == "R"
            out.append(way)
        return out
    for at, kind in enumerate(kinds):
        if kind == "N" and at and kinds[at - 1] == "L":
            kinds[at] = "L"
    for at, kind in enumerate(kinds):
        if kind == "":
            before = next((k for k in reversed(kinds[:at]) if k), "R")
            after = next((k for k in kinds[at + 1 :] if k), "R")
            kinds[at] = "L" if before == after == "L" else "R"
    return [kind != "L" for kind in kinds]


def _kind(text: str) -> str:
    if is_rtl(text):
        return "R"
    if any(char.isalpha() for char in text):
        return "L"
    return "N" if any(char.isdigit() for char in text) else ""


def _mirrored(found: re.Match[str]) -> str:
    return _OTHER[found.group()]


def _blank(last: Word, word: Word) -> bool:
    if is_rtl(last.text) != is_rtl(word.text) and _lettered(last.text) and _lettered(word.text):
        return True  # scripts of two directions: what one types with a blank is set without
    gap = max(word.x0 - last.x1, last.x0 - word.x1)
    size = min(last.size, word.size)
    if gap > 0.14 * size:
        return True
    return word.spaced and last.trailed and gap > -0.3 * size and last.base == word.base


def _lettered(text: str) -> bool:
    return any(char.isalpha() for char in text)
