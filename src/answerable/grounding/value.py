"""The short answer inside a quoted unit: always words that stand there, or yes and no."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from answerable.grounding.asked import Asked
from answerable.grounding.figures import Figure, figures
from answerable.grounding.kinds import FITS
from answerable.grounding.names import capitalised, identifiers
from answerable.grounding.units import Unit
from answerable.grounding.value_rows import cell
from answerable.grounding.yesno import yes_or_no

Terms = Callable[[str], frozenset[str]]

_PLACE = re.compile(
    r"\b(?:(?:in|at|on|under|behind|near|beside|inside|to|im|am|bei|auf|unter)\s+)"
    r"((?:the |a |our |der |dem |den )?[^,.;:()]{2,60})",
    re.I,
)


_BREAK = re.compile(r"[,;.:!?](?=\s|$)")
_YEAR = re.compile(r"1\d{3}|20\d\d")
_IN_WHICH = re.compile(r"\bin (?:which|what) (\w+)", re.I)
_CAMEL = re.compile(r"\b[A-Z][a-z]+(?:[A-Z][a-z0-9]+)+\b")
_RANGE = re.compile(r"\d[\d.,]*\s*(?:to|bis|–|-|and|und)\s*\d[\d.,]*\d|\d\s*(?:to|bis|–|-)\s*\d")


_TIMES = re.compile(
    r"\d{1,2}[:.]\d{2}\s*(?:to|until|till|bis|à|a|do|–|-|and|und)\s*\d{1,2}[:.]\d{2}", re.I
)
"""From one time of day to another: how long, said otherwise."""


def value(
    question: str, want: Asked, unit: Unit, weights: Mapping[str, float], terms: Terms
) -> str | None:
    """The short answer that `want` asks for in `unit`, None where there is none to be sure of."""
    if want.kind == "yesno":
        return yes_or_no(question, unit.text)
    if unit.kind == "row":
        return cell(question, want, unit, weights, terms)
    if unit.kind == "code":
        return " ".join(unit.text.split()) if want.kind == "identifier" else None
    found = _in_words(question, want, unit.text, weights, terms)
    return " ".join(found.split()) if found else None


def holds(question: str, want: Asked, unit: Unit) -> bool:
    """Whether a unit has something of the kind asked for."""
    if want.kind == "yesno":
        return unit.kind in ("sentence", "item") and yes_or_no(question, unit.text) is not None
    if want.kind in FITS:
        if unit.kind == "row":
            return bool(figures(unit.text))
        return bool(_fitting(want, unit.text) or _times(want, unit.text))
    if want.kind == "identifier":
        return unit.kind == "code" or bool(identifiers(unit.text) or _CAMEL.search(unit.text))
    if want.kind == "range":
        return bool(_RANGE.search(unit.text))
    if want.kind == "person":
        return bool(capitalised(unit.text[1:]))
    return False


def _fitting(want: Asked, text: str) -> list[Figure]:
    found = figures(text)
    if want.units:
        return [figure for figure in found if figure.unit in want.units]
    for one in FITS[want.kind]:
        if of_kind := [figure for figure in found if figure.kind == one]:
            return of_kind
    if want.kind == "date":
        return [f for f in found if f.kind == "number" and _YEAR.fullmatch(text[slice_of(f)])]
    return []


def _times(want: Asked, text: str) -> list[tuple[int, int]]:
    if want.kind != "duration" or want.units:
        return []
    return [match.span() for match in _TIMES.finditer(text)]


def slice_of(figure: Figure) -> slice:
    """Where a figure stands, as a slice."""
    return slice(figure.span.start, figure.span.end)


def _in_words(
    question: str, want: Asked, text: str, weights: Mapping[str, float], terms: Terms
) -> str | None:
    kind = want.kind
    if kind in FITS:
        places = [(f.span.start, f.span.end) for f in _fitting(want, text)]
        places = places or _times(want, text)
    elif kind == "identifier":
        asked_for = {name.casefold() for name in identifiers(question)}
        places = [
            match.span()
            for name in (*identifiers(text), *_CAMEL.findall(text))
            if name.casefold() not in asked_for
            for match in re.finditer(re.escape(name), text)
        ]
    elif kind == "range":
        places = [match.span() for match in _RANGE.finditer(text)]
    elif kind == "place":
        places = _sure([match.span(1) for match in _PLACE.finditer(text)], question, text, terms)
    elif kind == "person":
        runs = [run for run in capitalised(text) if " " in text[slice(*run)]]
        places = _sure(runs, question, text, terms)
    else:
        return None
    if not places:
        return None
    start, end = _nearest(places, text, weights, terms)
    return text[start:end]


def _sure(
    places: list[tuple[int, int]], question: str, text: str, terms: Terms
) -> list[tuple[int, int]]:
    """The only place that is not the question's own words, or all with the noun asked for."""
    mine = terms(question)
    new = [place for place in places if not terms(text[slice(*place)]) <= mine]
    if noun := _IN_WHICH.search(question):
        return [p for p in new if terms(noun[1]) <= terms(text[slice(*p)])]
    return new if len(new) == 1 else []


def _nearest(
    places: list[tuple[int, int]], text: str, weights: Mapping[str, float], terms: Terms
) -> tuple[int, int]:
    """The place whose own words are the question's.

    A place owns the words after it up to the next comma or place, and those before it back to
    the last comma or place. In `six months in Norvania, three in Ostrevia` the words after say
    which is which, and those before the first place belong to all.
    """
    if len(places) == 1:
        return places[0]

    def weigh(start: int, end: int) -> float:
        found = terms(text[start:end])
        return sum(weight for term, weight in weights.items() if term in found)

    after: list[float] = []
    before: list[float] = []
    for number, (start, end) in enumerate(places):
        following = places[number + 1][0] if number + 1 < len(places) else len(text)
        mark = _BREAK.search(text, end, following)
        after.append(weigh(end, mark.start() if mark else following))
        last = places[number - 1][1] if number else 0
        marks = [m.end() for m in _BREAK.finditer(text, last, start)]
        before.append(weigh(marks[-1] if marks else last, start))
    if max(after) > 0:
        rated = [
            a + (0.5 * b if number else 0.0)
            for number, (a, b) in enumerate(zip(after, before, strict=True))
        ]
    else:
        rated = before
    return places[rated.index(max(rated))]
