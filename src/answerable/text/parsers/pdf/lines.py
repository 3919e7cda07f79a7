"""Regions of a page to lines as they are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from answerable.text.parsers.pdf.page import Item, Line, Region, Word
from answerable.text.parsers.pdf.said import is_rtl, said
from answerable.text.parsers.pdf.words import LEADERS, body_size

_SMALLEST = 0.25
"""Points: what is set smaller is not meant to be seen, and counts as this high."""


def lines(region: Region, page: int, column: int) -> Iterator[Item]:
    """The lines and tables of a region, from the top."""
    rtl = reads_left([word for row in region.rows for part in row for word in part.words])
    left, right = (-region.right, -region.left) if rtl else (region.left, region.right)
    for row in region.rows:
        words: list[Word] = []
        for part in row:
            if part.table:
                yield part.table
            words.extend(part.words)
        if words:
            yield line(words, rtl, left, right, page, column)


def line(
    words: Sequence[Word], rtl: bool, left: float, right: float, page: int, column: int
) -> Line:
    """The words of one row, given from left to right, as a line."""
    ordered = list(reversed(words)) if rtl else list(words)
    starts = [-word.x1 if rtl else word.x0 for word in ordered]
    size = max(body_size(words), _SMALLEST)
    inked = [word for word in words if any(char.isalnum() for char in word.text)]
    return Line(
        text=LEADERS.sub(" … ", said(words, rtl)).strip(),
        start=min(starts),
        end=max(-word.x0 if rtl else word.x1 for word in ordered),
        base=max((word.base for word in words if word.size >= 0.9 * size), default=words[0].base),
        size=size,
        left=left,
        right=right,
        page=page,
        column=column,
        bold=bool(inked) and all(word.style.bold for word in inked),
        mono=all(word.style.mono for word in words),
        italic=bool(inked) and all(word.style.italic for word in inked),
        first=ordered[0].x1 - ordered[0].x0,
        inner=starts[1] if len(starts) > 1 else starts[0],
        trailed=ordered[-1].trailed,
        links=tuple(
            (said(list(run), rtl), target)
            for target, run in groupby(words, attrgetter("target"))
            if target
        ),
    )


def reads_left(words: Sequence[Word]) -> bool:
    """Whether most letters are of scripts written from right to left."""
    left = right = 0
    for word in words:
        if is_rtl(word.text):
            left += len(word.text)
        elif any(char.isalpha() for char in word.text):
            right += len(word.text)
    return left > right
