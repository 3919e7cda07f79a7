"""Golden evidence with uri, quote and span all filled in, as other formats need it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from answerable.flow.locate import Problem, Read, locate
from answerable.records.docs import Document
from answerable.records.evals import Evidence, GoldenItem, GoldenSet
from answerable.records.index import IndexedDocument


def fix_places(
    golden: GoldenSet, rows: Mapping[str, IndexedDocument], read: Read
) -> tuple[GoldenSet, tuple[Problem, ...]]:
    """The set with each place named by uri, span and the text of the span.

    A quote that stands in several places becomes as many alternatives. Evidence that is not found
    stays as it is written, and is among the problems.
    """
    located = locate(golden, rows, read)
    texts: dict[str, Document] = {}

    def text(id: str) -> Document:
        if id not in texts:
            texts[id] = read(id, rows[id].sha256)
        return texts[id]

    def fixed(one: Evidence) -> Evidence:
        if one.document not in rows:
            return one
        document = text(one.document)
        quote = document.text[one.span.start : one.span.end] if one.span else ""
        return replace(one, document=document.uri, quote=quote)

    items = []
    for written, item in zip(golden.items, located.items, strict=True):
        lost = item.id in located.unmeasured
        items.append(written if lost else _each(item, fixed))
    return replace(golden, items=tuple(items)), located.problems


def _each(item: GoldenItem, fixed: Callable[[Evidence], Evidence]) -> GoldenItem:
    return replace(
        item,
        evidence=tuple(map(fixed, item.evidence)),
        alternatives=tuple(tuple(map(fixed, way)) for way in item.alternatives),
        judged=tuple(map(fixed, item.judged)),
    )
