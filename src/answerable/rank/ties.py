"""The best k with ties settled by chunk id, from searches that settle them by place."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from answerable.errors import UsageError
from answerable.records.index import Hit, Ranking

Found = Sequence[tuple[int, int, float]]

_MORE = 16


def ranking(
    search: Callable[[int], Found], k: int, name: Callable[[int, int], str], by: str
) -> Ranking:
    """The k best of `search(n)` (segment, ordinal, score; best first), equal scores by chunk id.

    Asks for a few more than k, and for more again while the last one found equals the k-th, so
    the ids decide among all that tie. Raises UsageError when k is not positive.
    """
    if k < 1:
        raise UsageError(f"a search for {k} hits finds none", "ask for 1 or more")
    asked = k + _MORE
    found = search(asked)
    while len(found) == asked and found[-1][2] == found[k - 1][2]:
        asked *= 4
        found = search(asked)
    named = sorted((-score, name(segment, ordinal)) for segment, ordinal, score in found)
    return tuple(Hit(chunk_id, float(-score), by) for score, chunk_id in named[:k])
