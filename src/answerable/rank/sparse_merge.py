"""Several segments to one: the live chunks of each, in order, as if built from scratch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from answerable.rank.sparse_counts import masks
from answerable.rank.sparse_layout import Runs, Spelling, assemble, narrow
from answerable.rank.sparse_segment import SparseSegment

Array = NDArray[Any]


def merge(segments: Sequence[SparseSegment], live: Sequence[Array]) -> SparseSegment:
    """One segment of the live chunks of all, segment by segment, ordinals closed up.

    `live[i]` is a bool array over the chunks of segment i. Terms that no live chunk holds are
    dropped. Raises UsageError when a mask does not fit its segment.
    """
    kept = masks(segments, live)
    parts, names = [], []
    base = 0
    for segment, mask in zip(segments, kept, strict=True):
        part, terms = _survivors(segment, mask, base)
        parts.append(part)
        names.append(terms)
        base += int(mask.sum())
    union = sorted(set().union(*names))
    place = {name: i for i, name in enumerate(union)}
    aligned = [
        Runs(
            part.base,
            np.fromiter(map(place.__getitem__, terms), np.int64, len(terms)),
            part.counts,
            part.ordinals,
            part.freqs,
            part.leads,
        )
        for part, terms in zip(parts, names, strict=True)
    ]
    parts.clear()
    return assemble(
        Spelling.of(union),
        np.arange(len(union), dtype=np.int32),
        aligned,
        _lengths([segment.lengths for segment in segments], kept),
        _lengths([segment.lead_lengths for segment in segments], kept),
    )


def _survivors(segment: SparseSegment, mask: Array, base: int) -> tuple[Runs, list[bytes]]:
    sizes = np.diff(segment.starts)
    some = np.flatnonzero(sizes)
    vocabulary = segment.vocabulary()
    ordinals, freqs, leads = segment.ordinals, segment.freqs, segment.lead_freqs
    counts = sizes[some]
    if not mask.all():
        stays = mask[ordinals]
        if len(some):
            counts = np.add.reduceat(stays, segment.starts[some], dtype=np.int64)
        renumber = np.cumsum(mask, dtype=np.int32) - np.int32(1)
        ordinals, freqs = renumber[ordinals[stays]], freqs[stays]
        leads = leads[stays] if len(leads) else leads
        some, counts = some[counts > 0], counts[counts > 0]
    if len(leads) and not leads.any():
        leads = leads[:0]
    runs = Runs(base, some, counts, ordinals, narrow(freqs), narrow(leads))
    return runs, [vocabulary[i] for i in some.tolist()]


def _lengths(arrays: Sequence[Array], kept: Sequence[Array]) -> Array:
    live = [array[mask] for array, mask in zip(arrays, kept, strict=True)]
    return np.concatenate([np.empty(0, np.uint16), *live])
