"""Found pieces pooled for people to judge, blind to what found them; grades turned to evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import TypeVar

import numpy as np

from answerable.measure.match import Place
from answerable.records.docs import Document, Span
from answerable.records.evals import Evidence, GoldenItem
from answerable.records.labels import Label, Pooled

T = TypeVar("T")

COVERED = 0.5
"""The share of a piece's characters that others must show for it to be left out."""

WHOLE, PART = 3, 2
"""Grades of passages that hold the whole answer, and a part of it."""

Found = Mapping[str, Sequence[Place]]
"""One arm's pieces by item id, best first: (document id, span)."""


def pool(
    items: Sequence[GoldenItem],
    arms: Iterable[Found],
    documents: Mapping[str, Document],
    depth: int,
    seed: int,
    *,
    known: bool = False,
) -> tuple[Pooled, ...]:
    """The first `depth` pieces of all arms for each item, without repeats, in a seeded order.

    Items are located (`flow.locate`). Short pieces come first; one is left out when half of it or
    more is shown already, so that no arm's cutting decides what is judged. What the item's
    evidence and `judged` already say is left out too, unless `known`. Questions are shuffled, and
    the passages of each; the order of arms and of `documents` does not matter.
    """
    arms = list(arms)
    generator = np.random.default_rng(seed)
    pooled: list[Pooled] = []
    for item in _shuffled(sorted(items, key=lambda item: item.id), generator):
        places = {place for arm in arms for place in arm.get(item.id, ())[:depth]}
        shown = _distinct(places, () if known else tuple(_marks(item)))
        entries = [_entry(item, documents[id], span) for id, span in shown if id in documents]
        pooled += _shuffled(sorted(entries, key=lambda entry: entry.id), generator)
    return tuple(pooled)


def latest(labels: Iterable[Label]) -> dict[str, dict[str, int]]:
    """Grades by labeller and passage; a later label of one labeller replaces the earlier."""
    found: dict[str, dict[str, int]] = {}
    for label in labels:
        found.setdefault(label.labeller, {})[label.pool_id] = label.grade
    return found


def settle(grades: Mapping[str, Mapping[str, int]]) -> tuple[dict[str, int], tuple[str, ...]]:
    """One grade per passage from all labellers, and the passages to look at again.

    The middle grade, the lower of the two middle ones. Two labellers who differ by 2 or more
    settle nothing: a third is needed.
    """
    by_passage: dict[str, list[int]] = {}
    for given in grades.values():
        for passage, grade in given.items():
            by_passage.setdefault(passage, []).append(grade)
    settled: dict[str, int] = {}
    open_: list[str] = []
    for passage, votes in by_passage.items():
        votes.sort()
        if len(votes) == 2 and votes[1] - votes[0] >= 2:
            open_.append(passage)
        else:
            settled[passage] = votes[(len(votes) - 1) // 2]
    return settled, tuple(open_)


def graded(
    item: GoldenItem, passages: Iterable[Pooled], grades: Mapping[str, int]
) -> tuple[GoldenItem, str]:
    """The item with graded passages as evidence, and why nothing was changed ('' if it was).

    A passage of grade 3 is a way of answering by itself. Where an item has no way and none of
    grade 3, those of grade 2 are one way together. All others are `judged` with their grade.
    """
    marked = [
        Evidence(one.document, one.text, one.span, grades[one.id])
        for one in passages
        if one.item_id == item.id and one.id in grades
    ]
    if not marked:
        return item, ""
    if not item.answerable and any(one.grade == WHOLE for one in marked):
        return item, "it is marked not answerable, and a passage is graded 3"
    old = {(one.document, one.span) for one in _marks(item)}
    new = [one for one in marked if (one.document, one.span) not in old]
    ways = [way for way in (item.evidence, *item.alternatives) if way]
    ways += [(one,) for one in new if one.grade == WHOLE]
    parts = tuple(one for one in new if one.grade == PART)
    if item.answerable and not ways and parts:
        ways.append(parts)
    used = {one for way in ways for one in way}
    judged = (*item.judged, *(one for one in new if one not in used))
    return replace(
        item,
        evidence=ways[0] if ways else (),
        alternatives=tuple(ways[1:]),
        judged=judged,
    ), ""


def _distinct(places: Iterable[Place], marks: Sequence[Evidence]) -> Iterator[Place]:
    known: dict[str, list[Span]] = {}
    for one in marks:
        if one.span is not None:
            known.setdefault(one.document, []).append(one.span)
    whole = {one.document for one in marks if one.span is None}
    for document, span in sorted(places, key=lambda place: (len(place[1]), place)):
        others = known.setdefault(document, [])
        if document in whole or any(_within(mark, document, span) for mark in marks):
            continue
        if not len(span) or _covered(span, others) >= COVERED * len(span):
            continue
        others.append(span)
        yield document, span


def _within(mark: Evidence, document: str, span: Span) -> bool:
    """Whether a piece holds marked evidence, and so is known to help."""
    if mark.document != document or mark.grade <= 0 or mark.span is None:
        return False
    return span.holds(mark.span)


def _covered(span: Span, others: Iterable[Span]) -> int:
    """How many characters of a span the others hold together."""
    total, reached = 0, span.start
    for other in sorted(others):
        start, end = max(other.start, reached), min(other.end, span.end)
        if end > start:
            total += end - start
            reached = end
    return total


def _entry(item: GoldenItem, document: Document, span: Span) -> Pooled:
    key = f"{item.id}\n{document.uri}\n{span.start}\n{span.end}"
    return Pooled(
        sha256(key.encode()).hexdigest()[:16],
        item.id,
        item.question,
        document.uri,
        document.title,
        span,
        document.text[span.start : span.end],
    )


def _marks(item: GoldenItem) -> Iterator[Evidence]:
    for way in (item.evidence, *item.alternatives, item.judged):
        yield from way


def _shuffled(values: Sequence[T], generator: np.random.Generator) -> list[T]:
    return [values[at] for at in generator.permutation(len(values))]
