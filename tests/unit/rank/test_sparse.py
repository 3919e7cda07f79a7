from __future__ import annotations

import numpy as np
import pytest

from answerable.errors import InputError, UsageError
from answerable.rank import bm25
from answerable.rank.sparse import (
    Builder,
    SparseSegment,
    Vocabulary,
    build,
    build_ids,
    frequencies,
    merge,
    totals,
)

BODIES = [["pump", "alarm", "pump"], [], ["valve"], ["Zürich", "alarm"]]
LEADS = [["manual"], ["manual", "pump"], [], []]


def alive(*segments: SparseSegment) -> list[np.ndarray]:
    return [np.ones(len(segment), np.bool_) for segment in segments]


def same(left: SparseSegment, right: SparseSegment) -> None:
    for name, array in left.arrays().items():
        other = right.arrays()[name]
        assert array.dtype == other.dtype, name
        np.testing.assert_array_equal(array, other, err_msg=name)


def test_layout_by_hand():
    segment = build(BODIES, LEADS)
    assert segment.vocabulary() == [b"Z\xc3\xbcrich", b"alarm", b"manual", b"pump", b"valve"]
    assert segment.starts.tolist() == [0, 1, 3, 5, 7, 8]
    assert segment.ordinals.tolist() == [3, 0, 3, 0, 1, 0, 1, 2]
    assert segment.freqs.tolist() == [1, 1, 1, 0, 0, 2, 0, 1]
    assert segment.lead_freqs.tolist() == [0, 0, 0, 1, 1, 0, 1, 0]
    assert segment.lengths.tolist() == [3, 0, 1, 2]
    assert segment.lead_lengths.tolist() == [1, 2, 0, 0]
    # One block: at most two of one term; counts 1 shortest in `valve`, 2 only in the first chunk.
    assert segment.block_freqs.tolist() == [2]
    assert segment.block_lengths[0, :2].tolist() == [1, 4]
    assert segment.find([b"pump", b"absent", b"alarm"]) == [(5, 7), (0, 0), (1, 3)]
    assert len(build(BODIES).lead_freqs) == 0


def test_terms_that_begin_alike_are_told_apart():
    words = ["communicate", "communicat", "communication", "communic", "commun", "commun\0", "z"]
    segment = build([[word] for word in words])
    places = segment.find([word.encode() for word in words])
    assert [segment.ordinals[a:b].tolist() for a, b in places] == [[i] for i in range(7)]
    assert segment.find([b"communicati", b"communi", b"zz", b""]) == [(0, 0)] * 4


def test_arrays_hold_no_objects_and_survive_files(tmp_path):
    segment = build(BODIES, LEADS)
    for name, array in segment.arrays().items():
        assert array.dtype.kind in "iu"
        np.save(tmp_path / f"{name}.npy", array, allow_pickle=False)
    mapped = {
        file.stem: np.load(file, mmap_mode="r", allow_pickle=False)
        for file in tmp_path.glob("*.npy")
    }
    again = SparseSegment.of(mapped)
    same(again, segment)
    assert bm25.search([again], alive(again), {"pump": 1.0}, 9, k1=1.2, b=0.75, lead_boost=1.0)
    with pytest.raises(ValueError):
        again.ordinals[0] = 1


def test_empty_index_has_a_form():
    segment = build([])
    assert len(segment) == 0
    same(SparseSegment.of(segment.arrays()), segment)
    same(merge([], []), segment)


def test_counts_and_lengths_past_two_bytes_stay_exact():
    segment = build([["a"] * 70_000 + ["b"], ["b"]], [["a"] * 3, []])
    assert segment.freqs.dtype == np.uint32
    assert segment.freqs.tolist() == [70_000, 1, 1]
    assert segment.lengths.tolist() == [70_001, 1]
    assert segment.lead_freqs.tolist() == [3, 0, 0]
    for fast in (False, True):
        found = bm25.search(
            [segment], alive(segment), {"b": 1.0}, 9, k1=1.2, b=0.75, lead_boost=1.0, fast=fast
        )
        assert [hit[1] for hit in found] == [1, 0]


def test_builder_groups_many_small_parts():
    builder = Builder(batch=3)
    for body, lead in zip(BODIES * 5, LEADS * 5, strict=True):
        builder.add(body, lead)
    same(builder.finish(), build(BODIES * 5, LEADS * 5))


def test_builder_is_empty_after_finish():
    builder = Builder()
    builder.add(["a"])
    assert len(builder.finish()) == 1
    builder.add(["b", "b"])
    second = builder.finish()
    assert second.vocabulary() == [b"b"]
    assert second.ordinals.tolist() == [0]


def test_ids_give_the_same_segment():
    words = ["valve", "pump", "alarm", "manual", "Zürich"]
    ids = np.array([1, 2, 1, 0, 4, 2], np.int32)
    edges = np.array([0, 3, 3, 4, 6])
    pairs = np.stack((edges[:-1], edges[1:]), axis=1)
    leads, lead_edges = np.array([3, 3, 1], np.int32), np.array([0, 1, 3, 3, 3])
    expected = build(BODIES, LEADS)
    same(build_ids(words, ids, edges, leads, lead_edges), expected)
    same(build_ids(Vocabulary.of(words), ids, pairs, leads, lead_edges), expected)


def test_ids_with_overlapping_spans():
    words = ["a", "b", "c"]
    made = build_ids(words, np.array([0, 1, 2, 1]), np.array([[0, 3], [1, 4]]))
    same(made, build([["a", "b", "c"], ["b", "c", "b"]]))


def test_ids_in_parts():
    random = np.random.default_rng(3)
    ids = random.integers(0, 9, 200)
    edges = np.sort(random.integers(0, 201, 40))
    whole = build_ids(list("abcdefghi"), ids, edges)
    same(build_ids(list("abcdefghi"), ids, edges, batch=16), whole)


@pytest.mark.parametrize(
    ("ids", "offsets"),
    [
        ([0, 3], [0, 2]),
        ([-1, 0], [0, 2]),
        ([0, 1], [0, 3]),
        ([0, 1], [2, 0]),
        ([0.5, 1.0], [0, 2]),
    ],
)
def test_ids_out_of_range(ids, offsets):
    with pytest.raises(InputError):
        build_ids(["a", "b", "c"], np.array(ids), np.array(offsets))


def test_a_term_twice_in_a_vocabulary():
    with pytest.raises(InputError, match="'a'"):
        Vocabulary.of(["a", "b", "a"])


def test_leads_must_be_as_many_as_chunks():
    with pytest.raises(InputError, match="differ in number"):
        build(BODIES, LEADS[:2])


def test_lone_surrogates_are_terms():
    segment = build([["\ud800"], ["a"]])
    assert frequencies([segment], alive(segment), ["\ud800", "a", "b"]) == {
        "\ud800": 1,
        "a": 1,
        "b": 0,
    }


def test_frequencies_and_totals_count_live_chunks_only():
    one, two = build(BODIES, LEADS), build([["pump"]])
    live = [np.array([True, False, True, True]), np.array([True])]
    assert frequencies([one, two], live, ["pump", "alarm"]) == {"pump": 2, "alarm": 2}
    counted = totals([one, two], live)
    assert (counted.chunks, counted.body, counted.lead) == (4, 7, 1)
    assert counted.average(2.0) == 9 / 4


def test_merge_closes_up_and_drops_dead_terms():
    one, two = build(BODIES, LEADS), build([["pump"], ["new"]])
    live = [np.array([True, False, False, True]), np.array([False, True])]
    same(
        merge([one, two], live),
        build([BODIES[0], BODIES[3], ["new"]], [LEADS[0], LEADS[3], []]),
    )


@pytest.mark.parametrize("live", [[], [np.ones(3, np.bool_)], [np.ones(4, np.int64)]])
def test_masks_that_do_not_fit(live):
    with pytest.raises(UsageError):
        merge([build(BODIES)], live)


def damaged(name: str, change) -> dict[str, np.ndarray]:
    arrays = {key: array.copy() for key, array in build(BODIES, LEADS).arrays().items()}
    arrays[name] = change(arrays[name])
    return arrays


def put(index: int, value: int):
    def change(array: np.ndarray) -> np.ndarray:
        array[index] = value
        return array

    return change


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("ordinals", put(0, 4)),
        ("ordinals", put(7, -1)),
        ("ordinals", lambda a: a.astype(np.int64)),
        ("ordinals", lambda a: a[:-1]),
        ("starts", put(2, 99)),
        ("starts", put(0, -1)),
        ("starts", lambda a: a[:-1]),
        ("term_offsets", put(1, 99)),
        ("term_offsets", lambda a: a[:0]),
        ("terms", lambda a: a[:-1]),
        ("terms", lambda a: a.astype("U1")),
        ("keys", lambda a: a[1:]),
        ("freqs", lambda a: a[1:]),
        ("freqs", lambda a: a.astype(np.float32)),
        ("lead_freqs", lambda a: a[1:]),
        ("lengths", lambda a: a[1:]),
        ("lengths", lambda a: a.reshape(2, 2)),
        ("block_freqs", lambda a: a[:0]),
        ("block_lengths", lambda a: a[:, :2]),
    ],
)
def test_damage_is_an_input_error(name, change):
    with pytest.raises(InputError):
        SparseSegment.of(damaged(name, change))


def test_a_missing_array_is_named():
    arrays = build(BODIES).arrays()
    del arrays["freqs"]
    with pytest.raises(InputError, match="freqs"):
        SparseSegment.of(arrays)


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("ordinal", [4, 2_000_000_000, -1, -2_000_000_000])
def test_a_wild_ordinal_does_not_crash_a_search(fast, ordinal):
    segment = SparseSegment.of(damaged("ordinals", put(5, ordinal)), deep=False)
    with pytest.raises(InputError):
        bm25.search(
            [segment], alive(segment), {"pump": 1.0}, 9, k1=1.2, b=0.75, lead_boost=1.0, fast=fast
        )
