"""The embedded store's own promises: rollback, keeping, sharing, locks, damage."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from answerable.adapters.stores.embedded import EmbeddedStore
from answerable.adapters.stores.embedded.compaction import to_merge
from answerable.errors import InputError, NotFound, ServiceError, StaleIndex
from stored import ALL, MADE, Loose, entrant, lexical, uris


def fill(store, count):
    infos, keep = [], {}
    for number in range(count):
        one = entrant(f"docs/{number}", [f"word{number} all"], vectors=[(0, (1, 0))])
        infos.append(store.replace([one], keep=keep, **MADE))
        keep[one.document.id] = one.document
    return infos, keep


def test_the_newest_two_generations_are_kept_and_can_be_gone_back_to(tmp_path):
    store = EmbeddedStore(tmp_path)
    infos, keep = fill(store, 3)
    assert store.generations() == (infos[2], infos[1])
    assert store.rollback(infos[1].name) == infos[1]
    assert lexical(store.current(), "word2") == []
    assert store.generations() == (infos[1], infos[2])
    assert lexical(store.open(infos[2].name), "word2")
    with pytest.raises(NotFound, match="000001"):
        store.rollback(infos[0].name)
    del keep[sorted(keep, key=lambda key: keep[key].uri)[2]]
    made = store.replace([], keep=keep, **MADE)
    assert made.name == "000004"
    assert store.generations() == (made, infos[1])


def test_unchanged_segments_are_shared_not_copied(tmp_path):
    store = EmbeddedStore(tmp_path)
    big = [entrant(f"big/{n}", [f"w{n} " * 40] * 1) for n in range(200)]
    store.replace(big, keep={}, **MADE)
    before = {p: p.stat().st_mtime_ns for p in (tmp_path / "segments").rglob("*.npy")}
    keep = {one.document.id: one.document for one in big}
    store.replace([entrant("small", ["one"])], keep=keep, **MADE)
    for path, stamp in before.items():
        assert path.stat().st_mtime_ns == stamp
    assert store.size() == sum(p.stat().st_size for p in tmp_path.rglob("*") if p.is_file())


def test_segments_stay_few_and_the_dead_are_written_off(tmp_path):
    store = EmbeddedStore(tmp_path, keep=1, files=Loose())
    fill(store, 30)
    folders = list((tmp_path / "segments").iterdir())
    assert len(folders) <= 8
    snapshot = store.current()
    assert len(lexical(snapshot, "all", k=50)) == 30
    assert len(snapshot.dense(np.array([1, 0], np.float32), 50, filter=ALL)) == 30
    assert store.current().info.vectors == 30


def test_which_segments_are_merged():
    assert to_merge([10, 10], [10, 10]) == ()
    assert to_merge([7, 10], [10, 10]) == ()  # 30 % dead is not more than 30 %
    assert to_merge([6, 10], [10, 10]) == (0,)
    assert to_merge([0, 0], [0, 0]) == ()
    # nine: the smallest five become one, four stay beside it
    assert to_merge([9, 1, 2, 3, 4, 5, 6, 7, 8], [9, 1, 2, 3, 4, 5, 6, 7, 8]) == (1, 2, 3, 4, 5)


def test_large_ingests_are_written_in_several_segments(tmp_path):
    store = EmbeddedStore(tmp_path, segment_chunks=10)
    docs = [entrant(f"d/{n}", ["a pump", "b"], vectors=[(1, (0, 1))]) for n in range(20)]
    info = store.replace(iter(docs), keep={}, **MADE)
    assert (info.documents, info.chunks, info.vectors) == (20, 40, 20)
    assert len(list((tmp_path / "segments").iterdir())) == 4
    assert len(lexical(store.current(), "pump", k=50)) == 20


def test_vectors_survive_a_merge_with_segments_that_have_none(tmp_path):
    store = EmbeddedStore(tmp_path, keep=1, files=Loose())
    docs = [
        entrant(f"d/{n}", ["x", f"y{n}"], vectors=[(1, (1, n)), (1, (n, 1))] if n % 2 else ())
        for n in range(1, 12)
    ]
    keep = {}
    for one in docs:
        store.replace([one], keep=keep, **MADE)
        keep[one.document.id] = one.document
    snapshot = store.current()
    for number, one in enumerate(docs, 1):
        assert snapshot.vectors(one.chunks[0].id) is None
        got = snapshot.vectors(one.chunks[1].id)
        if number % 2:
            rows = np.array([[1, number], [number, 1]], np.float64)
            expected = rows / np.linalg.norm(rows, axis=1, keepdims=True)
            np.testing.assert_allclose(got, expected, atol=1e-6)
        else:
            assert got is None


def test_two_writers_wait_for_each_other(tmp_path):
    EmbeddedStore(tmp_path).replace([], keep={}, **MADE)
    faults = []

    def add(number):
        store = EmbeddedStore(tmp_path, files=Loose())
        try:
            with store.writing():
                snapshot = store.current()
                keep = dict(snapshot.documents())
                store.replace([entrant(f"d/{number}", ["x"])], keep=keep, **MADE)
        except Exception as fault:
            faults.append(fault)

    threads = [threading.Thread(target=add, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert len(EmbeddedStore(tmp_path).current().documents()) == 6


def test_a_writer_that_waited_long_enough_says_so(tmp_path):
    first, second = EmbeddedStore(tmp_path), EmbeddedStore(tmp_path, wait=0)
    with first.writing(), pytest.raises(ServiceError, match="another process") as fault:
        second.replace([], keep={}, **MADE)
    assert fault.value.retryable


def test_verify_finds_a_flipped_bit_deep_in_a_large_file(tmp_path):
    store = EmbeddedStore(tmp_path)
    rows = np.random.default_rng(1).standard_normal((4000, 16))
    docs = [entrant(f"d/{n}", ["x"], vectors=[(0, row)]) for n, row in enumerate(rows)]
    store.replace(docs, keep={}, **MADE)
    assert store.verify() == ()
    path = tmp_path / "segments" / "000001-1" / "dense.vectors.npy"
    data = bytearray(path.read_bytes())
    data[len(data) // 4] ^= 1
    path.write_bytes(data)
    (problem,) = store.verify()
    assert "dense.vectors.npy" in problem and "--rebuild" in problem
    with pytest.raises(InputError, match=r"dense\.vectors\.npy"):
        store.rollback("000001")


def test_exchanged_and_cut_files_are_seen_at_opening(tmp_path):
    store = EmbeddedStore(tmp_path)
    for number in range(2):
        store.replace([entrant(f"d/{number}", [f"x{number} y"])], keep={}, **MADE)
    left = tmp_path / "segments" / "000001-1" / "chunks.keys.npy"
    right = tmp_path / "segments" / "000002-1" / "chunks.keys.npy"
    good = right.read_bytes()
    right.write_bytes(left.read_bytes())
    with pytest.raises(InputError, match=r"000002-1/chunks\.keys\.npy"):
        store.current()
    right.write_bytes(good[:-1])
    with pytest.raises(InputError, match=r"has \d+ bytes where \d+ were written"):
        store.current()
    right.unlink()
    with pytest.raises(InputError, match="is missing"):
        store.current()
    right.write_bytes(good)
    assert uris(store.current(), lexical(store.current(), "y")) == ["d/1"]


@pytest.mark.parametrize("victim", ["CURRENT", "generations/000002/manifest.json"])
def test_a_damaged_index_can_be_rebuilt_but_not_carried_over(tmp_path, victim):
    store = EmbeddedStore(tmp_path)
    _, keep = fill(store, 2)
    (tmp_path / victim).write_text("rubbish")
    with pytest.raises(InputError, match="rebuild"):
        store.replace([], keep=keep, **MADE)
    info = store.replace([entrant("d/new", ["fresh"])], keep={}, **MADE)
    assert lexical(store.current(), "fresh") and store.verify() == ()
    assert info.documents == 1


def test_an_index_of_a_newer_format_is_refused(tmp_path):
    from hashlib import sha256

    store = EmbeddedStore(tmp_path)
    fill(store, 1)
    path = tmp_path / "generations" / "000001" / "manifest.json"
    data = path.read_bytes().replace(b'"format":2', b'"format":3')
    path.write_bytes(data)
    (tmp_path / "CURRENT").write_text(f"000001 {sha256(data).hexdigest()}\n")
    with pytest.raises(StaleIndex, match="format 3"):
        store.current()


def test_names_in_a_manifest_cannot_lead_out_of_the_folder(tmp_path):
    from hashlib import sha256

    store = EmbeddedStore(tmp_path / "index")
    fill(store, 1)
    path = tmp_path / "index" / "generations" / "000001" / "manifest.json"
    data = path.read_bytes().replace(b'"name":"000001-1"', b'"name":"../../../x"')
    path.write_bytes(data)
    (tmp_path / "index" / "CURRENT").write_text(f"000001 {sha256(data).hexdigest()}\n")
    with pytest.raises(InputError, match=r"names the segment"):
        store.current()


def test_reading_writes_nothing(tmp_path):
    assert EmbeddedStore(tmp_path / "none").current() is None
    assert not (tmp_path / "none").exists()
    assert EmbeddedStore(tmp_path / "none").generations() == ()
