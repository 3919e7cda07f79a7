"""A document to what the store keeps of it: chunks, terms and vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from answerable.ports import Entrant, Floats
from answerable.rank.analyze import Analyzer, group
from answerable.records.docs import Document
from answerable.records.index import Chunk, IndexedDocument
from answerable.text.cut import searched

BATCH = 96
"""Chunks embedded together: enough to fill batches of similar length, few enough to resume."""

Cut = Callable[[Document], tuple[Chunk, ...]]
Embed = Callable[[Sequence[str]], tuple[Floats, tuple[int, ...]]]
"""Searched texts to unit rows and, for each row, the index of its text (non-decreasing)."""

Late = Callable[[Document, Sequence[Chunk]], Floats]
"""A document and its chunks to a unit row for each chunk."""


@dataclass(frozen=True, slots=True)
class Preparation:
    """How documents become entrants under one recipe.

    Vectors come from `embed`, piece by piece, or from `late`, a row for each chunk of a document;
    where both are None nothing is embedded.
    """

    cut: Cut
    analyzer: Callable[[str], Analyzer]
    embed: Embed | None
    dimensions: int
    late: Late | None = None


def prepare(
    documents: Iterable[tuple[Document, str]], preparation: Preparation
) -> Iterator[Entrant]:
    """Entrants for (document, source name) pairs.

    Chunks are embedded in batches across documents, so short documents cost no more than their
    share.
    """
    waiting: list[tuple[Document, str, tuple[Chunk, ...]]] = []
    count = 0
    for document, source in documents:
        chunks = preparation.cut(document)
        waiting.append((document, source, chunks))
        count += len(chunks)
        if count >= BATCH:
            yield from _finish(waiting, preparation)
            waiting, count = [], 0
    yield from _finish(waiting, preparation)


def row(document: Document, source: str, chunks: int) -> IndexedDocument:
    """The generation's row of a document."""
    return IndexedDocument(
        id=document.id,
        uri=document.uri,
        title=document.title,
        link=document.link,
        type=document.type,
        language=document.language,
        sha256=document.sha256,
        revision=document.revision,
        source=source,
        access=document.access,
        meta=document.meta,
        chunks=chunks,
        words=len(document.text.split()),
        includes=document.includes,
        notes=document.notes,
    )


def _finish(
    waiting: Sequence[tuple[Document, str, tuple[Chunk, ...]]], preparation: Preparation
) -> Iterator[Entrant]:
    vectors, owners = _vectors(waiting, preparation)
    first = 0
    for document, source, chunks in waiting:
        low, high = np.searchsorted(owners, [first, first + len(chunks)])
        terms, leads = _terms(document, chunks, preparation.analyzer(document.language))
        entrant = Entrant(
            document=row(document, source, len(chunks)),
            chunks=chunks,
            terms=terms,
            lead_terms=leads,
            vectors=vectors[low:high],
            owners=tuple(int(owner) - first for owner in owners[low:high]),
        )
        yield entrant
        first += len(chunks)


def _vectors(
    waiting: Sequence[tuple[Document, str, tuple[Chunk, ...]]], preparation: Preparation
) -> tuple[Floats, NDArray[np.int64]]:
    """The rows of all chunks that wait, and the number of each row's chunk."""
    count = sum(len(chunks) for _, _, chunks in waiting)
    if preparation.late is not None and count:
        late = preparation.late
        rows = [late(document, chunks) for document, _, chunks in waiting if chunks]
        return np.concatenate(rows), np.arange(count, dtype=np.int64)
    if preparation.embed is not None and count:
        texts = [searched(chunk, document) for document, _, chunks in waiting for chunk in chunks]
        vectors, owned = preparation.embed(texts)
        return vectors, np.asarray(owned, dtype=np.int64)
    return np.zeros((0, preparation.dimensions), np.float32), np.zeros(0, np.int64)


def _terms(
    document: Document, chunks: Sequence[Chunk], analyzer: Analyzer
) -> tuple[tuple[tuple[str, ...], ...], tuple[tuple[str, ...], ...]]:
    found = analyzer.terms(document.text)
    bodies = group(found, [chunk.span for chunk in chunks])
    leads = {chunk.lead for chunk in chunks}
    of_lead = {lead: tuple(analyzer.terms(lead).words) for lead in leads}
    return tuple(map(tuple, bodies)), tuple(of_lead[chunk.lead] for chunk in chunks)
