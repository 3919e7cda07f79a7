"""Fusion against values worked out by hand."""

from __future__ import annotations

import pytest

from answerable.errors import UsageError
from answerable.rank.fuse import convex, rrf
from answerable.records.index import Hit


def ranking(*pairs):
    return tuple(Hit(name, score, "x") for name, score in pairs)


def scores(fused):
    return {hit.chunk_id: hit.score for hit in fused}


def order(fused):
    return [hit.chunk_id for hit in fused]


def test_rrf_counts_ranks_from_one():
    fused = rrf({"a": ranking(("x", 9), ("y", 8)), "b": ranking(("y", 0.4))})
    assert scores(fused) == pytest.approx({"y": 1 / 62 + 1 / 61, "x": 1 / 61})
    assert order(fused) == ["y", "x"]
    assert {hit.by for hit in fused} == {"rrf"}


def test_rrf_drops_scores_of_zero_before_it_counts_ranks():
    fused = rrf({"a": ranking(("x", 0.0), ("y", 2.0)), "b": ranking(("z", float("nan")))})
    assert scores(fused) == pytest.approx({"y": 1 / 61})


def test_rrf_ties_go_by_chunk_id():
    fused = rrf({"a": ranking(("q", 3)), "b": ranking(("p", 3)), "c": ranking(("r", 3))})
    assert order(fused) == ["p", "q", "r"]


def test_rrf_weight_zero_leaves_a_list_out():
    fused = rrf({"a": ranking(("x", 1)), "b": ranking(("y", 1))}, weights={"a": 2, "b": 0})
    assert scores(fused) == pytest.approx({"x": 2 / 61})


def test_rrf_of_nothing_is_nothing():
    assert rrf({}) == ()
    assert rrf({"a": ()}) == ()


def test_convex_is_the_weighted_sum_of_bounded_scores():
    fused = convex(
        {"lexical": ranking(("x", 6.0), ("y", 3.0)), "dense": ranking(("y", 0.5), ("z", -0.2))},
        {"lexical": 0.25, "dense": 0.75},
        {"lexical": (0.0, 12.0), "dense": (0.0, 1.0)},
    )
    assert scores(fused) == pytest.approx(
        {"x": 0.25 * 0.5, "y": 0.25 * 0.25 + 0.75 * 0.5, "z": 0.0}
    )
    assert order(fused) == ["y", "x", "z"]


def test_convex_with_the_lists_own_best_as_upper_bound():
    fused = convex({"dense": ranking(("x", 0.6), ("y", 0.2))}, {"dense": 1}, {"dense": (-1, None)})
    assert scores(fused) == pytest.approx({"x": 1.0, "y": 1.2 / 1.6})


def test_convex_keeps_one_hit_and_equal_scores_where_their_bounds_put_them():
    one = convex({"dense": ranking(("x", 0.3))}, {"dense": 1}, {"dense": (0, 1)})
    assert scores(one) == pytest.approx({"x": 0.3})
    even = convex({"dense": ranking(("b", 0.3), ("a", 0.3))}, {"dense": 1}, {"dense": (0, 1)})
    assert order(even) == ["a", "b"]
    assert scores(even) == pytest.approx({"a": 0.3, "b": 0.3})


def test_convex_bounds_without_room_add_nothing():
    fused = convex(
        {"lexical": ranking(("x", 2.0)), "dense": ranking(("y", 0.1))},
        {"lexical": 0.5, "dense": 0.5},
        {"lexical": (0.0, 0.0), "dense": (0, 1)},
    )
    assert scores(fused) == pytest.approx({"y": 0.05, "x": 0.0})


def test_convex_weights_are_shared_among_the_lists_at_hand():
    fused = convex(
        {"dense": ranking(("x", 0.4))}, {"dense": 0.2, "lexical": 0.8}, {"dense": (0, 1)}
    )
    assert scores(fused) == pytest.approx({"x": 0.4})


def test_what_does_not_fit_is_refused():
    lists = {"dense": ranking(("x", 1.0))}
    with pytest.raises(UsageError, match="no bounds for list 'dense'"):
        convex(lists, {"dense": 1}, {})
    with pytest.raises(UsageError, match="no weight for list 'dense'"):
        convex(lists, {}, {"dense": (0, 1)})
    with pytest.raises(UsageError, match="weight -1"):
        rrf(lists, weights={"dense": -1})
    with pytest.raises(UsageError, match="k = -5"):
        rrf(lists, k=-5)
