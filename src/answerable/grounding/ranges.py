"""Ranges in cells and heads (`101 to 500`, `up to 5 kg`), and numbers that lie in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from answerable.grounding.figures import Figure, figures

Range = tuple[Fraction, Fraction]

_NO_END = Fraction(10**12)
TO = re.compile(r"\s*(?:to|bis|and|und|à|a|–|—|-|~|〜)\s*(?:(?:[A-Z]{3}|[€$£])\s?)?", re.I)
_UP_TO = re.compile(
    r"(?:up to|under|below|less than|until|at most|max\.?|bis(?: zu)?|unter|<=?|≤)\s*$", re.I
)
_FROM = re.compile(
    r"(?:over|above|more than|from|at least|min\.?|ab|über|mehr als|>=?|≥)\s*$", re.I
)
_OR_MORE = re.compile(
    r"[^,;|]{0,24}\b(?:or|and|und|oder) (?:more|above|over|mehr|länger)\b|\s*\+", re.I
)


def ranges(text: str) -> tuple[Range, ...]:
    """The ranges that a short text names, both ends included; one without an end is open."""
    found = figures(text)
    spans: list[Range] = []
    taken = -1
    for number, figure in enumerate(found):
        if number <= taken:
            continue
        low = max(figure.readings)
        before = text[: figure.span.start]
        after = text[figure.span.end :]
        if number + 1 < len(found):
            following = found[number + 1]
            between = text[figure.span.end : following.span.start]
            if TO.fullmatch(between):
                spans.append((low, max(following.readings)))
                taken = number + 1
                continue
        if _UP_TO.search(before):
            spans.append((Fraction(0), low))
        elif _FROM.search(before) or _OR_MORE.match(after):
            spans.append((low, _NO_END))
    return tuple(spans)


def within(asked: Sequence[Figure], text: str) -> bool:
    """Whether a number of the question lies in a range of `text` that may be of the same unit."""
    return any(
        low <= reading <= high
        for low, high in ranges(text)
        for figure in asked
        for reading in figure.readings
    )
