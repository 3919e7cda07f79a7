"""Cosine search over unit vectors: exact while small, then by sketches, always scored exactly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from answerable.errors import UsageError
from answerable.rank.dense_segment import DenseSegment, build, merge, unit
from answerable.rank.sketch import nearest

__all__ = [
    "DenseSegment",
    "Found",
    "approximate",
    "build",
    "merge",
    "recall_check",
    "search",
    "search_many",
]

Array = NDArray[Any]
Found = list[tuple[int, int, float]]
"""(segment, ordinal, cosine), best first, ties by segment and ordinal."""

EXACT: Final = 20_000
"""Up to this many rows are all compared, which takes about 4 ms for 384 dimensions."""

EXACT_PICKED: Final = 2_000
"""The same for rows picked by a filter, which must be gathered first."""

POOL: Final = 1_024
"""Rows that the sketch lets through to exact scores, at least; recall: see `recall_check`."""

BLOCK: Final = 1 << 16


def search(
    segments: Sequence[DenseSegment],
    live: Sequence[Array],
    question: Array,
    k: int,
    allow: Sequence[Array | None] | None = None,
    *,
    exact: bool = False,
) -> Found:
    """The k live and allowed chunks nearest to `question`; a chunk scores as its best row.

    `question` is a vector of any length > 0; a zero vector finds nothing and a zero row is never
    found. `live[i]` and `allow[i]` are bool arrays over segment i's chunks (None: all). Returned
    cosines are float64 sums over the float32 rows, whichever way the rows were found; `exact`
    compares every row. Raises UsageError for a question of another width or not finite, or k < 1.
    """
    if k < 1:
        raise UsageError(f"k = {k} asks for no result", "give 1 or more")
    asked = np.asarray(question, dtype=np.float64).reshape(-1)
    if not np.isfinite(asked).all():
        raise UsageError("the question's vector is not finite", "embed the question again")
    if not asked.any() or not segments:
        return []
    asked = unit(asked[None])[0]
    found: list[tuple[float, int, int]] = []
    for number, segment in enumerate(segments):
        if segment.vectors.shape[1] != len(asked):
            raise UsageError(
                f"the question has {len(asked)} dimensions, the index {segment.vectors.shape[1]}",
                "the index was embedded by another model: rebuild it",
            )
        passes = _passes(live[number], allow[number] if allow else None)
        rows = segment.rows_of(passes)
        for ordinal, score in _best(segment, rows, asked, k, exact):
            found.append((-score, number, ordinal))
    found.sort()
    return [(number, ordinal, -score) for score, number, ordinal in found[:k]]


def search_many(
    segments: Sequence[DenseSegment],
    live: Sequence[Array],
    questions: Array,
    k: int,
    allow: Sequence[Array | None] | None = None,
    *,
    exact: bool = False,
) -> list[Found]:
    """`search` for each row of `questions`, with the same result."""
    return [search(segments, live, row, k, allow, exact=exact) for row in questions]


def approximate(segments: Sequence[DenseSegment], live: Sequence[Array]) -> bool:
    """Whether an unfiltered `search` leaves any row uncompared."""
    return any(
        not _few(len(segment.owners) if rows is None else len(rows), rows)
        for segment, alive in zip(segments, live, strict=True)
        for rows in (segment.rows_of(_passes(alive, None)),)
    )


def recall_check(
    segments: Sequence[DenseSegment], live: Sequence[Array], questions: Array, k: int = 10
) -> float:
    """The share of the exact k best chunks that `search` finds, over all questions; 0..1.

    1.0 when nothing is there to be found.
    """
    wanted = hits = 0
    for row in questions:
        truth = {found[:2] for found in search(segments, live, row, k, exact=True)}
        seen = {found[:2] for found in search(segments, live, row, k)}
        wanted += len(truth)
        hits += len(truth & seen)
    return hits / wanted if wanted else 1.0


def _passes(live: Array, allow: Array | None) -> Array | None:
    if allow is not None:
        return np.logical_and(live, allow)
    return None if bool(np.all(live)) else np.asarray(live, dtype=bool)


def _best(
    segment: DenseSegment, rows: Array | None, asked: Array, k: int, exact: bool
) -> list[tuple[int, float]]:
    """Up to k (ordinal, cosine) of a segment; `rows` None means all of them."""
    total = len(segment.owners) if rows is None else len(rows)
    few = _few(total, rows)
    wanted = max(4 * k, 64)
    while True:
        pool = rows
        if not (exact or few):
            pool = nearest(segment.signs, segment.finer, asked, max(4 * wanted, POOL), rows)
        picked = _top(segment, pool, asked, wanted)
        ordinals, scores = _scored(segment, picked, asked)
        # the best rows may be windows of fewer than k chunks: look further
        if len(ordinals) >= k or wanted >= total:
            order = np.lexsort((ordinals, -scores))[:k]
            return list(zip(ordinals[order].tolist(), scores[order].tolist(), strict=True))
        wanted *= 4


def _few(total: int, rows: Array | None) -> bool:
    return total <= (EXACT if rows is None else EXACT_PICKED)


def _top(segment: DenseSegment, rows: Array | None, asked: Array, wanted: int) -> Array:
    """The `wanted` best of `rows` (None: all) by float32 cosine, in no order."""
    question = asked.astype(np.float32)
    total = len(segment.owners) if rows is None else len(rows)
    if total <= wanted:
        return np.arange(total) if rows is None else rows
    scores = np.empty(total, dtype=np.float32)
    for start in range(0, total, BLOCK):
        part = slice(start, min(start + BLOCK, total))
        block = segment.vectors[part] if rows is None else segment.vectors[rows[part]]
        np.matmul(block, question, out=scores[part])
    best = np.argpartition(scores, total - wanted)[total - wanted :]
    return best if rows is None else rows[best]


def _scored(segment: DenseSegment, rows: Array, asked: Array) -> tuple[Array, Array]:
    """Chunks of `rows` that are not zero, and the best float64 cosine of each."""
    vectors = segment.vectors[rows]
    scores = (vectors.astype(np.float64) * asked).sum(axis=1)
    there = vectors.any(axis=1)
    scores, owners = scores[there], segment.owners[rows][there]
    ordinals, first = np.unique(owners, return_inverse=True)
    best = np.full(len(ordinals), -np.inf)
    np.maximum.at(best, first, scores)
    return ordinals, np.clip(best, -1.0, 1.0)
