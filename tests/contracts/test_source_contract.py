"""What every source owes the flow."""

from __future__ import annotations

import json

import pytest

from answerable.adapters.sources.folder import Folder
from answerable.adapters.sources.jsonl import Jsonl
from answerable.errors import InputError, NotFound
from answerable.ports import Entry
from answerable.records.docs import EVERYONE


def folder(path):
    (path / "docs").mkdir()
    (path / "docs" / "a.md").write_text("# A")
    (path / "docs" / "b.txt").write_text("B")
    return Folder(path / "docs", "kb"), path / "docs" / "b.txt", path / "docs"


def jsonl(path):
    lines = [{"_id": "a", "title": "A", "text": "x"}, {"_id": "b", "text": "B"}]
    (path / "c.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return Jsonl(path / "c.jsonl", "kb"), path / "c.jsonl", path / "c.jsonl"


@pytest.fixture(params=[folder, jsonl], ids=["folder", "jsonl"])
def made(request, tmp_path):
    return request.param(tmp_path)


def test_every_entry_is_listed_once_in_a_fixed_order_and_can_be_fetched(made):
    source, _, _ = made
    listing = source.list()
    uris = [entry.uri for entry in listing.entries]
    assert listing.complete and len(uris) == 2 == len(set(uris)) and uris == sorted(uris)
    assert source.list() == listing
    for entry in listing.entries:
        raw = source.fetch(entry)
        assert raw.uri == entry.uri and raw.revision == entry.revision and raw.body
        assert entry.uri.startswith(f"{source.name}/")
        assert raw.media_type and raw.access == EVERYONE


def test_fetching_needs_no_listing_before(made):
    source, _, _ = made
    entries = source.list().entries
    again = type(source)(*(getattr(source, f) for f in list(source.__dataclass_fields__)[:2]))
    assert again.fetch(entries[1]).uri == entries[1].uri


def test_what_is_not_there_costs_only_itself(made):
    source, file, _ = made
    first, last = source.list().entries
    for uri in ("kb/none", "kb/../../etc/passwd", "other/a.md"):
        with pytest.raises(InputError):
            source.fetch(Entry(uri, "1"))
    file.unlink()
    with pytest.raises(InputError, match="b"):
        source.fetch(last)
    assert first.uri


def test_a_source_that_is_gone_is_an_error_and_not_an_empty_listing(made):
    source, file, root = made
    file.unlink()
    if root.is_dir():
        (root / "a.md").unlink()
        root.rmdir()
    with pytest.raises(NotFound):
        source.list()
