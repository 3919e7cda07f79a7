"""What `open_corpus` reads, how it names it, and what its cache spares."""

from __future__ import annotations

import json
import sqlite3

import pytest

from answerable.errors import InputError, NotFound
from answerable.wire.corpus import open_corpus

ENGLISH = (
    "The committee approved the annual budget after a long discussion about the cost of travel "
    "and the price of the new building."
)
GERMAN = (
    "Der Ausschuss hat den Haushalt des Jahres nach einer langen Diskussion über die Kosten der "
    "Reisen und den Preis des neuen Gebäudes genehmigt."
)


def uris(corpus) -> list[str]:
    return [document.uri for document in corpus.documents]


def test_folders_files_and_lines_are_named_as_add_names_them(tmp_path):
    docs = tmp_path / "docs"
    (docs / "sub").mkdir(parents=True)
    (docs / "sub" / "one.md").write_text("# One\n\nWords.\n")
    (docs / "bad.md").write_text("  \n")
    lines = tmp_path / "more.jsonl"
    lines.write_text(json.dumps({"_id": "7", "text": "Seven words."}) + "\nnot json\n")
    other = tmp_path / "other" / "docs"
    other.mkdir(parents=True)
    (other / "two.md").write_text("# Two\n\nWords.\n")
    corpus = open_corpus([docs, lines, other])
    named = uris(corpus)
    assert named[:2] == ["docs/sub/one.md", "more/7"]
    # The second folder of one name gets a mark of its path.
    assert named[2].startswith("docs-") and named[2].endswith("/two.md")
    assert [row.source for row in corpus.rows().values()][:2] == ["docs", "more"]
    reasons = {skip.uri: skip.reason for skip in corpus.skipped}
    assert reasons["docs/bad.md"] == "no text in it"
    assert any(uri.endswith("more.jsonl:2") for uri in reasons)


def test_a_beir_folder_has_the_ids_as_uris_and_one_language(tmp_path):
    rows = [{"_id": f"d{number}", "title": "", "text": GERMAN} for number in range(3)]
    rows.append({"_id": "short", "title": "", "text": ENGLISH})
    rows.append({"_id": "none"})
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "queries.jsonl").write_text("")
    corpus = open_corpus([tmp_path])
    assert uris(corpus) == ["d0", "d1", "d2", "short"]
    assert {document.language for document in corpus.documents} == {"de"}
    assert [row.source for row in corpus.rows().values()] == [""] * 4
    (skip,) = corpus.skipped
    assert (skip.uri, "none" in skip.reason) == ("corpus.jsonl:5", True)


def test_the_cache_keeps_what_was_read_until_the_file_changes(tmp_path):
    docs, cache = tmp_path / "docs", tmp_path / "cache"
    docs.mkdir()
    (docs / "a.md").write_text("# A\n\nFirst words.\n")
    (docs / "b.md").write_text("# B\n\n| x | y |\n|---|---|\n| 1 | 2 |\n")
    first = open_corpus([docs], cache)
    # What the second run finds in the cache is marked, so that reading anew would be seen.
    with sqlite3.connect(cache / "corpus.db") as database:
        database.execute("update kept set value = replace(value, 'First words', 'Known words')")
    again = open_corpus([docs], cache)
    assert [document.text for document in again.documents] == [
        first.documents[0].text.replace("First", "Known"),
        first.documents[1].text,
    ]
    assert again.documents[1] == first.documents[1]
    (docs / "a.md").write_text("# A\n\nThird words, and more.\n")
    assert "Third words" in open_corpus([docs], cache).documents[0].text


def test_nothing_to_read_says_why(tmp_path):
    with pytest.raises(NotFound, match="nowhere does not exist"):
        open_corpus([tmp_path / "nowhere"])
    (tmp_path / "empty.md").write_text("\n")
    with pytest.raises(InputError, match="no document can be read") as fault:
        open_corpus([tmp_path])
    assert "no text in it" in fault.value.hint
