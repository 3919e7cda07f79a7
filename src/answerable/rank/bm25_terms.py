"""What one scan of one segment is given, and the formula of a term's part."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from answerable.errors import UsageError
from answerable.rank.sparse_segment import SparseSegment

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Rates:
    """The free values of BM25: k1 >= 0, 0 <= b <= 1, lead_boost >= 0 (what a lead term counts)."""

    k1: float
    b: float
    lead_boost: float

    @classmethod
    def of(cls, k1: float, b: float, lead_boost: float) -> Rates:
        """The values, checked; raises UsageError naming the one out of range."""
        for name, value, most in (
            ("k1", k1, math.inf),
            ("b", b, 1.0),
            ("lead_boost", lead_boost, math.inf),
        ):
            if not (math.isfinite(value) and 0 <= value <= most):
                raise UsageError(
                    f"{name} is {value}", f"{name} is a finite number from 0 to {most}"
                )
        return cls(float(k1), float(b), float(lead_boost))


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    """A segment's postings of a query: term i from starts[i] to ends[i] with weights[i].

    Weights (query weight times idf) fall or stay equal from term to term. `passes` is the bool
    mask of chunks that may be found, None for all. `average` is the mean chunk length.
    """

    segment: SparseSegment
    passes: Array | None
    starts: Array
    ends: Array
    weights: Array
    rates: Rates
    average: float

    @property
    def flat(self) -> float:
        """The part of k1 * (1 - b + b * len / average) that no length changes."""
        return self.rates.k1 * (1.0 - self.rates.b)

    @property
    def slope(self) -> float:
        """What one term of length adds to it."""
        return self.rates.k1 * self.rates.b / self.average

    def chunks(self, postings: Array | slice) -> Array:
        """The chunks of `postings`; unsigned, lest a damaged ordinal count from the end."""
        found: Array = self.segment.ordinals[postings].view(np.uint32)
        return found

    def parts(self, term: int, postings: Array | slice) -> Array:
        """What `postings` of a term add to their chunks' scores."""
        segment, boost = self.segment, self.rates.lead_boost
        chunks = self.chunks(postings)
        count = segment.freqs[postings].astype(np.float64)
        length = segment.lengths[chunks].astype(np.float64)
        if len(segment.lead_freqs):
            count += boost * segment.lead_freqs[postings]
            length += boost * segment.lead_lengths[chunks]
        length *= self.slope
        length += self.flat
        length += count
        with np.errstate(invalid="ignore"):
            count /= length
        if self.rates.k1 == 0.0:
            # 0 / 0: the term stands only in leads that count nothing.
            np.nan_to_num(count, copy=False)
        count *= self.weights[term]
        return count
