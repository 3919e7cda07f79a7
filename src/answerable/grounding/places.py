"""The places in a text that could be the short answer, by the kind asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from answerable.grounding.asked import Asked
from answerable.grounding.figures import Figure, figures
from answerable.grounding.kinds import FITS, NEXT_UNITS
from answerable.grounding.names import capitalised, identifiers
from answerable.grounding.ranges import TO

Place = tuple[int, int]
Terms = Callable[[str], frozenset[str]]

_YEAR = re.compile(r"1\d{3}s?|20\d\ds?")
_ORDINAL = re.compile(
    r"(?:first|second|third|(?:four|fif|six|seven|eigh|nin|ten|eleven|twelf)th)", re.I
)
_ORDINAL_END = re.compile(r"(?:st|nd|rd|th)\b")
_CAMEL = re.compile(r"\b[A-Z][a-z]+(?:[A-Z][a-z0-9]+)+\b")
_RANGE = re.compile(r"\d[\d.,]*\s*(?:to|bis|–|-|and|und)\s*\d[\d.,]*\d|\d\s*(?:to|bis|–|-)\s*\d")
_TIMES = re.compile(
    r"\d{1,2}[:.]\d{2}\s*(?:to|until|till|bis|à|a|do|–|-|and|und)\s*\d{1,2}[:.]\d{2}", re.I
)
"""From one time of day to another: how long, said otherwise."""
_BRACKET = re.compile(r"\s*\([^()]*$")
_PORT = re.compile(r"\bport\s+(\d{2,5})\b|(?<=\w):(\d{2,5})\b", re.I)
_VERSION = re.compile(r"\b(?:version\s+|v)(\d[\w.]*\w|\d)", re.I)
_WORD = re.compile(r"[\w'’-]+")
_LOCATED = (
    r"is|are|was|were|be|located|lies?|situated|kept|stored|found|held|hangs?|stands?|sits?|placed|"
    r"liegt|liegen|steht|stehen|hängt|ist|sind"
)
_PLACE = re.compile(
    r"(?P<word>[\w'’-]+)\s+(?:in|at|on|under|behind|near|beside|inside|im|am|bei|auf|unter)\s+"
    r"(?P<place>(?:the |a |an |our |der |dem |den )?[^,.;:()|]{2,60})",
    re.I,
)
_PLACE_ENDS = re.compile(
    r"\s(?:where|which|that|who|as|when|while|to|for|with|by|from|and|or|but|because|if|after|"
    r"before|until|through|since|during|und|oder|wo|die|wenn)\b",
    re.I,
)


def fitting(question: str, want: Asked, text: str) -> list[Figure]:
    """The figures of `text` that are of the kind and unit asked for and not the question's own.

    A conversion in brackets behind a figure is left out; of a range the figure holds both ends.
    """
    mine = {(reading, f.unit) for f in figures(question) for reading in f.readings}
    found = [
        f
        for f in _whole(text, figures(text))
        if not any((reading, f.unit) in mine for reading in f.readings)
    ]
    if want.units:
        return [f for f in found if f.unit in want.units]
    for kind in FITS[want.kind]:
        if of_kind := [f for f in found if f.kind == kind and _counts(want, f, text)]:
            return of_kind
        if want.kind == "date" and kind == "date":
            years = [f for f in found if f.kind == "number" and _YEAR.fullmatch(written(f, text))]
            if years:
                return years
    return []


def near_units(want: Asked, text: str) -> bool:
    """Whether `text` has a duration in a unit next to the one asked for: weeks for days."""
    near = {other for unit in want.units for other in NEXT_UNITS.get(unit, ())}
    return any(figure.unit in near for figure in figures(text)) if near else False


def written(figure: Figure, text: str) -> str:
    """A figure as it stands in the text."""
    return text[figure.span.start : figure.span.end]


def times(want: Asked, text: str) -> list[Place]:
    """Stretches of time given by their ends, where a duration in any unit is asked for."""
    if want.kind != "duration" or want.units:
        return []
    return [match.span() for match in _TIMES.finditer(text)]


def places(
    question: str, want: Asked, text: str, content: Collection[str], terms: Terms
) -> list[Place]:
    """The places that could answer; `content` are the question's terms that carry weight."""
    if want.kind in FITS:
        found = fitting(question, want, text)
        if want.noun and not want.units:
            found = _counted(want, found, text, terms)
        return [(f.span.start, f.span.end) for f in found] or times(want, text)
    if want.kind == "identifier":
        return named(question, want, text)
    if want.kind == "range":
        return [match.span() for match in _RANGE.finditer(text)]
    if want.kind == "place":
        return _located(want, text, content, terms)
    if want.kind == "person":
        return _persons(text, content, terms)
    return []


def numbered(want: Asked) -> bool:
    """Whether the identifier asked for is a number: a port or a version."""
    return want.kind == "identifier" and want.noun[:1] in (("port",), ("version",))


def named(question: str, want: Asked, text: str) -> list[Place]:
    """Identifiers that the question does not hold; for a port or a version its number."""
    if numbered(want):
        pattern = _PORT if want.noun[0] == "port" else _VERSION
        return [m.span(m.lastindex or 0) for m in pattern.finditer(text)]
    own = {name.casefold() for name in identifiers(question)}
    return [
        match.span()
        for name in (*identifiers(text), *_CAMEL.findall(text))
        if name.casefold() not in own
        for match in re.finditer(re.escape(name), text)
    ]


def ranged(text: str) -> bool:
    """Whether a text names a range in digits."""
    return bool(_RANGE.search(text))


def _whole(text: str, found: tuple[Figure, ...]) -> list[Figure]:
    kept: list[Figure] = []
    for figure in found:
        before = text[kept[-1].span.end : figure.span.start] if kept else ""
        if kept and _BRACKET.fullmatch(before):
            continue
        if kept and TO.fullmatch(before) and kept[-1].kind in ("number", figure.kind):
            first = kept.pop()
            figure = Figure(
                type(first.span)(first.span.start, figure.span.end),
                first.readings | figure.readings,
                figure.unit,
                figure.kind,
            )
        kept.append(figure)
    return kept


def _counts(want: Asked, figure: Figure, text: str) -> bool:
    """Whether a figure can be a count: no ordinal, and no year."""
    if want.kind != "number" or figure.kind != "number":
        return True
    said = written(figure, text)
    return not (
        _ORDINAL.fullmatch(said)
        or _ORDINAL_END.match(text, figure.span.end)
        or _YEAR.fullmatch(said)
    )


def _counted(want: Asked, found: list[Figure], text: str, terms: Terms) -> list[Figure]:
    """The figures with the noun that is counted behind them; all where none has it."""
    for noun in want.noun:
        wanted = terms(noun)
        close = [f for f in found if wanted and wanted & _following(f, text, terms)]
        if close:
            return close
    return found


def _following(figure: Figure, text: str, terms: Terms) -> frozenset[str]:
    words = _WORD.findall(text[figure.span.start : figure.span.end + 60])
    length = len(_WORD.findall(written(figure, text)))
    return terms(" ".join(words[: length + 3]))


def _located(want: Asked, text: str, content: Collection[str], terms: Terms) -> list[Place]:
    """Places with the noun asked for, else the one behind a word of the question or of being."""
    found: list[Place] = []
    noun = terms(" ".join(want.noun))
    if noun and (with_noun := [m for m in _PLACE.finditer(text) if noun <= terms(m["place"])]):
        return [m.span("place") for m in with_noun]
    for match in _PLACE.finditer(text):
        verb = terms(match["word"])
        if not (re.fullmatch(_LOCATED, match["word"], re.I) or (verb and verb <= set(content))):
            continue
        start, end = match.span("place")
        if ends := _PLACE_ENDS.search(text, start, end):
            end = ends.start()
        if not terms(text[start:end]) <= set(content):
            found.append((start, end))
    return found if len(found) == 1 else []


def _persons(text: str, content: Collection[str], terms: Terms) -> list[Place]:
    """Names of two words or more beside a word of the question."""
    found: list[Place] = []
    for start, end in capitalised(text):
        if " " not in text[start:end] or terms(text[start:end]) & set(content):
            continue
        before = " ".join(_WORD.findall(text[max(0, start - 60) : start])[-3:])
        after = " ".join(_WORD.findall(text[end : end + 60])[:3])
        if terms(f"{before}\n{after}") & set(content):
            found.append((start, end))
    return found
