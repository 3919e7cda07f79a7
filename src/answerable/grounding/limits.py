"""An amount in a question against the limit that a sentence sets: `up to EUR 35`, `over 5 kg`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from answerable.grounding.figures import Figure, figures

_HIGHEST = re.compile(
    r"\b(?:up to|at most|no more than|not more than|a maximum of|maximum|max\.?|not exceeding|"
    r"limited to|bis zu|höchstens|maximal|nicht mehr als)\s*(?:about\s+)?$",
    re.I,
)
_UNDER = re.compile(r"\b(?:below|under|less than|fewer than|unter|weniger als)\s*$", re.I)
_LOWEST = re.compile(
    r"\b(?:at least|from|a minimum of|minimum|min\.?|no less than|not less than|ab|mindestens)\s*$",
    re.I,
)
_OVER = re.compile(r"\b(?:above|over|more than|exceeding|beyond|exceeds?|über|mehr als)\s*$", re.I)
NOT_OVER = re.compile(r"\b(?:no|not|nicht) (?:more than|mehr als)\b", re.I)
_OR_MORE = re.compile(r"\s*(?:and|or|und|oder) (?:more|above|over|mehr|länger|longer)\b", re.I)
_OR_LESS = re.compile(r"\s*(?:and|or|und|oder) (?:less|below|under|weniger|kürzer|shorter)\b", re.I)


def compare(question: str, sentence: str) -> tuple[bool, bool] | None:
    """Whether the question's amount keeps the sentence's limit, and whether that is an upper one.

    None where the question has no amount, or not exactly one limit of the sentence is in the unit
    of the question's only amount.
    """
    mine = [f for f in figures(question) if f.unit]
    if len(mine) != 1:
        return None
    limits = [
        found
        for f in figures(sentence)
        if f.unit == mine[0].unit and (found := _limit(f, sentence))
    ]
    if len(limits) != 1:
        return None
    limit, upper, strict = limits[0]
    amount = max(mine[0].readings)
    if upper:
        return (amount < limit if strict else amount <= limit), True
    return (amount > limit if strict else amount >= limit), False


def amounts(text: str) -> Sequence[Figure]:
    """The figures of a text that have a unit."""
    return [figure for figure in figures(text) if figure.unit]


def _limit(figure: Figure, text: str) -> tuple[Fraction, bool, bool] | None:
    before, after = text[: figure.span.start], text[figure.span.end :]
    value = max(figure.readings)
    if _HIGHEST.search(before) or _OR_LESS.match(after):
        return value, True, False
    if _UNDER.search(before):
        return value, True, True
    if _LOWEST.search(before) or _OR_MORE.match(after):
        return value, False, False
    if _OVER.search(before):
        return value, False, True
    return None
