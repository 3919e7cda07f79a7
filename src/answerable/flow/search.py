"""A question to rankings: lexical list, dense list, one fused list."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from answerable.errors import UsageError
from answerable.flow.word_overlap import word_overlap
from answerable.ports import Embedder, Floats, Snapshot
from answerable.rank.analyze import Analyzer
from answerable.rank.fuse import Bounds, convex, rrf
from answerable.records.index import Filter, IndexedDocument, Ranking
from answerable.records.recipe import Ask

EXACT = 1.0
"""The weight of the identifiers' list in a convex sum, beside the 1 that the other two share: a
code asked for counts as much as all the rest together."""


@dataclass(frozen=True, slots=True)
class Finder:
    """One generation with what turns questions into terms and vectors.

    `embedder` is None when nothing is embedded. `remembered` are terms of questions met before,
    for questions that are asked again and again; None remembers none.
    """

    snapshot: Snapshot
    analyzer: Callable[[str], Analyzer]
    languages: tuple[str, ...]
    embedder: Embedder | None
    remembered: dict[str, dict[str, float]] | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """Every stage's ranking by name, in order; the last one counts.

    `terms` are the question's weighted terms and `vector` its unit vector, for later stages.
    """

    rankings: Mapping[str, Ranking]
    terms: Mapping[str, float]
    vector: Floats | None

    @property
    def final(self) -> Ranking:
        """The ranking of the last stage."""
        return next(reversed(list(self.rankings.values())), ())


def languages_of(snapshot: Snapshot) -> tuple[str, ...]:
    """The languages that a question to a generation is analysed in; see `languages_in`."""
    return languages_in(snapshot.documents().values())


def languages_in(rows: Collection[IndexedDocument]) -> tuple[str, ...]:
    """The languages that at least one in fifty of the documents is written in."""
    counts: dict[str, int] = {}
    for row in rows:
        counts[row.language] = counts.get(row.language, 0) + 1
    return tuple(sorted(code for code, n in counts.items() if n * 50 >= len(rows)))


def search(question: str, ask: Ask, finder: Finder, filter: Filter) -> Found:
    """The rankings of one question; UsageError if it has no words.

    Stages: lexical, dense or overlap as `ask.search.mode` says; in hybrid also exact, when the
    question holds an identifier, and fused.
    """
    if not question.strip():
        raise UsageError("the question is empty", "ask with at least one word")
    return _search(question, ask, finder, filter, None)


def search_many(questions: Sequence[str], ask: Ask, finder: Finder, filter: Filter) -> list[Found]:
    """As `search` for each question; the questions are embedded together."""
    vectors: Floats | None = None
    if finder.embedder is not None and ask.search.embeds:
        vectors = finder.embedder.questions(list(questions))
    return [
        _search(question, ask, finder, filter, vectors[number] if vectors is not None else None)
        for number, question in enumerate(questions)
    ]


def question_terms(question: str, finder: Finder) -> dict[str, float]:
    """The weighted terms of a question in every language of the index."""
    if finder.remembered is not None and question in finder.remembered:
        return finder.remembered[question]
    terms: dict[str, float] = {}
    for language in finder.languages or ("",):
        for term, weight in finder.analyzer(language).query(question).items():
            terms[term] = max(weight, terms.get(term, 0.0))
    if finder.remembered is not None:
        finder.remembered[question] = terms
    return terms


def _search(
    question: str, ask: Ask, finder: Finder, filter: Filter, vector: Floats | None
) -> Found:
    mode, depth = ask.search.mode, ask.search.depth
    terms = question_terms(question, finder)
    rankings: dict[str, Ranking] = {}
    if mode in ("lexical", "hybrid"):
        rankings["lexical"] = finder.snapshot.lexical(
            terms,
            depth,
            k1=ask.search.k1,
            b=ask.search.b,
            lead_boost=ask.search.lead_boost,
            filter=filter,
        )
    if mode in ("dense", "hybrid") and finder.embedder is not None:
        if vector is None:
            vector = finder.embedder.questions([question])[0]
        rankings["dense"] = finder.snapshot.dense(vector, depth, filter=filter)
    if mode == "overlap":
        rankings["overlap"] = word_overlap(
            terms.keys(), finder.snapshot, lambda row: _titled(row, finder), depth, filter=filter
        )
    if mode == "hybrid":
        exact = _exact(question, ask, finder, filter)
        if exact:
            rankings["exact"] = exact
        rankings["fused"] = _fuse(question, rankings, ask, terms, finder)
    return Found(rankings, terms, vector)


def fuse_again(question: str, found: Found, ask: Ask, finder: Finder) -> Ranking:
    """The lists of a hybrid search fused under another rule, without searching anew."""
    return _fuse(question, found.rankings, ask, found.terms, finder)


def _titled(row: IndexedDocument, finder: Finder) -> frozenset[str]:
    return frozenset(finder.analyzer(row.language).terms(row.title).words)


def _exact(question: str, ask: Ask, finder: Finder, filter: Filter) -> Ranking:
    """The chunks that hold the question's identifiers whole, by BM25 over those alone.

    A vector averages a rare code away and its common parts outvote it in the words, so that
    both lists may agree on the wrong neighbour; the list of its own lets the code count.
    """
    named = _named(question, finder) if ask.search.exact else {}
    if not named:
        return ()
    return finder.snapshot.lexical(
        named,
        ask.search.depth,
        k1=ask.search.k1,
        b=ask.search.b,
        lead_boost=ask.search.lead_boost,
        filter=filter,
    )


def _named(question: str, finder: Finder) -> dict[str, float]:
    """The identifiers of a question as terms, each of weight 1."""
    named = {
        term
        for language in finder.languages or ("",)
        for term in finder.analyzer(language).identifiers(question)
    }
    return dict.fromkeys(sorted(named), 1.0)


def _fuse(
    question: str,
    rankings: Mapping[str, Ranking],
    ask: Ask,
    terms: Mapping[str, float],
    finder: Finder,
) -> Ranking:
    if ask.fusion.by == "rrf":
        return rrf(rankings, ask.fusion.k)
    weights = {"lexical": 1 - ask.fusion.weight, "dense": ask.fusion.weight, "exact": EXACT}
    bounds: dict[str, Bounds] = {"lexical": (0.0, _ceiling(terms, finder)), "dense": (0.0, 1.0)}
    if "exact" in rankings:
        bounds["exact"] = (0.0, _ceiling(_named(question, finder), finder))
    return convex({name: rankings[name] for name in bounds}, weights, bounds)


def _ceiling(terms: Mapping[str, float], finder: Finder) -> float:
    chunks = finder.snapshot.info.chunks
    counts = finder.snapshot.frequencies(terms)
    return float(
        sum(
            weight * np.log1p((chunks - n + 0.5) / (n + 0.5))
            for term, weight in terms.items()
            if (n := counts.get(term, 0))
        )
    )
