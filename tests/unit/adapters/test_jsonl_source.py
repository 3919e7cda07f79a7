from __future__ import annotations

import json

import pytest

from answerable.adapters.sources.jsonl import Jsonl
from answerable.errors import InputError
from answerable.records.docs import EVERYONE, NOBODY, Access


def corpus(tmp_path, *lines):
    path = tmp_path / "corpus.jsonl"
    data = [x if isinstance(x, bytes) else json.dumps(x).encode() for x in lines]
    path.write_bytes(b"\n".join(data) + b"\n")
    return Jsonl(path, "beir")


def test_a_beir_line_becomes_a_document(tmp_path):
    line = {"_id": "7", "title": "Ü", "text": "T\n\nx", "metadata": {"year": 1999, "list": [1]}}
    source = corpus(tmp_path, line, {"id": 8, "text": "", "url": "https://x", "access": []})
    seven, eight = [source.fetch(entry) for entry in source.list().entries]
    assert (seven.uri, seven.body, seven.media_type) == ("beir/7", b"T\n\nx", "text/plain")
    assert seven.meta == (("title", "Ü"), ("year", "1999")) and seven.access == EVERYONE
    assert (eight.uri, eight.link, eight.access) == ("beir/8", "https://x", NOBODY)


def test_access_of_a_line_counts_before_that_of_the_file(tmp_path):
    source = corpus(
        tmp_path,
        {"_id": "a", "text": "x", "access": ["night"]},
        {"_id": "b", "text": "x", "access": "everyone"},
        {"_id": "c", "text": "x"},
    )
    shut = Jsonl(source.path, "beir", access=NOBODY)
    found = [shut.fetch(entry).access for entry in shut.list().entries]
    assert found == [Access(readers=("night",)), EVERYONE, NOBODY]


def test_bad_lines_are_skipped_by_file_and_line(tmp_path):
    bad = [
        b"{not json", b"[1]", b'{"text": "x"}', b'{"_id": "", "text": "x"}',
        b'{"_id": true, "text": "x"}', b'{"_id": "a"}', b'{"_id": "a", "text": 3}',
        b'{"_id": "a", "text": "x", "title": 3}', b'{"_id": "a", "text": "x", "access": "me"}',
        b"\xff\xfe", b"[" * 100_000,
    ]  # fmt: skip
    source = corpus(tmp_path, {"_id": "ok", "text": "x"}, *bad, b"", {"_id": "ok", "text": "y"})
    listing = source.list()
    assert [entry.uri for entry in listing.entries] == ["beir/ok"]
    lines = [int(skip.uri.rsplit(":", 1)[1]) for skip in listing.skipped]
    assert lines == [*range(2, 2 + len(bad)), 3 + len(bad)]
    assert all(str(source.path) in skip.reason for skip in listing.skipped)
    assert "line 1" in listing.skipped[-1].reason


def test_the_revision_changes_with_the_line_and_not_with_its_place(tmp_path):
    one, two = {"_id": "1", "text": "x"}, {"_id": "2", "text": "y"}
    before = {e.uri: e.revision for e in corpus(tmp_path, one, two).list().entries}
    after = {e.uri: e.revision for e in corpus(tmp_path, two, {**one, "text": "z"}).list().entries}
    assert after["beir/2"] == before["beir/2"] and after["beir/1"] != before["beir/1"]


def test_a_file_that_changed_meanwhile_is_not_read_wrongly(tmp_path):
    source = corpus(tmp_path, {"_id": "1", "text": "x"}, {"_id": "2", "text": "y"})
    second = source.list().entries[1]
    corpus(tmp_path, {"_id": "3", "text": "long text here"}, {"_id": "2", "text": "y"})
    with pytest.raises(InputError):
        source.fetch(second)
