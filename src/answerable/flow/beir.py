"""A judged collection measured under one or several cuttings, as published studies do it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from answerable.flow.beir_lists import BeirRule, lists
from answerable.flow.lexemes import Lexemes
from answerable.measure.match import Place, held, held_documents
from answerable.measure.retrieval import exponential, ndcg, recall
from answerable.measure.stats import Mean, mean
from answerable.ports import Embedder
from answerable.rank.analyze import Analyzer
from answerable.records.collection import Collection
from answerable.records.docs import Document, Span
from answerable.records.index import Piece

__all__ = [
    "Asked",
    "BeirResult",
    "BeirRule",
    "Cut",
    "measure_beir",
    "measure_many",
    "measure_rules",
]

Cut = Callable[[Document], Sequence[Piece]]
"""Cuts one document; the title will stand in front of every piece."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question under one cutting; None is not measurable.

    `ndcg` and `ndcg_exponential` at k, `recall` at `keep`, over documents. `held`: one of the
    first k pieces is of a marked document. `words` in those pieces, titles not counted.
    `span_held` and `spans_held`: they hold one marked span, or all of them, completely.
    `ranked` are the documents, `top` the first k pieces.
    """

    id: str
    ndcg: float | None
    ndcg_exponential: float | None
    recall: float | None
    held: float | None
    words: int
    span_held: float | None
    spans_held: float | None
    ranked: tuple[str, ...]
    top: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class BeirResult:
    """A collection under one cutting: means over the measurable questions, and each question."""

    cut: str
    documents: int
    questions: int
    pieces: int
    ndcg: Mean
    ndcg_exponential: Mean
    recall: Mean
    held: Mean
    words: Mean
    span_held: Mean
    spans_held: Mean
    per_question: tuple[Asked, ...]


def measure_beir(
    collection: Collection,
    cut: Cut,
    analyzer: Analyzer,
    rule: BeirRule | None = None,
    embedder: Embedder | None = None,
) -> BeirResult:
    """One cutting measured; see `measure_many`."""
    return measure_many(collection, {"": cut}, analyzer, rule, embedder)[0]


def measure_many(
    collection: Collection,
    cuts: Mapping[str, Cut],
    analyzer: Analyzer,
    rule: BeirRule | None = None,
    embedder: Embedder | None = None,
) -> tuple[BeirResult, ...]:
    """The collection under each of the named cuttings, in their order.

    Texts are analysed once; a cutting only groups their terms. A document of which nothing is cut
    (an empty text) stays as its title alone. Raises UsageError when the rule asks for an embedder
    and none is given.
    """
    chosen = rule or BeirRule()
    lexemes = Lexemes(collection.documents, analyzer.terms)
    languages = tuple(dict.fromkeys(document.language for document in collection.documents))
    queries = [analyzer.query(text, languages) for text in collection.questions.values()]
    return tuple(
        _measured(name, collection, spans, rankings, chosen)
        for name, cut in cuts.items()
        for spans in [_spans(collection, cut)]
        for rankings in lists(collection, spans, lexemes, queries, embedder, [chosen])
    )


def measure_rules(
    collection: Collection,
    cut: Cut,
    analyzer: Analyzer,
    rules: Mapping[str, BeirRule],
    embedder: Embedder | None = None,
) -> tuple[BeirResult, ...]:
    """One cutting under each of the named rules, in their order; equal to measuring each alone."""
    lexemes = Lexemes(collection.documents, analyzer.terms)
    languages = tuple(dict.fromkeys(document.language for document in collection.documents))
    queries = [analyzer.query(text, languages) for text in collection.questions.values()]
    spans = _spans(collection, cut)
    ranked = lists(collection, spans, lexemes, queries, embedder, list(rules.values()))
    return tuple(
        _measured(name, collection, spans, rankings, rule)
        for (name, rule), rankings in zip(rules.items(), ranked, strict=True)
    )


def _spans(collection: Collection, cut: Cut) -> list[list[Span]]:
    return [
        [piece.span for piece in cut(document)] or [Span(0, 0)] for document in collection.documents
    ]


def _measured(
    name: str,
    collection: Collection,
    spans: Sequence[Sequence[Span]],
    rankings: Sequence[Sequence[int]],
    rule: BeirRule,
) -> BeirResult:
    owners = np.repeat(np.arange(len(spans)), [len(found) for found in spans])
    flat = [span for found in spans for span in found]
    asked = tuple(
        _asked(item, ordinals, owners, flat, collection, rule)
        for item, ordinals in zip(collection.questions, rankings, strict=True)
    )

    def over(values: Sequence[float | None]) -> Mean:
        return mean(values, seed=rule.seed)

    return BeirResult(
        name,
        len(collection.documents),
        len(asked),
        len(flat),
        over([a.ndcg for a in asked]),
        over([a.ndcg_exponential for a in asked]),
        over([a.recall for a in asked]),
        over([a.held for a in asked]),
        over([float(a.words) for a in asked]),
        over([a.span_held for a in asked]),
        over([a.spans_held for a in asked]),
        asked,
    )


def _asked(
    item: str,
    ordinals: Sequence[int],
    owners: NDArray[np.int64],
    spans: Sequence[Span],
    collection: Collection,
    rule: BeirRule,
) -> Asked:
    documents = collection.documents
    grades = collection.judgements[item]
    found = owners[ordinals].tolist() if ordinals else []
    ranked = tuple(documents[number].uri for number in list(dict.fromkeys(found))[: rule.keep])
    first = ordinals[: rule.k]
    top = tuple((documents[owners[at]].uri, spans[at]) for at in first)
    marked = [uri for uri, grade in grades.items() if grade > 0]
    places = collection.spans.get(item, ())
    whole = [held(place, top) == "complete" for place in places]
    return Asked(
        item,
        ndcg(ranked, grades, rule.k),
        ndcg(ranked, grades, rule.k, exponential),
        recall(ranked, grades, rule.keep),
        float(held_documents([uri for uri, _ in top], marked, rule.k)) if marked else None,
        sum(
            len(documents[owners[at]].text[spans[at].start : spans[at].end].split()) for at in first
        ),
        float(any(whole)) if whole else None,
        float(all(whole)) if whole else None,
        ranked,
        top,
    )
