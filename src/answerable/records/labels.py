"""Passages pooled for people to judge, and the grades they gave."""

from __future__ import annotations

from dataclasses import dataclass

from answerable.records.docs import Span

GRADES = {
    0: "of no use",
    1: "on the subject, but no part of the answer",
    2: "a part of the answer",
    3: "the whole answer",
}
"""What each grade of a passage means."""


@dataclass(frozen=True, slots=True)
class Pooled:
    """One passage to be judged for one question; nothing in it tells who found it, or how high.

    `document` is a uri, `span` is of its canonical text, and `text` are the characters there.
    """

    id: str
    item_id: str
    question: str
    document: str
    title: str
    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Label:
    """One labeller's grade of one passage, and when (ISO 8601, UTC)."""

    pool_id: str
    labeller: str
    grade: int
    at: str = ""
