"""Between which bounds a measure lies while some of what was retrieved is not judged."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from answerable.measure.taken import Taken

_AT = re.compile(r"(P|hit)@([1-9]\d*)\Z")


@dataclass(frozen=True, slots=True)
class Bounds:
    """A measure's mean over `n` questions, `low` if all unjudged documents are irrelevant and
    `high` if all are relevant; `judged` is the mean share of the first k that are judged."""

    metric: str
    low: float
    high: float
    judged: float
    n: int


def bounds(known: Taken) -> Iterator[Bounds]:
    """The bounds of P@k and hit@k where Judged@k was measured and is not 1 for every question.

    P@k is measured as if unjudged documents were irrelevant; were they relevant, it would gain
    their share. Where fewer than k were retrieved the upper bound is too high, never too low.
    """
    for metric, scores in known.items():
        found = _AT.match(metric)
        if not found or (other := known.get(f"judged@{found[2]}")) is None:
            continue
        pairs = [
            (score.value, judged.value)
            for item, score in scores.items()
            if score.value is not None
            and (judged := other.get(item)) is not None
            and judged.value is not None
        ]
        if not pairs or all(judged == 1 for _, judged in pairs):
            continue
        if found[1] == "P":
            highs = [min(1.0, value + 1 - judged) for value, judged in pairs]
        else:
            highs = [max(value, float(judged < 1)) for value, judged in pairs]
        n = len(pairs)
        low = sum(value for value, _ in pairs) / n
        yield Bounds(metric, low, sum(highs) / n, sum(judged for _, judged in pairs) / n, n)
