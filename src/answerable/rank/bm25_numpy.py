"""The scan in numpy: term at a time, rare terms first, common terms only where they can matter."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from answerable.errors import InputError
from answerable.rank.bm25_terms import Scan

Array = NDArray[Any]

SLACK = 1.0 + 1e-9
"""Bounds are widened by this, so that rounding never prunes a chunk that ties."""


def scan(part: Scan, number: int, k: int) -> list[tuple[int, int, float]]:
    """At least the k best chunks of segment `number` (ties cut by ordinal), in no order."""
    try:
        chunks, scores = _score(part, k)
    except IndexError as error:
        raise InputError(
            f"sparse segment {number} is damaged: a posting names no chunk", "build the index again"
        ) from error
    if len(chunks) > k:
        # lexsort is stable over ordinals, so that of equal scores the first stay.
        floor = np.partition(scores, len(scores) - k)[len(scores) - k]
        above = scores >= floor
        chunks, scores = chunks[above], scores[above]
        order = np.lexsort((chunks, -scores))[:k]
        chunks, scores = chunks[order], scores[order]
    return [(number, c, s) for c, s in zip(chunks.tolist(), scores.tolist(), strict=True)]


def _score(part: Scan, k: int) -> tuple[Array, Array]:
    """Chunks with a score above 0 that hold all of the k best."""
    sizes = part.ends - part.starts
    if part.passes is not None:
        allowed = np.flatnonzero(part.passes)
        if len(allowed) * 16 * len(sizes) < int(sizes.sum()):
            return _look_up(part, 0, allowed.astype(np.int32), np.zeros(len(allowed)), None)
    board = np.zeros(len(part.segment))
    # A term adds at most its weight (f / (f + norm) <= 1): MaxScore (Turtle and Flood, 1995).
    rest = np.append(np.cumsum(part.weights[::-1])[::-1], 0.0)
    seen = 0
    for term in range(len(sizes)):
        ahead = int(sizes[term:].sum())
        if seen >= k and ahead > 4 * seen and rest[term] > 0:
            chunks = _positive(part, board)
            scores = board[chunks]
            if len(scores) >= k:
                floor = np.partition(scores, len(scores) - k)[len(scores) - k]
                if rest[term] * SLACK < floor:
                    able = scores + rest[term] * SLACK >= floor
                    return _look_up(part, term, chunks[able], scores[able], rest)
        where = slice(int(part.starts[term]), int(part.ends[term]))
        board[part.chunks(where)] += part.parts(term, where)
        seen += int(sizes[term])
    chunks = _positive(part, board)
    return chunks, board[chunks]


def _positive(part: Scan, board: Array) -> Array:
    scored = board > 0
    if part.passes is not None:
        scored &= part.passes
    return np.flatnonzero(scored).astype(np.int32)


def _look_up(
    part: Scan, first: int, chunks: Array, scores: Array, rest: Array | None
) -> tuple[Array, Array]:
    """Add terms from `first` on to the given chunks only, by binary search in the postings."""
    ordinals = part.segment.ordinals
    for term in range(first, len(part.weights)):
        start, end = int(part.starts[term]), int(part.ends[term])
        places = np.searchsorted(ordinals[start:end], chunks)
        places += start
        inside = np.flatnonzero(places < end)
        inside = inside[ordinals[places[inside]] == chunks[inside]]
        scores[inside] += part.parts(term, places[inside])
    some = scores > 0
    return chunks[some], scores[some]
