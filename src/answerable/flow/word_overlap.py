"""The plainest search there is: how many of the question's words a piece holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Set

from answerable.ports import Snapshot
from answerable.records.index import Filter, Hit, IndexedDocument, Ranking

TITLE = 2
"""What a word of the question weighs in the title of a document, beside 1 in a piece of it."""


def word_overlap(
    terms: Set[str],
    snapshot: Snapshot,
    title_terms: Callable[[IndexedDocument], Set[str]],
    depth: int,
    *,
    filter: Filter,
) -> Ranking:
    """The pieces that share a term with the question, ties by chunk id.

    Score: the different `terms` that stand in the piece (leads not counted), plus `TITLE` for
    each that stands in its document's title. Each term is searched alone and brings every piece
    that holds it, so this is a baseline for small collections.
    """
    shared = Counter(
        hit.chunk_id
        for term in sorted(terms)
        for hit in snapshot.lexical(
            {term: 1.0}, snapshot.info.chunks, k1=1.2, b=0.0, lead_boost=0.0, filter=filter
        )
    )
    titles = {id: TITLE * len(terms & title_terms(row)) for id, row in snapshot.documents().items()}
    hits = [
        Hit(chunk_id, float(count + titles[snapshot.chunk(chunk_id).document_id]), "overlap")
        for chunk_id, count in shared.items()
    ]
    return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))[:depth])
