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
_SAYS_YES = re.compile(
    r"(?:yes|ja|oui|sí|tak|y|x|✓|✔|✅|possible|allowed|included|required|free)(?:$|[,;. ])", re.I
)
_SAYS_NO = re.compile(
    r"(?:no|nein|non|nie|n|✗|✘|❌|none|never|not (?:possible|allowed|included|required|available))"
    r"(?:$|[,;. ])",
    re.I,
)


def said(text: str | None) -> str | None:
    """`yes` or `no` where a cell begins with such a word, else None."""
    bare = (text or "").strip()
    return "yes" if _SAYS_YES.match(bare) else "no" if _SAYS_NO.match(bare) else None


def cell(
    question: str,
    want: Asked,
    unit: Unit,
    weights: Mapping[str, float],
    terms: Callable[[str], frozenset[str]],
) -> str | None:
    """The cell that answers, None when no head speaks for one or two heads speak as much.

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
    best = max(fit for fit, _ in rated)
    if best <= 0 and len(unit.cells) != 2:
        return None
    first = {unit.cells[number] for fit, number in rated if fit >= best - 1e-9}
    if len(first) > 1:
        return None
    text = first.pop()
    if want.kind in FITS and not _answers(question, want, text):
        return None
    return text


def column_of_kind(question: str, want: Asked, unit: Unit) -> bool:
    """Whether a cell holds the kind of figure asked for, by its unit, head or the row's name."""
    heads = (*unit.columns, *[""] * (len(unit.cells) - len(unit.columns)))
    pairs = zip(heads, unit.cells, strict=False)
    if any(_of_kind(question, want, head, text) > 0 for head, text in pairs):
        return True
    named = {_unit(word) for word in re.findall(r"\w+", unit.cells[0])}
    bare = any(not figure.unit for text in unit.cells[1:] for figure in figures(text))
    return bare and bool(want.units & named)


def _answers(question: str, want: Asked, text: str) -> bool:
    """Whether a cell has a figure, and not one in another unit than the one asked for."""
    found = {figure.unit for figure in figures(text)}
    other = bool(want.units) and "" not in found and not want.units & found
    return bool(found) and (not other or any(code_fits(c, question) for c in _codes("", text)))


def _of_kind(question: str, want: Asked, head: str, text: str) -> float:
    """What speaks for a column by the kind of answer asked for, about -1 to 1."""
    if want.kind not in FITS:
        return 0.0
    found = figures(text)
    if not found:
        return -1.0
    named = {_unit(word) for word in re.findall(r"\w+|[€$£%]", head)}
    have = {figure.unit for figure in found}
    if want.units & (have | named) or any(code_fits(c, question) for c in _codes(head, text)):
        return 1.0
    kinds = {figure.kind for figure in found}
    if kinds & set(FITS[want.kind]):
        return 0.3
    if want.kind == "amount" and _MONEY_HEAD.search(head):
        return 0.2
    return -0.3


def _unit(word: str) -> str:
    low = word.casefold()
    return UNITS.get(word) or CURRENCIES.get(word) or UNITS.get(low) or CURRENCIES.get(low, "")


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
