"""One cutting of a corpus in memory, searched as the served store is searched."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from answerable.errors import NotFound, StaleIndex
from answerable.ports import Floats
from answerable.rank import bm25, dense, sparse
from answerable.rank.bm25_impacts import MOST, Impacts
from answerable.rank.ties import ranking
from answerable.records.index import (
    Chunk,
    Filter,
    GenerationInfo,
    Hit,
    IndexedDocument,
    Ranking,
)

Mask = NDArray[np.bool_]

SEGMENT = 65_536
"""Chunks of one dense segment: as in the embedded store, for its sketches choose per segment."""


@dataclass(frozen=True, slots=True, eq=False)
class Cutting:
    """All chunks of a corpus under one recipe, documents one after the other.

    `first` int64 (documents + 1) is where each document's chunks begin; `ids` are theirs, `places`
    finds a chunk by its id, `ranks` are the places of ids in their order; `terms` holds the chunks
    in the same order.
    """

    chunks: tuple[Chunk, ...]
    first: NDArray[np.int64]
    ids: tuple[str, ...]
    places: Mapping[str, int]
    ranks: NDArray[np.int64]
    terms: sparse.SparseSegment

    @classmethod
    def of(cls, chunks: Sequence[Sequence[Chunk]], terms: sparse.SparseSegment) -> Cutting:
        """The chunks of each document, and their terms; of two equal ids the last is found."""
        flat = tuple(chunk for own in chunks for chunk in own)
        ids = tuple(chunk.id for chunk in flat)
        ranks = np.empty(len(ids), np.int64)
        ranks[sorted(range(len(ids)), key=ids.__getitem__)] = np.arange(len(ids))
        first = np.cumsum([0, *map(len, chunks)])
        return cls(flat, first, ids, {id: at for at, id in enumerate(ids)}, ranks, terms)


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """A recipe's index of a corpus, filling `ports.Snapshot` with the results of a store.

    `rows` are in the order of the corpus; `vectors` are segments of consecutive chunks, `edges`
    where each begins (one more than segments); both empty when nothing is embedded. Threads may
    share it.
    """

    info: GenerationInfo
    rows: Mapping[str, IndexedDocument]
    cutting: Cutting
    vectors_by_segment: tuple[dense.DenseSegment, ...] = ()
    edges: tuple[int, ...] = (0,)
    _numbers: dict[str, int] = field(default_factory=dict)
    _masks: dict[Filter, Mask] = field(default_factory=dict)
    _impacts: dict[tuple[float, float, float], Impacts] = field(default_factory=dict)

    def documents(self) -> Mapping[str, IndexedDocument]:
        """Rows by document id."""
        return self.rows

    def all_open_to(self, principals: Collection[str]) -> bool:
        """Whether who holds `principals` may read every document."""
        return all(row.access.allows(principals) for row in self.rows.values())

    def chunk(self, chunk_id: str) -> Chunk:
        """The chunk of an id; NotFound when there is none such."""
        return self.cutting.chunks[self._place(chunk_id)]

    def chunks_of(self, document_id: str) -> tuple[Chunk, ...]:
        """All chunks of a document, in its order; NotFound for an unknown document."""
        if document_id not in self.rows:
            raise NotFound(f"no document {document_id} in {self.info.name}")
        if not self._numbers:
            self._numbers.update((id, number) for number, id in enumerate(self.rows))
        first, number = self.cutting.first, self._numbers[document_id]
        return self.cutting.chunks[int(first[number]) : int(first[number + 1])]

    def vectors(self, chunk_id: str) -> Floats | None:
        """The unit rows of a chunk, or None when nothing was embedded."""
        place = self._place(chunk_id)
        for number, segment in enumerate(self.vectors_by_segment):
            if self.edges[number] <= place < self.edges[number + 1]:
                own = place - self.edges[number]
                start, end = np.searchsorted(segment.owners, [own, own + 1])
                return np.array(segment.vectors[start:end]) if end > start else None
        return None

    def lexical(
        self,
        terms: Mapping[str, float],
        k: int,
        *,
        k1: float,
        b: float,
        lead_boost: float,
        filter: Filter,
    ) -> Ranking:
        """BM25 over what `filter` lets through, with the statistics of the whole corpus."""
        index, allow = self.cutting.terms, self._allowed(filter)
        cutting = self.cutting
        impacts = self._impacts.get((k1, b, lead_boost))
        if impacts is None and len(index.ordinals) <= MOST:
            impacts = Impacts.of(index, k1=k1, b=b, lead_boost=lead_boost)
            self._impacts[k1, b, lead_boost] = impacts
        if impacts is not None:
            ordinals, scores = impacts.best(terms, k, allow, cutting.ranks)
            ids = map(cutting.ids.__getitem__, ordinals.tolist())
            return tuple(map(Hit, ids, scores.tolist(), repeat("lexical")))
        live = [np.ones(len(index), np.bool_)]

        def search(count: int) -> bm25.Found:
            return bm25.search(
                [index], live, terms, count, k1=k1, b=b, lead_boost=lead_boost, allow=[allow]
            )

        return ranking(search, k, lambda segment, at: cutting.ids[at], "lexical")

    def dense(self, question: Floats, k: int, *, filter: Filter) -> Ranking:
        """Cosine to each chunk's best window; a zero vector finds nothing."""
        flat = np.asarray(question, dtype=np.float32).reshape(-1)
        for segment in self.vectors_by_segment:
            if segment.vectors.shape[1] != len(flat):
                raise StaleIndex(
                    f"the question has {len(flat)} dimensions, "
                    f"the trial {segment.vectors.shape[1]}",
                    "embed both with one model",
                )
        if not self.vectors_by_segment or not flat.any():
            return ()
        mask = self._allowed(filter)
        parts = [slice(a, b) for a, b in pairwise(self.edges)]
        live = [np.ones(part.stop - part.start, np.bool_) for part in parts]
        allow = [None if mask is None else mask[part] for part in parts]

        def search(count: int) -> list[tuple[int, int, float]]:
            return list(dense.search(self.vectors_by_segment, live, flat, count, allow))

        def name(segment: int, at: int) -> str:
            return self.cutting.ids[self.edges[segment] + at]

        return ranking(search, k, name, "dense")

    def frequencies(self, terms: Iterable[str]) -> Mapping[str, int]:
        """How many chunks hold each term, in text or lead."""
        index = self.cutting.terms
        return sparse.frequencies([index], [np.ones(len(index), np.bool_)], terms)

    def close(self) -> None:
        """Nothing is held open; the corpus keeps the trial."""

    def _place(self, chunk_id: str) -> int:
        place = self.cutting.places.get(chunk_id)
        if place is None:
            raise NotFound(f"no chunk {chunk_id} in {self.info.name}")
        return place

    def _allowed(self, filter: Filter) -> Mask | None:
        if filter.principals is None and not filter.where:
            return None
        mask = self._masks.get(filter)
        if mask is None:
            seen = np.array([filter.lets(row) for row in self.rows.values()], np.bool_)
            mask = self._masks[filter] = np.repeat(seen, np.diff(self.cutting.first))
        return mask


def split_vectors(
    vectors: Floats, owners: Sequence[int], first: NDArray[np.int64]
) -> tuple[tuple[dense.DenseSegment, ...], tuple[int, ...]]:
    """Rows and the chunk of each as segments that end where a document does, and their edges."""
    whole: NDArray[Any] = np.asarray(owners, np.int32)
    chunks = int(first[-1])
    edges = [0]
    while edges[-1] < chunks:
        reached = int(np.searchsorted(first, edges[-1] + SEGMENT))
        edges.append(int(first[min(reached, len(first) - 1)]))
    segments = []
    for begin, end in pairwise(edges):
        low, high = np.searchsorted(whole, [begin, end])
        segments.append(dense.build(vectors[low:high], whole[low:high] - np.int32(begin)))
    return tuple(segments), tuple(edges)
