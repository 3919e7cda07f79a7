"""What asking produces: one Trace with every stage in it."""

from __future__ import annotations

from dataclasses import dataclass

from answerable.records.docs import Span
from answerable.records.index import Chunk, Ranking


@dataclass(frozen=True, slots=True)
class Route:
    """Where a question goes and why: `answer`, `outside` or `refuse`, with the numbers seen."""

    name: str
    reason: str
    evidence: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk as shown to the answerer: `shown` is its span after expansion, `text` that text.

    `rank` counts from 1 in the final ranking.
    """

    chunk: Chunk
    uri: str
    title: str
    link: str
    rank: int
    score: float
    shown: Span
    text: str


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a sentence comes from: `span` in the document's text, `quote` exactly that text."""

    document_id: str
    uri: str
    title: str
    link: str
    path: tuple[str, ...]
    span: Span
    quote: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of an answer: its span in the answer text and its citations.

    `verdict` is supported, unsupported, not_a_claim or not_checked.
    """

    span: Span
    text: str
    citations: tuple[Citation, ...]
    verdict: str = "not_checked"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether every claim of an answer is supported, with the reasons for those that are not."""

    passed: bool
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer or an honest refusal; `value` is the short normalised answer or None."""

    text: str
    value: str | None
    sentences: tuple[Sentence, ...]
    refused: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one model call; `at` is UTC in ISO 8601; None is unknown, never 0."""

    model: str
    at: str
    input: int | None = None
    cached_input: int | None = None
    cache_write: int | None = None
    output: int | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """Everything that happened between a question and its answer.

    `rankings` holds one ranking per stage (lexical, dense, fused, rerank) by name; `dropped` what
    was left out before the answer, with why; `seconds` wall time by stage.
    """

    id: str
    at: str
    recipe_hash: str
    generation: str
    principal: str
    question: str
    route: Route
    rankings: tuple[tuple[str, Ranking], ...]
    passages: tuple[Passage, ...]
    answer: Answer
    verdict: Verdict
    dropped: tuple[tuple[str, str], ...] = ()
    seconds: tuple[tuple[str, float], ...] = ()
    usages: tuple[Usage, ...] = ()
