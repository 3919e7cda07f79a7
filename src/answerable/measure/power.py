"""What a number of questions can show, before anything is measured."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist


def detectable_share(
    questions: int, moved: float, *, power: float = 0.8, level: float = 0.95
) -> float | None:
    """The smallest difference of two shares, paired by question, that will likely be shown.

    `moved` is the share of questions (0..1) that one side passes and the other fails. Solves
    sqrt(n) d = z(level) sqrt(moved) + z(power) sqrt(moved - d^2), the sample size of McNemar's test
    (Connor, Biometrics 43, 1987), for d in 0..1. None when even all moves going one way would not
    be enough.
    """
    if questions < 1 or not 0 < moved <= 1:
        return None
    edge = NormalDist().inv_cdf(1 - (1 - level) / 2)
    reach = NormalDist().inv_cdf(power)
    whole = questions + reach**2
    half = edge * sqrt(questions * moved)
    root = half**2 - whole * (edge**2 - reach**2) * moved
    if root < 0:
        return None
    difference = (half + sqrt(root)) / whole
    return difference if difference <= moved else None
