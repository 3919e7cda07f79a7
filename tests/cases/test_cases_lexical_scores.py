"""Cases G01 and G02 on raw terms: empty states, and small corpora with common terms."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from answerable.rank import bm25
from answerable.rank.sparse import build

ENGINES = pytest.mark.parametrize("fast", [False, True], ids=["numpy", "numba"])


def find(texts: list[str], question: str, fast: bool) -> list[tuple[int, int, float]]:
    segment = build([re.findall(r"\w+", text) for text in texts])
    query: dict[str, float] = {}
    for term in re.findall(r"\w+", question):
        query[term] = query.get(term, 0.0) + 1.0
    live = [np.ones(len(texts), np.bool_)]
    return bm25.search([segment], live, query, 10, k1=1.2, b=0.75, lead_boost=1.0, fast=fast)


@ENGINES
@pytest.mark.parametrize("texts", [[], [""], ["", "..."], ["pump"]])
@pytest.mark.parametrize("question", ["", "   ", "?!", "zzzz", "pump", "pump pump"])
def test_g01_empty_states(texts, question, fast):
    found = find(texts, question, fast)
    if texts == ["pump"] and "pump" in question:
        assert [hit[:2] for hit in found] == [(0, 0)]
        assert math.isfinite(found[0][2])
        assert found[0][2] > 0
    else:
        assert found == []


@ENGINES
@pytest.mark.parametrize(
    ("question", "scores"),
    [
        ("pump alarm", {1: 0.450844, 0: 0.406009, 3: 0.172188}),
        ("alarm", {1: 0.297671, 0: 0.268068}),
        ("valve", {2: 0.382050, 3: 0.334623}),
    ],
)
def test_g02_common_terms_in_a_small_corpus(question, scores, fast):
    docs = ["the pump alarm is silent", "the pump alarm rings", "valve log", "pump valve check"]
    found = find(docs, question, fast)
    assert [hit[1] for hit in found] == list(scores)
    assert [hit[2] for hit in found] == pytest.approx(list(scores.values()), abs=1e-5)
