"""Any splitting, deleting and merging finds what one fresh index of the live chunks finds."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answerable.rank import bm25
from answerable.rank.sparse import Builder, SparseSegment, build, build_ids, frequencies, merge

TERMS = st.sampled_from(["a", "b", "c", "ä", "日本", "bb", ""])
CHUNK = st.tuples(st.lists(TERMS, max_size=9), st.lists(TERMS, max_size=4), st.booleans())
SEGMENTS = st.lists(st.lists(CHUNK, max_size=7), max_size=4)
QUERY = st.dictionaries(TERMS, st.floats(0.1, 3.0), max_size=4)
RATES = st.tuples(st.floats(0.0, 3.0), st.floats(0.0, 1.0), st.sampled_from([0.0, 0.5, 1.0, 2.0]))


def made(chunks) -> tuple[list[SparseSegment], list[np.ndarray]]:
    segments = [build([c[0] for c in part], [c[1] for c in part]) for part in chunks]
    return segments, [np.array([c[2] for c in part], np.bool_) for part in chunks]


def formula(chunks, query, k1, b, boost) -> list[tuple[int, int, float]]:
    """BM25 chunk by chunk, straight from the paper."""
    alive = [(s, o, c[0], c[1]) for s, p in enumerate(chunks) for o, c in enumerate(p) if c[2]]
    sizes = [len(body) + boost * len(lead) for _, _, body, lead in alive]
    found = []
    for (segment, ordinal, body, lead), size in zip(alive, sizes, strict=True):
        mean = sum(sizes) / len(sizes)
        score = 0.0
        for term, weight in query.items():
            f = Counter(body)[term] + boost * Counter(lead)[term]
            n = sum(1 for c in alive if term in c[2] or (boost and term in c[3]))
            if f:
                idf = math.log(1 + (len(alive) - n + 0.5) / (n + 0.5))
                score += weight * idf * f / (f + k1 * (1 - b + b * size / mean))
        if score > 0:
            found.append((segment, ordinal, score))
    return found


@given(SEGMENTS, QUERY, RATES, st.booleans())
@settings(max_examples=80, deadline=None)
def test_search_is_the_formula(chunks, query, rates, fast):
    k1, b, boost = rates
    segments, live = made(chunks)
    found = bm25.search(segments, live, query, 99, k1=k1, b=b, lead_boost=boost, fast=fast)
    expected = {hit[:2]: hit[2] for hit in formula(chunks, query, k1, b, boost)}
    assert {hit[:2]: hit[2] for hit in found} == pytest.approx(expected, abs=1e-12)
    assert found == sorted(found, key=lambda hit: (-hit[2], hit[0], hit[1]))
    for k in (1, 3):
        few = bm25.search(segments, live, query, k, k1=k1, b=b, lead_boost=boost, fast=not fast)
        assert few == found[:k]


@given(SEGMENTS)
@settings(max_examples=50, deadline=None)
def test_merge_is_a_build_of_the_live(chunks):
    segments, live = made(chunks)
    left = [chunk for part in chunks for chunk in part if chunk[2]]
    fresh = build([c[0] for c in left], [c[1] for c in left])
    merged = merge(segments, live)
    for name, array in fresh.arrays().items():
        np.testing.assert_array_equal(merged.arrays()[name], array, err_msg=name)
    words = {"a", "日本", "", "zzz"}
    whole = [np.ones(len(fresh), np.bool_)]
    assert frequencies(segments, live, words) == frequencies([fresh], whole, words)


@given(st.lists(CHUNK, max_size=8), QUERY)
@settings(max_examples=40, deadline=None)
def test_boosting_is_repeating_and_one_is_joining(chunks, query):
    bodies, leads = [c[0] for c in chunks], [c[1] for c in chunks]
    segment = build(bodies, leads)
    live = [np.ones(len(chunks), np.bool_)]
    for boost in (0, 1, 3):
        joined = build([body + lead * boost for body, lead in zip(bodies, leads, strict=True)])
        assert bm25.search(
            [segment], live, query, 9, k1=1.2, b=0.75, lead_boost=float(boost)
        ) == bm25.search([joined], live, query, 9, k1=1.2, b=0.75, lead_boost=1.0)


@given(st.lists(CHUNK, max_size=8))
@settings(max_examples=40, deadline=None)
def test_ids_are_terms(chunks):
    words = ["日本", "", "b", "a", "bb", "ä", "c"]
    bodies, leads = [c[0] for c in chunks], [c[1] for c in chunks]
    ids = np.array([words.index(t) for body in bodies for t in body], np.int32)
    lead_ids = np.array([words.index(t) for lead in leads for t in lead], np.int32)
    segment = build_ids(
        words,
        ids,
        np.cumsum([0, *map(len, bodies)]),
        lead_ids,
        np.cumsum([0, *map(len, leads)]),
    )
    live = [np.ones(len(chunks), np.bool_)]
    # Merging drops the terms that no chunk holds, the only difference.
    builder = Builder()
    for body, lead in zip(bodies, leads, strict=True):
        builder.add(body, lead)
    for name, array in builder.finish().arrays().items():
        np.testing.assert_array_equal(merge([segment], live).arrays()[name], array, err_msg=name)
