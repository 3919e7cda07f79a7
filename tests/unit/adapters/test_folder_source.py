from __future__ import annotations

import os
import unicodedata

import pytest

from answerable.adapters.sources.folder import Folder
from answerable.errors import InputError
from answerable.records.docs import Access


def tree(root, *paths, body="x"):
    for path in paths:
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(body)


def uris(source):
    return [entry.uri for entry in source.list().entries]


def reasons(source):
    return {skip.uri: skip.reason for skip in source.list().skipped}


def test_media_types_by_extension(tmp_path):
    expected = {
        "a.md": "text/markdown", "a.MDX": "text/markdown", "a.markdown": "text/markdown",
        "a.html": "text/html", "a.htm": "text/html", "a.txt": "text/plain",
        "a.rst": "text/plain", "a.csv": "text/csv", "a.tsv": "text/csv",
        "a.py": "text/x-source", "a.Rs": "text/x-source",
        "a.xhtml": "application/x-confluence-storage",
    }  # fmt: skip
    tree(tmp_path, *expected)
    source = Folder(tmp_path, "kb")
    seen = {e.uri.removeprefix("kb/"): source.fetch(e).media_type for e in source.list().entries}
    assert seen == expected


def test_xml_is_read_only_as_storage_format_and_xhtml_pages_as_pages(tmp_path):
    tree(tmp_path, "page.xml", body='<p>x</p><ac:structured-macro ac:name="code"/>')
    tree(tmp_path, "data.xml", body="<feed/>")
    tree(tmp_path, "web.xhtml", body='<?xml version="1.0"?><html><body>x</body></html>')
    source = Folder(tmp_path, "kb")
    types = {e.uri: source.fetch(e).media_type for e in source.list().entries}
    assert types == {"kb/page.xml": "application/x-confluence-storage", "kb/web.xhtml": "text/html"}
    assert reasons(source) == {"kb/data.xml": "no parser for .xml"}


def test_what_is_passed_over_says_why(tmp_path):
    tree(tmp_path, "a.md", "pic.png", "README", ".git/config", ".env", "node_modules/x/a.md")
    tree(tmp_path, "answerable.toml", "deep/er/b.md")
    tree(tmp_path, "big.txt", body="x" * 101)
    source = Folder(tmp_path, "kb", limit=100)
    assert uris(source) == ["kb/a.md", "kb/deep/er/b.md"]
    assert reasons(source) == {
        "kb/.env": "hidden",
        "kb/.git": "hidden",
        "kb/README": "no parser for its name",
        "kb/answerable.toml": "the knowledge base's own configuration",
        "kb/big.txt": "larger than the limit: 101 bytes, limit 100",
        "kb/node_modules": "a folder of installed packages",
        "kb/pic.png": "no parser for .png",
    }
    assert source.list().complete


def test_links_inside_are_followed_circles_and_the_outside_are_not(tmp_path):
    root, outside = tmp_path / "root", tmp_path / "outside"
    tree(root, "sub/a.md", "b.md")
    tree(outside, "secret.md")
    (root / "same.md").symlink_to(root / "b.md")
    (root / "sub" / "up").symlink_to(root)
    (root / "out").symlink_to(outside)
    (root / "out.md").symlink_to(outside / "secret.md")
    (root / "gone.md").symlink_to(root / "nothing.md")
    (root / "self").symlink_to(root / "self")
    source = Folder(root, "kb")
    assert uris(source) == ["kb/b.md", "kb/same.md", "kb/sub/a.md"]
    assert reasons(source) == {
        "kb/gone.md": "a link that leads nowhere or in a circle",
        "kb/out": "a link that leads out of the folder",
        "kb/out.md": "a link that leads out of the folder",
        "kb/self": "a link that leads nowhere or in a circle",
        "kb/sub/up": "a link that leads in a circle",
    }


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root reads everything")
def test_a_folder_that_cannot_be_read_makes_the_listing_incomplete(tmp_path):
    tree(tmp_path, "shut/a.md", "b.md")
    (tmp_path / "shut").chmod(0)
    try:
        listing = Folder(tmp_path, "kb").list()
    finally:
        (tmp_path / "shut").chmod(0o755)
    assert not listing.complete and [e.uri for e in listing.entries] == ["kb/b.md"]


@pytest.mark.skipif(os.name == "nt", reason="no fifos")
def test_pipes_are_not_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe.md")
    assert reasons(Folder(tmp_path, "kb")) == {"kb/pipe.md": "not a regular file"}


@pytest.mark.skipif(os.name == "nt", reason="names are Unicode there")
def test_names_are_nfc_and_must_be_utf8(tmp_path):
    composed = "K\u00fche.md"
    tree(tmp_path, unicodedata.normalize("NFD", composed))
    with open(os.path.join(os.fsencode(tmp_path), b"bad\xff.md"), "w") as file:
        file.write("x")
    source = Folder(tmp_path, "kb")
    (entry,) = source.list().entries
    assert entry.uri == f"kb/{composed}"
    assert source.fetch(entry).body == b"x"
    assert reasons(source) == {"kb/bad?.md": "its name is not UTF-8"}
    tree(tmp_path, composed)
    assert len(source.list().entries) == 1 and len(reasons(source)) == 2


def test_globs_choose(tmp_path):
    tree(tmp_path, "policies/a.md", "policies/old/b.md", "notes/c.md", "d.md")
    assert uris(Folder(tmp_path, "kb", include=("policies/*",))) == [
        "kb/policies/a.md",
        "kb/policies/old/b.md",
    ]
    assert uris(Folder(tmp_path, "kb", exclude=("policies/old", "*/c.md"))) == [
        "kb/d.md",
        "kb/policies/a.md",
    ]


def test_one_file_is_a_source_too(tmp_path):
    tree(tmp_path, "one.md", "two.md")
    source = Folder(tmp_path / "one.md", "one")
    (entry,) = source.list().entries
    raw = source.fetch(entry)
    assert (raw.uri, raw.body) == ("one/one.md", b"x")
    assert raw.link == (tmp_path / "one.md").resolve().as_uri()


def test_the_revision_is_of_what_was_read(tmp_path):
    tree(tmp_path, "a.md")
    source = Folder(tmp_path, "kb", access=Access(readers=("night",)))
    (entry,) = source.list().entries
    status = (tmp_path / "a.md").stat()
    assert entry.revision == f"{status.st_size}-{status.st_mtime_ns}"
    tree(tmp_path, "a.md", body="longer")
    raw = source.fetch(entry)
    assert raw.revision != entry.revision and raw.revision.startswith("6-")
    assert raw.access == Access(readers=("night",))


def test_a_file_that_grew_over_the_limit_is_refused(tmp_path):
    tree(tmp_path, "a.md")
    source = Folder(tmp_path, "kb", limit=3)
    (entry,) = source.list().entries
    tree(tmp_path, "a.md", body="four")
    with pytest.raises(InputError, match="limit 3"):
        source.fetch(entry)
