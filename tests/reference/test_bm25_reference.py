"""Order and scores against bm25s, method lucene, in float64."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import bm25s
import numpy as np
import pytest

from answerable.rank import bm25
from answerable.rank.sparse import build

DATA = Path(os.environ.get("ANSWERABLE_DATA", Path(__file__).parents[3] / "shared" / "data"))


def agree(bodies: list[list[str]], queries: list[list[str]], k1: float, b: float) -> None:
    reference = bm25s.BM25(method="lucene", k1=k1, b=b, dtype="float64")
    reference.index(bodies, show_progress=False)
    segment = build(bodies)
    live = [np.ones(len(bodies), np.bool_)]
    for words in queries:
        known = [word for word in words if word in reference.vocab_dict]
        scores = reference.get_scores(known) if known else np.zeros(len(bodies))
        query: dict[str, float] = {}
        for word in words:
            query[word] = query.get(word, 0.0) + 1.0
        for fast in (False, True):
            found = bm25.search([segment], live, query, 100, k1=k1, b=b, lead_boost=1.0, fast=fast)
            assert len(found) == min(100, int((scores > 0).sum()))
            ours = np.array([hit[2] for hit in found])
            names = [hit[1] for hit in found]
            best = np.sort(scores)[::-1][: len(found)]
            np.testing.assert_allclose(ours, best, rtol=0, atol=1e-9)
            np.testing.assert_allclose(ours, scores[names], rtol=0, atol=1e-9)


@pytest.mark.parametrize(("k1", "b"), [(1.2, 0.75), (0.9, 0.4), (1.5, 0.0)])
@pytest.mark.parametrize("seed", [1, 2])
def test_random_corpora(k1, b, seed):
    random = np.random.default_rng(seed)
    bodies = [
        [f"w{word}" for word in random.zipf(1.2, random.integers(1, 80)) if word < 500] or ["w1"]
        for _ in range(1_200)
    ]
    queries = [
        [f"w{word}" for word in random.zipf(1.1, random.integers(1, 12)) if word < 600]
        for _ in range(12)
    ]
    agree(bodies, queries, k1, b)


@pytest.mark.data
def test_scifact():
    def words(text: str) -> list[str]:
        return re.findall(r"\w+", text.lower())

    def rows(name: str) -> list[dict[str, str]]:
        return [json.loads(line) for line in (DATA / "scifact" / name).open(encoding="utf-8")]

    bodies = [words(f"{row['title']} {row['text']}") for row in rows("corpus.jsonl")]
    queries = [words(row["text"]) for row in rows("queries.jsonl")][::10]
    agree(bodies, queries, 1.2, 0.75)
