"""Which units make the answer: the best one, what it leans on, what adds to it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import fsum

from answerable.grounding.score import Scored

WORTH = 0.2
"""A further unit must add at least this share of the question's weight."""

CLOSE = 0.9
"""A second unit that scores so near the best is shown beside it: which of them answers cannot be
told, and the reader can."""

TELLING = 0.5
"""Where less of the question's weight than this stands in and around the best unit, words tell
little, and the unit closest in meaning is shown beside it."""

_LEANING = re.compile(
    r"(?:it|its|they|them|their|this|that|these|those|he|she|his|her|the latter|both|there|then|"
    r"otherwise|such|er|sie|es|dies|diese|dieser|dieses|das|dort|dann|sonst|il|elle|ils|elles|"
    r"cela|ce|cette)\b",
    re.I,
)


def choose(
    scored: Sequence[Scored], weights: Mapping[str, float], total: float, limit: int
) -> list[Scored]:
    """At most `limit` units, the best first.

    A sentence that begins with a pronoun brings the one before it. Others follow while they bring
    at least WORTH of the question's weight that is neither in the chosen units nor around them.
    """
    best = scored[0]
    chosen = [best]
    _lean(best, scored, chosen, limit)
    while len(chosen) < limit and total:
        have = frozenset().union(*(one.found | one.near for one in chosen))
        gains = [
            (fsum(weights[t] for t in one.found - have) / total, one)
            for one in scored
            if one not in chosen
        ]
        gain, further = max(gains, key=lambda pair: (pair[0], pair[1].score), default=(0.0, best))
        if gain < WORTH or further.score < best.score / 2:
            break
        chosen.append(further)
        _lean(further, scored, chosen, limit)
    return chosen


def beside(chosen: Sequence[Scored], scored: Sequence[Scored], limit: int) -> list[Scored]:
    """The next best unit, where one unit was chosen and another may answer as well."""
    if len(chosen) >= min(2, limit):
        return []
    rest = [one for one in scored[1:] if one not in chosen]
    near = [one for one in rest if one.score >= CLOSE * scored[0].score]
    if not near and scored[0].covered < TELLING:
        closest = max(scored, key=lambda one: one.similarity or 0.0)
        near = [one for one in rest if one is closest]
    return near[:1]


def _lean(one: Scored, scored: Sequence[Scored], chosen: list[Scored], limit: int) -> None:
    if one.unit.kind != "sentence" or not _LEANING.match(one.unit.text) or len(chosen) >= limit:
        return
    for other in scored:
        same = other.unit.passage == one.unit.passage
        if same and other.unit.order == one.unit.order - 1 and other not in chosen:
            if other.unit.kind == "sentence" and other.unit.path == one.unit.path:
                chosen.append(other)
            return
