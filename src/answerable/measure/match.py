"""What retrieved spans hold of marked evidence, by characters or words of the document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from answerable.records.docs import Span
from answerable.records.evals import Evidence, GoldenItem

Place = tuple[str, Span]
"""A span of a document: (document id, span)."""

SEAM = 2
"""Characters of white space between neighbouring pieces, which belong to neither: a space within a
block, a blank line between two. Cutters leave out nothing else."""


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

    Complete: one span, or several together, cover it without a gap but for a `SEAM`.
    """
    document, span = marked
    others = [place for name, place in retrieved if name == document and place.overlaps(span)]
    if _cover(others, span):
        return "complete"
    return "partial" if others else "none"


def places(evidence: Iterable[Evidence]) -> tuple[Place, ...] | None:
    """The spans of evidence; None when one has no span (anchor its quote first)."""
    found = []
    for item in evidence:
        if item.span is None:
            return None
        found.append((item.document, item.span))
    return tuple(found)


def ways(item: GoldenItem) -> tuple[tuple[Evidence, ...], ...]:
    """The ways of answering an item; each place of one is needed. Grades of 0 and less are none."""
    every = (tuple(e for e in way if e.grade > 0) for way in (item.evidence, *item.alternatives))
    return tuple(way for way in every if way)


def whole_at(item: GoldenItem, retrieved: Sequence[Place]) -> int | None:
    """The depth, from 1, at which all evidence of one way stands whole; None if it never does.

    A place stands whole in one span, or in several together without a gap but for a `SEAM`.
    Evidence without span and quote marks the whole document, and any span of it holds it; a quote
    without a span (not anchored yet) is never held.
    """
    standing = _by_depth(retrieved)
    depths = []
    for way in ways(item):
        needed = [_depth(evidence, standing) for evidence in way]
        if None not in needed:
            depths.append(max(depth for depth in needed if depth is not None))
    return min(depths, default=None)


def touched_at(item: GoldenItem, retrieved: Sequence[Place]) -> int | None:
    """The depth, from 1, of the first span that holds any part of any evidence; None if none."""
    standing = _by_depth(retrieved)
    found = (
        depth
        for way in ways(item)
        for evidence in way
        for depth, span in standing.get(evidence.document, ())
        if touches(evidence, (evidence.document, span))
    )
    return min(found, default=None)


def touches(evidence: Evidence, place: Place) -> bool:
    """Whether a retrieved or cited span shares a character with marked evidence."""
    if evidence.document != place[0]:
        return False
    return not evidence.quote if evidence.span is None else evidence.span.overlaps(place[1])


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


def _by_depth(retrieved: Sequence[Place]) -> dict[str, list[tuple[int, Span]]]:
    found: dict[str, list[tuple[int, Span]]] = {}
    for depth, (document, span) in enumerate(retrieved, 1):
        found.setdefault(document, []).append((depth, span))
    return found


def _depth(evidence: Evidence, standing: dict[str, list[tuple[int, Span]]]) -> int | None:
    parts: list[Span] = []
    for depth, span in standing.get(evidence.document, ()):
        if not touches(evidence, (evidence.document, span)):
            continue
        if evidence.span is None or span.holds(evidence.span):
            return depth
        parts.append(span)
        if _cover(parts, evidence.span):
            return depth
    return None


def _cover(parts: Iterable[Span], span: Span) -> bool:
    merged = _merged([_clip(part, span) for part in parts])
    if not merged or merged[0].start > span.start or merged[-1].end < span.end:
        return False
    return all(after.start - before.end <= SEAM for before, after in pairwise(merged))


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
