"""Several rankings to one: by ranks, or by scores brought to a common scale."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from answerable.errors import UsageError
from answerable.records.index import Hit, Ranking

Bounds = tuple[float, float | None]
"""The least and greatest score of a list; None for the greatest that the list itself holds."""


def rrf(
    rankings: Mapping[str, Ranking], k: float = 60, weights: Mapping[str, float] | None = None
) -> Ranking:
    """Reciprocal rank fusion: score = sum over lists of weight / (k + rank), ranks from 1.

    A chunk counts at its first place in a list and adds nothing where it is absent; hits of score
    0 say nothing and are left out before ranks are counted. Lists without a weight weigh 1. Raises
    UsageError for a negative k or weight.

    Cormack, Clarke and Buettcher, SIGIR 2009.
    """
    if not (math.isfinite(k) and k >= 0):
        raise UsageError(f"k = {k} is not a constant of rank fusion", "give 0 or more; 60 is usual")
    scores: dict[str, float] = {}
    for name, ranking in rankings.items():
        weight = _weight(weights, name)
        for rank, hit in enumerate(_telling(ranking) if weight else (), start=1):
            scores[hit.chunk_id] = scores.get(hit.chunk_id, 0.0) + weight / (k + rank)
    return _ranking(scores, "rrf")


def convex(
    rankings: Mapping[str, Ranking], weights: Mapping[str, float], bounds: Mapping[str, Bounds]
) -> Ranking:
    """Weighted sum of scores, each brought to 0..1 by its list's bounds; weights add up to 1.

    score = sum over lists of weight * clip((s - low) / (high - low), 0, 1). Bounds that hold for
    every question (0 and the sum of idf for BM25, whose tf part stays below 1; 0 and 1 or -1 and 1
    for cosines) keep a list of one hit, or of equal scores, from being stretched over the whole
    range. With high = None the list's best score is the upper bound (the paper's "theoretical
    minimum"). A chunk absent from a list adds nothing there; bounds that leave no room (high <=
    low) add nothing at all. Raises UsageError for a list without weight or bounds, and for negative
    weights.

    Bruch, Gai and Ingber, An Analysis of Fusion Functions for Hybrid Retrieval, TOIS 2023.
    """
    if missing := [name for name in rankings if name not in bounds or name not in weights]:
        raise UsageError(
            f"no {'bounds' if missing[0] not in bounds else 'weight'} for list {missing[0]!r}",
            "name every list in both",
        )
    # weights are shared among the lists at hand, so one list alone keeps its scale
    total = sum(_weight(weights, name) for name in rankings)
    scores: dict[str, float] = {}
    for name, ranking in rankings.items():
        hits = list(_telling(ranking))
        low, high = bounds[name]
        if high is None:
            high = max((hit.score for hit in hits), default=low)
        share = _weight(weights, name) / total if total else 0.0
        for hit in hits if share else ():
            part = min(max((hit.score - low) / (high - low), 0.0), 1.0) if high > low else 0.0
            scores[hit.chunk_id] = scores.get(hit.chunk_id, 0.0) + share * part
    return _ranking(scores, "convex")


def _weight(weights: Mapping[str, float] | None, name: str) -> float:
    weight = 1.0 if weights is None else weights.get(name, 1.0)
    if not (math.isfinite(weight) and weight >= 0):
        raise UsageError(f"weight {weight} of list {name!r} is not 0 or more", "0 leaves it out")
    return weight


def _telling(ranking: Ranking) -> Iterator[Hit]:
    """Hits with something to say, each chunk once, at its first place."""
    seen: set[str] = set()
    for hit in ranking:
        if hit.score != 0 and math.isfinite(hit.score) and hit.chunk_id not in seen:
            seen.add(hit.chunk_id)
            yield hit


def _ranking(scores: Mapping[str, float], by: str) -> Ranking:
    order = sorted(scores.items(), key=lambda entry: (-entry[1], entry[0]))
    return tuple(Hit(chunk_id, score, by) for chunk_id, score in order)
