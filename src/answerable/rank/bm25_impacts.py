"""BM25 for many questions to one small segment: what each posting adds is worked out once."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from answerable.errors import UsageError
from answerable.rank.bm25_terms import Rates, Scan
from answerable.rank.sparse_counts import Totals, held, totals
from answerable.rank.sparse_segment import SparseSegment, encode

Array = NDArray[Any]

MOST: Final = 20_000_000
"""Postings up to which this pays: 16 bytes each are kept, and none is skipped in a search."""


@dataclass(frozen=True, slots=True, eq=False)
class Impacts:
    """A segment, all of it live, under one k1, b and weight of leads.

    `ordinals` intp (P), `parts` float64 (P): f / (f + norm) of each posting; `known` remembers a
    term's postings and rarity. Results equal those of `bm25.search` to the last bit.
    """

    segment: SparseSegment
    rates: Rates
    counted: Totals
    ordinals: Array
    parts: Array
    known: dict[str, tuple[int, int, float]] = field(default_factory=dict)

    @classmethod
    def of(cls, segment: SparseSegment, *, k1: float, b: float, lead_boost: float) -> Impacts:
        """Every posting scored; UsageError for a value out of range."""
        rates = Rates.of(k1, b, lead_boost)
        counted = totals([segment], [np.ones(len(segment), np.bool_)])
        average, postings = counted.average(rates.lead_boost), len(segment.ordinals)
        parts = np.zeros(postings)
        if average:
            one, ends = np.zeros(1, np.int64), np.full(1, postings)
            scan = Scan(segment, None, one, ends, np.ones(1), rates, average)
            parts = scan.parts(0, slice(0, postings))
        return cls(segment, rates, counted, segment.ordinals.astype(np.intp), parts)

    def best(
        self,
        query: Mapping[str, float],
        k: int,
        allow: Array | None = None,
        ranks: Array | None = None,
    ) -> tuple[Array, Array]:
        """Ordinals and scores of the k best allowed chunks, best first.

        Of equal scores the one with the smaller of `ranks` (N, all different) is first, the
        smaller ordinal if there are none.
        """
        if k < 1:
            raise UsageError(f"{k} results asked for", "ask for at least one")
        weighed = self._weighed(query)
        if not weighed:
            return np.empty(0, np.intp), np.empty(0)
        # Adds from the first to the last, so in the one order of all engines.
        board = np.bincount(
            np.concatenate([self.ordinals[start:end] for _, _, start, end in weighed]),
            np.concatenate([self.parts[start:end] * -weight for weight, _, start, end in weighed]),
            len(self.segment),
        )
        if allow is not None:
            board[~allow] = 0.0
        chunks = np.flatnonzero(board > 0)
        scores = board[chunks]
        if len(chunks) > k:
            floor = np.partition(scores, len(scores) - k)[len(scores) - k]
            above = scores >= floor
            chunks, scores = chunks[above], scores[above]
        ties = chunks if ranks is None else ranks[chunks]
        order = np.lexsort((ties, -scores))[:k]
        return chunks[order], scores[order]

    def _weighed(self, query: Mapping[str, float]) -> list[tuple[float, bytes, int, int]]:
        """(minus weight times rarity, term, its postings), the heaviest first."""
        found = []
        for term, weight in query.items():
            if not (math.isfinite(weight) and weight >= 0):
                raise UsageError(f"term {term!r} weighs {weight}", "weigh terms from 0 up")
            known = self.known.get(term)
            if known is None:
                known = self.known[term] = self._look_up(term)
            start, end, rarity = known
            if rarity and weight:
                found.append((-(weight * rarity), encode(term), start, end))
        return sorted(found)

    def _look_up(self, term: str) -> tuple[int, int, float]:
        start, end = self.segment.find([encode(term)])[0]
        n = held(self.segment, None, start, end, lead=self.rates.lead_boost > 0)
        rarity = math.log(1.0 + (self.counted.chunks - n + 0.5) / (n + 0.5)) if n else 0.0
        return start, end, rarity
