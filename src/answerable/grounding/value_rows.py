"""The short answer in a table row: the cell under the head that fits the question."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import pairwise

from answerable.grounding.asked import Asked
from answerable.grounding.figures import figures
from answerable.grounding.kinds import FITS
from answerable.grounding.quantities import CURRENCIES, UNITS
from answerable.grounding.ranges import within
from answerable.grounding.units import Unit

_MONEY_HEAD = re.compile(
    r"\b(?:price|cost|fee|rate|amount|pay|preis|kosten|gebühr|betrag)\w*", re.I
)
_CODE = re.compile(r"\b[A-Z]{3}\b")


def cell(
    question: str,
    want: Asked,
    unit: Unit,
    weights: Mapping[str, float],
    terms: Callable[[str], frozenset[str]],
) -> str | None:
    """The cell that answers, None when no head speaks for one.

    A head fits by the question's weight in it, by the unit or currency asked for, or by a range
    that holds a number of the question. The first cell names the row and never answers, unless
    the table has no other.
    """
    numbers = figures(question)
    rated: list[tuple[float, int]] = []
    total = sum(weights.values()) or 1.0
    for number in range(1 if len(unit.cells) > 1 else 0, len(unit.cells)):
        text = unit.cells[number]
        head = unit.columns[number] if number < len(unit.columns) else ""
        if not any(map(str.isalnum, text)):
            continue
        mine = terms(head)
        fit = sum(weight for term, weight in weights.items() if term in mine) / total
        asked_by = terms(text)
        fit -= sum(weight for term, weight in weights.items() if term in asked_by) / total
        fit += 0.5 if within(numbers, head) else 0.0
        fit -= 0.5 if within(numbers, text) else 0.0
        fit += _of_kind(question, want, head, text)
        rated.append((fit, number))
    if not rated:
        return None
    best, number = max(rated, key=lambda pair: (pair[0], -pair[1]))
    if best <= 0 and len(unit.cells) != 2:
        return None
    text = unit.cells[number]
    if want.kind in FITS and not figures(text):
        return None
    return text


def _of_kind(question: str, want: Asked, head: str, text: str) -> float:
    """What speaks for a column by the kind of answer asked for, about -1 to 1."""
    if want.kind not in FITS:
        return 0.0
    found = figures(text)
    if not found:
        return -1.0
    named = {UNITS.get(w) or CURRENCIES.get(w, "") for w in re.findall(r"\w+|[€$£%]", head)}
    have = {figure.unit for figure in found}
    if want.units & (have | named) or any(code_fits(c, question) for c in _codes(head, text)):
        return 1.0
    kinds = {figure.kind for figure in found}
    if kinds & set(FITS[want.kind]):
        return 0.3
    if want.kind == "amount" and _MONEY_HEAD.search(head):
        return 0.2
    return -0.3


def _codes(head: str, text: str) -> list[str]:
    return _CODE.findall(head) + _CODE.findall(text)


def code_fits(code: str, question: str) -> bool:
    """Whether the question names the currency of a code in words: two words give its letters.

    ISO 4217 takes two letters of the country and the first of the currency (US dollars: USD).
    """
    if CURRENCIES.get(code) and any(
        CURRENCIES.get(word) == code for word in re.findall(r"\w+", question.casefold())
    ):
        return True
    words = re.findall(r"[^\W\d_]+", question.casefold())
    first, second, third = tuple(code.casefold())
    return code in question or any(
        country[0] == first and second in country[1:] and money[0] == third and len(money) > 3
        for country, money in pairwise(words)
    )
