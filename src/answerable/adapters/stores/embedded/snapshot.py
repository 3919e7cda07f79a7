"""A generation held open for reading and searching, filling `ports.Snapshot`."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Mapping

import numpy as np

from answerable.adapters.stores.embedded.chunk_table import Mask
from answerable.adapters.stores.embedded.document_table import ORDINAL, SEGMENT, DocumentTable
from answerable.adapters.stores.embedded.generation import Generation
from answerable.adapters.stores.embedded.segment import Segment
from answerable.adapters.stores.embedded.visible import alive, by_segment, may_see
from answerable.errors import NotFound, StaleIndex, UsageError
from answerable.ports import Floats
from answerable.rank import bm25, dense, sparse
from answerable.rank.ties import ranking
from answerable.records.index import Chunk, Filter, GenerationInfo, IndexedDocument, Ranking

_FILTERS = 64

Masks = list[Mask | None]


class EmbeddedSnapshot:
    """One immutable generation; threads may share it, and it stays whole while later ones appear.

    All files are mapped at once, so they can be deleted under it (on Windows deletion waits).
    """

    def __init__(self, generation: Generation) -> None:
        self._generation: Generation | None = generation
        segments = generation.segments
        self._alive = alive(generation.documents, segments)
        self._live = [s.table.spread(m) for s, m in zip(segments, self._alive, strict=True)]
        self._counted = sparse.totals([s.sparse for s in segments], self._live)
        self._allowed: dict[Filter, Masks] = {}
        self._guard = threading.Lock()

    @property
    def info(self) -> GenerationInfo:
        """What the generation says of itself."""
        return self._open.manifest.info

    def documents(self) -> Mapping[str, IndexedDocument]:
        """Rows by document id; a row is read from the file when it is first asked for."""
        return self._open.documents

    def all_open_to(self, principals: Collection[str]) -> bool:
        """Whether who holds `principals` may read every document, told from the distinct ones."""
        who = frozenset(principals)
        return all(access.allows(who) for access in self._open.manifest.facets.access)

    def chunk(self, chunk_id: str) -> Chunk:
        """The chunk of an id; NotFound when this generation has none such."""
        segment, ordinal = self._place(chunk_id)
        return segment.table.chunk(ordinal)

    def chunks_of(self, document_id: str) -> tuple[Chunk, ...]:
        """All chunks of a document, in its order; NotFound for an unknown document."""
        documents = self._table()
        row = documents.find(document_id)
        if row < 0:
            raise NotFound(f"no document {document_id} in generation {self.info.name}")
        place = documents.places[row]
        return self._open.segments[int(place[SEGMENT])].table.chunks_of(int(place[ORDINAL]))

    def vectors(self, chunk_id: str) -> Floats | None:
        """The unit rows (windows, dimensions) of a chunk, or None when nothing was embedded."""
        segment, ordinal = self._place(chunk_id)
        return segment.vectors_of(ordinal)

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
        """BM25 over what `filter` lets through, with the statistics of the whole generation."""
        segments = self._open.segments
        allow = self._masks(filter)

        def search(count: int) -> list[tuple[int, int, float]]:
            return bm25.search(
                [segment.sparse for segment in segments],
                self._live,
                terms,
                count,
                k1=k1,
                b=b,
                lead_boost=lead_boost,
                allow=allow,
                counted=self._counted,
            )

        return ranking(search, k, lambda s, o: segments[s].table.name(o), "lexical")

    def dense(self, question: Floats, k: int, *, filter: Filter) -> Ranking:
        """Cosine to each chunk's best window; a zero vector finds nothing.

        Raises StaleIndex when the question has another width than the stored vectors.
        """
        parts = [(i, s.dense) for i, s in enumerate(self._open.segments) if s.dense is not None]
        flat = np.asarray(question, dtype=np.float32).reshape(-1)
        for _, part in parts:
            if part.vectors.shape[1] != len(flat):
                raise StaleIndex(
                    f"the question has {len(flat)} dimensions, the index {part.vectors.shape[1]}",
                    "the index was embedded by another model: `answerable sync --rebuild`",
                )
        if not parts or not flat.any():
            return ()
        masks = self._masks(filter)
        live = [self._live[i] for i, _ in parts]
        allow = [masks[i] for i, _ in parts]
        vectors = [part for _, part in parts]

        def search(count: int) -> list[tuple[int, int, float]]:
            return list(dense.search(vectors, live, flat, count, allow))

        tables = [self._open.segments[i].table for i, _ in parts]
        return ranking(search, k, lambda s, o: tables[s].name(o), "dense")

    def recall(self, sample: int) -> tuple[float, int] | None:
        """The share, 0..1, of the exact ten nearest that `dense` finds, and of how many questions.

        Asked are up to `sample` stored vectors, evenly spread. None when nothing is measured,
        because every row is compared (see `rank.dense.EXACT`) or there is none.
        """
        parts = [(i, s.dense) for i, s in enumerate(self._open.segments) if s.dense is not None]
        vectors = [part for _, part in parts]
        live = [self._live[i] for i, _ in parts]
        if not dense.approximate(vectors, live):
            return None
        ends = np.cumsum([len(part) for part in vectors])
        asked = np.unique(np.linspace(0, ends[-1] - 1, sample).astype(np.int64))
        places = np.searchsorted(ends, asked, side="right")
        rows = np.stack(
            [
                vectors[at].vectors[row - (ends[at] - len(vectors[at]))]
                for at, row in zip(places.tolist(), asked.tolist(), strict=True)
            ]
        )
        return dense.recall_check(vectors, live, rows), len(rows)

    def frequencies(self, terms: Iterable[str]) -> Mapping[str, int]:
        """How many live chunks hold each term, in text or lead."""
        return sparse.frequencies([s.sparse for s in self._open.segments], self._live, terms)

    def close(self) -> None:
        """Let go of the files; the snapshot cannot be used afterwards."""
        self._generation = None
        self._live, self._alive = [], []
        self._allowed = {}

    @property
    def generation(self) -> Generation:
        """The open files, for the store that writes the next generation."""
        return self._open

    def alive(self) -> list[Mask]:
        """For each segment which of its documents belong to this generation."""
        return self._alive

    @property
    def _open(self) -> Generation:
        if self._generation is None:
            raise UsageError("the snapshot was closed", "open the store's current one again")
        return self._generation

    def _table(self) -> DocumentTable:
        return self._open.documents

    def _place(self, chunk_id: str) -> tuple[Segment, int]:
        for segment, live in zip(self._open.segments, self._live, strict=True):
            ordinal = segment.table.find(chunk_id)
            if ordinal >= 0 and live[ordinal]:
                return segment, ordinal
        raise NotFound(f"no chunk {chunk_id} in generation {self.info.name}")

    def _masks(self, filter: Filter) -> Masks:
        opened = self._open
        if filter.principals is None and not filter.where:
            return [None] * len(opened.segments)
        with self._guard:
            if filter not in self._allowed:
                chosen = may_see(opened.documents, opened.manifest.facets, filter)
                documents = by_segment(opened.documents, opened.segments, chosen)
                while len(self._allowed) >= _FILTERS:
                    self._allowed.pop(next(iter(self._allowed)))
                self._allowed[filter] = [
                    segment.table.spread(mask)
                    for segment, mask in zip(opened.segments, documents, strict=True)
                ]
            return self._allowed[filter]
