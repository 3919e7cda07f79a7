"""What every store owes the flow."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from answerable.adapters.stores.embedded import EmbeddedStore
from answerable.errors import AnswerableError, NotFound, StaleIndex, UsageError
from answerable.records.docs import Access
from answerable.records.index import Filter
from stored import ALL, MADE, Loose, entrant, lexical, uris


@pytest.fixture(params=["embedded"])
def store(request, tmp_path):
    return EmbeddedStore(tmp_path / "index", files=Loose())


def rows(*entrants):
    return {one.document.id: one.document for one in entrants}


PUMP = entrant(
    "docs/pump.md",
    ["pump starts", "valve opens pump pump"],
    leads=["Pumps", "Pumps > Valves"],
    vectors=[(0, (1, 0)), (1, (0, 1)), (1, (0.8, 0.6))],
    meta=(("space", "OPS"),),
)
LAMP = entrant(
    "docs/lamp.md",
    ["lamp glows"],
    vectors=[(0, (0.6, 0.8))],
    access=Access(readers=("night",)),
    language="de",
    type="html",
)


def test_before_the_first_generation_there_is_none(store):
    assert store.current() is None


def test_what_was_stored_is_read_back(store):
    info = store.replace([PUMP, LAMP], keep={}, **MADE)
    snapshot = store.current()
    assert snapshot.info == info
    assert (info.documents, info.chunks, info.vectors, info.over_limit) == (2, 3, 4, 0)
    assert (info.at, info.ingest_hash, info.embedder) == tuple(MADE.values())
    assert dict(snapshot.documents()) == rows(PUMP, LAMP)
    for one in (PUMP, LAMP):
        assert snapshot.chunks_of(one.document.id) == one.chunks
        assert [snapshot.chunk(chunk.id) for chunk in one.chunks] == list(one.chunks)
    np.testing.assert_array_equal(
        snapshot.vectors(PUMP.chunks[1].id), np.array([[0, 1], [0.8, 0.6]], np.float32)
    )
    snapshot.close()


def test_lexical_scores_are_bm25_in_lucenes_form(store):
    # Three chunks of 2, 4 and 2 words, no leads: average 8/3; `pump` once, three times, not.
    plain = entrant("p", ["pump starts", "valve pump pump pump"])
    other = entrant("q", ["lamp glows"])
    store.replace([plain, other], keep={}, **MADE)
    hits = store.current().lexical({"pump": 1.0}, 5, k1=1.2, b=0.75, lead_boost=1.0, filter=ALL)
    idf = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    expected = [
        idf * 3 / (3 + 1.2 * (1 - 0.75 + 0.75 * 4 / (8 / 3))),
        idf * 1 / (1 + 1.2 * (1 - 0.75 + 0.75 * 2 / (8 / 3))),
    ]
    assert [hit.chunk_id for hit in hits] == [plain.chunks[1].id, plain.chunks[0].id]
    assert [hit.score for hit in hits] == pytest.approx(expected, rel=1e-6)
    assert {hit.by for hit in hits} == {"lexical"}


def test_dense_takes_the_best_window_of_each_chunk(store):
    store.replace([PUMP, LAMP], keep={}, **MADE)
    hits = store.current().dense(np.array([0.6, 0.8], np.float32), 5, filter=ALL)
    # cosines: lamp 1; valve max(0.8, 0.96); pump 0.6
    order = [LAMP.chunks[0].id, PUMP.chunks[1].id, PUMP.chunks[0].id]
    assert [hit.chunk_id for hit in hits] == order
    assert [hit.score for hit in hits] == pytest.approx([1.0, 0.96, 0.6], abs=1e-6)
    assert {hit.by for hit in hits} == {"dense"}


def test_a_zero_vector_and_no_known_word_find_nothing(store):
    store.replace([PUMP], keep={}, **MADE)
    snapshot = store.current()
    assert snapshot.dense(np.zeros(2, np.float32), 5, filter=ALL) == ()
    assert lexical(snapshot, "zzzz") == []
    assert snapshot.lexical({}, 5, k1=1.2, b=0.75, lead_boost=1, filter=ALL) == ()


def test_a_question_of_another_width_is_refused(store):
    store.replace([PUMP], keep={}, **MADE)
    with pytest.raises(StaleIndex, match="3 dimensions"):
        store.current().dense(np.ones(3, np.float32), 5, filter=ALL)


def test_ties_are_settled_by_chunk_id_at_every_cut(store):
    same = [entrant(f"docs/{n}", ["same words"], vectors=[(0, (1, 0))]) for n in range(60)]
    store.replace(same[:25], keep={}, **MADE)
    store.replace(same[25:], keep=rows(*same[:25]), **MADE)
    snapshot = store.current()
    expected = sorted(one.chunks[0].id for one in same)
    for k in (1, 7, 59, 60, 100):
        assert lexical(snapshot, "same", k=k) == expected[:k]
        hits = snapshot.dense(np.array([1, 0], np.float32), k, filter=ALL)
        assert [hit.chunk_id for hit in hits] == expected[:k]
    with pytest.raises(UsageError):
        lexical(snapshot, "same", k=0)


@pytest.mark.parametrize(
    ("filter", "expected"),
    [
        (Filter(), {"docs/pump.md", "docs/lamp.md"}),
        (Filter(principals=()), {"docs/pump.md"}),
        (Filter(principals=("night", "x")), {"docs/pump.md", "docs/lamp.md"}),
        (Filter(where=(("space", "OPS"),)), {"docs/pump.md"}),
        (Filter(where=(("space", "HR"),)), set()),
        (Filter(where=(("uri", "docs/la"),)), {"docs/lamp.md"}),
        (Filter(where=(("type", "html"),)), {"docs/lamp.md"}),
        (Filter(where=(("language", "en"),)), {"docs/pump.md"}),
        (Filter(where=(("source", "docs"),)), {"docs/pump.md", "docs/lamp.md"}),
        (Filter(where=(("source", "web"),)), set()),
        (Filter(where=(("type", "html"), ("language", "en"))), set()),
        (Filter(principals=("day",), where=(("type", "html"),)), set()),
    ],
)
def test_filters_hold_in_both_searches(store, filter, expected):
    store.replace([PUMP, LAMP], keep={}, **MADE)
    snapshot = store.current()
    found = lexical(snapshot, "pump", "lamp", filter=filter)
    dense = snapshot.dense(np.array([1, 1], np.float32), 9, filter=filter)
    assert set(uris(snapshot, found)) == expected
    assert set(uris(snapshot, [hit.chunk_id for hit in dense])) == expected


def test_a_filter_reaches_below_the_best_of_all(store):
    crowd = [entrant(f"a/{n}", ["pump pump"], vectors=[(0, (1, 0))]) for n in range(200)]
    one = entrant("b/1", ["pump and much more besides"], vectors=[(0, (0.6, 0.8))])
    store.replace([*crowd, one], keep={}, **MADE)
    snapshot = store.current()
    only = Filter(where=(("uri", "b/"),))
    assert uris(snapshot, lexical(snapshot, "pump", k=1, filter=only)) == ["b/1"]
    hits = snapshot.dense(np.array([1, 0], np.float32), 1, filter=only)
    assert [hit.chunk_id for hit in hits] == [one.chunks[0].id]


def test_replaced_and_removed_documents_are_gone_everywhere(store):
    store.replace([PUMP, LAMP], keep={}, **MADE)
    shorter = entrant("docs/pump.md", ["pump starts"], leads=["Pumps"], vectors=[(0, (0, 1))])
    store.replace([shorter], keep={}, **MADE)
    snapshot = store.current()
    assert list(snapshot.documents()) == [shorter.document.id]
    assert lexical(snapshot, "valve") == [] and lexical(snapshot, "lamp") == []
    assert snapshot.frequencies(["pump", "valve", "lamp"]) == {"pump": 1, "valve": 0, "lamp": 0}
    hits = snapshot.dense(np.array([1, 1], np.float32), 9, filter=ALL)
    assert [hit.chunk_id for hit in hits] == [shorter.chunks[0].id]
    for gone in (PUMP.chunks[1].id, LAMP.chunks[0].id):
        with pytest.raises(NotFound):
            snapshot.chunk(gone)
    with pytest.raises(NotFound):
        snapshot.chunks_of(LAMP.document.id)
    # the id of the first chunk is that of the old version; its vector is the new one's
    np.testing.assert_array_equal(snapshot.vectors(shorter.chunks[0].id), [[0, 1]])


def test_a_kept_document_takes_its_new_row_and_keeps_its_chunks(store):
    store.replace([PUMP, LAMP], keep={}, **MADE)
    moved = replace(LAMP.document, link="https://new", access=Access(readers=("day",)))
    store.replace([], keep={**rows(PUMP), moved.id: moved}, **MADE)
    snapshot = store.current()
    assert snapshot.documents()[moved.id] == moved
    assert snapshot.chunks_of(moved.id) == LAMP.chunks
    assert lexical(snapshot, "lamp", filter=Filter(principals=("night",))) == []
    assert lexical(snapshot, "lamp", filter=Filter(principals=("day",))) == [LAMP.chunks[0].id]


def test_statistics_are_those_of_the_living_however_it_was_written(store, tmp_path):
    everyone = [
        entrant(f"d/{n}", [f"word w{n % 3} filler {'pump ' * (n % 4)}", "tail"]) for n in range(20)
    ]
    whole = EmbeddedStore(tmp_path / "at once", files=Loose())
    living = everyone[5:]
    whole.replace(living, keep={}, **MADE)
    store.replace(everyone[:10], keep={}, **MADE)
    for number in range(10, 20):
        store.replace([everyone[number]], keep=rows(*everyone[:number]), **MADE)
    store.replace([], keep=rows(*living), **MADE)
    for words in (("pump",), ("w1", "tail"), ("filler", "pump", "w2")):
        terms = dict.fromkeys(words, 1.0)
        found = [
            one.current().lexical(terms, 40, k1=0.9, b=0.4, lead_boost=1.0, filter=ALL)
            for one in (store, whole)
        ]
        assert found[0] == found[1]
    assert store.current().info.chunks == 30


def test_a_snapshot_stays_what_it_was(store):
    store.replace([PUMP, LAMP], keep={}, **MADE)
    old = store.current()
    for number in range(4):
        store.replace([entrant(f"other/{number}", ["pump"])], keep={}, **MADE)
    assert lexical(old, "lamp") == [LAMP.chunks[0].id]
    assert old.chunk(PUMP.chunks[1].id) == PUMP.chunks[1]
    old.close()
    with pytest.raises(UsageError):
        old.chunk(PUMP.chunks[1].id)


def test_documents_without_chunks_and_chunks_without_terms_are_kept(store):
    empty = entrant("docs/empty", [])
    marks = entrant("docs/marks", ["", ""], leads=["", "x"])
    store.replace([empty, marks], keep={}, **MADE)
    store.replace([], keep=rows(empty, marks), **MADE)
    snapshot = store.current()
    assert snapshot.chunks_of(empty.document.id) == ()
    assert snapshot.chunks_of(marks.document.id) == marks.chunks
    assert snapshot.info.documents == 2


def test_keeping_what_is_not_there_is_refused(store):
    with pytest.raises(StaleIndex):
        store.replace([], keep=rows(PUMP), **MADE)
    store.replace([PUMP], keep={}, **MADE)
    with pytest.raises(StaleIndex, match="lamp"):
        store.replace([], keep=rows(PUMP, LAMP), **MADE)
    for change in ({"embedder": "another"}, {"ingest_hash": "another"}):
        with pytest.raises(StaleIndex, match="another"):
            store.replace([], keep=rows(PUMP), **{**MADE, **change})
    with pytest.raises(UsageError, match="twice"):
        store.replace([PUMP], keep=rows(PUMP), **MADE)
    assert dict(store.current().documents()) == rows(PUMP)


def test_a_faulty_entrant_leaves_the_index_as_it_was(store):
    store.replace([PUMP], keep={}, **MADE)

    def broken():
        yield LAMP
        raise RuntimeError("the model is gone")

    with pytest.raises(RuntimeError):
        store.replace(broken(), keep={}, **MADE)
    with pytest.raises(AnswerableError, match="belongs to none"):
        store.replace([replace(LAMP, owners=(7,))], keep={}, **MADE)
    assert dict(store.current().documents()) == rows(PUMP)
