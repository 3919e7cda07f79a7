"""BM25 in Lucene's form over inverted indexes: k1, b and the weight of leads chosen per query."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from answerable.errors import UsageError
from answerable.rank.bm25_fast import kernels
from answerable.rank.bm25_impacts import MOST, Impacts
from answerable.rank.bm25_numpy import scan
from answerable.rank.bm25_terms import Rates, Scan
from answerable.rank.sparse_counts import Totals, fitting, frequencies, held, masks, totals
from answerable.rank.sparse_segment import SparseSegment, encode

__all__ = ["Found", "frequencies", "search", "search_many"]

Array = NDArray[Any]
Found = list[tuple[int, int, float]]
"""(segment, ordinal, score), best first, ties by segment and ordinal."""


def search(
    segments: Sequence[SparseSegment],
    live: Sequence[Array],
    query: Mapping[str, float],
    k: int,
    *,
    k1: float,
    b: float,
    lead_boost: float,
    allow: Sequence[Array | None] | None = None,
    counted: Totals | None = None,
    fast: bool | None = None,
) -> Found:
    """The k best live and allowed chunks for weighted terms; a chunk that scores 0 is none.

    score = sum over terms of weight * ln(1 + (N - n + 0.5) / (n + 0.5)) * f / (f + k1 * (1 - b +
    b * len / avglen)): Lucene's BM25Similarity without the constant k1 + 1 and with exact lengths
    (Kamphuis et al., ECIR 2020). f = occurrences in the body + lead_boost * occurrences in the
    lead, len likewise; N, n (chunks with f > 0) and avglen are over the live chunks of all
    segments, whatever `allow` lets through. float64 throughout; terms are added in one fixed
    order, so that every way of computing gives the same bits.

    `live[i]` and `allow[i]` are bool arrays over segment i's chunks (`allow` None: all); weights
    >= 0, k1 >= 0, 0 <= b <= 1, lead_boost >= 0, k >= 1. `counted` spares the counting when the
    caller kept `totals(segments, live)`. `fast` True asks for the compiled scan, False for numpy,
    None for whichever pays. Raises UsageError for values out of range, InputError for a damaged
    segment.
    """
    rates = Rates.of(k1, b, lead_boost)
    view = _View.of(segments, live, allow, counted)
    return _one(view, query, k, rates, fast)


def search_many(
    segments: Sequence[SparseSegment],
    live: Sequence[Array],
    queries: Iterable[Mapping[str, float]],
    k: int,
    *,
    k1: float,
    b: float,
    lead_boost: float,
    allow: Sequence[Array | None] | None = None,
    counted: Totals | None = None,
    fast: bool | None = None,
) -> list[Found]:
    """`search` for each query, in order; what they share is prepared once.

    Over one whole segment that is not large every posting is scored before the first query.
    """
    rates = Rates.of(k1, b, lead_boost)
    view = _View.of(segments, live, allow, counted)
    if fast is None and view.passes == [None] and len(segments[0].ordinals) <= MOST:
        impacts = Impacts.of(segments[0], k1=k1, b=b, lead_boost=lead_boost)
        return [
            [(0, *hit) for hit in zip(places.tolist(), scores.tolist(), strict=True)]
            for places, scores in (impacts.best(query, k) for query in queries)
        ]
    return [_one(view, query, k, rates, fast) for query in queries]


@dataclass(frozen=True, slots=True)
class _View:
    """What all queries of a call share: live masks (None: all live), passable masks, totals."""

    segments: Sequence[SparseSegment]
    live: list[Array | None]
    passes: list[Array | None]
    counted: Totals

    @classmethod
    def of(
        cls,
        segments: Sequence[SparseSegment],
        live: Sequence[Array],
        allow: Sequence[Array | None] | None,
        counted: Totals | None,
    ) -> _View:
        alive = [None if mask.all() else mask for mask in masks(segments, live)]
        allowed = [None] * len(segments) if allow is None else list(allow)
        if len(allowed) != len(segments):
            raise UsageError(f"{len(segments)} segments but {len(allowed)} allow masks")
        passes = []
        for i, (segment, mask, may) in enumerate(zip(segments, alive, allowed, strict=True)):
            may = None if may is None else fitting(may, segment, i)
            both = mask & may if mask is not None and may is not None else mask
            passes.append(may if mask is None else both)
        return cls(segments, alive, passes, counted or totals(segments, live))


def _one(view: _View, query: Mapping[str, float], k: int, rates: Rates, fast: bool | None) -> Found:
    if k < 1:
        raise UsageError(f"{k} results asked for", "ask for at least one")
    scans = _scans(view, query, rates)
    postings = sum(int((scan.ends - scan.starts).sum()) for _, scan in scans)
    if not postings:
        return []
    k = min(k, sum(map(len, view.segments)))
    compiled = kernels(postings, fast)
    if compiled is not None:
        found: Found = compiled.best(scans, k)
        return found
    hits = [hit for number, part in scans for hit in scan(part, number, k)]
    return sorted(hits, key=lambda hit: (-hit[2], hit[0], hit[1]))[:k]


def _scans(view: _View, query: Mapping[str, float], rates: Rates) -> list[tuple[int, Scan]]:
    """Per segment that can answer: its postings of the query's terms, heaviest term first."""
    average = view.counted.average(rates.lead_boost)
    if not average:
        return []
    lead = rates.lead_boost > 0
    for term, weight in query.items():
        if not (math.isfinite(weight) and weight >= 0):
            raise UsageError(f"term {term!r} weighs {weight}", "weigh terms from 0 up")
    keys = [encode(term) for term in query]
    columns = [segment.find(keys) for segment in view.segments]
    weighed: list[tuple[float, bytes, list[tuple[int, int]]]] = []
    for i, (key, weight) in enumerate(zip(keys, query.values(), strict=True)):
        places = [column[i] for column in columns]
        n = sum(
            held(segment, mask, *place, lead=lead)
            for segment, mask, place in zip(view.segments, view.live, places, strict=True)
        )
        if n and weight:
            rarity = math.log(1.0 + (view.counted.chunks - n + 0.5) / (n + 0.5))
            weighed.append((weight * rarity, key, places))
    # One order of addition everywhere makes every engine's sums equal to the last bit.
    weighed.sort(key=lambda entry: (-entry[0], entry[1]))
    weights = np.array([entry[0] for entry in weighed])
    scans = []
    for i, segment in enumerate(view.segments):
        spans = np.array([entry[2][i] for entry in weighed], np.int64).reshape(-1, 2)
        some = spans[:, 1] > spans[:, 0]
        if some.any():
            starts, ends = spans[some, 0].copy(), spans[some, 1].copy()
            part = Scan(segment, view.passes[i], starts, ends, weights[some], rates, average)
            scans.append((i, part))
    return scans
