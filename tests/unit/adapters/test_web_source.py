"""A web site as a source, against a real local server that changes, moves and fails."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from answerable.adapters.sources.web import options_of
from answerable.adapters.sources.web_page import said
from answerable.errors import ConfigError, InputError, ServiceError
from answerable.ports import Entry
from answerable.records.docs import EVERYONE, NOBODY, Access
from remote_site import Answer, Site, Time
from remote_sources import sitemap, uris, web_at

HTML = {"Content-Type": "text/html; charset=utf-8"}


def page(title: str, head: str = "", body: str = "") -> str:
    return (
        f"<html><head><title>{title}</title>{head}</head><body><p>{title}.</p>{body}</body></html>"
    )


@pytest.fixture
def site():
    with Site() as made:
        made.put("/a", page("A"), Content_Type="text/html", ETag='"a1"')
        made.put(
            "/b", page("B"), Content_Type="text/html", Last_Modified="Mon, 02 Nov 2026 00:00:00 GMT"
        )
        made.put("/c", page("C"), Content_Type="text/html")
        made.put("/sitemap.xml", sitemap(made, "/a", "/b", "/c"), Content_Type="application/xml")
        yield made


def reasons(listing):
    return {skip.uri: skip.reason for skip in listing.skipped}


def test_a_sitemap_gives_its_pages_with_links_types_and_their_bytes(site, tmp_path):
    source = web_at(f"{site.url}/sitemap.xml", tmp_path)
    listing = source.list()
    assert listing.complete and uris(listing) == ["kb/a", "kb/b", "kb/c"]
    assert [entry.link for entry in listing.entries] == [f"{site.url}/{x}" for x in "abc"]
    raw = source.fetch(listing.entries[0])
    assert raw.body == page("A").encode() and raw.media_type == "text/html"
    assert raw.link == f"{site.url}/a" and raw.access == EVERYONE
    assert site.paths() == ["/robots.txt", "/sitemap.xml", "/a", "/b", "/c"]  # fetched once


def test_only_what_changed_is_sent_again_and_a_new_etag_alone_is_no_change(site, tmp_path):
    first = web_at(f"{site.url}/sitemap.xml", tmp_path).list()
    site.put("/a", page("A"), Content_Type="text/html", ETag='"a2"')
    site.put("/c", page("C, again"), Content_Type="text/html")
    site.asked.clear()
    source = web_at(f"{site.url}/sitemap.xml", tmp_path)
    second = source.list()
    same = [x.revision == y.revision for x, y in zip(first.entries, second.entries, strict=True)]
    assert same == [True, True, False]
    asked = {one.path: one.headers for one in site.asked}
    assert asked["/a"]["If-None-Match"] == '"a1"'
    assert asked["/b"]["If-Modified-Since"] == "Mon, 02 Nov 2026 00:00:00 GMT"
    assert source.fetch(second.entries[1]).body == page("B").encode()  # 304, from what is kept
    assert source.fetch(second.entries[2]).body == page("C, again").encode()


def test_a_date_in_the_sitemap_spares_the_question_for_a_week(site, tmp_path):
    dated = sitemap(site, "/a", "/c", **{"/a": "2026-11-01", "/c": "2026-11-01"})
    site.put("/sitemap.xml", dated)
    time = Time()
    first = web_at(f"{site.url}/sitemap.xml", tmp_path, time=time).list()
    site.put("/c", page("changed without a word"), Content_Type="text/html")

    def again(**options):
        site.asked.clear()
        listing = web_at(f"{site.url}/sitemap.xml", tmp_path, time=time, **options).list()
        return listing.entries == first.entries, site.paths()[2:]

    assert again() == (True, [])
    time.passed += 7 * 86400
    assert again() == (False, ["/a", "/c"])
    site.put("/sitemap.xml", dated.replace("2026-11-01", "2026-11-05", 1))
    assert again() == (False, ["/a"])
    assert again(lastmod="false") == (False, ["/a", "/c"])


def test_a_tag_of_any_bytes_is_sent_back_as_it_came(site, tmp_path):
    site.put("/a", page("A"), Content_Type="text/html", ETag='W/"caf\u00e9"')
    first = web_at(f"{site.url}/a", tmp_path).list()
    assert first.entries and web_at(f"{site.url}/a", tmp_path).list() == first
    assert site.asked[-1].headers["If-None-Match"] == 'W/"caf\u00e9"'


def test_a_kept_page_that_was_damaged_is_fetched_again(site, tmp_path):
    first = web_at(f"{site.url}/sitemap.xml", tmp_path).list()
    files = sorted((tmp_path / "pages").iterdir())
    assert len(files) == 3
    files[0].write_bytes(files[0].read_bytes()[:-5])
    files[1].write_bytes(b"{")
    source = web_at(f"{site.url}/sitemap.xml", tmp_path)
    assert source.list().entries == first.entries
    assert [len(source.fetch(entry).body) for entry in first.entries] == [len(page("A"))] * 3


def test_dead_hidden_and_broken_pages_each_cost_themselves(site, tmp_path):
    web_at(f"{site.url}/sitemap.xml", tmp_path).list()
    site.put("/a", "", 410)
    site.put("/b", "", 503)
    site.put("/c", "", 403)
    source = web_at(f"{site.url}/sitemap.xml", tmp_path)
    listing = source.list()
    assert listing.complete
    # Gone is named by its URL, so its document goes; broken by its uri, so it stays.
    assert reasons(listing)[f"{site.url}/a"] == "answered 410"
    assert "503" in reasons(listing)["kb/b"] and "kb/a" not in reasons(listing)
    # What was open and is not any more stays, and nobody reads it.
    (hidden,) = listing.entries
    assert hidden.uri == "kb/c" and hidden.access == NOBODY and "403" in listing.notes[0]
    site.put("/c", page("C"), Content_Type="text/html")
    assert web_at(f"{site.url}/sitemap.xml", tmp_path).list().entries[0].access == EVERYONE


def test_when_no_page_can_be_read_nothing_is_concluded(site, tmp_path):
    for path in ("/a", "/b", "/c"):
        site.put(path, "", 404)
    listing = web_at(f"{site.url}/sitemap.xml", tmp_path).list()
    assert not listing.complete and not listing.entries


def test_a_site_that_is_down_is_not_asked_for_every_page(site, tmp_path):
    pages = [f"/p{n:02}" for n in range(40)]
    for path in pages:
        site.put(path, "", 500)
    site.put("/sitemap.xml", sitemap(site, *pages))
    listing = web_at(f"{site.url}/sitemap.xml", tmp_path).list()
    assert len(listing.skipped) == 40 and all(skip.uri[:4] == "kb/p" for skip in listing.skipped)
    assert len(site.asked) < 20


@pytest.mark.parametrize(
    "answer",
    [
        Answer(503),
        Answer(404),
        Answer(200, b"<html><body>We are back soon</body></html>"),
        Answer(200, b""),
        Answer(200, b"\x1f\x8b\x08\x00broken"),
        Answer(fault="reset"),
        Answer(200, b"http://127.0.0.1/x\n"),
    ],
    ids=str,
)
def test_a_sitemap_that_fails_concludes_nothing(site, tmp_path, answer):
    site.script("/sitemap.xml", answer)
    source = web_at(f"{site.url}/sitemap.xml", tmp_path, since="sitemap")
    try:
        assert not source.list().complete
    except ServiceError as fault:
        assert "/sitemap.xml" in str(fault)


def test_a_cut_or_broken_sitemap_gives_what_it_has_and_is_not_complete(site, tmp_path):
    whole = sitemap(site, "/a", "/b")
    site.put("/sitemap.xml", whole[: whole.index("/b</loc>")])
    listing = web_at(f"{site.url}/sitemap.xml", tmp_path).list()
    assert not listing.complete and uris(listing)[0] == "kb/a"
    assert "not well-formed" in listing.notes[0]
    site.put("/sitemap.xml", whole.replace("/b</loc>", "/c?x=1&y=2</loc>"))
    assert not web_at(f"{site.url}/sitemap.xml", tmp_path).list().complete


def index(site, *maps):
    rows = "".join(f"<sitemap><loc>{site.url}{one}</loc></sitemap>" for one in maps)
    return (
        f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</sitemapindex>'
    )


def test_indexes_may_be_nested_packed_and_in_circles(site, tmp_path):
    site.put("/sitemap.xml", index(site, "/1.xml.gz", "/2.xml", "/sitemap.xml"))
    site.put(
        "/1.xml.gz", gzip.compress(sitemap(site, "/a").encode()), Content_Type="application/gzip"
    )
    site.put("/2.xml", index(site, "/3.xml", "/sitemap.xml"))
    site.put("/3.xml", sitemap(site, "/b", "/a"))
    listing = web_at(f"{site.url}/sitemap.xml", tmp_path).list()
    assert listing.complete and uris(listing) == ["kb/a", "kb/b"]
    site.put("/3.xml", "", 500)
    listing = web_at(f"{site.url}/sitemap.xml", tmp_path).list()
    assert not listing.complete and uris(listing) == ["kb/a"] and "/3.xml" in listing.notes[0]


def test_a_sitemap_loads_no_entities_and_no_bomb(site, tmp_path):
    bomb = '<!ENTITY b "' + "x" * 1000 + '"><!ENTITY c "' + "&b;" * 1000 + '">'
    text = sitemap(site, "/a").replace(
        "<urlset", f'<!DOCTYPE urlset [<!ENTITY e SYSTEM "file:///etc/hostname">{bomb}]><urlset'
    )
    site.put("/sitemap.xml", text.replace("</urlset>", "<url><loc>/&e;&c;</loc></url></urlset>"))
    listing = web_at(f"{site.url}/sitemap.xml", tmp_path).list()
    assert "kb/a" in uris(listing) and all(len(uri) < 100 for uri in uris(listing))
    packed = gzip.compress(b"<urlset>" + b" " * 60_000_000, 1)
    site.put("/sitemap.xml", packed)
    listing = web_at(f"{site.url}/sitemap.xml", tmp_path, since="sitemap").list()
    assert not listing.complete and "larger than" in listing.notes[0]


@pytest.mark.parametrize(
    ("header", "forbidden"),
    [
        ("max-snippet: 10, noindex", True),
        ("Max-Snippet:-1 , NOINDEX", True),
        ("unavailable_after: 25 Jun 2030 15:00:00 PST, noindex", True),
        ("unavailable_after: Friday, 25-Jun-30 15:00:00 GMT, noindex", True),
        ("answerable: max-image-preview: none, noindex", True),
        ("max-image-preview: none", False),
        ("answerable: max-image-preview: none", False),
        ("otherbot: max-snippet: 10, noindex", False),
        ("otherbot: nofollow, noindex", False),
        ("otherbot: noindex, answerable: nofollow", False),
        ("nofollow, max-snippet: 10", False),
    ],
)
def test_rules_with_values_are_no_names_of_readers(header, forbidden):
    found = said("https://x.org/a", {"x-robots-tag": header}, b"", "answerable")
    assert found.noindex is forbidden


def test_robots_txt_is_obeyed_and_its_absence_is_no_rule(site, tmp_path):
    site.put("/robots.txt", "User-agent: answerable\nDisallow: /b\nCrawl-delay: 5\n")
    time = Time()
    listing = web_at(f"{site.url}/sitemap.xml", tmp_path, time=time).list()
    assert uris(listing) == ["kb/a", "kb/c"] and listing.complete
    assert "robots.txt forbids" in reasons(listing)[f"{site.url}/b"]
    assert "/b" not in site.paths() and time.slept[-1] == 5
    assert uris(web_at(f"{site.url}/sitemap.xml", tmp_path, robots="false").list())[1] == "kb/b"
    site.put("/robots.txt", "", 403)
    assert len(web_at(f"{site.url}/sitemap.xml", tmp_path).list().entries) == 3
    site.put("/robots.txt", "User-agent: *\nDisallow: /")
    with pytest.raises(ServiceError, match=r"robots\.txt forbids"):
        web_at(f"{site.url}/sitemap.xml", tmp_path).list()
    site.put("/robots.txt", "", 500)
    with pytest.raises(ServiceError, match="without its rules"):
        web_at(f"{site.url}/sitemap.xml", tmp_path).list()


def test_requests_are_a_delay_apart(site, tmp_path):
    time = Time()
    web_at(f"{site.url}/sitemap.xml", tmp_path, time=time).list()
    assert time.slept == [1.0] * 4
    time = Time()
    web_at(f"{site.url}/sitemap.xml", tmp_path, time=time, delay="0.25").list()
    assert time.slept == [0.25] * 4


def test_a_page_that_asks_not_to_be_indexed_is_left_out(site, tmp_path):
    site.put(
        "/a", page("A", '<META NAME="Robots" content="follow, NOINDEX">'), Content_Type="text/html"
    )
    site.put(
        "/b",
        page("B"),
        Content_Type="text/html",
        X_Robots_Tag="otherbot: noindex, answerable: none",
    )
    site.put("/c", page("C"), Content_Type="text/html", X_Robots_Tag="otherbot: noindex")
    listing = web_at(f"{site.url}/sitemap.xml", tmp_path).list()
    assert uris(listing) == ["kb/c"]
    assert [skip.uri for skip in listing.skipped] == [f"{site.url}/a", f"{site.url}/b"]


def test_canonical_addresses_and_redirects_make_one_page_of_its_copies(site, tmp_path):
    site.put("/b", page("A", '<link rel="canonical" href="/a">'), Content_Type="text/html")
    site.put("/c", "", 301, Location="/a")
    site.put(
        "/d",
        page("D", f'<base href="{site.url}/x/"><link rel=canonical href=d>'),
        Content_Type="text/html",
    )
    site.put(
        "/e",
        page("E", '<link rel="canonical" href="https://evil.example/">'),
        Content_Type="text/html",
    )
    site.put("/sitemap.xml", sitemap(site, "/c", "/b", "/a", "/d", "/e"))
    listing = web_at(f"{site.url}/sitemap.xml", tmp_path).list()
    assert {entry.uri: entry.link for entry in listing.entries} == {
        "kb/a": f"{site.url}/a",
        "kb/d": f"{site.url}/x/d",
        "kb/e": f"{site.url}/e",
    }
    assert reasons(listing)[f"{site.url}/b"] == "the same page as kb/a"
    assert reasons(listing)[f"{site.url}/c"] == "the same page as kb/a"


def test_other_hosts_are_named_and_not_asked(site, tmp_path):
    with Site() as other:
        other.put("/x", page("X"), Content_Type="text/html")
        text = sitemap(site, "/a").replace(
            "</urlset>",
            f"<url><loc>{other.url}/x</loc></url><url><loc>{other.url}/y</loc></url></urlset>",
        )
        site.put("/sitemap.xml", text)
        site.put("/b", "", 302, Location=f"{other.url}/x")
        listing = web_at(f"{site.url}/sitemap.xml", tmp_path).list()
        assert uris(listing) == ["kb/a"] and other.asked == []
        assert "another host" in reasons(listing)[f"{other.url}/x and 1 more"]


def test_types_are_told_by_header_then_name_then_bytes_and_charsets_go_along(site, tmp_path):
    site.put(
        "/latin",
        "<html>caf\u00e9</html>".encode("latin-1"),
        Content_Type="text/html; charset=ISO-8859-1",
    )
    site.put("/notes.md", "# Notes", Content_Type="text/plain; charset=utf-8")
    site.put("/raw", "<!doctype html><p>x</p>", Content_Type="application/octet-stream")
    site.put("/bare", "<html><p>y</p></html>")
    site.put("/x.xhtml", "<html><p>z</p></html>", Content_Type="application/xhtml+xml")
    site.put("/pic.png", b"\x89PNG", Content_Type="image/png")
    names = ("/latin", "/notes.md", "/raw", "/bare", "/x.xhtml", "/pic.png")
    site.put("/sitemap.xml", sitemap(site, *names))
    source = web_at(f"{site.url}/sitemap.xml", tmp_path)
    listing = source.list()
    assert {entry.uri: source.fetch(entry).media_type for entry in listing.entries} == {
        "kb/latin": "text/html; charset=ISO-8859-1",
        "kb/notes.md": "text/markdown; charset=utf-8",
        "kb/raw": "text/html",
        "kb/bare": "text/html",
        "kb/x.xhtml": "text/html",
    }
    assert reasons(listing)[f"{site.url}/pic.png"] == "no parser for its type"


def test_a_list_of_urls_and_a_single_page(site, tmp_path):
    site.put("/pages.txt", f"# ours\n{site.url}/a\n\n{site.url}/b \n", Content_Type="text/plain")
    assert uris(web_at(f"{site.url}/pages.txt", tmp_path / "1").list()) == ["kb/a", "kb/b"]
    site.put("/robots.txt", f"Sitemap: {site.url}/sitemap.xml\n")
    listing = web_at(f"{site.url}/a", tmp_path / "2").list()
    assert uris(listing) == ["kb/a"] and "/sitemap.xml" in listing.notes[0]


def test_links_are_followed_as_deep_as_told_below_the_first_page(site, tmp_path):
    link = '<a href="{}">x</a>'.format
    site.put(
        "/d/",
        page("0", body=link("1") + link("/a") + link("1#x") + link("mailto:x@y")),
        Content_Type="text/html",
    )
    site.put("/d/1", page("1", body=link("../d/2") + link("/d/?")), Content_Type="text/html")
    site.put("/d/2", page("2", body=link("3")), Content_Type="text/html")
    site.put("/d/3", page("3"), Content_Type="text/html")
    assert uris(web_at(f"{site.url}/d/", tmp_path).list()) == ["kb/d/"]
    assert uris(web_at(f"{site.url}/d/", tmp_path, depth="1").list()) == ["kb/d/", "kb/d/1"]
    found = web_at(f"{site.url}/d/", tmp_path, depth="9").list()
    assert uris(found) == ["kb/d/", "kb/d/1", "kb/d/2", "kb/d/3"] and found.complete
    site.put("/d/1", "", 500)
    found = web_at(f"{site.url}/d/", tmp_path, depth="9").list()
    assert not found.complete  # what it would have linked to is not known


def test_globs_and_limits(site, tmp_path):
    listing = web_at(f"{site.url}/sitemap.xml", tmp_path, include=["a", "b"], exclude="b").list()
    assert uris(listing) == ["kb/a"] and listing.complete
    listing = web_at(f"{site.url}/sitemap.xml", tmp_path, pages="2").list()
    assert len(listing.entries) == 2 and not listing.complete and "more than 2" in listing.notes[0]


def test_tokens_in_addresses_are_used_and_not_kept(site, tmp_path):
    site.put("/a?id=7&token=QA-TOKEN-9f27c1", page("A"), Content_Type="text/html")
    site.put(
        "/sitemap.xml",
        sitemap(site, "/a?id=7&amp;token=QA-TOKEN-9f27c1", "/gone?token=QA-TOKEN-9f27c1"),
    )
    source = web_at(f"{site.url}/sitemap.xml", tmp_path)
    listing = source.list()
    assert uris(listing) == ["kb/a?id=7"] and source.fetch(listing.entries[0]).body
    assert "QA-TOKEN" not in repr(listing) + repr(source.fetch(listing.entries[0])) + repr(source)


def test_a_secret_is_sent_by_name_and_a_url_with_one_is_refused(site, tmp_path):
    web_at(f"{site.url}/a", tmp_path, token_env="TOKEN").list()
    assert site.asked[-1].headers["Authorization"] == "Bearer QA-TOKEN-9f27c1"
    with pytest.raises(ConfigError, match="NOT_SET"):
        web_at(f"{site.url}/a", tmp_path, token_env="NOT_SET")
    with pytest.raises(ConfigError) as fault:
        options_of("https://me:QA-TOKEN-9f27c1@docs.example/")
    assert "QA-TOKEN" not in str(fault.value) and "token_env=NAME" in str(fault.value)
    with pytest.raises(ConfigError, match=r"no option 'depht'.*allowed: .*depth"):
        web_at(f"{site.url}/a", tmp_path, depht="1")


def test_an_inner_host_is_not_read_unless_it_is_trusted(site, tmp_path):
    with pytest.raises(ServiceError, match=r"loopback.*allow_private"):
        web_at(f"{site.url}/a", tmp_path, allow_private="false").list()
    assert site.asked == []


def test_readers_are_those_of_the_options(site, tmp_path):
    source = web_at(f"{site.url}/a", tmp_path, readers=["ann", "staff"])
    entry = source.list().entries[0]
    assert entry.access == source.fetch(entry).access == Access(("ann", "staff"))


def test_pages_that_are_not_listed_any_more_are_not_kept(site, tmp_path):
    web_at(f"{site.url}/sitemap.xml", tmp_path).list()
    site.put("/sitemap.xml", sitemap(site, "/a"))
    web_at(f"{site.url}/sitemap.xml", tmp_path).list()
    assert len(list((tmp_path / "pages").iterdir())) == 1


def test_a_page_can_be_fetched_without_listing_and_only_of_its_own_site(site, tmp_path):
    raw = web_at(f"{site.url}/sitemap.xml", tmp_path).fetch(Entry("kb/c", "old"))
    assert raw.body == page("C").encode() and raw.revision != "old"
    source = web_at(f"{site.url}/sitemap.xml", Path(tmp_path) / "x")
    site.asked.clear()
    for uri in ("other/a", "kb/../a", "kb//evil.example/a", "kb//127.0.0.1:9/a"):
        with pytest.raises(InputError):
            source.fetch(Entry(uri, "1"))
    assert site.asked == []
    site.put("/c", "", 502)
    with pytest.raises(ServiceError, match="502"):
        source.fetch(Entry("kb/c", "1"))
