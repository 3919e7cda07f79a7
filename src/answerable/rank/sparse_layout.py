"""From runs of postings to one segment: counting sort by term, then the bounds for pruning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from answerable.rank.sparse_segment import BLOCK, LEVELS, SparseSegment, prefixes

Array = NDArray[Any]

NEVER = np.iinfo(np.int32).max
"""The shortest length of a count that no chunk of the block has."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """Sorted terms as a segment keeps them: UTF-8, (V+1) offsets, (V) prefixes."""

    blob: Array
    offsets: Array
    keys: Array

    @classmethod
    def of(cls, terms: Sequence[bytes]) -> Spelling:
        """The spelling of terms that are already sorted."""
        offsets = np.zeros(len(terms) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, terms), np.int64, len(terms)), out=offsets[1:])
        return cls(np.frombuffer(b"".join(terms), np.uint8), offsets, prefixes(terms))


@dataclass(frozen=True, slots=True)
class Runs:
    """Postings of some consecutive chunks, grouped by term.

    `terms[i]` is the id of the i-th run and `counts[i]` its postings; a term has one run.
    `ordinals` count from `base`; `leads` is empty when no chunk has a lead.
    """

    base: int
    terms: Array
    counts: Array
    ordinals: Array
    freqs: Array
    leads: Array


def runs(ids: Array, chunks: Array, leads: Array, lead_chunks: Array, base: int) -> Runs:
    """Group tokens (term id, chunk counted from `base`) of body and lead by term and chunk."""
    keys = np.empty(len(ids) + len(leads), np.int64)
    body = keys[: len(ids)]
    body[:] = ids
    body <<= 33
    body |= chunks.astype(np.int64) << 1
    if len(leads):
        keys[len(ids) :] = (leads.astype(np.int64) << 33) | (lead_chunks.astype(np.int64) << 1) | 1
    keys.sort()
    pairs = keys >> 1
    firsts = _firsts(pairs)
    total = np.diff(firsts, append=len(keys))
    in_lead = np.add.reduceat(keys & 1, firsts) if len(leads) else np.empty(0, np.int64)
    pairs = pairs[firsts]
    terms = pairs >> 32
    heads = _firsts(terms)
    return Runs(
        base,
        terms[heads].astype(np.int32),
        np.diff(heads, append=len(terms)).astype(np.int32),
        narrow(pairs & 0xFFFFFFFF),
        narrow(total - in_lead if len(leads) else total),
        narrow(in_lead),
    )


def assemble(
    spelling: Spelling,
    ranks: Array,
    parts: list[Runs],
    lengths: Array,
    lead_lengths: Array,
) -> SparseSegment:
    """One segment of all `parts`, which must follow one another in ordinal; empties `parts`.

    `ranks[id]` is the place of a term id in the spelling.
    """
    starts = np.zeros(len(spelling.offsets), np.int64)
    for part in parts:
        starts[ranks[part.terms] + 1] += part.counts
    np.cumsum(starts, out=starts)
    postings = int(starts[-1])
    counts = _count_type([part.freqs for part in parts] + [part.leads for part in parts])
    ordinals = np.empty(postings, np.int32)
    freqs = np.empty(postings, counts)
    with_leads = any(len(part.leads) for part in parts)
    leads = np.zeros(postings if with_leads else 0, counts)
    cursor = starts[:-1].copy()
    parts.reverse()
    while parts:
        # Popping lets each part's memory go as soon as it is placed.
        part = parts.pop()
        where = ranks[part.terms]
        ahead = np.cumsum(part.counts, dtype=np.int64) - part.counts
        places = np.repeat(cursor[where] - ahead, part.counts)
        places += np.arange(len(places))
        cursor[where] += part.counts
        ordinals[places] = part.ordinals.astype(np.int32) + np.int32(part.base)
        freqs[places] = part.freqs
        if len(part.leads):
            leads[places] = part.leads
    longest = max((int(sizes.max()) for sizes in (lengths, lead_lengths) if len(sizes)), default=0)
    width = np.uint16 if longest < 1 << 16 else np.uint32
    highest, shortest = bounds(
        ordinals, freqs, leads, lengths.astype(np.int32) + lead_lengths.astype(np.int32)
    )
    return SparseSegment.of(
        {
            "terms": spelling.blob,
            "term_offsets": spelling.offsets,
            "keys": spelling.keys,
            "starts": starts,
            "ordinals": ordinals,
            "freqs": freqs,
            "lead_freqs": leads,
            "lengths": lengths.astype(width),
            "lead_lengths": lead_lengths.astype(width),
            "block_freqs": highest,
            "block_lengths": shortest,
        },
        deep=False,
    )


def bounds(ordinals: Array, freqs: Array, leads: Array, lengths: Array) -> tuple[Array, Array]:
    """Per block of postings: the highest count (R,) and the shortest length per count (R, LEVELS).

    These hold for any k1 and b, because BM25 rises with the count and falls with the length
    (block-max bounds: Ding and Suel, SIGIR 2011).
    """
    blocks = -(-len(ordinals) // BLOCK)
    highest = np.zeros(blocks, np.int32)
    shortest = np.full((blocks, LEVELS), NEVER, np.int32)
    slab = BLOCK * 4096
    for start in range(0, len(ordinals), slab):
        stop = min(start + slab, len(ordinals))
        count = freqs[start:stop].astype(np.int32)
        if len(leads):
            count += leads[start:stop]
        length = lengths[ordinals[start:stop]]
        heads = np.arange(0, stop - start, BLOCK)
        row = start // BLOCK
        rows = slice(row, row + len(heads))
        highest[rows] = np.maximum.reduceat(count, heads)
        np.minimum(count, LEVELS, out=count)
        for level in range(LEVELS):
            seen = np.where(count == level + 1, length, NEVER)
            shortest[rows, level] = np.minimum.reduceat(seen, heads)
    return highest, shortest


def narrow(array: Array) -> Array:
    """The same counts in the smallest unsigned type that holds them."""
    return array.astype(np.min_scalar_type(int(array.max()) if len(array) else 0))


def _count_type(parts: Sequence[Array]) -> type[np.uint16 | np.uint32]:
    wide = any(part.dtype.itemsize > 2 for part in parts)
    return np.uint32 if wide else np.uint16


def _firsts(values: Array) -> Array:
    if not len(values):
        return np.empty(0, np.int64)
    changes = np.flatnonzero(values[1:] != values[:-1]) + 1
    return np.concatenate((np.zeros(1, np.int64), changes))
