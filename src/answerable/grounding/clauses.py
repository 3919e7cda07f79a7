"""Which of several places in a sentence the question means, by the words that each one owns."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

Place = tuple[int, int]

_BREAK = re.compile(r"[,;.:!?](?=\s|$)")
_WORD = re.compile(r"[\w'’-]+")
_JOINED = re.compile(r"(?:\s*,)?\s*(?:and|or|und|oder|et|ou|y|e|i|oraz)\s*$|\s*,\s*$", re.I)
_OPENS = re.compile(r"\s*(?:(?:in|on|at|by|from|since|until|im|am|ab|seit|bis|en|le)\s+)?", re.I)


def meant(
    places: Sequence[Place],
    text: str,
    weights: Mapping[str, float],
    terms: Callable[[str], frozenset[str]],
) -> Place | None:
    """The place whose own words are the question's; None where two cannot be told apart.

    A place owns the words after it up to the next comma or place, and half of those before it
    back to the last comma or place. In `six months in Norvania, three in Ostrevia for all` the
    words after say which is which; what goes on longer than the others' words (`for all`)
    belongs to every one of them. A place that opens its clause owns the clause behind the comma.
    """
    if len(places) == 1:
        return places[0]
    after = _even([_after(places, n, text) for n in range(len(places))], text, last=True)
    before = _even([_before(places, n, text) for n in range(len(places))], text, last=False)

    def weigh(span: tuple[int, int]) -> float:
        found = terms(text[span[0] : span[1]])
        return sum(weight for term, weight in weights.items() if term in found)

    rated = [weigh(a) + 0.5 * weigh(b) for a, b in zip(after, before, strict=True)]
    best = max(rated)
    first = [place for place, points in zip(places, rated, strict=True) if points >= best - 1e-9]
    if len({" ".join(text[slice(*place)].casefold().split()) for place in first}) > 1:
        return None
    return first[0]


def _after(places: Sequence[Place], number: int, text: str) -> tuple[int, int]:
    end = places[number][1]
    following = places[number + 1][0] if number + 1 < len(places) else len(text)
    mark = _BREAK.search(text, end, following)
    if mark and mark.start() == end and mark[0] == "," and _opens(places, number, text):
        mark = _BREAK.search(text, mark.end(), following)
    stop = mark.start() if mark else following
    if joined := _JOINED.search(text, end, stop):
        stop = joined.start()
    return end, stop


def _before(places: Sequence[Place], number: int, text: str) -> tuple[int, int]:
    last = places[number - 1][1] if number else 0
    marks = [m.end() for m in _BREAK.finditer(text, last, places[number][0])]
    return (marks[-1] if marks else last), places[number][0]


def _opens(places: Sequence[Place], number: int, text: str) -> bool:
    begin, end = _before(places, number, text)
    return _OPENS.fullmatch(text, begin, end) is not None


def _even(spans: Sequence[tuple[int, int]], text: str, *, last: bool) -> list[tuple[int, int]]:
    """The spans with the one at the open end of a list no longer than the longest of the others.

    The open end is the last one's for words after and the first one's for words before.
    """
    at = len(spans) - 1 if last else 0
    others = [span for number, span in enumerate(spans) if number != at]
    lengths = [len(_WORD.findall(text, *span)) for span in others]
    if last and not all(lengths):
        return list(spans)
    words = list(_WORD.finditer(text, *spans[at]))
    keep = max(lengths)
    even = list(spans)
    if len(words) > keep:
        start, end = spans[at]
        if last:
            even[at] = (start, words[keep - 1].end())
        else:
            even[at] = (words[-keep].start() if keep else end, end)
    return even
