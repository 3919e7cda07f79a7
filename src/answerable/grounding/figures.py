"""Figures in text: numbers with their unit, dates and times, the same however they are written."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction

from answerable.grounding.quantities import CURRENCIES, UNITS
from answerable.language.numerals import kanji_number, number_word
from answerable.records.docs import Span


@dataclass(frozen=True, slots=True)
class Figure:
    """A number in a text: its place with its unit, the readings it allows, its unit ('' if none).

    `1.280` allows 1280 and 1.28. `kind` is amount, percentage, duration, measure, time, date or
    number; a unit is one word for all its spellings (`day` for `Tage`, `EUR` for `€`).
    """

    span: Span
    readings: frozenset[Fraction]
    unit: str
    kind: str


_SPACE = r"[ \u00a0\u202f\u2009]"
_DIGITS = rf"\d{{1,3}}(?:{_SPACE}\d{{3}})+(?:[.,]\d+)?(?![\d])|\d+(?:[.,'’]\d+)*"
_SIGN = r"[€$£¥₹%‰°]"
_TIME = re.compile(
    r"(?<![\d:.,])([01]?\d|2[0-4])[:h.]([0-5]\d)(?![\d:]|[.,]\d)"
    r"(?:\s*(a\.?m\b\.?|p\.?m\b\.?|uhr\b|o'clock))?"
    r"|(?<![\d:.,])([01]?\d|2[0-4])\s*(a\.m\.|p\.m\.|am\b|pm\b|uhr\b|o'clock)",
    re.I,
)
_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december|"
    "januar|jänner|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|"
    "juillet|août|septembre|octobre|novembre|décembre"
)
_DATE = re.compile(
    rf"\b\d{{4}}-\d\d-\d\d\b|\b\d{{1,2}}\.\s?\d{{1,2}}\.\s?\d{{2,4}}\b|\b\d{{1,2}}/\d{{1,2}}/\d{{2,4}}\b"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th|\.)?\s+(?:of\s+)?(?:{_MONTHS})\b(?:,?\s+\d{{4}}\b)?"
    rf"|\b(?:{_MONTHS})\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s+\d{{4}}\b)?"
    rf"|\b(?:{_MONTHS})\s+\d{{4}}\b",
    re.I,
)
_NUMBER = re.compile(
    rf"(?P<before>(?:{_SIGN}|\b[A-Z]{{3}}){_SPACE}?)?"
    rf"(?<![A-Za-z0-9À-ɏ_.,-])(?P<number>{_DIGITS}|[^\W\d_]+(?:-[^\W\d_]+)?)(?![A-Za-z]{{0,8}}\d)",
)
_AFTER = re.compile(rf"(?:{_SPACE}|-)?({_SIGN}|[^\W\d_]+(?:[²³])?)")
_BETWEEN = {"full", "calendar", "working", "business", "consecutive", "volle", "ganze", "whole"}
_MONEY = frozenset(CURRENCIES.values())
_NOT_MONEY = re.compile(
    r"ISO|DIN|RFC|ERR|SKU|IEC|VPN|SEV|ABS|ART|UTC|GMT|ANY|ALL|AND|FOR|THE|MAX|MIN|NOT"
)
_SCALES = {
    "hundred": 10**2,
    "thousand": 10**3,
    "tausend": 10**3,
    "million": 10**6,
    "millions": 10**6,
    "millionen": 10**6,
    "mio": 10**6,
    "billion": 10**9,
    "billions": 10**9,
    "milliarde": 10**9,
    "milliarden": 10**9,
    "mrd": 10**9,
    "trillion": 10**12,
    "trillions": 10**12,
}
_SCALE = re.compile(rf"(?:{_SPACE}|-)({'|'.join(_SCALES)})\b(?:(?<=mio)\.|(?<=mrd)\.)?", re.I)
_DEGREE = re.compile(rf"{_SPACE}?°(?:{_SPACE}?[CFK]\b)?")
_DECADE = re.compile(r"s\b")
_KANJI_RUN = re.compile(r"[〇一二三四五六七八九十百千]+")


def plain(text: str) -> str:
    """The text with full-width digits and signs as ASCII, length unchanged."""
    if text.isascii():
        return text
    return "".join(
        form if len(form := unicodedata.normalize("NFKC", char)) == 1 else char for char in text
    )


def figures(text: str) -> tuple[Figure, ...]:
    """The figures of `text` in order of place; number words count as numbers."""
    text = plain(text)
    found: list[Figure] = []
    taken: list[tuple[int, int]] = []
    for match in _DATE.finditer(text):
        taken.append(match.span())
        found.append(_figure(match.span(), [_digits_of(match[0])], "date", "date"))
    for match in _TIME.finditer(text):
        if not _inside(match.span(), taken) and _is_time(match):
            taken.append(match.span())
            found.append(_figure(match.span(), [_minutes(match)], "time", "time"))
    last = 0  # the end of the last number: `million` in `two million` is none of its own
    for match in _NUMBER.finditer(text):
        if match.start("number") >= last and not _inside(match.span("number"), taken):
            figure = _number(text, match)
            if figure is not None:
                found.append(figure)
                last = figure.span.end
    for match in _KANJI_RUN.finditer(text):
        value = kanji_number(match[0])
        if value is not None and not _inside(match.span(), taken):
            found.append(_figure(match.span(), [Fraction(value)], "", "number"))
    return tuple(sorted(found, key=lambda figure: figure.span))


def _number(text: str, match: re.Match[str]) -> Figure | None:
    start, end = match.span("number")
    readings = _readings(match["number"])
    if not readings:
        return None
    worth = 1
    while scale := _SCALE.match(text, end):
        worth *= _SCALES[scale[1].casefold()]
        end = scale.end()
    readings = [reading * worth for reading in readings]
    before = (match["before"] or "").strip()
    unit = CURRENCIES.get(before, "")
    if not unit and word_is_digits(match["number"]) and before.isupper():
        unit = "" if _NOT_MONEY.fullmatch(before) else before
    if unit:
        start = match.start()
    elif end - start == 4 and _DECADE.match(text, end):
        end += 1  # the 1950s are no seconds
    else:
        position = end
        for _ in range(2):
            after = _AFTER.match(text, position)
            if after is None:
                break
            word = after[1]
            if word.casefold() in _BETWEEN:
                position = after.end()
                continue
            unit = CURRENCIES.get(word) or UNITS.get(word) or UNITS.get(word.casefold(), "")
            unit = unit or CURRENCIES.get(word.casefold(), "")
            if unit:
                degrees = _DEGREE.match(text, position) if unit == "degree" else None
                end = degrees.end() if degrees else after.end()
            break
    return _figure((start, end), readings, unit, _kind(unit))


def word_is_digits(word: str) -> bool:
    """Whether a number is written in digits."""
    return word[:1].isdigit()


def _kind(unit: str) -> str:
    if unit in _MONEY or (len(unit) == 3 and unit.isupper()):
        return "amount"
    if unit == "percent":
        return "percentage"
    if unit in ("second", "minute", "hour", "day", "week", "month", "year"):
        return "duration"
    return "measure" if unit else "number"


def _readings(word: str) -> list[Fraction]:
    """The values a written number can have; several where a mark may part thousands or decimals."""
    if not word[0].isdigit():
        value = number_word(word.casefold())
        return [] if value is None else [Fraction(value)]
    bare = re.sub(r"[\s'’\u00a0\u202f\u2009]", "", word)
    marks = [char for char in bare if char in ".,"]
    if not marks:
        return [Fraction(bare)]
    whole, _, part = bare.rpartition(marks[-1])
    joined = re.sub(r"[.,]", "", bare)
    decimal = Fraction(f"{re.sub(r'[.,]', '', whole)}.{part}")
    if len(set(marks)) == 2:
        return [decimal]
    if len(marks) > 1:
        return [Fraction(joined)]
    if len(part) == 3 and whole[0] != "0" and len(whole) <= 3:
        return [Fraction(joined), decimal]
    return [decimal]


def _is_time(match: re.Match[str]) -> bool:
    """A point parts hours and minutes only where the text says that it is a time."""
    if match[1] is None:
        return True
    return "." not in match[0][: match.end(2) - match.start()] or bool(match[3])


def _minutes(match: re.Match[str]) -> Fraction:
    hour = int(match[1] or match[4])
    minute = int(match[2] or 0)
    mark = (match[3] or match[5] or "").casefold().replace(".", "")
    if mark == "pm" and hour < 12:
        hour += 12
    if mark == "am" and hour == 12:
        hour = 0
    return Fraction(60 * hour + minute)


def _digits_of(date: str) -> Fraction:
    """A date as one number: day, month and year in the order written, months by their name."""
    folded = date.casefold()
    month = next((n for n, names in enumerate(_MONTH_STEMS, 1) if _stem_in(folded, names)), 0)
    numbers = [int(n) for n in re.findall(r"\d+", folded)]
    if re.match(r"\d{4}-", folded):
        numbers = [numbers[2], numbers[1], numbers[0]]
    elif month:
        small = [n for n in numbers if n <= 31][:1]
        numbers = [*(small or [0]), month, *[n for n in numbers if n > 31]]
    elif "/" in folded and len(numbers) == 3:
        numbers = [numbers[1], numbers[0], numbers[2]]
    day, of, year = [*numbers, 0, 0, 0][:3]
    return Fraction(year * 10_000 + of * 100 + day)


_MONTH_STEMS = (
    ("jan", "jän"),
    ("feb", "fév"),
    ("mar", "mär"),
    ("apr", "avr"),
    ("may", "mai"),
    ("jun", "juin"),
    ("jul", "juil"),
    ("aug", "août"),
    ("sep",),
    ("oct", "okt"),
    ("nov",),
    ("dec", "dez", "déc"),
)


def _stem_in(folded: str, stems: tuple[str, ...]) -> bool:
    return any(re.search(rf"\b{stem}", folded) for stem in stems)


def _figure(place: tuple[int, int], readings: list[Fraction], unit: str, kind: str) -> Figure:
    return Figure(Span(*place), frozenset(readings), unit, kind)


def _inside(place: tuple[int, int], taken: list[tuple[int, int]]) -> bool:
    return any(start < place[1] and place[0] < end for start, end in taken)
