"""Whether a short answer says the same as one of the accepted ones."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from answerable.measure.numerals import dates, grouped, spelled

_ARTICLES = frozenset(("a", "an", "the"))
_UNITS = {
    "%": "percent",
    "€": "eur",
    "euro": "eur",
    "euros": "eur",
    "$": "usd",
    "dollar": "usd",
    "dollars": "usd",
    "£": "gbp",
    "pound": "gbp",
    "pounds": "gbp",
    "kilometers": "km",
    "kilometer": "km",
    "kilometres": "km",
    "kilometre": "km",
    "kilograms": "kg",
    "kilogram": "kg",
    "hr": "hour",
    "hrs": "hour",
    "hours": "hour",
    "min": "minute",
    "mins": "minute",
    "minutes": "minute",
    "sec": "second",
    "secs": "second",
    "seconds": "second",
    "days": "day",
    "weeks": "week",
    "months": "month",
    "years": "year",
}
_CURRENCY = re.compile(r"(us)?([$€£]) ?(\d+(?:\.\d+)?)")
_UNIT_AFTER = re.compile(r"(?<=\d)(?=(?:%|€|km|kg|mg|mb|gb|kb|ms|h|hrs?|mins?|secs?|days?)\b|[%€])")
_WORD = re.compile(r"-?\d+(?:[.:/-]\d+)*|[^\W_]+(?:['.][^\W_]+)*|[%€$£]")


def normalise(text: str) -> str:
    """One form for equal answers: words parted by single spaces.

    NFKC and case folding; dates with a named month as `YYYY-MM-DD`; thousands marks and trailing
    zeros gone; number words as digits; currency signs after the number; common units by one name;
    without English articles and punctuation (after Rajpurkar et al., EMNLP 2016).
    """
    text = unicodedata.normalize("NFKC", text).casefold().replace("−", "-").replace("’", "'")
    text = grouped(dates(" ".join(text.split())))
    text = _CURRENCY.sub(r"\3 \2 ", text)
    words = _WORD.findall(_UNIT_AFTER.sub(" ", text))
    words = spelled([part for word in words for part in _unjoined(word)])
    words = [_UNITS.get(word, word) for word in words if word not in _ARTICLES]
    return " ".join(words)


def matches(answer: str | None, accepted: Iterable[str]) -> bool:
    """Whether an answer equals one of the accepted after `normalise`; no answer equals none."""
    if answer is None:
        return False
    given = normalise(answer)
    return bool(given) and any(given == normalise(other) for other in accepted)


def f1(answer: str | None, accepted: Iterable[str]) -> float:
    """The best harmonic mean of word precision and recall against one accepted answer, 0..1."""
    given = Counter(normalise(answer or "").split())
    best = 0.0
    for other in accepted:
        wanted = Counter(normalise(other).split())
        shared = (given & wanted).total()
        if shared:
            best = max(best, 2 * shared / (given.total() + wanted.total()))
    return best


def _unjoined(word: str) -> list[str]:
    return [word[:-2]] if word.endswith("'s") else [word]
