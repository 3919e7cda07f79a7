"""Golden items and scores: labels name documents and quotes, never pieces."""

from __future__ import annotations

from dataclasses import dataclass

from answerable.records.docs import Span


@dataclass(frozen=True, slots=True)
class Evidence:
    """A place that holds (part of) the answer: a document with an exact quote or a span.

    With neither, the whole document is marked (BEIR). `grade` is the relevance, 1 if ungraded.
    """

    document: str
    quote: str = ""
    span: Span | None = None
    grade: int = 1


@dataclass(frozen=True, slots=True)
class GoldenItem:
    """One marked question; every piece of `evidence` is needed, or all of one alternative.

    `judged` are places that were graded without being a way of answering (grade 0 and below: not
    relevant); they count as judged, and in graded measures of documents, but answer nothing.
    """

    id: str
    question: str
    evidence: tuple[Evidence, ...] = ()
    alternatives: tuple[tuple[Evidence, ...], ...] = ()
    answers: tuple[str, ...] = ()
    answerable: bool = True
    category: str = ""
    group: str = ""
    tags: tuple[str, ...] = ()
    judged: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class GoldenSet:
    """Marked questions as loaded; `sha256` is of the bytes of the files read, and of the split."""

    name: str
    items: tuple[GoldenItem, ...]
    sha256: str


@dataclass(frozen=True, slots=True)
class Score:
    """One item under one metric; `value` None means not measurable, with `why`.

    A value may have a `why` too: what kept it from being better.
    """

    item_id: str
    metric: str
    value: float | None
    why: str = ""
