"""A run as documents in order and a golden set as grades, as TREC files hold them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from answerable.flow.locate import Located
from answerable.measure.documents import grades, ranked
from answerable.records.answers import Trace
from answerable.records.docs import Document
from answerable.records.runs import FoundPiece


def document_rankings(
    located: Located, traces: Mapping[str, Trace], pieces: Mapping[str, FoundPiece]
) -> dict[str, tuple[tuple[str, float], ...]]:
    """Uris with scores by item: each document where its best piece stands in the last stage."""
    found: dict[str, tuple[tuple[str, float], ...]] = {}
    for item in located.items:
        if item.id in traces and traces[item.id].rankings:
            _, final = traces[item.id].rankings[-1]
            first = {pieces[hit.chunk_id].uri: hit.score for hit in reversed(final)}
            order = ranked(pieces[hit.chunk_id].uri for hit in final)
            found[item.id] = tuple((uri, first[uri]) for uri in order)
    return found


def document_grades(
    located: Located, documents: Mapping[str, Document]
) -> dict[str, dict[str, int]]:
    """Grades by item and uri, of the items whose evidence is measurable."""
    return {
        item.id: dict(_named(grades(item), documents))
        for item in located.items
        if item.answerable and item.id not in located.unmeasured and grades(item)
    }


def _named(
    marks: Mapping[str, int], documents: Mapping[str, Document]
) -> Iterator[tuple[str, int]]:
    for name, grade in marks.items():
        yield (documents[name].uri if name in documents else name), grade
