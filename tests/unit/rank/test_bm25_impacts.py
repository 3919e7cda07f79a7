from __future__ import annotations

import math

import numpy as np
import pytest

from answerable.errors import UsageError
from answerable.rank import bm25
from answerable.rank.bm25_impacts import Impacts
from answerable.rank.sparse import build

FREE = {"k1": 1.2, "b": 0.75, "lead_boost": 1.0}


def zipfian(chunks: int, seed: int) -> tuple[list[list[str]], list[list[str]]]:
    random = np.random.default_rng(seed)

    def words(most: int) -> list[str]:
        return [f"w{min(word, 99)}" for word in random.zipf(1.3, random.integers(0, most))]

    return [words(40) for _ in range(chunks)], [words(6) for _ in range(chunks)]


def test_one_term_by_hand():
    impacts = Impacts.of(build([["a", "a", "b"], ["b"]]), **FREE)
    places, scores = impacts.best({"a": 2.0}, 5)
    # N 2, n 1, avglen 2; norm 1.2 (0.25 + 0.75 * 3 / 2) = 1.65.
    assert places.tolist() == [0]
    assert scores.tolist() == [pytest.approx(2 * math.log(2) * 2 / 3.65, abs=1e-12)]


@pytest.mark.parametrize("k1, b, lead_boost", [(1.2, 0.75, 1.0), (0.9, 0.4, 2.5), (0.0, 0.5, 0.0)])
def test_equal_to_search_to_the_last_bit(k1, b, lead_boost):
    segment = build(*zipfian(400, seed=3))
    rates = {"k1": k1, "b": b, "lead_boost": lead_boost}
    impacts = Impacts.of(segment, **rates)
    live = [np.ones(400, np.bool_)]
    random = np.random.default_rng(5)
    for k in (1, 7, 1000):
        for allow in (None, random.random(400) < 0.3):
            for _ in range(20):
                terms = [f"w{word}" for word in random.integers(1, 110, random.integers(1, 8))]
                query = dict(zip(terms, random.choice([0, 0.1, 1, 2], len(terms)), strict=True))
                places, scores = impacts.best(query, k, allow)
                mine = [(0, *hit) for hit in zip(places.tolist(), scores.tolist(), strict=True)]
                for fast in (False, True):
                    assert mine == bm25.search(
                        [segment], live, query, k, allow=[allow], fast=fast, **rates
                    )


def test_ties_go_by_the_ranks_given():
    impacts = Impacts.of(build([["a"], ["a"], ["a"], ["b"]]), **FREE)
    ranks = np.array([2, 0, 1, 3])
    assert impacts.best({"a": 1.0}, 2)[0].tolist() == [0, 1]
    assert impacts.best({"a": 1.0}, 2, None, ranks)[0].tolist() == [1, 2]


def test_nothing_known_finds_nothing_and_bad_weights_are_named():
    impacts = Impacts.of(build([["a"]]), **FREE)
    assert impacts.best({"z": 1.0}, 3)[0].tolist() == []
    assert Impacts.of(build([]), **FREE).best({"a": 1.0}, 3)[1].tolist() == []
    with pytest.raises(UsageError, match="'a' weighs -1"):
        impacts.best({"a": -1.0}, 3)
    with pytest.raises(UsageError, match="0 results"):
        impacts.best({"a": 1.0}, 0)
