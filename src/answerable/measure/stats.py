"""Means with intervals, and whether two paired lists differ by more than chance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from answerable.errors import InputError, NotComparable
from answerable.records.evals import Score

_MANY = 2000
"""From so many values on, resampling takes the cheaper of equal ways."""


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
    # Sorted, so that the order in which questions stand changes no digit.
    known = np.sort(np.array([value for value in values if value is not None], dtype=np.float64))
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

    p is two-sided: the share of sign changes of the differences whose mean is at least as far
    from 0 (Smucker, Allan & Carterette, CIKM 2007). It is exact where all that moved did so by
    the same amount (the sign test) and where at most 12 moved; else over `draws` random changes,
    the observed one counted (Phipson & Smyth 2010). Raises NotComparable for unequal or empty
    lists.
    """
    if len(first) != len(second) or not len(first):
        raise NotComparable(f"{len(first)} scores cannot be paired with {len(second)}")
    differences = np.sort(np.asarray(second, np.float64) - np.asarray(first, np.float64))
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


def holm(ps: Sequence[float]) -> tuple[float, ...]:
    """Each p after Holm's step-down correction over all of them, in their order, at most 1.

    Sorted rising, the i-th of m (from 0) is multiplied by m - i and is never below the one before
    (Holm, Scandinavian Journal of Statistics 1979).
    """
    found = [1.0] * len(ps)
    least = 0.0
    for place, at in enumerate(sorted(range(len(ps)), key=lambda i: ps[i])):
        least = max(least, min(1.0, (len(ps) - place) * ps[at]))
        found[at] = least
    return tuple(found)


def detectable(
    differences: Sequence[float], power: float = 0.8, level: float = 0.95
) -> float | None:
    """The smallest true mean difference that as many pairs, as spread as these, would show.

    Shown: two-sided p at most 1 - `level`, in a share `power` of repetitions. The greater of two
    bounds, in the metric's own unit: (t(1 - alpha/2) + t(power)) * s / sqrt(n) with n - 1 degrees
    of freedom (Cohen, Statistical Power Analysis, 1988, ch. 2), and, where few pairs moved, what
    moves enough of them: k pairs all in one direction have p = 2^(1-k), so at least that many
    must move, by what the moved ones did on average (by 1 if none did). None when even all pairs
    moving together would not be shown.
    """
    alpha = 1 - level
    n = len(differences)
    needed = math.ceil(1 - math.log2(alpha))
    if n < needed:
        return None
    values = np.asarray(differences, dtype=np.float64)
    moved = np.abs(values[np.abs(values) >= 1e-12])
    step = float(moved.mean()) if len(moved) else 1.0
    spread = float(values.std(ddof=1)) / math.sqrt(n)
    by_spread = (_student(1 - alpha / 2, n - 1) + _student(power, n - 1)) * spread
    return max(by_spread, step * _share(n, needed, power))


def _student(probability: float, freedom: int) -> float:
    """A quantile of Student's t, by expansion around the normal (Fisher & Cornish 1960)."""
    z = NormalDist().inv_cdf(probability)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


def _share(n: int, needed: int, power: float) -> float:
    """The share of pairs that must move for `needed` of n to do so in a share `power` of draws."""
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        fewer = sum(math.comb(n, i) * middle**i * (1 - middle) ** (n - i) for i in range(needed))
        low, high = (middle, high) if 1 - fewer < power else (low, middle)
    return high


def _interval(
    values: NDArray[np.float64], seed: int, draws: int, level: float
) -> tuple[float, float]:
    generator = np.random.default_rng(seed)
    tail = (1 - level) / 2
    low, high = np.quantile(_resampled(values, generator, draws), [tail, 1 - tail])
    return float(low), float(high)


def _resampled(
    values: NDArray[np.float64], generator: np.random.Generator, draws: int
) -> NDArray[np.float64]:
    """Means of `draws` resamples; for many values at least 1,000 of them."""
    n = len(values)
    if n >= _MANY:
        kinds, counts = np.unique(values, return_counts=True)
        if len(kinds) <= 64:
            # How often each kind is drawn has this very distribution, at a fraction of the cost.
            return generator.multinomial(n, counts / n, size=draws) @ kinds / n
        draws = min(draws, max(1000, 11_000_000 // n))
    means = np.empty(draws)
    step = max(1, 200_000 // n)
    for at in range(0, draws, step):
        count = min(step, draws - at)
        rows = generator.integers(0, n, size=(count, n), dtype=np.int32)
        means[at : at + count] = values.take(rows).mean(axis=1)
    return means


def _randomised(differences: NDArray[np.float64], seed: int, draws: int) -> float:
    moved = differences[differences != 0]
    m = len(moved)
    if not m:
        return 1.0
    sizes = np.abs(moved)
    if sizes.max() - sizes.min() <= 1e-12:
        return _sign_test(int((moved > 0).sum()), m)
    observed = abs(moved.sum()) - 1e-12
    if m <= 12:
        every = (np.arange(2**m)[:, None] >> np.arange(m) & 1) * 2 - 1
        return float((np.abs(every @ moved) >= observed).mean())
    generator = np.random.default_rng(seed)
    # Eight signs are one octet of the generator; what each octet adds up to is looked up.
    eights = np.concatenate((moved, np.zeros(-m % 8))).reshape(-1, 8)
    signs = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1) * 2.0 - 1
    sums = (eights @ signs.T).ravel()
    columns = np.arange(0, 256 * len(eights), 256, dtype=np.intp)
    beyond = 0
    step = max(1, 100_000 // len(eights))
    for at in range(0, draws, step):
        size = (min(step, draws - at), len(eights))
        octets = generator.integers(0, 256, size=size, dtype=np.uint8)
        beyond += int((np.abs(sums.take(columns + octets).sum(axis=1)) >= observed).sum())
    return (beyond + 1) / (draws + 1)


def _sign_test(wins: int, moved: int) -> float:
    """The chance of a split at least as uneven as `wins` of `moved` when both ways are equal."""
    fewer = min(wins, moved - wins)
    chosen, below = 1, 0
    for i in range(fewer + 1):
        below += chosen
        chosen = chosen * (moved - i) // (i + 1)
    return min(1.0, float(2 * below / 2**moved))
