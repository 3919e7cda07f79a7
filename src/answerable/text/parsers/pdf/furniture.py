"""Running headers, footers and page numbers: found over the pages and left out."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from answerable.text.parsers.pdf.page import Row, Segment
from answerable.text.parsers.pdf.said import said

_MARGIN = 0.15
"""The share of a page's height at its top and bottom where they stand."""
_MOST_ROWS, _MOST_WORDS = 2, 16
_NEAR = 4.0
"""Points that the same line may stand higher or lower on another page."""
_DETACHED = 1.6
"""In sizes: a step between baselines that sets lines apart from the text."""
_LARGE, _MOST = 1.15, 0.6
_NUMBER = re.compile(r"\d+|\b[ivxlc]+\b")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


@dataclass(frozen=True, slots=True)
class _Found:
    page: int
    text: str
    y: float
    size: float
    part: Segment
    row: int


def furniture(pages: Sequence[tuple[list[Row], float, float]], body: float) -> dict[int, str]:
    """The segments to leave out, by their `id`, each with its words.

    `pages` are rows with the page's upper and lower edge. Only lines near an edge count that are
    set apart from the text. Left out is what stands with the same words at the same place on three
    pages (on both, where there are two), or has a number that goes on with the pages. Larger lines
    must stand on most pages: chapters begin at one place too. What stands in a line with a page
    number is left out with it.
    """
    found = [item for number, page in enumerate(pages) for item in _edges(number, *page)]
    out: dict[int, str] = {}
    least = min(3, max(2, len(pages)))
    numbered: set[int] = set()
    for same in _alike(found, lambda item: item.text):
        count = len({item.page for item in same})
        large = any(item.size > _LARGE * body for item in same)
        if count < least or (large and count < _MOST * len(pages)):
            continue
        out.update((id(item.part), item.text) for item in same)
    for same in _alike(found, lambda item: _masked(item.text)):
        groups: dict[int, list[_Found]] = defaultdict(list)
        for item in same:
            for value in _values(item.text):
                groups[value - item.page].append(item)
        for group in groups.values():
            if any(item.size > _LARGE * body for item in group):
                continue  # `Chapter 3`
            if len({item.page for item in group}) >= least:
                out.update((id(item.part), item.text) for item in group)
                numbered.update(item.row for item in group)
    # What stands in one line with a page number runs with it.
    out.update(
        (id(item.part), item.text)
        for item in found
        if item.row in numbered and item.size <= _LARGE * body
    )
    return out


def _masked(text: str) -> str:
    return _NUMBER.sub("#", text.lower())


def _edges(number: int, rows: list[Row], top: float, bottom: float) -> list[_Found]:
    """The lines of a page at its edges that are set apart from its text."""
    margin = _MARGIN * (bottom - top)
    groups: list[list[Row]] = []
    for row in rows:
        step = _base(row) - _base(groups[-1][-1]) if groups else 0.0
        if groups and step <= _DETACHED * max(part.size for part in row):
            groups[-1].append(row)
        else:
            groups.append([row])
    out: list[_Found] = []
    for edge, run in ((top, groups), (bottom, groups[::-1])):
        for group in run:
            away = max(abs(_base(row) - edge) for row in group)
            if len(group) > _MOST_ROWS or away > margin:
                break
            lined = [(id(row), part) for row in group for part in row if part.words]
            for line, part in lined:
                words = " ".join(said(part.words, False).split())
                if len(words.split()) <= _MOST_WORDS:
                    out.append(_Found(number, words, part.bottom - edge, part.size, part, line))
    return out


def _base(row: Row) -> float:
    return max(part.bottom for part in row)


def _alike(found: Sequence[_Found], key: Callable[[_Found], str]) -> list[list[_Found]]:
    """Lines with the same key, divided where their places are apart."""
    by_key: dict[str, list[_Found]] = defaultdict(list)
    for item in found:
        by_key[key(item)].append(item)
    out: list[list[_Found]] = []
    for items in by_key.values():
        items.sort(key=lambda item: item.y)
        group: list[_Found] = []
        for item in items:
            if group and item.y - group[0].y > _NEAR:
                out.append(group)
                group = []
            group.append(item)
        out.append(group)
    return out


def _values(text: str) -> list[int]:
    out = []
    for found in _NUMBER.findall(text.lower()):
        if found.isdigit():
            if len(found) <= 6:
                out.append(int(found))
        else:
            digits = [_ROMAN[char] for char in found]
            out.append(
                sum(-a if a < b else a for a, b in zip(digits, [*digits[1:], 0], strict=True))
            )
    return out
