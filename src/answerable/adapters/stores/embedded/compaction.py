"""Which segments are worth writing anew: too many, or too much in them that nobody sees."""

from __future__ import annotations

from collections.abc import Sequence

MOST = 8
"""Segments that a generation may have; every search visits each."""

FEWER = 5
"""Segments that are left after too many were merged, so that not every sync has to merge."""

DEAD = 0.30
"""Share of dead chunks above which a segment is rewritten."""


def to_merge(live: Sequence[int], total: Sequence[int]) -> tuple[int, ...]:
    """The numbers of the segments to merge into one, rising; none when all is well.

    `live` and `total` count chunks by segment. Segments more than 30 % dead are always taken; when
    more than 8 are left, the smallest go together until 5 are left in all.
    """
    chosen = {i for i, (n, of) in enumerate(zip(live, total, strict=True)) if of - n > DEAD * of}
    after = len(live) - len(chosen) + bool(chosen)
    if after > MOST:
        rest = sorted((n, i) for i, n in enumerate(live) if i not in chosen)
        chosen.update(i for _, i in rest[: len(rest) + 1 - FEWER])
    return tuple(sorted(chosen))
