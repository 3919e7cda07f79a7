"""How far two labellers agree beyond chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from answerable.errors import NotComparable


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two labellers on the `n` passages that both graded.

    `same` is the share of equal grades, 0..1. `kappa` (Cohen 1960) and `weighted` (quadratic
    weights, Cohen 1968) are 1 for full agreement and 0 for that of chance; None, with `why`, where
    chance alone agrees fully.
    """

    n: int
    same: float
    kappa: float | None
    weighted: float | None
    why: str = ""


def agreement(first: Sequence[int], second: Sequence[int]) -> Agreement:
    """The agreement of two equally long lists of whole grades on the same passages.

    kappa = 1 - sum(w * O) / sum(w * E) over all pairs of grades, where O counts the pairs seen, E
    those expected from each labeller's own shares, and w is 1 off the diagonal (kappa) or the
    squared distance of the grades (weighted). Raises NotComparable for unequal or empty lists.
    """
    if len(first) != len(second) or not first:
        raise NotComparable(f"{len(first)} grades cannot be paired with {len(second)}")
    lowest = min(*first, *second)
    size = max(*first, *second) - lowest + 1
    seen = np.zeros((size, size))
    for one, other in zip(first, second, strict=True):
        seen[one - lowest, other - lowest] += 1
    n = len(first)
    expected = np.outer(seen.sum(axis=1), seen.sum(axis=0)) / n
    distance = np.subtract.outer(np.arange(size), np.arange(size))
    same = float(np.trace(seen)) / n
    if size == 1:
        return Agreement(n, same, None, None, f"both gave {lowest} to everything")
    kappa, weighted = (
        1 - float((weight * seen).sum() / (weight * expected).sum())
        for weight in ((distance != 0).astype(float), distance.astype(float) ** 2)
    )
    return Agreement(n, same, kappa, weighted)
