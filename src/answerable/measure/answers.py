"""Whether a short answer says the same as one of the accepted ones."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from answerable.language.dates import dates, grouped
from answerable.language.numerals import spelled
from answerable.measure.quantities import CURRENCIES, UNITS, same_amount

_ARTICLES = frozenset(("a", "an", "the"))
_FRACTION = re.compile(r"(\d*) ?([¼½¾])")
_TWICE = re.compile(r"([^\W\d_]+(?:-[^\W\d_]+)?) ?\((\d+)\)")
_CONTINENTAL = re.compile(r"(?<![\d.,])(\d{1,3}(?:\.\d{3})+),(\d+)(?!\d)")
_COMMA = re.compile(r"(?<![\d.,])(\d+),(\d{1,2})(?![.,]?\d)")
_SCALED = re.compile(r"(\d+(?:\.\d+)?) (thousand|million|billion)\b")
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
_CURRENCY = re.compile(r"(us)?([$€£]) ?(\d+(?:\.\d+)?)")
_CODE_FIRST = re.compile(rf"(?<!\d )\b({CURRENCIES}) ?(\d+(?:\.\d+)?)")
_UNIT_AFTER = re.compile(
    r"(?<=\d)(?=(?:%|€|[kcm]?m|k?g|mg|m?l|mb|gb|kb|tb|m?s|h|hrs?|mins?|secs?|days?|eur|usd|gbp)\b|[%€])"
)
_WORD = re.compile(r"-?\d+(?:[.:/-]\d+)*|[^\W_]+(?:['.][^\W_]+)*|[%€$£]")


def normalise(text: str) -> str:
    """One form for equal answers: words parted by single spaces.

    NFKC and case folding; dates with a named month as `YYYY-MM-DD`; thousands marks and trailing
    zeros gone, a decimal comma as a point; number words as digits, `million` multiplied out;
    currency signs and codes after the number; common units by one name; without English articles
    and punctuation (after Rajpurkar et al., EMNLP 2016).
    """
    text = _FRACTION.sub(lambda m: f"{int(m[1] or 0) + unicodedata.numeric(m[2]):g}", text)
    text = unicodedata.normalize("NFKC", text).casefold().replace("−", "-").replace("’", "'")
    text = text.replace("per cent", "%").replace("degrees celsius", "c")
    text = dates(" ".join(text.split()))
    text = _CONTINENTAL.sub(lambda m: f"{m[1].replace('.', '')}.{m[2]}", text)
    text = _SCALED.sub(_multiplied, grouped(_COMMA.sub(r"\1.\2", text)))
    text = _CODE_FIRST.sub(r"\2 \1 ", _CURRENCY.sub(r"\3 \2 ", text))
    text = _UNIT_AFTER.sub(" ", _TWICE.sub(_said_once, text))
    words = spelled([part for word in _WORD.findall(text) for part in _unjoined(word)])
    words = [UNITS.get(word, word) for word in words if word not in _ARTICLES]
    return " ".join(words)


def matches(answer: str | None, accepted: Iterable[str]) -> bool:
    """Whether an answer equals one of the accepted after `normalise`; no answer equals none.

    Amounts are equal in any unit: `90 minutes` is `1.5 hours`.
    """
    given = normalise(answer or "")
    if not given:
        return False
    return any(given == one or same_amount(given, one) for one in map(normalise, accepted))


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


def _multiplied(match: re.Match[str]) -> str:
    return f"{float(match[1]) * _SCALES[match[2]]:.15g}"


def _said_once(match: re.Match[str]) -> str:
    """`five (5)` as `5`."""
    return match[2] if spelled(match[1].split("-")) == [match[2]] else match[0]


def _unjoined(word: str) -> list[str]:
    return [word[:-2]] if word.endswith("'s") else [word]
