"""Counts over all segments that scoring needs: live chunks, their lengths, document frequencies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from answerable.errors import UsageError
from answerable.rank.sparse_segment import SparseSegment, encode

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Totals:
    """Live chunks over all segments and how many terms their bodies and leads have together."""

    chunks: int
    body: int
    lead: int

    def average(self, lead_boost: float) -> float:
        """Mean chunk length in terms, a lead term counting `lead_boost`; 0 without chunks."""
        return (self.body + lead_boost * self.lead) / self.chunks if self.chunks else 0.0


def masks(segments: Sequence[SparseSegment], live: Sequence[Array]) -> list[Array]:
    """`live` as checked bool arrays, one per segment; raises UsageError where one does not fit."""
    if len(segments) != len(live):
        raise UsageError(f"{len(segments)} segments but {len(live)} masks of live chunks")
    return [fitting(mask, segments[i], i) for i, mask in enumerate(live)]


def fitting(mask: Array, segment: SparseSegment, number: int) -> Array:
    """`mask` if it is bool and as long as the segment has chunks; raises UsageError."""
    if mask.dtype != np.bool_ or mask.shape != (len(segment),):
        raise UsageError(
            f"mask of type {mask.dtype} {mask.shape} for segment {number} of {len(segment)} chunks",
            "give one bool per chunk",
        )
    return mask


def totals(segments: Sequence[SparseSegment], live: Sequence[Array]) -> Totals:
    """Sums over the live chunks; a snapshot may keep them, they change only with `live`."""
    chunks = body = lead = 0
    for segment, mask in zip(segments, masks(segments, live), strict=True):
        dead = np.flatnonzero(~mask)
        chunks += len(segment) - len(dead)
        body += _sum(segment.lengths) - _sum(segment.lengths[dead])
        lead += _sum(segment.lead_lengths) - _sum(segment.lead_lengths[dead])
    return Totals(chunks, body, lead)


def _sum(lengths: Array) -> int:
    return int(lengths.sum(dtype=np.int64))


def held(segment: SparseSegment, live: Array | None, start: int, end: int, *, lead: bool) -> int:
    """How many live chunks stand in postings start:end; None means that all are live.

    Without `lead` only chunks that hold the term in their body count.
    """
    body_only = not lead and len(segment.lead_freqs) > 0
    if live is None and not body_only:
        return end - start
    stays = np.ones(end - start, np.bool_) if live is None else live[segment.ordinals[start:end]]
    if body_only:
        stays &= segment.freqs[start:end] > 0
    return int(np.count_nonzero(stays))


def frequencies(
    segments: Sequence[SparseSegment], live: Sequence[Array], terms: Iterable[str]
) -> dict[str, int]:
    """How many live chunks hold each term in body or lead; 0 for a term that none holds."""
    checked = [None if mask.all() else mask for mask in masks(segments, live)]
    names = list(dict.fromkeys(terms))
    found = dict.fromkeys(names, 0)
    keys = [encode(name) for name in names]
    for segment, mask in zip(segments, checked, strict=True):
        for name, (start, end) in zip(names, segment.find(keys), strict=True):
            found[name] += held(segment, mask, start, end, lead=True)
    return found
