"""A judged collection in the shape of public benchmarks: documents, questions, judgements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from answerable.records.docs import Document, Span


@dataclass(frozen=True, slots=True)
class Collection:
    """Documents and the questions of one split.

    `judgements[question][uri]` is a grade (0 and below: judged, not relevant). `spans[question]`
    are places (uri, span of the document's text) that hold its answer. `problems` names what was
    left out, as `file:line: what`.
    """

    name: str
    split: str
    documents: tuple[Document, ...]
    questions: Mapping[str, str]
    judgements: Mapping[str, Mapping[str, int]]
    spans: Mapping[str, tuple[tuple[str, Span], ...]] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
