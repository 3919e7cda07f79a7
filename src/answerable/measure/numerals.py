"""Numbers and dates as people write them, brought to one form."""

from __future__ import annotations

import re

_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_DE = [
    "null",
    "eins",
    "zwei",
    "drei",
    "vier",
    "fünf",
    "sechs",
    "sieben",
    "acht",
    "neun",
    "zehn",
    "elf",
    "zwölf",
    "dreizehn",
    "vierzehn",
    "fünfzehn",
    "sechzehn",
    "siebzehn",
    "achtzehn",
    "neunzehn",
]

_VALUES = (
    {word: value for value, word in enumerate(_ONES)}
    | {word: value for value, word in enumerate(_DE)}
    | {word: 20 + 10 * step for step, word in enumerate(_TENS)}
)
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar",
            "february feb februar",
            "march mar märz",
            "april apr",
            "may mai",
            "june jun juni",
            "july jul juli",
            "august aug",
            "september sep sept",
            "october oct oktober okt",
            "november nov",
            "december dec dezember dez",
        ),
        1,
    )
    for name in names.split()
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY_FIRST = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th|\.)? (?:of )?({_MONTH})\.?,? (\d{{4}})\b")
_MONTH_FIRST = re.compile(rf"\b({_MONTH})\.? (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})\b")
_POINTED = re.compile(r"(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4})\b")
_GROUPED = re.compile(r"(?<![\d.,])\d{1,3}(?:([, '’\u202f\u00a0])\d{3})(?:\1\d{3})*(?![\d,]\d)")
_TRAILING = re.compile(r"(?<![\d.])(\d+)\.(\d*?)0+(?!\d|\.\d)")


def dates(text: str) -> str:
    """Dates with a named month or in points (day first) as `YYYY-MM-DD`; case folded text.

    `03/04/2024` stays as it is: which part is the day cannot be known.
    """
    text = _DAY_FIRST.sub(lambda m: _date(m[0], m[3], str(_MONTHS[m[2]]), m[1]), text)
    text = _MONTH_FIRST.sub(lambda m: _date(m[0], m[3], str(_MONTHS[m[1]]), m[2]), text)
    return _POINTED.sub(lambda m: _date(m[0], m[3], m[2], m[1]), text)


def grouped(text: str) -> str:
    """`1,000` and `1 000` as `1000`, `2.50` as `2.5`; a point parts decimals, as in English."""
    text = _GROUPED.sub(lambda m: re.sub(r"\D", "", m[0]), text)
    return _TRAILING.sub(lambda m: f"{m[1]}.{m[2]}" if m[2] else m[1], text)


def spelled(words: list[str]) -> list[str]:
    """Number words (English, and German to nineteen) as digits: `two hundred and five` as `205`."""
    found: list[str] = []
    at = 0
    while at < len(words):
        value, after = _number(words, at)
        if after > at:
            found.append(str(value))
            at = after
        else:
            found.append(words[at])
            at += 1
    return found


def _number(words: list[str], at: int) -> tuple[int, int]:
    """The value spelled from word `at` on and the place after it; the same place if none."""
    total = group = 0
    after = at
    last = 0
    while after < len(words):
        word = words[after]
        if word in _VALUES:
            value = _VALUES[word]
            # `one two` are two numbers; only tens take ones, and hundreds anything below.
            if after > at and not (
                last in _SCALES.values() or (20 <= last <= 90 and 0 < value < 10)
            ):
                break
            group += value
            last = value
        elif word in _SCALES and (after > at or _digits(words, at - 1) is None):
            scale = _SCALES[word]
            if after == at:
                break
            if scale == 100:
                group *= 100
            else:
                total, group = total + group * scale, 0
            last = scale
        elif (
            word == "and"
            and last in _SCALES.values()
            and after + 1 < len(words)
            and words[after + 1] in _VALUES
        ):
            pass
        else:
            break
        after += 1
    return total + group, after


def _digits(words: list[str], at: int) -> str | None:
    return words[at] if 0 <= at < len(words) and words[at].isdigit() else None


def _date(written: str, year: str, month: str, day: str) -> str:
    if 1 <= int(month) <= 12 and 1 <= int(day) <= 31:
        return f"{year}-{int(month):02}-{int(day):02}"
    return written
