"""A question's identifiers have a list of their own, whatever the lists are fused by."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from answerable.flow.search import Finder, search
from answerable.rank.analyze import Analyzer
from answerable.records.index import Filter, Hit, Ranking
from answerable.records.recipe import Ask, FusionRule, SearchRule
from fakes import HashEmbedder

CODE = "err-2003"


@dataclass
class Scripted:
    """Ten chunks: the words and the vector prefer `near`, only `right` holds the code."""

    asked: list[tuple[str, ...]] = field(default_factory=list)
    info: Any = field(default_factory=lambda: SimpleNamespace(chunks=10))

    def lexical(self, terms: dict[str, float], depth: int, **_: Any) -> Ranking:
        self.asked.append(tuple(terms))
        if tuple(terms) == (CODE,):
            return (Hit("right", log(1 + 9.5 / 1.5) / 2, "bm25"),)
        ceiling = sum(
            weight * log(1 + (10 - n + 0.5) / (n + 0.5))
            for term, weight in terms.items()
            if (n := self.frequencies(terms)[term])
        )
        return (Hit("near", 0.5 * ceiling, "bm25"), Hit("right", 0.3 * ceiling, "bm25"))

    def dense(self, vector: np.ndarray, depth: int, **_: Any) -> Ranking:
        return (Hit("near", 0.9, "cosine"), Hit("right", 0.2, "cosine"))

    def frequencies(self, terms: dict[str, float]) -> dict[str, int]:
        return {term: 1 if term == CODE else 4 for term in terms}


def found(question: str, ask: Ask) -> dict[str, float]:
    snapshot = Scripted()
    finder = Finder(snapshot, lambda language: Analyzer(), ("en",), HashEmbedder())  # type: ignore[arg-type]
    return {hit.chunk_id: hit.score for hit in search(question, ask, finder, Filter()).final}


def test_under_convex_fusion_a_code_asked_for_counts_as_much_as_all_the_rest() -> None:
    # near: (0.6 * 0.5 + 0.4 * 0.9 + 1 * 0) / 2; right: (0.6 * 0.3 + 0.4 * 0.2 + 1 * 0.5) / 2
    fused = found("Does ERR-2003 stop it?", Ask(fusion=FusionRule("convex", weight=0.4)))
    assert fused == pytest.approx({"near": 0.33, "right": 0.38})


def test_without_the_list_or_without_a_code_the_two_others_decide() -> None:
    # near: 0.6 * 0.5 + 0.4 * 0.9; right: 0.6 * 0.3 + 0.4 * 0.2
    rule = FusionRule("convex", weight=0.4)
    expected = pytest.approx({"near": 0.66, "right": 0.26})
    off = Ask(search=SearchRule(exact=False), fusion=rule)
    assert found("Does ERR-2003 stop it?", off) == expected
    assert found("Does it stop?", Ask(fusion=rule)) == expected


def test_under_rank_fusion_the_code_has_its_list_too() -> None:
    fused = found("Does ERR-2003 stop it?", Ask(fusion=FusionRule("rrf", k=60)))
    assert fused == pytest.approx({"near": 2 / 61, "right": 2 / 62 + 1 / 61})
