"""Means with intervals, and whether two paired lists differ by more than chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from answerable.errors import InputError, NotComparable
from answerable.records.evals import Score


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over `n` measured values with a bootstrap interval; `unscored` were None.

    `value`, `low` and `high` are None when nothing was measured. `strict` is the mean with the
    unscored ones as 0.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    unscored: int = 0
    strict: float | None = None


@dataclass(frozen=True, slots=True)
class Paired:
    """The mean difference (second minus first) with its interval and randomisation p, 0 < p <= 1.

    `wins` of the second, `ties` and `losses` are numbers of pairs.
    """

    delta: float
    low: float
    high: float
    p: float
    wins: int
    ties: int
    losses: int
    n: int


def mean(
    values: Sequence[float | None], *, seed: int, draws: int = 2000, level: float = 0.95
) -> Mean:
    """Mean of the values that are not None, with a percentile bootstrap interval.

    `draws` resamples by a PCG64 generator seeded with `seed` (Efron & Tibshirani 1993, ch. 13).
    """
    known = np.array([value for value in values if value is not None], dtype=np.float64)
    missing = len(values) - len(known)
    if not np.isfinite(known).all():
        raise InputError("a score that is not finite cannot be averaged", "use None, with why")
    if not len(known):
        return Mean(None, None, None, 0, missing)
    low, high = _interval(known, seed, draws, level)
    return Mean(
        float(known.mean()), low, high, len(known), missing, float(known.sum() / len(values))
    )


def paired(
    first: Sequence[float],
    second: Sequence[float],
    *,
    seed: int,
    draws: int = 10_000,
    level: float = 0.95,
) -> Paired:
    """Compare two equally long lists of scores, pair by pair.

    p is two-sided: the share of `draws` random sign changes of the differences whose mean is at
    least as far from 0, the observed one counted (Smucker, Allan & Carterette, CIKM 2007;
    Phipson & Smyth 2010 for the added one). Raises NotComparable for unequal or empty lists.
    """
    if len(first) != len(second) or not len(first):
        raise NotComparable(f"{len(first)} scores cannot be paired with {len(second)}")
    differences = np.asarray(second, dtype=np.float64) - np.asarray(first, dtype=np.float64)
    if not np.isfinite(differences).all():
        raise InputError("a score that is not finite cannot be compared", "leave that pair out")
    # Differences below a rounding error are ties, or equal means would count as further out.
    differences[np.abs(differences) < 1e-12] = 0.0
    low, high = _interval(differences, seed, 2000, level)
    return Paired(
        float(differences.mean()),
        low,
        high,
        _randomised(differences, seed, draws),
        int((differences > 0).sum()),
        int((differences == 0).sum()),
        int((differences < 0).sum()),
        len(differences),
    )


def pairs(
    first: Sequence[Score], second: Sequence[Score]
) -> tuple[tuple[str, ...], tuple[float, ...], tuple[float, ...]]:
    """Items measured on both sides, with their values; in the order of `first`."""
    other = {score.item_id: score.value for score in second}
    kept = [
        (score.item_id, score.value, value)
        for score in first
        if score.value is not None and (value := other.get(score.item_id)) is not None
    ]
    return tuple(k[0] for k in kept), tuple(k[1] for k in kept), tuple(k[2] for k in kept)


def _interval(
    values: NDArray[np.float64], seed: int, draws: int, level: float
) -> tuple[float, float]:
    generator = np.random.default_rng(seed)
    n = len(values)
    means = np.empty(draws)
    step = max(1, 2_000_000 // n)
    for at in range(0, draws, step):
        count = min(step, draws - at)
        means[at : at + count] = values[generator.integers(0, n, size=(count, n))].mean(axis=1)
    tail = (1 - level) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return float(low), float(high)


def _randomised(differences: NDArray[np.float64], seed: int, draws: int) -> float:
    moved = differences[differences != 0]
    if not len(moved):
        return 1.0
    generator = np.random.default_rng(seed)
    observed = abs(moved.sum()) - 1e-12
    beyond = 0
    step = max(1, 2_000_000 // len(moved))
    for at in range(0, draws, step):
        count = min(step, draws - at)
        signs = generator.integers(0, 2, size=(count, len(moved)), dtype=np.int8) * 2 - 1
        beyond += int((np.abs(signs @ moved) >= observed).sum())
    return (beyond + 1) / (draws + 1)
