"""Numbers of Excel as people see them: dates as ISO 8601, percentages, no binary noise.

Number formats: ECMA-376 part 1, 18.8.30 and 18.8.31; serial dates: 18.17.4.1.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from enum import Enum
from typing import NamedTuple

from answerable.text.parsers.ooxml.drawing import tidy_number


class Kind(Enum):
    """What a number stands for."""

    NUMBER = 0
    DATE = 1
    TIME = 2
    MOMENT = 3
    DURATION = 4
    PERCENT = 5


class Format(NamedTuple):
    """What a number format makes of a number; `places` are the decimals of a percentage."""

    kind: Kind = Kind.NUMBER
    places: int = 0


_BUILTIN = {
    9: Format(Kind.PERCENT, 0),
    10: Format(Kind.PERCENT, 2),
    **dict.fromkeys(
        (14, 15, 16, 17, *range(27, 32), 36, *range(50, 55), 57, 58), Format(Kind.DATE)
    ),
    **dict.fromkeys((18, 19, 20, 21, 32, 33, 34, 35, 45, 47, 55, 56), Format(Kind.TIME)),
    22: Format(Kind.MOMENT),
    46: Format(Kind.DURATION),
}
_QUOTED = re.compile(r'"[^"]*"|\\.|_.|\*.')
_ELAPSED = re.compile(r"\[(?:h+|m+|s+)\]", re.IGNORECASE)
_BRACKET = re.compile(r"\[[^\]]*\]")
_PLACES = re.compile(r"\.([0#?]+)\s*%")
_LEAP_BUG = 60


def format_of(id: int, code: str | None) -> Format:
    """What a number format says, by its id and its own code if it has one."""
    if code is None:
        return _BUILTIN.get(id, Format())
    bare = _QUOTED.sub("", code.split(";", 1)[0])
    if _ELAPSED.search(bare):
        return Format(Kind.DURATION)
    bare = _BRACKET.sub("", bare).lower()
    if "general" in bare:
        return Format()
    if "%" in bare:
        places = _PLACES.search(bare)
        return Format(Kind.PERCENT, len(places.group(1)) if places else 0)
    clock = "h" in bare or "s" in bare or "am/pm" in bare
    bare = bare.replace("am/pm", "").replace("a/p", "")
    day = "d" in bare or "y" in bare or ("m" in bare and not clock)
    if day and clock:
        return Format(Kind.MOMENT)
    if day:
        return Format(Kind.DATE)
    return Format(Kind.TIME) if clock else Format()


def worded(written: str, format: Format, from_1904: bool = False) -> str:
    """A stored number in words; what is no number stays as it is."""
    written = written.strip()
    if format.kind is Kind.NUMBER:
        return tidy_number(written)
    try:
        amount = float(written)
    except ValueError:
        return written
    if format.kind is Kind.PERCENT:
        share = f"{amount * 100:.10g}"
        rounded = f"{amount * 100:.{max(format.places, 2)}f}".rstrip("0").rstrip(".")
        return (share if len(share) <= len(rounded) else rounded) + "%"
    if not -1 < amount < 2_958_466:
        return tidy_number(written)
    seconds = round((amount - int(amount)) * 86_400)
    if format.kind is Kind.DURATION:
        total = round(amount * 86_400)
        return f"{total // 3600}:{total // 60 % 60:02d}:{total % 60:02d}"
    days, seconds = int(amount) + seconds // 86_400, seconds % 86_400
    clock = f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
    if format.kind is Kind.TIME and days == 0:
        return clock
    if days == 0 and not from_1904:
        return clock if seconds else tidy_number(written)
    day = _day(days, from_1904)
    if format.kind is Kind.TIME or (format.kind is Kind.MOMENT and seconds):
        return f"{day} {clock}"
    return f"{day} {clock}" if seconds else day


def _day(days: int, from_1904: bool) -> str:
    """The date of a serial day; Excel counts a 29 February 1900 that never was."""
    if from_1904:
        first = date(1904, 1, 1)
    else:
        first = date(1899, 12, 30) if days > _LEAP_BUG else date(1899, 12, 31)
        if days == _LEAP_BUG:
            return "1900-02-29"
    return (datetime(first.year, first.month, first.day) + timedelta(days=days)).date().isoformat()
