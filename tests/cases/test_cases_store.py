"""The broken-input cases that the embedded store must stand: M07, L01, G01."""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from answerable.adapters.stores.embedded import EmbeddedStore
from answerable.errors import InputError
from stored import ALL, MADE, entrant, lexical

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests" / "fixtures" / "cases"
CANARY = "QA-CANARY-EXECUTED"


def filled(folder):
    store = EmbeddedStore(folder)
    docs = [entrant(f"d/{n}", [f"pump {n}", "lamp"], vectors=[(0, (1, n))]) for n in range(3)]
    store.replace(docs, keep={}, **MADE)
    return store


@pytest.mark.parametrize("bait", ["M07_index.pkl", "M07_index.npy"])
def test_m07_a_pickle_in_the_place_of_any_index_file_is_refused(tmp_path, bait):
    store = filled(tmp_path / "index")
    files = sorted(p for p in store.folder.rglob("*") if p.is_file() and p.name != "writer.lock")
    assert len(files) > 20
    code = """
        import sys
        from pathlib import Path
        import numpy as np
        from answerable.adapters.stores.embedded import EmbeddedStore
        from answerable.errors import AnswerableError
        from stored import ALL, lexical
        bait = Path(sys.argv[2]).read_bytes()
        for name in sys.stdin.read().splitlines():
            victim = Path(name)
            good = victim.read_bytes()
            for data in (bait, bait[: len(good)].ljust(len(good), b"\\0")):
                victim.write_bytes(data)
                try:
                    snapshot = EmbeddedStore(Path(sys.argv[1])).current()
                    lexical(snapshot, "pump")
                    snapshot.dense(np.ones(2, np.float32), 3, filter=ALL)
                except AnswerableError as fault:
                    assert victim.name in str(fault), str(fault)
                    assert "answerable sync --rebuild" in str(fault), str(fault)
                else:
                    raise SystemExit(f"{name} was taken")
            victim.write_bytes(good)
        EmbeddedStore(Path(sys.argv[1])).current()
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), str(store.folder), str(CASES / bait)],
        input="\n".join(map(str, files)),
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "tests")},
    )
    assert done.returncode == 0, done.stderr
    assert CANARY not in done.stdout + done.stderr


def test_m07_even_with_a_matching_checksum_a_pickle_is_not_loaded(tmp_path, capfd):
    # Whoever wrote the index also wrote its checksums; then only the reader's refusal is left.
    from answerable.adapters.stores.embedded.damage import map_array, mark

    for bait in ("M07_index.pkl", "M07_index.npy"):
        path = tmp_path / bait
        shutil.copy(CASES / bait, path)
        with pytest.raises(InputError, match="no array of numbers"):
            map_array(path, mark(path))
    assert CANARY not in capfd.readouterr().out


def test_m07_index_files_hold_no_pickle(tmp_path):
    store = filled(tmp_path / "index")
    for path in store.folder.rglob("*"):
        if path.is_file():
            head = path.read_bytes()[:2]
            assert head not in (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05"), path
            if path.suffix == ".npy":
                assert not np.load(path, allow_pickle=False).dtype.hasobject


def test_l01_shorter_deleted_renamed_pages(tmp_path):
    steps = json.loads((CASES / "L01_timeline.json").read_text())
    store = EmbeddedStore(tmp_path / "index")

    def read(page):
        parts = page["body"].replace("<h2>", "\n").replace("</p>", "\n").replace("</h2>", " ")
        texts = [line.replace("<p>", "") for line in parts.split("\n") if line]
        return entrant(
            page["id"],
            texts,
            leads=[page["title"]] * len(texts),
            vectors=[(n, (1, n)) for n in range(len(texts))],
            version=str(page["version"]),
        )

    def ask(word):
        snapshot = store.current()
        return [
            next(
                r.uri
                for r in snapshot.documents().values()
                if r.id == snapshot.chunk(c).document_id
            )
            for c in lexical(snapshot, word)
        ]

    store.replace([read(page) for page in steps[0]["pages"]], keep={}, **MADE)
    assert [ask(word) for word in ("bravo", "charlie", "gate", "lamp")] == [
        ["81"], ["81"], ["82"], ["83"],
    ]  # fmt: skip
    two = [read(page) for page in steps[1]["pages"]]
    store.replace(two, keep={}, **MADE)
    assert [ask(word) for word in ("bravo", "charlie", "gate", "lamp")] == [[], [], [], ["83"]]
    dense = store.current().dense(np.ones(2, np.float32), 10, filter=ALL)
    assert {hit.chunk_id for hit in dense} == {c.id for one in two for c in one.chunks}
    # step 4: nothing changed, so everything is kept and no segment is written
    before = sorted(p.name for p in (store.folder / "segments").iterdir())
    info = store.replace([], keep=dict(store.current().documents()), **MADE)
    after = sorted(p.name for p in (store.folder / "segments").iterdir())
    assert info.chunks == 2 and set(after) <= set(before)
    assert ask("lamp") == ["83"]


@pytest.mark.parametrize("corpus", [[], [""], ["", "..."], ["pump"]], ids=repr)
def test_g01_empty_corpora_and_queries(tmp_path, corpus):
    store = EmbeddedStore(tmp_path / "index")
    words = ["" if text == "..." else text for text in corpus]
    docs = [entrant(f"d/{n}", [text]) for n, text in enumerate(words)]
    store.replace(docs, keep={}, **MADE)
    snapshot = store.current()
    for query in ("", "   ", "?!", "zzzz", "pump", "pump pump"):
        terms: dict[str, float] = {}
        for word in query.replace("?!", "").split():
            terms[word] = terms.get(word, 0) + 1.0
        hits = snapshot.lexical(terms, 10, k1=1.2, b=0.75, lead_boost=1.0, filter=ALL)
        if corpus == ["pump"] and "pump" in query:
            assert [hit.chunk_id for hit in hits] == [docs[0].chunks[0].id]
            assert math.isfinite(hits[0].score) and hits[0].score > 0
        else:
            assert hits == ()
        assert snapshot.dense(np.ones(4, np.float32), 5, filter=ALL) == ()
