"""Choosing among arms and measuring the choice on questions that did not choose."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from answerable.errors import NotComparable
from answerable.measure.stats import Paired, paired

Values = Mapping[str, float]
"""A metric's value by item id."""

FOLDS = 5

WIDER = 1.25
"""How much wider an interval over questions must be where folds share the questions that choose.

Simulated with arms that are all alike (2 to 16 of them, 60 to 1,000 questions, a tenth or three
tenths of the answers differing), advice is given in at most 3 % of the sets, 2.5 % being nominal;
1 would be up to 7 %. The 1.5 of Nadeau & Bengio (Machine Learning 52, 2003) gives 1 % and less.
"""


@dataclass(frozen=True, slots=True)
class Gain:
    """A mean difference over `n` questions with its 95 % interval; wins, ties and losses are pairs.

    It has no p: a test that takes questions for independent would say too little.
    """

    delta: float
    low: float
    high: float
    wins: int
    ties: int
    losses: int
    n: int


@dataclass(frozen=True, slots=True)
class HeldOut:
    """What choosing gains on questions it was not made on.

    `gain` is paired by question, its interval as wide as dependent folds need (`widened`);
    `chosen` the arm that each fold's other questions chose, `final` the one that all choose.
    """

    gain: Gain
    chosen: tuple[str, ...]
    final: str

    @property
    def clear(self) -> bool:
        """Whether the interval of the gain lies above zero."""
        return self.gain.low > 0


def held_out(
    arms: Mapping[str, Values],
    base: str,
    *,
    seed: int,
    choose: Callable[[Sequence[str]], str] | None = None,
) -> HeldOut:
    """Choosing any of the arms, against the arm `base`; see `nested`.

    `choose` names the arm that some items choose; the one with the greatest mean if it is None.
    """
    return nested(
        list(next(iter(arms.values()))),
        choose or (lambda items: best(arms, items)),
        lambda name: arms[name],
        lambda items: arms[base],
        seed=seed,
    )


def compete(
    candidates: Mapping[str, Values], rivals: Mapping[str, Values], *, seed: int
) -> HeldOut:
    """Choosing among candidates against choosing among rivals; see `nested`.

    All arms must have the same items.
    """
    return nested(
        list(next(iter(candidates.values()))),
        lambda items: best(candidates, items),
        lambda name: candidates[name],
        lambda items: rivals[best(rivals, items)],
        seed=seed,
    )


def nested(
    items: Sequence[str],
    choose: Callable[[Sequence[str]], str],
    values: Callable[[str], Values],
    against: Callable[[Sequence[str]], Values],
    *,
    seed: int,
    count: int = FOLDS,
) -> HeldOut:
    """Nested cross-validation of a way of choosing.

    Each of `count` folds is scored under what the other folds' items choose, and under what they
    choose on the other side (Stone 1974; Varma & Simon, BMC Bioinformatics 2006, on how a chosen
    arm's own score flatters). NotComparable with fewer items than folds.
    """
    if len(items) < count:
        raise NotComparable(
            f"{len(items)} questions are too few for {count} folds", "mark more questions"
        )
    chosen: list[str] = []
    new: list[float] = []
    old: list[float] = []
    groups = folds(items, count, seed)
    for number, group in enumerate(groups):
        rest = [item for other, part in enumerate(groups) if other != number for item in part]
        name = choose(rest)
        chosen.append(name)
        mine, theirs = values(name), against(rest)
        new += [mine[item] for item in group]
        old += [theirs[item] for item in group]
    gain = widened(paired(old, new, seed=seed))
    return HeldOut(gain, tuple(chosen), choose(sorted(items)))


def widened(found: Paired) -> Gain:
    """The interval of a difference that was measured over folds, `WIDER` times as wide."""
    return Gain(
        found.delta,
        found.delta - WIDER * (found.delta - found.low),
        found.delta + WIDER * (found.high - found.delta),
        found.wins,
        found.ties,
        found.losses,
        found.n,
    )


def best(arms: Mapping[str, Values], items: Sequence[str]) -> str:
    """The arm with the greatest mean over items; the first of equals."""
    return max(arms, key=lambda name: sum(arms[name][item] for item in items))


def folds(items: Sequence[str], count: int, seed: int) -> list[list[str]]:
    """Items dealt into `count` groups of equal size (+-1) at random by a seed.

    The order they are given in does not matter.
    """
    order = np.array(sorted(items), dtype=object)
    np.random.default_rng(seed).shuffle(order)
    return [list(order[number::count]) for number in range(count)]
