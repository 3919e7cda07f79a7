"""Dense search against a plain float64 computation of every cosine."""

from __future__ import annotations

import numpy as np
import pytest

from answerable.errors import InputError, UsageError
from answerable.rank import dense
from answerable.rank.sketch import nearest, sketch


def clustered(count, width=64, seed=1):
    """Unit rows around centres, as texts about few subjects are."""
    draw = np.random.RandomState(seed)
    centres = draw.standard_normal((50, width))
    rows = centres[draw.randint(0, 50, count)] + 0.7 * draw.standard_normal((count, width))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def everything(segment):
    return np.ones(int(segment.owners.max(initial=-1)) + 1, dtype=bool)


def by_hand(vectors, owners, question, k, allowed=None):
    """(ordinal, cosine) of the k best chunks by their best row, ties by ordinal."""
    best = {}
    length = float(np.sqrt(sum(float(x) ** 2 for x in question)))
    for row, owner in zip(vectors, owners, strict=True):
        norm = float(np.sqrt((row.astype(float) ** 2).sum()))
        if norm and (allowed is None or allowed[owner]):
            cosine = float(row.astype(float) @ question.astype(float)) / norm / length
            best[int(owner)] = max(best.get(int(owner), -2.0), cosine)
    return sorted(best.items(), key=lambda entry: (-entry[1], entry[0]))[:k]


def same(found, expected, segment=0):
    assert [(s, o) for s, o, _ in found] == [(segment, o) for o, _ in expected]
    assert [c for _, _, c in found] == pytest.approx([c for _, c in expected], abs=1e-6)


def test_a_small_segment_is_exact_and_a_chunk_scores_as_its_best_row():
    vectors = clustered(500)
    owners = np.sort(np.random.RandomState(2).randint(0, 200, 500)).astype(np.int32)
    segment = dense.build(vectors, owners)
    question = vectors[17] * 3
    found = dense.search([segment], [everything(segment)], question, 10)
    same(found, by_hand(vectors, owners, question, 10))


def test_many_rows_of_one_chunk_do_not_crowd_out_others():
    one = np.tile([[1.0, 0.0]], (400, 1)) + np.random.RandomState(0).rand(400, 2) * 1e-3
    vectors = np.concatenate((one, [[0.9, 0.4], [0.8, 0.6]])).astype(np.float32)
    owners = np.array([0] * 400 + [1, 2], dtype=np.int32)
    segment = dense.build(vectors, owners)
    found = dense.search([segment], [np.ones(3, bool)], np.array([1.0, 0.0]), 3)
    assert [ordinal for _, ordinal, _ in found] == [0, 1, 2]


def test_rows_are_brought_to_length_one_and_unit_rows_kept_to_the_bit():
    vectors = clustered(20)
    assert np.array_equal(dense.build(vectors, np.arange(20)).vectors, vectors)
    scaled = np.array([[3e30, 4e30], [3e-30, 4e-30], [0.0, 0.0]], np.float32)
    made = dense.build(scaled, np.arange(3)).vectors
    assert made == pytest.approx(np.array([[0.6, 0.8], [0.6, 0.8], [0, 0]]), abs=1e-6)


def test_zero_rows_are_never_found_and_a_zero_question_finds_nothing():
    segment = dense.build(np.array([[0, 0], [0, 1], [-1, 0]], np.float32), np.arange(3))
    live = [np.ones(3, bool)]
    found = dense.search([segment], live, np.array([1.0, 0.0]), 5)
    assert [ordinal for _, ordinal, _ in found] == [1, 2]
    assert dense.search([segment], live, np.zeros(2), 5) == []
    assert dense.search([], [], np.array([1.0, 0.0]), 5) == []


def test_what_is_not_finite_is_refused_by_name():
    vectors = np.ones((3, 2), np.float32)
    vectors[1, 0] = np.nan
    with pytest.raises(InputError, match=r"vector 1 \(of chunk 7\)"):
        dense.build(vectors, np.array([6, 7, 8]))
    vectors[1, 0] = np.inf
    with pytest.raises(InputError, match="vector 1"):
        dense.build(vectors, np.array([6, 7, 8]))
    segment = dense.build(np.ones((1, 2), np.float32), np.zeros(1))
    with pytest.raises(UsageError, match="not finite"):
        dense.search([segment], [np.ones(1, bool)], np.array([np.nan, 1]), 1)
    with pytest.raises(UsageError, match="3 dimensions, the index 2"):
        dense.search([segment], [np.ones(1, bool)], np.ones(3), 1)
    with pytest.raises(UsageError, match="k = 0"):
        dense.search([segment], [np.ones(1, bool)], np.ones(2), 0)


def test_filters_and_deletions_act_inside_the_search():
    vectors = clustered(3000)
    segment = dense.build(vectors, np.arange(3000))
    live = np.ones(3000, bool)
    live[::3] = False
    allow = np.zeros(3000, bool)
    allow[::7] = True
    question = vectors[42]
    found = dense.search([segment], [live], question, 10, [allow])
    same(found, by_hand(vectors, np.arange(3000), question, 10, live & allow))
    nothing = dense.search([segment], [live], question, 10, [np.zeros(3000, bool)])
    assert nothing == []


def test_segments_are_searched_as_one():
    vectors = clustered(600)
    parts = [dense.build(vectors[:250], np.arange(250)), dense.build(vectors[250:], np.arange(350))]
    found = dense.search(parts, [np.ones(250, bool), np.ones(350, bool)], vectors[3], 10)
    whole = by_hand(vectors, np.arange(600), vectors[3], 10)
    assert [ordinal + 250 * segment for segment, ordinal, _ in found] == [o for o, _ in whole]


def test_equal_scores_come_in_order_of_segment_and_ordinal():
    row = np.array([[0.6, 0.8]], np.float32)
    parts = [dense.build(np.tile(row, (3, 1)), np.arange(3)) for _ in range(2)]
    found = dense.search(parts, [np.ones(3, bool)] * 2, row[0], 4)
    assert [(s, o) for s, o, _ in found] == [(0, 0), (0, 1), (0, 2), (1, 0)]


def test_a_merge_finds_what_the_parts_found_under_new_ordinals():
    vectors = clustered(400)
    owners = np.repeat(np.arange(100), 2)
    parts = [dense.build(vectors[:200], owners), dense.build(vectors[200:], owners)]
    live = [np.arange(100) % 2 == 0, np.arange(100) % 5 != 0]
    merged = dense.merge(parts, live)
    assert len(merged) == 2 * (50 + 80)
    kept = np.concatenate((np.flatnonzero(live[0]), 100 + np.flatnonzero(live[1])))
    before = dense.search(parts, live, vectors[9], 10)
    after = dense.search([merged], [np.ones(130, bool)], vectors[9], 10)
    assert [100 * s + o for s, o, _ in before] == [int(kept[o]) for _, o, _ in after]
    assert [c for _, _, c in before] == [c for _, _, c in after]


def test_chunks_without_a_row_keep_their_ordinals_through_a_merge():
    segment = dense.build(np.array([[1, 0], [0, 1]], np.float32), np.array([1, 4]))
    live = np.array([True, True, False, True, True, True])
    assert dense.merge([segment], [live]).owners.tolist() == [1, 3]


def test_arrays_come_back_as_the_same_segment_and_damage_is_named():
    segment = dense.build(clustered(30), np.arange(30))
    again = dense.DenseSegment.of(segment.arrays())
    assert np.array_equal(again.vectors, segment.vectors)
    assert again.single
    with pytest.raises(InputError, match="without owners"):
        dense.DenseSegment.of({k: v for k, v in segment.arrays().items() if k != "owners"})
    with pytest.raises(InputError, match="signs is uint64"):
        dense.DenseSegment.of({**segment.arrays(), "signs": segment.signs[:-1]})


def test_a_large_segment_is_searched_by_sketches_with_its_recall_told():
    vectors = clustered(30_000, width=128)
    segment = dense.build(vectors, np.arange(30_000))
    live = [np.ones(30_000, bool)]
    asked = clustered(30_020, width=128)[30_000:] + 0.3 * vectors[:20]
    truth = [dense.search([segment], live, q, 10, exact=True) for q in asked]
    same(truth[0], by_hand(vectors, np.arange(30_000), asked[0], 10))
    seen = dense.search_many([segment], live, asked, 10)
    shared = sum(len(set(a) & set(b)) for a, b in zip(truth, seen, strict=True))
    assert shared >= 190
    assert dense.recall_check([segment], live, asked, 10) == pytest.approx(shared / 200)


def test_a_sketch_counts_signs_after_fixed_rotations():
    vectors = clustered(50, width=100)
    signs, finer = sketch(vectors)
    assert signs.shape == (2, 50)
    assert finer.shape == (50, 2)
    assert np.array_equal(sketch(vectors[7:8])[0][:, 0], signs[:, 7])
    # opposite vectors differ in every dimension, the filling of the last word in none
    against, finer_against = sketch(-vectors[:1])
    assert np.bitwise_count(signs[:, 0] ^ against[:, 0]).sum() == 100
    assert np.bitwise_count(finer[0] ^ finer_against[0]).sum() == 100
    assert not np.array_equal(signs[:, 0], finer[0])


@pytest.mark.parametrize("rows", [None, np.arange(0, 4000, 3)])
def test_nearest_holds_the_neighbours_among_the_rows_asked_for(rows):
    vectors = clustered(4000, width=128)
    signs, finer = sketch(vectors)
    question = vectors[3]
    found = nearest(signs, finer, question, 100, rows)
    among = np.arange(4000) if rows is None else rows
    best = among[np.argsort(-(vectors[among] @ question))[:5]]
    assert set(best.tolist()) <= set(found.tolist()) <= set(among.tolist())
    assert 100 <= len(found) < 150
    assert (np.diff(found) > 0).all()
    everything = nearest(signs, finer, question, 5000, rows)
    assert np.array_equal(everything, among)


def test_rows_of_the_last_distance_are_all_let_through():
    vectors = np.repeat(np.eye(4, dtype=np.float32)[:2], 5, axis=0)
    signs, finer = sketch(vectors)
    assert nearest(signs, finer, vectors[0], 2).tolist() == [0, 1, 2, 3, 4]


def test_the_compiled_scan_counts_the_same_bits():
    kernel = pytest.importorskip("answerable.rank.sketch_kernel")
    signs, _ = sketch(clustered(9000, width=100))
    question = signs[:, 5]
    distances, counts = kernel.scan(signs, question)
    by_numpy = np.bitwise_count(signs ^ question[:, None]).sum(axis=0)
    assert np.array_equal(distances, by_numpy)
    assert np.array_equal(counts[: by_numpy.max() + 1], np.bincount(by_numpy))
    assert counts.sum() == 9000
