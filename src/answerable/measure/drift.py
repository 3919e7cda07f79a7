"""A metric over time: rolling means, control limits, and the points that leave them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from answerable.errors import UsageError

LIMIT = 3 / 1.128
"""Three standard deviations of individual values, as a multiple of the mean moving range."""

ONE_SIDE = 8
"""So many points in a row on one side of the centre are a shift (Western Electric, rule 4)."""

LEAST = 8
"""Points that limits are drawn from at least; of fewer they would be guesses."""


@dataclass(frozen=True, slots=True)
class Point:
    """One value of the series: `at` says when, `n` of how many questions it is the mean."""

    at: str
    value: float
    n: int


@dataclass(frozen=True, slots=True)
class Drift:
    """A series under control limits.

    `centre`, `low`, `high` come from the points before `judged_from`; None where too few are
    there. `rolling` is the mean of the last `window` points up to each. `signals` are (index into
    points, why).
    """

    metric: str
    points: tuple[Point, ...]
    rolling: tuple[float, ...]
    window: int
    centre: float | None
    low: float | None
    high: float | None
    judged_from: int
    signals: tuple[tuple[int, str], ...]


def drift(metric: str, points: Sequence[Point], *, window: int = 5, baseline: int = 20) -> Drift:
    """An individuals chart of a metric, oldest point first.

    The first `baseline` points set the centre (their mean) and the limits (centre +- 3 / 1.128
    times the mean moving range; NIST/SEMATECH e-Handbook of Statistical Methods, 6.3.2.2); with
    fewer points, all but the last do, and with less than `LEAST` none. A signal is a later point
    beyond a limit, or the eighth in a row on one side of the centre. Raises UsageError for a window
    or baseline below 1.
    """
    if window < 1 or baseline < 1:
        raise UsageError(f"window {window} and baseline {baseline} must be at least 1")
    values = [point.value for point in points]
    rolling = tuple(
        sum(values[max(0, at - window + 1) : at + 1])
        / len(values[max(0, at - window + 1) : at + 1])
        for at in range(len(values))
    )
    first = min(baseline, len(values) - 1)
    if first < LEAST:
        return Drift(metric, tuple(points), rolling, window, None, None, None, max(first, 0), ())
    base = values[:first]
    centre = sum(base) / first
    moving = sum(abs(b - a) for a, b in pairwise(base)) / (first - 1)
    low, high = centre - LIMIT * moving, centre + LIMIT * moving
    signals = [*_beyond(values, first, low, high), *_shifted(values, first, centre)]
    return Drift(
        metric, tuple(points), rolling, window, centre, low, high, first, tuple(sorted(signals))
    )


def _beyond(values: Sequence[float], first: int, low: float, high: float) -> list[tuple[int, str]]:
    return [
        (
            at,
            f"{values[at]:.4f} is {'below' if values[at] < low else 'above'} the limit of "
            f"{low if values[at] < low else high:.4f}",
        )
        for at in range(first, len(values))
        if not low <= values[at] <= high
    ]


def _shifted(values: Sequence[float], first: int, centre: float) -> list[tuple[int, str]]:
    found = []
    run, side = 0, 0
    for at, value in enumerate(values):
        here = (value > centre) - (value < centre)
        run = run + 1 if here == side and here else int(bool(here))
        side = here
        if at >= first and run and run % ONE_SIDE == 0:
            found.append((at, f"{run} in a row {'above' if side > 0 else 'below'} {centre:.4f}"))
    return found
