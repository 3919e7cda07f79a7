"""A question to a Trace: find, show, route, answer, check. The only way an answer is made."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from answerable.flow.search import Finder, Found, search
from answerable.grounding.check import check
from answerable.grounding.extract import Extract, extract
from answerable.grounding.function_words import FUNCTION, QUESTION
from answerable.ports import AuditLog, Clock
from answerable.rank.route import route
from answerable.records.answers import Answer, Passage, Trace, Verdict
from answerable.records.docs import Document, Span
from answerable.records.index import Chunk, Filter, IndexedDocument
from answerable.records.recipe import ContextRule, Recipe
from answerable.text.expand import expand

_HIRAGANA = re.compile(r"[\u3041-\u309f]+")  # Japanese writes its grammar in it
BACKGROUND = 1000
"""Chunks that a small collection is taken to be drawn from when words are weighed."""

Documents = Callable[[str, str], Document]
"""The document of an id and a sha256."""


@dataclass(frozen=True, slots=True)
class Asking:
    """What `ask` works with; `new_id` makes trace ids."""

    finder: Finder
    documents: Documents
    recipe: Recipe
    audit: AuditLog
    clock: Clock
    new_id: Callable[[], str]


@dataclass(frozen=True, slots=True)
class Shown:
    """What goes to the answerer, and what was left out with why."""

    passages: tuple[Passage, ...]
    documents: Mapping[str, Document]
    dropped: tuple[tuple[str, str], ...]


def ask(question: str, asking: Asking, filter: Filter, principal: str = "") -> Trace:
    """The whole way of one question, recorded in the audit log before it is returned.

    `filter.principals` are checked in both searches and again before anything is shown.
    """
    clock, rule = asking.clock, asking.recipe.ask
    marks = [clock.seconds()]
    found = search(question, rule, asking.finder, filter)
    marks.append(clock.seconds())
    shown = show(found, rule.context, asking, filter)
    marks.append(clock.seconds())
    drawn = _extract(question, found, shown, asking, filter)
    way = route(drawn.evidence, drawn.missing, rule.route)
    answer = drawn.answer if way.name == "answer" else _refusal(way.reason)
    answer, verdict = check(answer, shown.documents)
    if not verdict.passed:
        answer = _refusal("the answer could not be traced to its sources")
    marks.append(clock.seconds())
    trace = Trace(
        id=asking.new_id(),
        at=clock.now(),
        recipe_hash=asking.recipe.hash(),
        generation=asking.finder.snapshot.info.name,
        principal=principal,
        question=question,
        route=way,
        rankings=tuple(found.rankings.items()),
        passages=shown.passages,
        answer=answer,
        verdict=verdict if not answer.refused else Verdict(verdict.passed, verdict.reasons),
        dropped=shown.dropped,
        seconds=tuple(
            (name, round(after - before, 6))
            for name, before, after in zip(
                ("search", "show", "answer"), marks, marks[1:], strict=False
            )
        ),
    )
    asking.audit.record(trace)
    return trace


def show(found: Found, rule: ContextRule, asking: Asking, filter: Filter) -> Shown:
    """The best passages, expanded within the word budget; access is checked once more."""
    snapshot = asking.finder.snapshot
    rows = snapshot.documents()
    dropped: list[tuple[str, str]] = []
    documents: dict[str, Document] = {}
    passages: list[Passage] = []
    budget, taken = rule.budget, 0
    for number, hit in enumerate(found.final, 1):
        if taken == rule.passages:
            break
        chunk = snapshot.chunk(hit.chunk_id)
        row = rows[chunk.document_id]
        if filter.principals is not None and not row.access.allows(filter.principals):
            dropped.append((chunk.id, "the principal may not read it"))
            continue
        if row.id not in documents:
            documents[row.id] = asking.documents(row.id, row.sha256)
        document = documents[row.id]
        span = expand(document, [chunk.span], rule.expand, max(budget, 1), [chunk.parent])[0]
        holder = next((p.rank for p in passages if _holds(p, row.id, span)), None)
        if holder is not None:
            dropped.append((chunk.id, f"it stands in the passage of rank {holder} already"))
            continue
        taken += 1
        words = len(document.text[span.start : span.end].split())
        if passages and words > budget:
            dropped.append((chunk.id, f"over the budget of {rule.budget} words"))
            continue
        budget -= words
        passages.append(_passage(number, hit.score, chunk, row, document, span))
    return Shown(tuple(passages), documents, tuple(dropped))


def _holds(passage: Passage, document_id: str, span: Span) -> bool:
    return passage.chunk.document_id == document_id and passage.shown.holds(span)


def _passage(
    number: int, score: float, chunk: Chunk, row: IndexedDocument, document: Document, span: Span
) -> Passage:
    return Passage(
        chunk=chunk,
        uri=row.uri,
        title=row.title,
        link=row.link,
        rank=number,
        score=score,
        shown=span,
        text=document.text[span.start : span.end],
    )


def _frequencies(terms: Mapping[str, float], finder: Finder, filter: Filter) -> Mapping[str, int]:
    """In how many chunks each term stands: none if all of them are hidden from the principal.

    A reason that tells a word known from a word unknown would tell what hidden documents hold.
    """
    counts = finder.snapshot.frequencies(terms)
    if filter.principals is None:
        return counts
    may_see = Filter(principals=filter.principals)
    return {
        term: count
        if count
        and finder.snapshot.lexical({term: 1.0}, 1, k1=1.2, b=0.75, lead_boost=1.0, filter=may_see)
        else 0
        for term, count in counts.items()
    }


def _rarity(count: int, chunks: int) -> float:
    """Inverse document frequency as evidence: a word that is absent weighs as one that is rare.

    In a handful of chunks every word is common and an absent one would outweigh all that was
    found; so chunks are counted as `BACKGROUND` at least.
    """
    n, of = max(count, 1), max(chunks, BACKGROUND)
    return float(np.log1p((of - n + 0.5) / (n + 0.5)))


def _extract(question: str, found: Found, shown: Shown, asking: Asking, filter: Filter) -> Extract:
    finder = asking.finder
    chunks = max(finder.snapshot.info.chunks, 1)
    counts = _frequencies(found.terms, finder, filter)
    analyzers = [finder.analyzer(language) for language in finder.languages or ("",)]

    def terms(text: str) -> frozenset[str]:
        return frozenset(word for a in analyzers for word in a.terms(text).words)

    asking_words = terms(" ".join(FUNCTION | QUESTION))
    telling = {
        term: weight
        for term, weight in found.terms.items()
        if term not in asking_words and not _HIRAGANA.fullmatch(term)
    } or found.terms
    weights = {
        term: weight * _rarity(counts.get(term, 0), chunks) for term, weight in telling.items()
    }
    embedder, vector = finder.embedder, found.vector
    similarity: Callable[[Sequence[str]], Sequence[float]] | None = None
    if embedder is not None and vector is not None:
        question_vector, model = vector, embedder

        def similar(texts: Sequence[str]) -> Sequence[float]:
            return [float(s) for s in model.passages(list(texts)) @ question_vector]

        similarity = similar
    return extract(
        question,
        shown.passages,
        shown.documents,
        weights=weights,
        terms=terms,
        known={term for term in found.terms if counts.get(term, 0)},
        similarity=similarity,
        sentences=asking.recipe.ask.answer.sentences,
    )


def _refusal(reason: str) -> Answer:
    return Answer(text="", value=None, sentences=(), refused=True, reason=reason)
