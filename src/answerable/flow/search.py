"""A question to rankings: lexical list, dense list, one fused list."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from answerable.errors import UsageError
from answerable.ports import Embedder, Floats, Snapshot
from answerable.rank.analyze import Analyzer
from answerable.rank.fuse import convex, rrf
from answerable.records.index import Filter, Ranking
from answerable.records.recipe import Ask


@dataclass(frozen=True, slots=True)
class Finder:
    """One generation with what turns questions into terms and vectors.

    `embedder` is None when nothing is embedded.
    """

    snapshot: Snapshot
    analyzer: Callable[[str], Analyzer]
    languages: tuple[str, ...]
    embedder: Embedder | None


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


def search(question: str, ask: Ask, finder: Finder, filter: Filter) -> Found:
    """The rankings of one question; UsageError if it has no words.

    Stages: lexical and dense as `ask.search.mode` says; in hybrid also exact, when the question
    holds an identifier, and fused.
    """
    if not question.strip():
        raise UsageError("the question is empty", "ask with at least one word")
    return _search(question, ask, finder, filter, None)


def search_many(questions: Sequence[str], ask: Ask, finder: Finder, filter: Filter) -> list[Found]:
    """As `search` for each question; the questions are embedded together."""
    vectors: Floats | None = None
    if finder.embedder is not None and ask.search.mode != "lexical":
        vectors = finder.embedder.questions(list(questions))
    return [
        _search(question, ask, finder, filter, vectors[number] if vectors is not None else None)
        for number, question in enumerate(questions)
    ]


def question_terms(question: str, finder: Finder) -> dict[str, float]:
    """The weighted terms of a question in every language of the index."""
    terms: dict[str, float] = {}
    for language in finder.languages or ("",):
        for term, weight in finder.analyzer(language).query(question).items():
            terms[term] = max(weight, terms.get(term, 0.0))
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
    if mode == "hybrid":
        exact = _exact(question, ask, finder, filter)
        if exact:
            rankings["exact"] = exact
        rankings["fused"] = _fuse(rankings, ask, terms, finder)
    return Found(rankings, terms, vector)


def _exact(question: str, ask: Ask, finder: Finder, filter: Filter) -> Ranking:
    """The chunks that hold the question's identifiers whole, by BM25 over those alone.

    A vector averages a rare code away and its common parts outvote it in the words, so that
    both lists may agree on the wrong neighbour; the list of its own lets the code count.
    """
    if not ask.search.exact or ask.fusion.by != "rrf":
        return ()
    named = {
        term
        for language in finder.languages or ("",)
        for term in finder.analyzer(language).identifiers(question)
    }
    if not named:
        return ()
    return finder.snapshot.lexical(
        dict.fromkeys(sorted(named), 1.0),
        ask.search.depth,
        k1=ask.search.k1,
        b=ask.search.b,
        lead_boost=ask.search.lead_boost,
        filter=filter,
    )


def _fuse(
    rankings: Mapping[str, Ranking], ask: Ask, terms: Mapping[str, float], finder: Finder
) -> Ranking:
    if ask.fusion.by == "rrf":
        return rrf(rankings, ask.fusion.k)
    weights = {"lexical": 1 - ask.fusion.weight, "dense": ask.fusion.weight}
    lists = {name: rankings[name] for name in weights}
    return convex(lists, weights, {"lexical": (0.0, _ceiling(terms, finder)), "dense": (0, 1)})


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
