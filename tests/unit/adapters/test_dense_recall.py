"""What a snapshot says of its approximate search, against a search by hand over all rows."""

from __future__ import annotations

import numpy as np

from answerable.adapters.stores.embedded import EmbeddedStore
from stored import ALL, MADE, Loose, entrant

WIDTH = 8


def filled(tmp_path, count):
    """A store of `count` chunks with a vector each, and one document more; and their rows."""
    rng = np.random.default_rng(7)
    rows = rng.standard_normal((count, WIDTH)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    store = EmbeddedStore(tmp_path / "index", files=Loose())
    many = entrant("docs/many.md", [f"t{n}" for n in range(count)], vectors=list(enumerate(rows)))
    other = entrant("docs/other.md", ["gone"], vectors=[(0, rows[0])])
    store.replace([many, other], keep={}, **MADE)
    return store, many, rows


def without_other(store, many):
    # a dead chunk makes the search pick rows, and above 2,000 picked rows sketches choose
    store.replace([], keep={many.document.id: many.document}, **MADE)


def test_small_and_whole_indexes_are_exact_and_nothing_is_measured(tmp_path):
    store, _, _ = filled(tmp_path, 2100)
    assert store.current().recall(10) is None


def test_picked_rows_up_to_the_limit_are_exact(tmp_path):
    store, many, _ = filled(tmp_path, 2000)
    without_other(store, many)
    assert store.current().recall(10) is None


def test_the_share_is_that_of_a_search_by_hand(tmp_path):
    # so many rows of so few dimensions have much the same sketches, and some of the best are missed
    count = 6000
    store, many, rows = filled(tmp_path, count)
    without_other(store, many)
    snapshot = store.current()
    share, asked = snapshot.recall(25)
    assert asked == 25
    every = np.vstack([rows, rows[:1]])  # the row that is not searched any more may be asked too
    hits = 0
    for question in every[[int(place) for place in np.linspace(0, count, 25)]]:
        best = np.argsort(-(rows.astype(np.float64) @ question))[:10]
        found = snapshot.dense(question, 10, filter=ALL)
        hits += len({many.chunks[n].id for n in best} & {hit.chunk_id for hit in found})
    assert 0.3 < share < 1
    assert share == hits / 250
