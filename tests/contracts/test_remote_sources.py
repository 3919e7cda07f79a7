"""What every source owes the flow, for those that are far away."""

from __future__ import annotations

import pytest

from answerable.errors import InputError, ServiceError
from answerable.ports import Entry
from answerable.records.docs import EVERYONE
from git_site import Made
from remote_site import Site
from remote_sources import git_at, sitemap, web_at


class WebHere:
    def __init__(self, folder):
        self.folder = folder
        self.site = Site()
        self.site.__enter__()
        self.site.put("/a", "<html><p>A</p></html>", Content_Type="text/html")
        self.site.put("/b", "<html><p>B</p></html>", Content_Type="text/html")
        self.site.put("/sitemap.xml", sitemap(self.site, "/b", "/a"))

    def source(self):
        return web_at(f"{self.site.url}/sitemap.xml", self.folder / "own", since="sitemap")

    def change(self):
        self.site.put("/b", "<html><p>B, again</p></html>", Content_Type="text/html")

    def remove(self):
        self.site.put("/sitemap.xml", sitemap(self.site, "/a"))
        self.site.put("/b", "", 404)

    def vanish(self):
        self.site.answers.clear()

    def close(self):
        self.site.__exit__(None, None, None)


class GitHere:
    def __init__(self, folder):
        self.folder = folder
        self.made = Made(folder / "made")
        self.made.commit(**{"a.md": "# A", "b.md": "# B"})

    def source(self):
        return git_at(self.made.url, self.folder / "own")

    def change(self):
        self.made.commit(**{"b.md": "# B, again"})

    def remove(self):
        self.made.commit(**{"b.md": None})

    def vanish(self):
        self.made.root.rename(self.folder / "moved")

    def close(self):
        pass


@pytest.fixture(params=[WebHere, GitHere], ids=["web", "git"])
def there(request, tmp_path):
    made = request.param(tmp_path)
    yield made
    made.close()


def test_every_entry_is_listed_once_in_a_fixed_order_and_can_be_fetched(there):
    source = there.source()
    listing = source.list()
    uris = [entry.uri for entry in listing.entries]
    assert listing.complete and len(uris) == 2 == len(set(uris)) and uris == sorted(uris)
    assert source.list() == listing == there.source().list()
    for entry in listing.entries:
        raw = source.fetch(entry)
        assert raw.uri == entry.uri and raw.revision == entry.revision and raw.body
        assert entry.uri.startswith(f"{source.name}/") and entry.link == raw.link
        assert raw.media_type and raw.access == entry.access == EVERYONE


def test_fetching_needs_no_listing_before(there):
    entries = there.source().list().entries
    raw = there.source().fetch(entries[1])
    assert (raw.uri, raw.revision) == (entries[1].uri, entries[1].revision)


def test_a_change_is_another_revision_of_that_document_alone(there):
    first, second = there.source().list().entries
    there.change()
    source = there.source()
    same, changed = source.list().entries
    assert same == first and changed.uri == second.uri and changed.revision != second.revision
    assert b"again" in source.fetch(changed).body


def test_what_is_removed_is_neither_listed_nor_skipped_by_its_uri(there):
    gone = there.source().list().entries[1]
    there.remove()
    listing = there.source().list()
    assert listing.complete and len(listing.entries) == 1
    assert gone.uri not in {skip.uri for skip in listing.skipped}


def test_what_is_not_there_costs_only_itself(there):
    source = there.source()
    source.list()
    for uri in ("kb/none", "kb/../../etc/passwd", "other/a.md"):
        with pytest.raises(InputError):
            source.fetch(Entry(uri, "1"))


def test_a_source_that_is_gone_is_an_error_and_not_an_empty_listing(there):
    source = there.source()
    source.list()
    there.vanish()
    for one in (source, there.source()):
        with pytest.raises(ServiceError) as fault:
            one.list()
        assert fault.value.exit_code == 5
