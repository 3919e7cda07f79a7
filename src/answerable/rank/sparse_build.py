"""Terms of chunks to a segment: chunk by chunk, or from term ids that several cuttings share."""

from __future__ import annotations

import itertools
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from answerable.errors import InputError
from answerable.rank.sparse_layout import Runs, Spelling, assemble, runs
from answerable.rank.sparse_segment import SparseSegment, encode

Array = NDArray[Any]

TOKENS: Final = 1 << 20
CHUNKS: Final = 1 << 16
"""How much is grouped at once: keeps the sort in cache and a part's ordinals in two bytes."""


class _Ids(dict[str, int]):
    """Term -> id in the order of first sight."""

    def __missing__(self, term: str) -> int:
        self[term] = found = len(self)
        return found


class Builder:
    """Takes chunks one by one and keeps them as compact postings; `finish` ends it.

    `batch` is how many terms are grouped at once. The whole process
    was seen to peak at 13 bytes per posting (1 M chunks, no leads).
    """

    def __init__(self, batch: int = TOKENS) -> None:
        self._batch = batch
        self._ids = _Ids()
        self._parts: list[Runs] = []
        self._lengths = array("i")
        self._lead_lengths = array("i")
        self._body = array("i")
        self._lead = array("i")
        self._base = 0

    def __len__(self) -> int:
        return len(self._lengths)

    def add(self, terms: Sequence[str], lead_terms: Sequence[str] = ()) -> None:
        """Append the next chunk by the terms of its body and of its lead, in any order."""
        self._body.extend(map(self._ids.__getitem__, terms))
        self._lengths.append(len(terms))
        if lead_terms:
            self._lead.extend(map(self._ids.__getitem__, lead_terms))
        self._lead_lengths.append(len(lead_terms))
        held = len(self._body) + len(self._lead)
        if held >= self._batch or len(self._lengths) - self._base >= CHUNKS:
            self._flush()

    def finish(self) -> SparseSegment:
        """The segment of all chunks added, in their order; the builder is empty afterwards."""
        self._flush()
        ids = self._ids
        names = sorted(ids)
        ranks = np.empty(len(names), np.int32)
        ranks[np.fromiter(map(ids.__getitem__, names), np.int64, len(names))] = np.arange(
            len(names), dtype=np.int32
        )
        self._ids = _Ids()
        del ids
        spelling = Spelling.of([encode(name) for name in names])
        del names
        lengths = np.array(self._lengths, np.int32)
        lead_lengths = np.array(self._lead_lengths, np.int32)
        parts, self._parts = self._parts, []
        self._lengths, self._lead_lengths, self._base = array("i"), array("i"), 0
        return assemble(spelling, ranks, parts, lengths, lead_lengths)

    def _flush(self) -> None:
        base, self._base = self._base, len(self._lengths)
        lengths = np.array(self._lengths[base:], np.int32)
        lead_lengths = np.array(self._lead_lengths[base:], np.int32)
        body, self._body = self._body, array("i")
        lead, self._lead = self._lead, array("i")
        if body or lead:
            self._parts.append(
                _part(np.array(body), lengths, np.array(lead, np.int32), lead_lengths, base)
            )


def build(
    terms: Iterable[Sequence[str]], lead_terms: Iterable[Sequence[str]] | None = None
) -> SparseSegment:
    """A segment of chunks given by the terms of their bodies and leads.

    `lead_terms` is one sequence per chunk, or None when no chunk has a lead. Raises InputError
    when the two differ in number.
    """
    builder = Builder()
    if lead_terms is None:
        for words in terms:
            builder.add(words)
        return builder.finish()
    try:
        for words, lead in zip(terms, lead_terms, strict=True):
            builder.add(words, lead)
    except ValueError as error:
        raise InputError(
            f"terms and lead terms differ in number after {len(builder)} chunks",
            "give one sequence of lead terms per chunk, () where it has no lead",
        ) from error
    return builder.finish()


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """Terms by id, spelled and sorted once for any number of cuttings.

    `ranks[id]` is the place of term `id` among the sorted ones.
    """

    spelling: Spelling
    ranks: Array

    @classmethod
    def of(cls, terms: Sequence[str]) -> Vocabulary:
        """The vocabulary whose ids are the positions in `terms`, all different."""
        order = sorted(range(len(terms)), key=terms.__getitem__)
        spelled = [encode(terms[i]) for i in order]
        for left, right in itertools.pairwise(spelled):
            if left == right:
                raise InputError(f"term {right.decode('utf-8', 'replace')!r} stands twice")
        ranks = np.empty(len(terms), np.int32)
        ranks[np.array(order, np.int64)] = np.arange(len(terms), dtype=np.int32)
        return cls(Spelling.of(spelled), ranks)


def build_ids(
    vocabulary: Vocabulary | Sequence[str],
    ids: Array,
    offsets: Array,
    lead_ids: Array | None = None,
    lead_offsets: Array | None = None,
    batch: int = TOKENS,
) -> SparseSegment:
    """A segment of chunks given by term ids: chunk i holds ids[offsets[i]:offsets[i+1]].

    Spans may overlap (offsets is (n+1,) for adjoining chunks, or (n, 2) for any), so one array of
    ids serves every cutting of a document. Terms of the vocabulary that no chunk holds stay in
    it without postings. Raises InputError for ids or offsets out of range.
    """
    words = vocabulary if isinstance(vocabulary, Vocabulary) else Vocabulary.of(vocabulary)
    ids, spans = _tokens(ids, offsets, len(words.ranks), "ids")
    if lead_ids is None or lead_offsets is None:
        leads, lead_spans = np.empty(0, np.int32), np.zeros((len(spans), 2), np.int64)
    else:
        leads, lead_spans = _tokens(lead_ids, lead_offsets, len(words.ranks), "lead_ids")
    if len(lead_spans) != len(spans):
        raise InputError(f"{len(spans)} chunks but {len(lead_spans)} leads")
    lengths = (spans[:, 1] - spans[:, 0]).astype(np.int32)
    lead_lengths = (lead_spans[:, 1] - lead_spans[:, 0]).astype(np.int32)
    parts: list[Runs] = []
    ahead = np.cumsum(lengths + lead_lengths, dtype=np.int64)
    start = 0
    while start < len(spans):
        before = int(ahead[start - 1]) if start else 0
        stop = int(np.searchsorted(ahead, before + batch, side="right"))
        stop = max(start + 1, min(stop, start + CHUNKS))
        body, lead = _flat(ids, spans[start:stop]), _flat(leads, lead_spans[start:stop])
        if len(body) or len(lead):
            parts.append(_part(body, lengths[start:stop], lead, lead_lengths[start:stop], start))
        start = stop
    return assemble(words.spelling, words.ranks, parts, lengths, lead_lengths)


def _part(body: Array, lengths: Array, lead: Array, lead_lengths: Array, base: int) -> Runs:
    chunks = np.arange(len(lengths), dtype=np.int32)
    return runs(body, np.repeat(chunks, lengths), lead, np.repeat(chunks, lead_lengths), base)


def _tokens(ids: Array, offsets: Array, terms: int, name: str) -> tuple[Array, Array]:
    ids, spans = np.asarray(ids), np.asarray(offsets, np.int64)
    if spans.ndim == 1:
        spans = np.stack((spans[:-1], spans[1:]), axis=1)
    if ids.ndim != 1 or ids.dtype.kind not in "iu" or spans.ndim != 2 or spans.shape[1] != 2:
        raise InputError(f"{name} of type {ids.dtype} {ids.shape} with offsets {spans.shape}")
    if len(ids) and not (int(ids.min()) >= 0 and int(ids.max()) < terms):
        raise InputError(f"{name} run from {ids.min()} to {ids.max()} but there are {terms} terms")
    begins, ends = spans[:, 0], spans[:, 1]
    fits = bool(np.all((begins >= 0) & (begins <= ends) & (ends <= len(ids))))
    if not fits:
        raise InputError(f"offsets of {name} run backwards or past its {len(ids)} tokens")
    return ids, spans


def _flat(ids: Array, spans: Array) -> Array:
    begins, ends = spans[:, 0], spans[:, 1]
    if len(spans) and np.array_equal(begins[1:], ends[:-1]):
        joined: Array = ids[begins[0] : ends[-1]]
        return joined
    sizes = ends - begins
    ahead = np.cumsum(sizes) - sizes
    where = np.repeat(begins - ahead, sizes)
    where += np.arange(len(where))
    picked: Array = ids[where]
    return picked
