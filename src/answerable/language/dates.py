"""Dates and large numbers as people write them, brought to one form."""

from __future__ import annotations

import re

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


def _date(written: str, year: str, month: str, day: str) -> str:
    if 1 <= int(month) <= 12 and 1 <= int(day) <= 31:
        return f"{year}-{int(month):02}-{int(day):02}"
    return written
