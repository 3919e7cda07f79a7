"""Chosen units to an answer: exact quotes in reading order, a table row under its header."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from answerable.grounding.score import Scored
from answerable.grounding.units import Unit
from answerable.records.answers import Answer, Citation, Passage, Sentence
from answerable.records.docs import Document, Span


def compose(
    chosen: Sequence[Scored], passages: Sequence[Passage], documents: Mapping[str, Document]
) -> Answer:
    """The answer that quotes `chosen`: documents in the order chosen, each in reading order.

    Every sentence is its quote, character for character; rows and code begin a line.
    """
    order = {one.unit.document_id: number for number, one in reversed(list(enumerate(chosen)))}
    units = sorted(
        (one.unit for one in chosen), key=lambda unit: (order[unit.document_id], unit.span)
    )
    text = ""
    found: list[Sentence] = []
    placed: set[tuple[str, Span]] = set()
    for unit in units:
        document = documents[unit.document_id]
        for span in (*unit.header, unit.span):
            if (unit.document_id, span) in placed:
                continue
            placed.add((unit.document_id, span))
            quote = document.text[span.start : span.end]
            if text:
                text += "\n" if unit.kind in ("row", "code") or text[-1] in "|\n" else " "
            start = len(text)
            text += quote
            citation = _citation(unit, span, quote, passages)
            found.append(Sentence(Span(start, len(text)), quote, (citation,)))
    return Answer(text=text, value=None, sentences=tuple(found), refused=False)


def _citation(unit: Unit, span: Span, quote: str, passages: Sequence[Passage]) -> Citation:
    passage = passages[unit.passage]
    return Citation(
        document_id=unit.document_id,
        uri=passage.uri,
        title=passage.title,
        link=passage.link,
        path=unit.path,
        span=span,
        quote=quote,
    )
