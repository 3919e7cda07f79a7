from __future__ import annotations

import math

import numpy as np
import pytest

from answerable.errors import UsageError
from answerable.rank import bm25, bm25_fast
from answerable.rank.sparse import SparseSegment, build, totals

FREE = {"k1": 1.2, "b": 0.75, "lead_boost": 1.0}
ENGINES = pytest.mark.parametrize("fast", [False, True], ids=["numpy", "numba"])


def alive(*segments: SparseSegment) -> list[np.ndarray]:
    return [np.ones(len(segment), np.bool_) for segment in segments]


def corpus(chunks: int, seed: int = 0, leads: bool = False) -> list[list[str]]:
    random = np.random.default_rng(seed)
    return [
        [f"w{min(word, 199)}" for word in random.zipf(1.3, random.integers(0, 9 if leads else 60))]
        for _ in range(chunks)
    ]


@ENGINES
def test_one_term_by_hand(fast):
    segment = build([["a", "a", "b"], ["b"]])
    found = bm25.search([segment], alive(segment), {"a": 2.0}, 5, **FREE, fast=fast)
    # N 2, n 1, avglen 2; norm 1.2 (0.25 + 0.75 * 3 / 2) = 1.65.
    assert found == [(0, 0, pytest.approx(2 * math.log(2) * 2 / 3.65, abs=1e-12))]


@ENGINES
def test_lead_boost_by_hand(fast):
    segment = build([["a"], ["b", "b"]], [["a", "c"], []])
    found = bm25.search(
        [segment], alive(segment), {"a": 1.0}, 5, k1=1.0, b=0.5, lead_boost=2.5, fast=fast
    )
    # f 1 + 2.5; lengths 1 + 5 and 2, mean 4; norm 0.5 + 0.5 * 6 / 4 = 1.25.
    assert found == [(0, 0, pytest.approx(math.log(2) * 3.5 / 4.75, abs=1e-12))]


@ENGINES
def test_leads_that_count_nothing_are_no_hits(fast):
    segment = build([["b"], ["a"], ["b"]], [["a"], [], []])
    for k1 in (0.0, 1.2):
        found = bm25.search(
            [segment], alive(segment), {"a": 1.0}, 5, k1=k1, b=0.75, lead_boost=0.0, fast=fast
        )
        plain = build([["b"], ["a"], ["b"]])
        assert found == bm25.search(
            [plain], alive(plain), {"a": 1.0}, 5, k1=k1, b=0.75, lead_boost=1.0, fast=fast
        )
        assert [hit[1] for hit in found] == [1]


@ENGINES
def test_ties_go_by_segment_then_ordinal(fast):
    one, two = build([["a"]] * 5), build([["a"]] * 5)
    found = bm25.search([one, two], alive(one, two), {"a": 1.0}, 7, **FREE, fast=fast)
    assert [hit[:2] for hit in found] == [(0, i) for i in range(5)] + [(1, 0), (1, 1)]
    many = build([["a"]] * 10_000)
    found = bm25.search([many], alive(many), {"a": 1.0}, 3, **FREE, fast=fast)
    assert [hit[1] for hit in found] == [0, 1, 2]


@ENGINES
def test_statistics_are_global_and_leave_the_filter_out(fast):
    one, two = build([["a"], ["b", "b"]]), build([["a", "c"]])
    whole = build([["a"], ["b", "b"], ["a", "c"]])
    expected = bm25.search([whole], alive(whole), {"a": 1.0}, 5, **FREE, fast=fast)
    split = bm25.search([one, two], alive(one, two), {"a": 1.0}, 5, **FREE, fast=fast)
    assert [hit[2] for hit in split] == [hit[2] for hit in expected]
    allow = [np.array([False, True]), None]
    seen = bm25.search([one, two], alive(one, two), {"a": 1.0}, 5, **FREE, allow=allow, fast=fast)
    assert seen == [hit for hit in split if hit[0] == 1]


@ENGINES
@pytest.mark.parametrize("share", [0.001, 0.05, 0.7])
def test_a_filter_equals_dropping_from_the_full_list(fast, share):
    segment = build(corpus(9_000))
    random = np.random.default_rng(5)
    allow = random.random(len(segment)) < share
    query = {"w1": 1.0, "w3": 0.5, "w40": 2.0}
    every = bm25.search([segment], alive(segment), query, len(segment), **FREE, fast=fast)
    some = bm25.search([segment], alive(segment), query, 25, **FREE, allow=[allow], fast=fast)
    assert some == [hit for hit in every if allow[hit[1]]][:25]


@pytest.fixture(scope="module")
def large() -> list[SparseSegment]:
    return [build(corpus(9_500, 1), corpus(9_500, 2, leads=True)), build(corpus(700, 3))]


@pytest.mark.parametrize("boost", [0.0, 0.4, 1.0, 3.0])
@pytest.mark.parametrize(("k1", "b"), [(1.2, 0.75), (0.9, 0.4), (0.0, 0.5), (2.0, 0.0), (3.0, 1.0)])
def test_engines_and_pruning_give_the_full_scan_bit_for_bit(large, k1, b, boost):
    segments = large
    live = alive(*segments)
    live[1][::7] = False
    free = {"k1": k1, "b": b, "lead_boost": boost}
    for words in (["w1"], ["w1", "w2", "w150"], ["w5", "w1", "w2", "w3", "w90", "w120", "w199"]):
        query = {word: 1.0 + i / 7 for i, word in enumerate(words)}
        every = bm25.search(segments, live, query, 20_000, **free, fast=False)
        for k in (1, 10, 100):
            for fast in (False, True):
                assert bm25.search(segments, live, query, k, **free, fast=fast) == every[:k]


def test_long_chunks_and_high_counts_leave_the_table():
    random = np.random.default_rng(4)
    bodies = [["a"] * int(n) + ["b"] * int(m) for n, m in random.integers(0, 900, (300, 2))]
    segment = build(bodies)
    slow = bm25.search([segment], alive(segment), {"a": 1.0, "b": 1.0}, 50, **FREE, fast=False)
    fast = bm25.search([segment], alive(segment), {"a": 1.0, "b": 1.0}, 50, **FREE, fast=True)
    assert slow == fast


def test_many_is_one_by_one():
    segment = build(corpus(500))
    queries = [{"w1": 1.0}, {}, {"w2": 1.0, "w9": 3.0}]
    counted = totals([segment], alive(segment))
    many = bm25.search_many([segment], alive(segment), queries, 5, **FREE, counted=counted)
    assert many == [bm25.search([segment], alive(segment), q, 5, **FREE) for q in queries]


def test_no_segments_and_no_live_chunk():
    segment = build([["a"]])
    assert bm25.search([], [], {"a": 1.0}, 5, **FREE) == []
    assert bm25.search([segment], [np.zeros(1, np.bool_)], {"a": 1.0}, 5, **FREE) == []
    assert bm25.search([segment], alive(segment), {"a": 0.0}, 5, **FREE) == []


@pytest.mark.parametrize(
    "change",
    [
        {"k1": -0.1},
        {"k1": math.nan},
        {"b": 1.1},
        {"lead_boost": math.inf},
        {"k": 0},
        {"query": {"a": -1.0}},
        {"query": {"a": math.nan}},
        {"live": []},
        {"allow": []},
        {"allow": [np.ones(3, np.bool_)]},
    ],
)
def test_values_out_of_range(change):
    segment = build([["a"]])
    given = {"live": alive(segment), "query": {"a": 1.0}, "k": 5, **FREE} | change
    with pytest.raises(UsageError):
        bm25.search([segment], **given)


def test_numba_is_not_loaded_for_a_small_index():
    import subprocess
    import sys

    code = (
        "import sys, numpy as np\n"
        "from answerable.rank import bm25, sparse\n"
        "s = sparse.build([['a']] * 1000)\n"
        "bm25.search([s], [np.ones(1000, bool)], {'a': 1.0}, 5, k1=1.2, b=.75, lead_boost=1.0)\n"
        "print('numba' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_warm_loads_the_kernels():
    assert bm25_fast.warm()
    assert bm25_fast.kernels(1) is not None
    assert bm25_fast.kernels(10**12, False) is None
