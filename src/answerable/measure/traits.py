"""What questions that moved have in common, and whether by more than chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, lgamma

from answerable.measure.stats import holm
from answerable.records.comparison import TraitCount
from answerable.records.runs import Standing


@dataclass(frozen=True, slots=True)
class Asked:
    """One compared question with its evidence under both runs."""

    question: str
    base: Standing
    candidate: Standing
    category: str = ""


def traits(asked: Mapping[str, Asked]) -> dict[str, tuple[str, ...]]:
    """The traits of each question by item id; lengths are judged against all of them.

    Whether a border of either cutting runs through the evidence; type, length and heading depth
    of where it stands; words of the question that it lacks; the question's own category and length.
    Shortest and longest quarter say so only where the two differ.
    """
    documents = _quarters([_place(one).words for one in asked.values() if _place(one).words])
    questions = _quarters([len(one.question.split()) for one in asked.values()])
    return {
        item: (
            *_cut(one),
            *_where(_place(one)),
            *([f"category {one.category}"] if one.category else []),
            *_band("document", _place(one).words, documents),
            *_band("question", len(one.question.split()), questions),
        )
        for item, one in asked.items()
    }


def counts(
    of: Mapping[str, Sequence[str]], gained: Sequence[str], lost: Sequence[str]
) -> tuple[TraitCount, ...]:
    """The traits over-represented among the gained or the lost items, the least likely first.

    Every trait that at least two but not all compared questions have is looked at, at each end
    that has questions; Holm's correction is over all these. Returned are those that at least two
    at that end have, a greater share than of all.
    """
    everywhere = Counter(trait for names in of.values() for trait in names)
    looked = []
    for end, items in (("gained", gained), ("lost", lost)):
        here = Counter(trait for item in items for trait in of[item])
        looked += [
            TraitCount(
                trait,
                end,
                here[trait],
                len(items),
                total,
                len(of),
                tail(here[trait], len(items), total, len(of)),
            )
            for trait, total in everywhere.items()
            if items and 2 <= total < len(of)
        ]
    corrected = [
        replace(count, p_holm=p)
        for count, p in zip(looked, holm([count.p for count in looked]), strict=True)
        if count.here >= 2 and count.here * count.of_all > count.all * count.of_here
    ]
    return tuple(sorted(corrected, key=lambda c: (c.p, c.end, c.trait)))


def tail(here: int, of_here: int, all: int, of_all: int) -> float:
    """The chance that `of_here` drawn blindly of `of_all` hold at least `here` of the `all` marked.

    The upper tail of the hypergeometric distribution (Fisher's exact test, one-sided), 0..1.
    """
    if here * of_all > all * of_here:
        return min(1.0, _outwards(here, 1, of_here, all, of_all))
    return 1.0 - _outwards(here - 1, -1, of_here, all, of_all)


def _outwards(k: int, step: int, of_here: int, all: int, of_all: int) -> float:
    """The chance of k and all beyond it, away from the middle, each from the one before."""
    others = of_all - all - of_here
    if not max(0, -others) <= k <= min(all, of_here):
        return 0.0
    term = exp(
        _log_choose(all, k) + _log_choose(of_all - all, of_here - k) - _log_choose(of_all, of_here)
    )
    total = 0.0
    while term > total * 1e-17:
        total += term
        up, down = (all - k) * (of_here - k), (k + 1) * (others + k + 1)
        if step < 0:
            up, down = k * (others + k), (all - k + 1) * (of_here - k + 1)
        term *= up / down
        k += step
    return total


def _log_choose(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def _place(one: Asked) -> Standing:
    return one.base if one.base.uri else one.candidate


def _cut(one: Asked) -> list[str]:
    return [
        f"evidence cut by the {side}"
        for side, standing in (("base", one.base), ("candidate", one.candidate))
        if standing.cuts
    ]


def _where(standing: Standing) -> list[str]:
    if not standing.uri:
        return ["evidence not placed"]
    missing = len(standing.absent)
    lacking = "no" if not missing else "1 or 2" if missing < 3 else "3 or more"
    word = "word" if not missing else "words"
    found = [f"{lacking} question {word} missing from the evidence"]
    found.append(f"heading depth {'3 or more' if standing.headings >= 3 else standing.headings}")
    return [f"type {standing.type}", *found] if standing.type else found


def _quarters(lengths: Sequence[int]) -> tuple[int, int] | None:
    """The greatest length of the shortest quarter and the least of the longest."""
    if not lengths:
        return None
    ordered = sorted(lengths)
    quarter = (len(ordered) + 3) // 4
    short, long = ordered[quarter - 1], ordered[-quarter]
    return (short, long) if short < long else None


def _band(what: str, words: int, quarters: tuple[int, int] | None) -> list[str]:
    if quarters is None or not words:
        return []
    short, long = quarters
    if words <= short:
        return [f"{what} of {short:,} words or fewer (shortest quarter)"]
    return [f"{what} of {long:,} words or more (longest quarter)"] if words >= long else []
