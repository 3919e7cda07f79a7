"""What retrieved spans hold of marked evidence, by characters or words of the document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from answerable.records.docs import Span
from answerable.records.evals import Evidence, GoldenItem

Place = tuple[str, Span]
"""A span of a document: (document id, span)."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """Shared units of retrieved and marked spans; each value 0..1 or None when not defined.

    `recall` over the marked units, `precision` over the retrieved, `iou` over both together
    (Smith & Troynikov, "Evaluating chunking strategies for retrieval", 2024). A unit that was
    retrieved twice counts twice against precision and IoU.
    """

    recall: float | None
    precision: float | None
    iou: float | None


def held(marked: Place, retrieved: Iterable[Place]) -> str:
    """How `retrieved` spans hold a marked one: `complete`, `partial` or `none`.

    Complete: one span, or several together, cover it without a gap.
    """
    document, span = marked
    others = [place for name, place in retrieved if name == document and place.overlaps(span)]
    if any(place.holds(span) for place in others):
        return "complete"
    covered = _length(_merged([_clip(place, span) for place in others]))
    if covered and covered == len(span):
        return "complete"
    return "partial" if covered else "none"


def places(evidence: Iterable[Evidence]) -> tuple[Place, ...] | None:
    """The spans of evidence; None when one has no span (anchor its quote first)."""
    found = []
    for item in evidence:
        if item.span is None:
            return None
        found.append((item.document, item.span))
    return tuple(found)


def complete(item: GoldenItem, retrieved: Sequence[Place], k: int) -> bool | None:
    """Whether the first k spans hold all evidence of an item, or all of one alternative.

    Evidence without span and quote marks the whole document: any span of it holds it. None when
    the item has no evidence, or only such with quotes that are not anchored yet.
    """
    top = retrieved[:k]
    names = {name for name, _ in top}
    ways = [way for way in (item.evidence, *item.alternatives) if way]
    known = [way for way in ways if not any(e.span is None and e.quote for e in way)]
    if not known:
        return None
    return any(
        all(
            e.document in names if e.span is None else held((e.document, e.span), top) == "complete"
            for e in way
        )
        for way in known
    )


def touched(item: GoldenItem, retrieved: Sequence[Place], k: int) -> bool | None:
    """Whether one of the first k spans holds any part of any evidence; None without evidence."""
    every = [e for way in (item.evidence, *item.alternatives) for e in way]
    if not every:
        return None
    return any(
        e.document == name and (e.span is None or e.span.overlaps(span))
        for e in every
        for name, span in retrieved[:k]
    )


def held_documents(documents: Sequence[str], marked: Iterable[str], k: int) -> bool:
    """Whether one of the first k pieces (given by their documents) is of a marked document."""
    return not set(documents[:k]).isdisjoint(marked)


def overlap(
    marked: Sequence[Place],
    retrieved: Sequence[Place],
    units: dict[str, NDArray[np.int64]] | None = None,
) -> Overlap:
    """Recall, precision and IoU of retrieved against marked spans.

    Counted in characters, or in `units`: per document the (n, 2) spans of its words or tokens; a
    unit belongs to a span when it overlaps it.
    """
    wanted = _by_document(marked)
    got = _by_document(retrieved)
    want_total = got_total = shared = 0
    for document in wanted.keys() | got.keys():
        want = _merged(wanted.get(document, []))
        each = got.get(document, [])
        if units is None:
            want_total += _length(want)
            got_total += sum(len(span) for span in each)
            shared += _length(_intersection(want, _merged(each)))
        else:
            rows = units[document]
            inside = _members(rows, want)
            want_total += int(inside.sum())
            got_total += sum(int(_members(rows, [span]).sum()) for span in each)
            shared += int((inside & _members(rows, each)).sum())
    either = want_total + got_total - shared
    return Overlap(
        shared / want_total if want_total else None,
        shared / got_total if got_total else (0.0 if want_total else None),
        shared / either if either else None,
    )


def _by_document(spans: Iterable[Place]) -> dict[str, list[Span]]:
    found: dict[str, list[Span]] = {}
    for document, span in spans:
        found.setdefault(document, []).append(span)
    return found


def _clip(span: Span, within: Span) -> Span:
    return Span(max(span.start, within.start), min(span.end, within.end))


def _merged(spans: Iterable[Span]) -> list[Span]:
    found: list[Span] = []
    for span in sorted(span for span in spans if span.end > span.start):
        if found and span.start <= found[-1].end:
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
        else:
            found.append(span)
    return found


def _intersection(left: Sequence[Span], right: Sequence[Span]) -> list[Span]:
    return [_clip(a, b) for a in left for b in right if a.overlaps(b)]


def _length(spans: Iterable[Span]) -> int:
    return sum(len(span) for span in spans)


def _members(rows: NDArray[np.int64], spans: Iterable[Span]) -> NDArray[np.bool_]:
    inside = np.zeros(len(rows), dtype=bool)
    for span in spans:
        inside |= (rows[:, 0] < span.end) & (rows[:, 1] > span.start)
    return inside
